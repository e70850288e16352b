//! When iterations end, by two tolerances.

use nonius_linalg::backend::Reading;

use super::Iteration;
use crate::{Matrix, Number};

/// Options by which an iteration ends where `‖b − A·x‖ ≤ max(relative·‖b‖, absolute)`, as those of
/// SciPy do.
///
/// `from_zero` says that the iteration begins at zero. A limit beyond the range of `f64` is then
/// right too; else it is the largest `f64`, or zero.
///
/// ```
/// use nonius::{Matrix, sparse};
///
/// let b = Matrix::from_fn(2, 1, |i, _| [3.0, 4.0][i]);
/// let options = sparse::limit(&b, false, 1e-3, 1e-9);
/// assert!((options.tolerance - 5e-3).abs() < 1e-15 && !options.relative);
/// assert_eq!(sparse::limit(&b, true, 1e-3, 1e-9).tolerance, 1e-3);
/// assert_eq!(sparse::limit(&b, true, 1e-3, 1.0).tolerance, 0.2);
/// ```
pub fn limit<T: Number>(b: &Matrix<T>, from_zero: bool, relative: f64, absolute: f64) -> Iteration {
    let norm = norm(b);
    let tolerance = match from_zero {
        true if norm.significand == 0.0 => relative,
        true => relative.max(Reading::of(absolute).over(norm).to_f64()),
        false => Reading::of(relative).times(norm).to_f64().max(absolute).min(f64::MAX),
    };
    Iteration { tolerance, relative: from_zero, ..Iteration::default() }
}

/// The 2-norm, of numbers of any exponents.
fn norm<T: Number>(b: &Matrix<T>) -> Reading {
    let numbers = || b.numbers().as_slice().iter().map(T::nearest);
    let nonzero = numbers().filter(|x| x.significand != 0.0);
    let Some(most) = nonzero.map(|x| x.exponent).max() else { return Reading::ZERO };
    let sum: f64 = numbers().map(|x| x.scaled(-most).to_f64().powi(2)).sum();
    Reading::of(sum.sqrt()).scaled(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn norms_stay_in_the_range() {
        for (entry, expected) in [(0.0, 0.0), (1e-300, 2e-300), (1e300, 2e300), (5e-324, 1e-323)] {
            let b = Matrix::from_fn(4, 1, |_, _| entry);
            assert!((norm(&b).to_f64() - expected).abs() <= 4.0 * f64::EPSILON * expected);
        }
    }
}
