//! The job of a sparse system by an iterative method: prepares matrix and preconditioner, solves,
//! times it, and says how far it came.

mod room;

use std::ops::ControlFlow;
use std::time::Instant;

use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::krylov::{self, Algorithm, Step};
use nonius_linalg::{Error, Matrix};

use crate::backend::{Backend, DeviceJob};
use crate::work::Work;
use crate::{Device, Number, Place, Precision};

pub use nonius_linalg::krylov::system::{
    KrylovOptions, Preconditioning, SparseFormat, SparseValues, Storage, UnknownName,
};
pub use room::krylov_room;

use nonius_linalg::krylov::system::{Iterated, Iterates, Solved, format_of_residues};

/// What a solution by an iterative method took, and how far it came.
#[derive(Clone, Debug, PartialEq)]
pub struct KrylovReport {
    /// The method.
    pub algorithm: Algorithm,
    /// Iterations, or steps of refinement, and residuals.
    pub iteration: krylov::Report,
    /// Iterations in `f64` of all steps of refinement.
    pub inner_iterations: Option<usize>,
    /// Time for the iterations.
    pub seconds: f64,
    /// Time to bring matrix and preconditioner into their formats.
    pub setup_seconds: f64,
    /// Entries of the matrix.
    pub entries: usize,
    /// The precision of the vectors.
    pub precision: Precision,
    /// The arithmetic that sums had.
    pub arithmetic: Arithmetic,
    /// How many moduli the numbers had, where they were in residues.
    pub moduli: Option<usize>,
    /// Where it was computed.
    pub place: Place,
}

/// Solves `A·x = b` from `x0`, both matrices of one column. `observe` hears of every iteration, in
/// a refinement of those within its steps too, and may stop it: `x` is then what it came to.
///
/// An iteration that did not converge is no error: the report says so. Nor is for conjugate
/// gradients an indefinite matrix, unless the options ask for that: the report says where `p·Ap`
/// was negative.
///
/// ```
/// use std::ops::ControlFlow::Continue;
///
/// use nonius::linalg::krylov::Algorithm;
/// use nonius::linalg::sparse::{Coo, Triplet};
/// use nonius::{Device, KrylovOptions, Matrix, Qd, SparseValues, krylov};
///
/// let t = |row, col, value| Triplet { row, col, value };
/// let a = Coo::new(2, 2, vec![t(0, 0, 2.0), t(0, 1, 1.0), t(1, 0, 1.0), t(1, 1, 2.0)]).unwrap();
/// let a = SparseValues::Short(a);
/// let b = Matrix::from_fn(2, 1, |_, _| Qd::from(1));
/// let options = KrylovOptions { algorithm: Algorithm::Minres, ..KrylovOptions::default() };
/// let (x, report) =
///     krylov::<Qd>((), a, &b, Matrix::zeros(2, 1), &options, Device::Cpu, |_| Continue(()))?;
/// assert!(report.iteration.converged && report.iteration.iterations == 1);
/// assert!((x[(1, 0)] - Qd::from(1) / Qd::from(3)).abs().to_f64() < 1e-60);
/// # Ok::<(), nonius::linalg::Error>(())
/// ```
///
/// # Errors
/// [`Error::NotSquare`], [`Error::NotFinite`], [`Error::Shape`], [`Error::TooLarge`];
/// [`Error::Precision`] where `b` or `x0` have other bits than `format`;
/// [`Error::NotSymmetric`] for a method that [needs symmetry](Algorithm::needs_symmetry), and for
/// incomplete Cholesky factors; [`Error::NoArithmetic`], [`Error::NotOfIterations`],
/// [`Error::NotInResidues`]; as the preconditioners [`jacobi`](krylov::jacobi),
/// [`block_jacobi`](krylov::block_jacobi) and [`IncompleteCholesky`](krylov::IncompleteCholesky);
/// as [`Solver::solve`](krylov::Solver::solve); [`Error::Device`] where a GPU is asked for.
pub fn krylov<T: Number>(
    format: T::Format,
    a: SparseValues<T>,
    b: &Matrix<T>,
    x0: Matrix<T>,
    options: &KrylovOptions,
    device: Device,
    mut observe: impl FnMut(Step) -> ControlFlow<()>,
) -> Result<(Matrix<T>, KrylovReport), Error> {
    let precision = T::precision(format);
    let residues = format_of_residues(precision, options)?;
    let (rows, cols) = a.shape();
    krylov_room(precision, &a, options).map_err(|_| Error::TooLarge { rows, cols })?;
    let start = Instant::now();
    let work = work(precision, &a, options);
    // What a GPU fails to do is done again.
    let mut inputs = Vec::new();
    if device == Device::Auto && work.estimate().favours_gpu() {
        inputs.push(a.clone());
    }
    inputs.push(a);
    let observe = &mut observe;
    let job = System { format, inputs, vectors: (b, &x0), options, observe };
    let (solved, place) = device.run(work, job)?;
    let Solved { x, iterated, entries } = solved;
    let Iterated { iteration, inner_iterations, seconds } = iterated;
    let report = KrylovReport {
        algorithm: options.algorithm,
        iteration,
        inner_iterations,
        seconds,
        setup_seconds: start.elapsed().as_secs_f64() - seconds,
        entries,
        precision,
        arithmetic: if residues.is_some() { Arithmetic::Ieee } else { options.arithmetic },
        moduli: residues.map(|format| format.moduli().len()),
        place,
    };
    Ok((x, report))
}

/// Solves a sparse system, of whose matrix there is a copy for each try.
struct System<'a, T: Number> {
    format: T::Format,
    inputs: Vec<SparseValues<T>>,
    vectors: (&'a Matrix<T>, &'a Matrix<T>),
    options: &'a KrylovOptions,
    observe: &'a mut dyn FnMut(Step) -> ControlFlow<()>,
}

impl<T: Number + Iterates<B>, B: Backend> DeviceJob<B> for System<'_, T> {
    type Output = Solved<Matrix<T>>;

    fn run(&mut self, backend: &B) -> Result<Self::Output, Error> {
        let a = self.inputs.pop().unwrap_or_else(|| unreachable!("a job has two tries"));
        <T as Iterates<B>>::solve(backend, self.format, a, self.vectors, self.options, self.observe)
    }
}

/// What a solution may take: as many iterations as there are unknowns, but not more than is usual.
fn work<T: Number>(precision: Precision, a: &SparseValues<T>, options: &KrylovOptions) -> Work {
    const USUAL_ITERATIONS: usize = 1000;
    let ((n, _), entries) = (a.shape(), a.places().len());
    let iterations = options.iteration.max_iterations.min(n).min(USUAL_ITERATIONS);
    Work::iterations(precision, iterations as f64, entries as f64, n as f64)
}
