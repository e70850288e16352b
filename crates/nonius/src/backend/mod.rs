//! What a device does for the jobs of this library: each thing is asked for once, and done once by
//! each device.

mod cpu;
mod cuda;

use nonius_cuda::{Cuda, DeviceNumber};
use nonius_fem::Simulation;
use nonius_linalg::backend::Cpu;
use nonius_linalg::certified::Prover;
use nonius_linalg::dense::gemm::{Products, Report};
use nonius_linalg::dense::{
    Algorithms, Decomposition, Eigen, FoundDeterminant, Inverse, LeastSquares, Method, Solution,
    Svd, Vectors,
};
use nonius_linalg::krylov::Step;
use nonius_linalg::krylov::system::{Iterates, KrylovOptions, Solved as Iterated, SparseValues};
use nonius_linalg::mp::{self, Mp};
use nonius_linalg::{Error, MatRef, Matrix, tridiag};
use nonius_num::Decimal;
use nonius_option::Kernels;
use nonius_option::cuda::OnCuda;
use nonius_option::evolve::Evolve;

use crate::product::Matmul;
use crate::tridiagonal::form::Form;
use crate::tridiagonal::solved::Solved;
use crate::tridiagonal::transfer::TridiagonalTransfer;

/// Numbers whose algorithms on dense matrices are compiled for every device.
pub trait Dense: Algorithms<Cpu> + Algorithms<Cuda> {}

impl<T: Algorithms<Cpu> + Algorithms<Cuda>> Dense for T {}

/// Numbers whose iterations are compiled for every device.
pub trait Sparse: Iterates<Cpu> + Iterates<Cuda> {}

impl<T: Iterates<Cpu> + Iterates<Cuda>> Sparse for T {}

/// A device for every job.
pub trait Backend: nonius_sdp::Optimizer + Sized {
    /// Solves `A·X = B`.
    fn solve<T: Dense>(
        &self,
        products: Products,
        a: MatRef<'_, T>,
        b: MatRef<'_, T>,
        method: Method,
    ) -> Result<Solution<T>, Error>;

    /// Inverts a matrix.
    fn inverse<T: Dense>(&self, products: Products, a: MatRef<'_, T>) -> Result<Inverse<T>, Error>;

    /// Finds a determinant.
    fn determinant<T: Dense>(
        &self,
        products: Products,
        a: MatRef<'_, T>,
    ) -> Result<FoundDeterminant<T>, Error>;

    /// Minimises `‖B − A·X‖`.
    fn least_squares<T: Dense>(
        &self,
        products: Products,
        a: MatRef<'_, T>,
        b: MatRef<'_, T>,
    ) -> Result<LeastSquares<T>, Error>;

    /// Finds eigenvalues.
    fn eigen<T: Dense>(
        &self,
        products: Products,
        a: MatRef<'_, T>,
        vectors: Vectors,
    ) -> Result<Decomposition<Eigen<T>>, Error>;

    /// Finds singular values.
    fn svd<T: Dense>(
        &self,
        products: Products,
        a: MatRef<'_, T>,
        vectors: Vectors,
    ) -> Result<Decomposition<Svd<T>>, Error>;

    /// What proves digits.
    fn prover(&self) -> impl Prover;

    /// What takes prices through time.
    fn options<T: Kernels + OnCuda>(&self) -> &dyn Evolve<T>;

    /// Lets a simulation, which begins on the host, go on there.
    fn take(&self, simulation: &mut Simulation<'_>) -> Result<(), nonius_fem::Error>;

    /// `C ← α·op(A)·op(B) + β·C` in the host's memory.
    fn multiply<T: Kernels + Decimal>(
        &self,
        products: Products,
        product: &Matmul<'_, T>,
        beta: T,
        c: &mut Matrix<T>,
    ) -> Result<Report, Error>;

    /// The same at any precision.
    fn multiply_mp(
        &self,
        products: Products,
        product: &Matmul<'_, Mp>,
        beta: &Mp,
        c: &mut mp::Matrix,
    ) -> Result<Report, Error>;

    /// Solves a sparse system by iterations.
    fn iterate<T: Sparse>(
        &self,
        format: T::Format,
        a: SparseValues<T>,
        vectors: (&T::Matrix, &T::Matrix),
        options: &KrylovOptions,
        observe: &mut dyn FnMut(Step),
    ) -> Result<Iterated<T::Matrix>, Error>;

    /// Solves a batch of tridiagonal systems; the seconds are those of the solution alone.
    fn tridiagonal<T: DeviceNumber>(
        &self,
        batch: &tridiag::Batch<'_, T>,
        options: &tridiag::Options,
        transfer: TridiagonalTransfer,
        x: &mut [T],
    ) -> Result<(tridiag::Report, f64), Error>;

    /// Solves a batch that is formed in the device's memory.
    ///
    /// # Errors
    /// [`Error::NeedsGpu`].
    fn tridiagonal_formed<T: DeviceNumber>(
        &self,
        shape: (usize, usize),
        order: tridiag::Order,
        form: &Form,
        options: &tridiag::Options,
    ) -> Result<Solved<T>, Error>;
}

/// Work that is written once for every backend.
pub(crate) trait DeviceJob {
    /// What it yields.
    type Output;

    /// Does it; on another backend once more where a device fails.
    fn run<B: Backend>(&mut self, backend: &B) -> Result<Self::Output, Error>;
}
