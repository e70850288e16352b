//! The factors of a balanced matrix, by any method.

use nonius_num::Real;

use super::balance::Balanced;
use super::{Cholesky, Lu, Method, Transpose, gauss_jordan};
use crate::backend::Dense;
use crate::{Error, MatRef, Matrix, Number};

/// Factors, and the method that found them.
pub(crate) enum Factors<T: Number, B: Dense<T>> {
    GaussJordan(Lu<T, B>),
    Lu(Lu<T, B>),
    Cholesky(Cholesky<T, B>),
}

impl<T: Number, B: Dense<T>> Factors<T, B> {
    /// The factors of a balanced matrix, which `a` is in the backend's memory, and there the
    /// solution in the place of the right-hand sides.
    pub(crate) fn solving(
        method: Method,
        backend: &B,
        balanced: &Balanced<'_, T>,
        a: B::Matrix,
        b: &mut B::Matrix,
    ) -> Result<Self, Error> {
        let b = backend.view_mut(b);
        let factors = match method {
            Method::GaussJordan => {
                return Ok(Self::GaussJordan(gauss_jordan(backend.clone(), a, b)?));
            }
            Method::Cholesky => Self::by_cholesky(backend, balanced, a)?,
            _ => Self::by_lu(backend, a)?,
        };
        match &factors {
            Self::GaussJordan(lu) | Self::Lu(lu) => lu.solve_in_place(Transpose::No, b)?,
            Self::Cholesky(cholesky) => cholesky.solve_in_place(b)?,
        }
        Ok(factors)
    }

    pub(crate) fn by_lu(backend: &B, a: B::Matrix) -> Result<Self, Error> {
        Ok(Self::Lu(Lu::new(backend.clone(), a)?))
    }

    /// A pivot that is not positive is told as one of the matrix given.
    fn by_cholesky(backend: &B, balanced: &Balanced<'_, T>, a: B::Matrix) -> Result<Self, Error> {
        let found = Cholesky::new(backend.clone(), a);
        found.map(Self::Cholesky).map_err(|error| match error {
            Error::NotPositiveDefinite { index, pivot } => {
                let pivot = pivot.ldexp(-2 * balanced.rows[index]);
                Error::NotPositiveDefinite { index, pivot }
            }
            error => error,
        })
    }

    pub(crate) fn method(&self) -> Method {
        match self {
            Self::GaussJordan(_) => Method::GaussJordan,
            Self::Lu(_) => Method::Lu,
            Self::Cholesky(_) => Method::Cholesky,
        }
    }

    /// The solution of `op(A)·X = B` for the balanced matrix.
    pub(crate) fn solve(&self, op: Transpose, b: MatRef<'_, T>) -> Result<Matrix<T>, Error> {
        match self {
            Self::GaussJordan(lu) | Self::Lu(lu) => lu.solve_op(op, b),
            Self::Cholesky(cholesky) => cholesky.solve(b),
        }
    }
}
