//! The algorithms of dense matrices, iterations and proofs on a GPU, compiled here for each number.

use core::fmt;

use nonius_linalg::dense::{
    Algorithms, Decomposition, Eigen, FoundDeterminant, Inverse, LeastSquares, Method, Solution,
    Svd, Vectors,
};
use nonius_linalg::{
    DeviceFailure, Error, MatRef, compile_algorithms, compile_iterations, compile_proofs,
};
use nonius_num::{Dd, Mp, Qd, Td};

use crate::backend::Cuda;

compile_algorithms!(Cuda: f64 Dd Td Qd);
compile_iterations!(Cuda: f64: limbs Dd: limbs Td: limbs Qd: limbs Mp: mp);
compile_proofs!(Cuda);

/// Numbers of any precision have no dense algorithms on GPUs.
#[derive(Clone, Copy, Debug)]
struct OnlyOnCpu;

impl fmt::Display for OnlyOnCpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("factors and values of dense mp matrices are computed on the CPU only")
    }
}

impl core::error::Error for OnlyOnCpu {}

fn refused<R>() -> Result<R, Error> {
    Err(Error::Device(DeviceFailure::new(OnlyOnCpu)))
}

impl Algorithms<Cuda> for Mp {
    fn solve(
        _: Cuda,
        _: MatRef<'_, Self>,
        _: MatRef<'_, Self>,
        _: Method,
    ) -> Result<Solution<Self>, Error> {
        refused()
    }

    fn inverse(_: Cuda, _: MatRef<'_, Self>) -> Result<Inverse<Self>, Error> {
        refused()
    }

    fn determinant(_: Cuda, _: MatRef<'_, Self>) -> Result<FoundDeterminant<Self>, Error> {
        refused()
    }

    fn least_squares(
        _: Cuda,
        _: MatRef<'_, Self>,
        _: MatRef<'_, Self>,
    ) -> Result<LeastSquares<Self>, Error> {
        refused()
    }

    fn eigen(
        _: Cuda,
        _: MatRef<'_, Self>,
        _: Vectors,
    ) -> Result<Decomposition<Eigen<Self>>, Error> {
        refused()
    }

    fn svd(_: Cuda, _: MatRef<'_, Self>, _: Vectors) -> Result<Decomposition<Svd<Self>>, Error> {
        refused()
    }
}
