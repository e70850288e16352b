//! The algorithms of dense matrices, compiled once for each number and backend.

use super::decomposition::Decomposition;
use super::{Eigen, FoundDeterminant, Inverse, LeastSquares, Method, Solution, Svd, Vectors};
use crate::out_of_core::OutOfCore;
use crate::{Error, MatRef, Number};

/// The systems of dense matrices of a number that a backend solves, also one of ranks.
///
/// A generic algorithm is compiled anew in every library, program and test that calls it. What is
/// called through this trait, whose implementations are not generic, is compiled with the backend
/// alone: see [`compile_systems`](crate::compile_systems).
pub trait Systems<B>: Number {
    /// As [`solve_on`](super::solve_on).
    ///
    /// # Errors
    /// As there.
    fn solve(
        backend: B,
        a: MatRef<'_, Self>,
        b: MatRef<'_, Self>,
        method: Method,
    ) -> Result<Solution<Self>, Error>;

    /// As [`inverse_on`](super::inverse_on).
    ///
    /// # Errors
    /// As there.
    fn inverse(backend: B, a: MatRef<'_, Self>) -> Result<Inverse<Self>, Error>;
}

/// What else a device does with dense matrices of a number, compiled with it as [`Systems`] are:
/// see [`compile_algorithms`](crate::compile_algorithms).
pub trait Algorithms<B>: Systems<B> {
    /// As [`solve_on`](super::solve_on), with matrices in the host's memory.
    ///
    /// # Errors
    /// As there.
    fn solve_out_of_core(
        backend: OutOfCore<B>,
        a: MatRef<'_, Self>,
        b: MatRef<'_, Self>,
        method: Method,
    ) -> Result<Solution<Self>, Error>;

    /// As [`inverse_on`](super::inverse_on), with matrices in the host's memory.
    ///
    /// # Errors
    /// As there.
    fn inverse_out_of_core(
        backend: OutOfCore<B>,
        a: MatRef<'_, Self>,
    ) -> Result<Inverse<Self>, Error>;

    /// As [`determinant_on`](super::determinant_on).
    ///
    /// # Errors
    /// As there.
    fn determinant(backend: B, a: MatRef<'_, Self>) -> Result<FoundDeterminant<Self>, Error>;

    /// As [`least_squares_on`](super::least_squares_on).
    ///
    /// # Errors
    /// As there.
    fn least_squares(
        backend: B,
        a: MatRef<'_, Self>,
        b: MatRef<'_, Self>,
    ) -> Result<LeastSquares<Self>, Error>;

    /// As [`judged_eigen_on`](super::judged_eigen_on).
    ///
    /// # Errors
    /// As there.
    fn eigen(
        backend: B,
        a: MatRef<'_, Self>,
        vectors: Vectors,
    ) -> Result<Decomposition<Eigen<Self>>, Error>;

    /// As [`judged_svd_on`](super::judged_svd_on).
    ///
    /// # Errors
    /// As there.
    fn svd(
        backend: B,
        a: MatRef<'_, Self>,
        vectors: Vectors,
    ) -> Result<Decomposition<Svd<Self>>, Error>;
}

impl<T: Algorithms<B>, B> Systems<OutOfCore<B>> for T {
    fn solve(
        backend: OutOfCore<B>,
        a: MatRef<'_, T>,
        b: MatRef<'_, T>,
        method: Method,
    ) -> Result<Solution<T>, Error> {
        T::solve_out_of_core(backend, a, b, method)
    }

    fn inverse(backend: OutOfCore<B>, a: MatRef<'_, T>) -> Result<Inverse<T>, Error> {
        T::inverse_out_of_core(backend, a)
    }
}

/// Compiles the [`Systems`](crate::dense::Systems) of a backend where it stands.
///
/// `compile_systems!(Cpu: f64 Dd)`
#[macro_export]
macro_rules! compile_systems {
    ($backend:ty: $($number:ty)*) => {$(
        impl $crate::dense::Systems<$backend> for $number {
            fn solve(
                backend: $backend,
                a: $crate::MatRef<'_, Self>,
                b: $crate::MatRef<'_, Self>,
                method: $crate::dense::Method,
            ) -> Result<$crate::dense::Solution<Self>, $crate::Error> {
                $crate::dense::solve_on(backend, a, b, method)
            }

            fn inverse(
                backend: $backend,
                a: $crate::MatRef<'_, Self>,
            ) -> Result<$crate::dense::Inverse<Self>, $crate::Error> {
                $crate::dense::inverse_on(backend, a)
            }
        }
    )*};
}

/// Compiles the [`Systems`](crate::dense::Systems) and all
/// [`Algorithms`](crate::dense::Algorithms) of a backend where it stands.
///
/// `compile_algorithms!(Cpu: f64 Dd)`
#[macro_export]
macro_rules! compile_algorithms {
    ($backend:ty: $($number:ty)*) => {
        $crate::compile_systems!($backend: $($number)*);
        $(
        impl $crate::dense::Algorithms<$backend> for $number {
            fn solve_out_of_core(
                backend: $crate::out_of_core::OutOfCore<$backend>,
                a: $crate::MatRef<'_, Self>,
                b: $crate::MatRef<'_, Self>,
                method: $crate::dense::Method,
            ) -> Result<$crate::dense::Solution<Self>, $crate::Error> {
                $crate::dense::solve_on(backend, a, b, method)
            }

            fn inverse_out_of_core(
                backend: $crate::out_of_core::OutOfCore<$backend>,
                a: $crate::MatRef<'_, Self>,
            ) -> Result<$crate::dense::Inverse<Self>, $crate::Error> {
                $crate::dense::inverse_on(backend, a)
            }

            fn determinant(
                backend: $backend,
                a: $crate::MatRef<'_, Self>,
            ) -> Result<$crate::dense::FoundDeterminant<Self>, $crate::Error> {
                $crate::dense::determinant_on(&backend, a)
            }

            fn least_squares(
                backend: $backend,
                a: $crate::MatRef<'_, Self>,
                b: $crate::MatRef<'_, Self>,
            ) -> Result<$crate::dense::LeastSquares<Self>, $crate::Error> {
                $crate::dense::least_squares_on(backend, a, b)
            }

            fn eigen(
                backend: $backend,
                a: $crate::MatRef<'_, Self>,
                vectors: $crate::dense::Vectors,
            ) -> Result<$crate::dense::Decomposition<$crate::dense::Eigen<Self>>, $crate::Error>
            {
                $crate::dense::judged_eigen_on(&backend, a, vectors)
            }

            fn svd(
                backend: $backend,
                a: $crate::MatRef<'_, Self>,
                vectors: $crate::dense::Vectors,
            ) -> Result<$crate::dense::Decomposition<$crate::dense::Svd<Self>>, $crate::Error> {
                $crate::dense::judged_svd_on(&backend, a, vectors)
            }
        }
    )*};
}
