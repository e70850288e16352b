//! Sparse systems of every kind of number, compiled once for each backend.

use super::options::{KrylovOptions, SparseValues};
use super::outcome::Solved;
use crate::Error;
use crate::krylov::Step;
use crate::{Matrix, Number};
use core::ops::ControlFlow;

/// Numbers whose sparse systems a backend solves by iterations. See
/// [`compile_iterations`](crate::compile_iterations).
pub trait Iterates<B>: Number {
    /// Solves `A·x = b` from `x0`, the vectors being matrices of one column.
    ///
    /// # Errors
    /// [`Error::NotSquare`], [`Error::NotFinite`], [`Error::Shape`], [`Error::Precision`],
    /// [`Error::TooLarge`], [`Error::NotSymmetric`], [`Error::NotOfIterations`],
    /// [`Error::NotInResidues`], [`Error::Device`]; as the preconditioners and the method.
    fn solve(
        backend: &B,
        format: Self::Format,
        a: SparseValues<Self>,
        vectors: (&Matrix<Self>, &Matrix<Self>),
        options: &KrylovOptions,
        observe: &mut dyn FnMut(Step) -> ControlFlow<()>,
    ) -> Result<Solved<Matrix<Self>>, Error>;
}

/// Compiles the iterations of [`Homes`](crate::krylov::system::Homes) where it stands.
#[macro_export]
macro_rules! compile_iterations {
    ($backend:ty: $($number:ty: $solve:ident)*) => {$(
        impl $crate::krylov::system::Iterates<$backend> for $number {
            fn solve(
                backend: &$backend,
                format: <Self as $crate::Element>::Format,
                a: $crate::krylov::system::SparseValues<Self>,
                vectors: (
                    &$crate::Matrix<Self>,
                    &$crate::Matrix<Self>,
                ),
                options: &$crate::krylov::system::KrylovOptions,
                observe: &mut dyn FnMut($crate::krylov::Step) -> ::core::ops::ControlFlow<()>,
            ) -> Result<
                $crate::krylov::system::Solved<
                    $crate::Matrix<Self>,
                >,
                $crate::Error,
            > {
                $crate::krylov::system::$solve(backend, format, a, vectors, options, observe)
            }
        }
    )*};
}
