//! Jacobi's preconditioner: the diagonal of the matrix.

use super::Inverse;
use crate::sparse::{Csr, Dia, Layout};
use crate::{Error, Number, Numbers};

/// The inverse of the diagonal, each entry made by `inverse` from that of the matrix. It need not
/// have the matrix's precision: `f64` does for any, and 64 bits beside `mp` vectors.
///
/// ```
/// use std::ops::ControlFlow::Continue;
///
/// use nonius_linalg::Numbers;
/// use nonius_linalg::krylov::{Cg, HostSpace, Options, jacobi};
/// use nonius_linalg::sparse::{Coo, Csr, Triplet};
///
/// // A diagonal matrix is its own preconditioner.
/// let t = |i: usize| Triplet { row: i, col: i, value: (1 + i * i) as f64 };
/// let a = Csr::<f64>::from_coo(Coo::new(9, 9, (0..9).map(t).collect()).unwrap())?;
/// let m = jacobi::<f64, f64>(&a, (), |x| 1.0 / x)?;
/// let (b, mut x) = (Numbers::from(vec![1.0; 9]), Numbers::zeros((), 9));
/// let mut space = HostSpace::new(());
/// let options = Options::default();
/// let mut cg = Cg::new(&space, 9)?;
/// let report = cg.solve(&mut space, &a, &m, &b, &mut x, &options, |_| Continue(()))?;
/// assert_eq!(report.iterations, 1);
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
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
