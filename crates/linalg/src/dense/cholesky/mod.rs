//! Cholesky factorisation of symmetric positive definite matrices, and what follows from it.

mod factor;
mod solve;

pub use factor::{factor_columns, factor_in_place};

use super::Triangle;
use super::packed::Packed;
use crate::backend::{Cpu, Dense, Memory, View};
use crate::{Error, MatRef, Matrix, Number};

/// The Cholesky factor of a symmetric positive definite matrix: `A = L·Lᵀ` with a lower triangular
/// `L`.
///
/// Error (Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., Theorem 10.3): the
/// computed factor is exact for a matrix within `c·(n + 1)·u·|L||Lᵀ|` of `A`, entrywise, where
/// `c·u` bounds the error of one multiplication and addition. For numbers of any precision on the
/// host it is exact for one within `(2.1·n + 8)·u·|L||Lᵀ|`, as [`Lu`](super::Lu) for its factors:
/// products of the same numbers of terms are subtracted from an entry.
///
/// ```
/// use nonius_linalg::dense::{Cholesky, Triangle};
/// use nonius_linalg::{Error, Matrix};
/// use nonius_num::Dd;
///
/// let a = Matrix::from_fn(2, 2, |i, j| Dd::from([[4.0, 2.0], [2.0, 10.0]][i][j]));
/// let factors = Cholesky::factor(Triangle::Lower, a.view())?;
/// assert_eq!(factors.lower()?.as_slice(), [2.0, 1.0, 0.0, 3.0].map(Dd::from));
/// // A matrix with a negative eigenvalue has no such factor.
/// let a = Matrix::from_fn(2, 2, |i, j| Dd::from([[1.0, 2.0], [2.0, 1.0]][i][j]));
/// let refused = Cholesky::factor(Triangle::Lower, a.view()).err();
/// assert!(matches!(refused, Some(Error::NotPositiveDefinite { .. })));
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Cholesky<T: Number, B: Memory<T> = Cpu> {
    backend: B,
    /// `L` on and below the diagonal; what is above is not read.
    factor: Packed<T, B::Matrix>,
}

impl<T: Number> Cholesky<T, Cpu> {
    /// Factors a symmetric matrix on the host, of which only one triangle is read.
    ///
    /// # Errors
    /// [`Error::NotSquare`]; [`Error::NotFinite`] for an entry of the triangle;
    /// [`Error::NotPositiveDefinite`] for a pivot that is not positive, [`Error::Overflow`] for one
    /// that is not finite.
    pub fn factor(triangle: Triangle, a: MatRef<'_, T>) -> Result<Self, Error> {
        Error::check_square(a.shape())?;
        let n = a.rows();
        let mut lower = Matrix::zeros_in(a.format(), n, n);
        for j in 0..n {
            match triangle {
                Triangle::Lower => {
                    lower.column_mut(j).range(j..n).copy_from(a.column(j).range(j..n));
                }
                Triangle::Upper => (j..n).for_each(|i| lower.set(i, j, a.at(j, i))),
            }
        }
        Error::check_finite("a", lower.view()).map_err(|error| match (error, triangle) {
            (Error::NotFinite { operand, row, col }, Triangle::Upper) => {
                Error::NotFinite { operand, row: col, col: row }
            }
            (error, _) => error,
        })?;
        Cholesky::new(Cpu::default(), lower)
    }
}

impl<T: Number, B: Dense<T>> Cholesky<T, B> {
    /// Factors a symmetric matrix of a backend, of which only the lower triangle is read, in its
    /// place.
    ///
    /// # Errors
    /// As [`factor`](Cholesky::factor), though entries are not searched for one that is not finite;
    /// and [`Error::NoArithmetic`] where numbers of this type do not have the backend's arithmetic.
    pub fn new(backend: B, mut a: B::Matrix) -> Result<Self, Error> {
        Error::check_square(backend.view(&a).shape())?;
        backend.check_products()?;
        let view = backend.view_mut(&mut a);
        backend.run(|| factor::factor_in_place(&backend, view)).map_err(Error::no_cholesky)?;
        Ok(Self { backend, factor: Packed::lower(a) })
    }

    /// `L` on and below the diagonal.
    pub(crate) fn into_packed(self) -> B::Matrix {
        self.factor.matrix
    }

    /// The same factors for a host.
    ///
    /// # Errors
    /// [`Error::Device`] where the backend failed.
    pub(crate) fn to_host(&self, host: Cpu) -> Result<Cholesky<T, Cpu>, Error> {
        let factor = self.backend.download_lower(self.backend.view(&self.factor.matrix))?;
        Ok(Cholesky { backend: host, factor: Packed::lower(factor) })
    }

    /// Order of the matrix.
    pub fn order(&self) -> usize {
        self.backend.view(&self.factor.matrix).shape().0
    }

    /// `L` as a host matrix.
    ///
    /// # Errors
    /// [`Error::Device`] where the backend failed.
    pub fn lower(&self) -> Result<Matrix<T>, Error> {
        let packed = self.backend.download_lower(self.backend.view(&self.factor.matrix))?;
        let n = packed.rows();
        let entry = |i, j| if i >= j { packed.at(i, j) } else { T::ZERO };
        Ok(Matrix::from_fn_in(packed.format(), n, n, entry))
    }
}
