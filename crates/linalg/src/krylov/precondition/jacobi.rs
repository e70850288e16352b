//! Jacobi's preconditioner: the diagonal of the matrix.

use super::Inverse;
use crate::Error;
use nonius_num::{Element, Real};

use crate::sparse::{Csr, Dia, Layout, Values};

/// The inverse of the diagonal, each entry made by `inverse` from that of the matrix. It need not have the matrix's precision: `f64` does for any, and
/// [64 bits](Csr::to_mp) beside `mp` vectors.
///
/// # Errors
/// [`Error::NotSquare`]; [`Error::ZeroDiagonal`] where an entry is missing, zero, or has an inverse beyond the range; [`Error::TooLarge`].
pub fn jacobi<V: Values, W: Values>(
    a: &Csr<V>,
    format: <W::Item as Element>::Format,
    inverse: impl Fn(V::Item) -> W::Item,
) -> Result<Inverse<Dia<W>>, Error> {
    let (rows, cols) = a.shape();
    Error::check_square((rows, cols))?;
    let mut values = W::zeros(format, rows).ok_or(Error::TooLarge { rows, cols })?;
    for row in 0..rows {
        let found = a.diagonal(row).filter(|&at| !a.values().is_zero_at(at));
        let inverse = found.map(|at| inverse(a.values().value(at))).filter(|x| x.is_finite());
        values.put(row, &inverse.ok_or(Error::ZeroDiagonal { row })?);
    }
    Ok(Inverse(Dia::diagonal(values)))
}
