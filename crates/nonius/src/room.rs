//! Memory that the jobs of dense matrices take beside their operands.

use nonius_files::room::check_memory;
use nonius_linalg::Error;
use nonius_num::{Element, stored_bytes};

/// Refuses a job whose results and copies, matrices of these shapes, do not fit the free memory.
pub(crate) fn check<T: Element>(
    format: T::Format,
    what: &str,
    shapes: &[(usize, usize)],
) -> Result<(), Error> {
    let numbers = shapes.iter().fold(0, |numbers: u128, &(rows, cols)| {
        numbers.saturating_add(rows as u128 * cols as u128)
    });
    let bytes = numbers.saturating_mul(stored_bytes::<T>(format) as u128);
    check_memory(what, bytes).map_err(|refused| Error::NoRoom(Box::new(refused)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_machine_has_is_refused() {
        assert_eq!(check::<f64>((), "the product", &[(1000, 1000), (0, usize::MAX)]), Ok(()));
        let error = check::<f64>((), "the product", &[(usize::MAX, usize::MAX); 2]).unwrap_err();
        assert!(error.to_string().starts_with("the product: "), "{error}");
    }
}
