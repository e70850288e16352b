//! Jacobi's preconditioner: the diagonal of the matrix.

use super::Inverse;
use crate::sparse::{Csr, Dia, Layout};
use crate::{Error, Number, Numbers};

/// The inverse of the diagonal, each entry made by `inverse` from that of the matrix. It need not
/// have the matrix's precision: `f64` does for any, and 64 bits beside `mp` vectors.
///
/// # Errors
/// [`Error::NotSquare`]; [`Error::ZeroDiagonal`] where an entry is missing, zero, or has an inverse
/// beyond the range; [`Error::TooLarge`].
pub fn jacobi<T: Number, U: Number>(
    a: &Csr<T>,
    format: U::Format,
    inverse: impl Fn(T) -> U,
) -> Result<Inverse<Dia<U>>, Error> {
    let (rows, cols) = a.shape();
    Error::check_square((rows, cols))?;
    let zeros = Numbers::try_zeros(format, rows);
    let mut values = zeros.ok_or(Error::TooLarge { rows, cols })?;
    for row in 0..rows {
        let found = a.diagonal(row).filter(|&at| !a.values().is_zero_at(at));
        let inverse = found.map(|at| inverse(a.values().at(at))).filter(|x| x.is_finite());
        values.set(row, inverse.ok_or(Error::ZeroDiagonal { row })?);
    }
    Ok(Inverse(Dia::diagonal(values)))
}
