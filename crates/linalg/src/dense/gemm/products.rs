//! How a backend computes products of matrices.

use super::Arithmetic;
use crate::{Error, Scalar};

/// How a backend computes products of matrices, those inside factorisations included: what
/// [`Gemm`](crate::backend::Gemm) and [`Syrk`](crate::backend::Syrk) do.
///
/// Panels, triangular systems and vectors keep to [`Arithmetic::Delayed`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Products {
    /// The arithmetic of the entries' sums.
    pub arithmetic: Arithmetic,
}

impl Products {
    /// `Ok` where products of matrices of this type can be computed so.
    ///
    /// # Errors
    /// As [`Arithmetic::check`].
    pub fn check<T: Scalar>(self) -> Result<(), Error> {
        self.arithmetic.check::<T>()
    }
}
