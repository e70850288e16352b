//! The factors of a balanced matrix, by any method.

use nonius_num::Real;

use super::balance::Balanced;
use super::{Cholesky, Lu, Method, Transpose, gauss_jordan};
use crate::backend::Dense;
use crate::{Error, MatRef, Matrix, Scalar};

/// Factors, and the method that found them.
pub(crate) enum Factors<T: Scalar, B: Dense<T>> {
    GaussJordan(Lu<T, B>),
    Lu(Lu<T, B>),
    Cholesky(Cholesky<T, B>),
}

impl<T: Scalar, B: Dense<T>> Factors<T, B> {
    /// With the solution of the balanced system.
    pub(crate) fn by_gauss_jordan(
        backend: &B,
        balanced: &Balanced<'_, T>,
    ) -> Result<(Self, Matrix<T>), Error> {
        let mut x = backend.upload(balanced.b());
        let a = backend.upload(balanced.a());
        let lu = gauss_jordan(backend.clone(), a, backend.view_mut(&mut x))?;
        Ok((Self::GaussJordan(lu), backend.download(backend.view(&x))?))
    }

    pub(crate) fn by_lu(backend: &B, balanced: &Balanced<'_, T>) -> Result<Self, Error> {
        Ok(Self::Lu(Lu::new(backend.clone(), backend.upload(balanced.a()))?))
    }

    /// A pivot that is not positive is told as one of the matrix given.
    pub(crate) fn by_cholesky(backend: &B, balanced: &Balanced<'_, T>) -> Result<Self, Error> {
        let found = Cholesky::new(backend.clone(), backend.upload(balanced.a()));
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
