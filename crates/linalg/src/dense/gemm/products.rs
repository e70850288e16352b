//! How a backend computes products of matrices.

use super::{Accuracy, Arithmetic, Engine};
use crate::{Error, Scalar};

/// How a backend computes products of matrices, those inside factorisations included: what
/// [`Gemm`](crate::backend::Gemm) and [`Syrk`](crate::backend::Syrk) do.
///
/// Panels, triangular systems and vectors keep to [`Arithmetic::Delayed`] and [`Engine::Direct`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Products {
    /// The engine; `None` leaves the choice to the backend, by size and precision.
    pub engine: Option<Engine>,
    /// The arithmetic of the sums of [`Engine::Direct`], which is taken for any but [`Arithmetic::Delayed`].
    pub arithmetic: Arithmetic,
    /// What [`Engine::Crt`] promises.
    pub accuracy: Accuracy,
    /// Bytes that [`Engine::Crt`] takes for residues of the factors, at least those of 32 rows and 32 columns; besides some megabytes
    /// for each thread.
    pub workspace: usize,
}

impl Products {
    /// The workspace unless another is asked for: 512 MiB.
    pub const WORKSPACE: usize = 512 << 20;

    /// Products by [`Engine::Direct`].
    pub fn direct() -> Self {
        Self { engine: Some(Engine::Direct), ..Self::default() }
    }

    /// `Ok` where products of matrices of this type can be computed so.
    ///
    /// # Errors
    /// As [`Arithmetic::check`]; [`Error::NotDirect`] for an arithmetic of the direct engine with another engine.
    pub fn check<T: Scalar>(self) -> Result<(), Error> {
        match self.engine {
            Some(engine @ Engine::Crt) if self.arithmetic != Arithmetic::Delayed => {
                Err(Error::NotDirect { arithmetic: self.arithmetic, engine })
            }
            _ => self.arithmetic.check::<T>(),
        }
    }
}

impl Default for Products {
    fn default() -> Self {
        Self {
            engine: None,
            arithmetic: Arithmetic::default(),
            accuracy: Accuracy::default(),
            workspace: Self::WORKSPACE,
        }
    }
}
