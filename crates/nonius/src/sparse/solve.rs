//! The solution of a sparse system by an iterative method.

use std::fmt;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::krylov::system::{Iterated, Iterates, Solved, format_of_residues};
use nonius_linalg::krylov::{self, Algorithm, Residual, Step};
use nonius_linalg::sparse::Coo;
use nonius_linalg::{Error, Matrix};

use super::room::check_room;
use super::{Options, Preconditioning, Values};
use crate::backend::{DeviceJob, Machine};
use crate::device::{Device, Place};
use crate::setters::setters;
use crate::work::Work;
use crate::{Number, Precision};

/// How far an iteration came, and where.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The method.
    pub algorithm: Algorithm,
    /// Iterations, or steps of refinement, and residuals.
    pub iteration: krylov::Report,
    /// Iterations in `f64` of all steps of refinement.
    pub inner_iterations: Option<usize>,
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
    /// Time for the iterations.
    pub time: Duration,
    /// Time to bring matrix and preconditioner into their formats.
    pub setup_time: Duration,
}

/// The sparse system `A·x = b`, to be solved by iteration.
///
/// An iteration that did not converge is no error: the report says so. Nor is for conjugate
/// gradients an indefinite matrix, unless the options ask for that: the report says where `p·Ap`
/// was negative.
///
/// ```
/// use nonius::prelude::*;
/// use nonius::sparse::{self, Algorithm, Coo, Triplet};
///
/// let t = |row, col, value| Triplet { row, col, value };
/// let a = Coo::new(2, 2, vec![t(0, 0, 2.0), t(0, 1, 1.0), t(1, 0, 1.0), t(1, 1, 2.0)]).unwrap();
/// let b = Matrix::from_fn(2, 1, |_, _| Qd::ONE);
/// let (x, report) = sparse::Solve::short(a, &b).algorithm(Algorithm::Minres).run()?;
/// assert!(report.iteration.converged && report.iteration.iterations == 1);
/// assert!((x[(1, 0)] - Qd::ONE / Qd::from(3)).abs().to_f64() < 1e-60);
/// # Ok::<(), nonius::sparse::Error>(())
/// ```
#[must_use = "a system is solved by `run`"]
pub struct Solve<'a, T: Number> {
    a: Values<T>,
    b: &'a Matrix<T>,
    x0: Option<&'a Matrix<T>>,
    options: Options,
    device: Device,
    observe: Option<&'a mut dyn FnMut(Step) -> ControlFlow<()>>,
}

impl<'a, T: Number> Solve<'a, T> {
    /// A system with the matrix `A`, `n × n`, and the right-hand side `b`, `n × 1`, whose numbers
    /// have the same precision.
    pub fn new(a: Coo<T>, b: &'a Matrix<T>) -> Self {
        Self::of(Values::Full(a), b)
    }

    /// A system whose matrix has entries in `f64`, which takes less work and memory. The solution
    /// has the precision of `b`.
    pub fn short(a: Coo<f64>, b: &'a Matrix<T>) -> Self {
        Self::of(Values::Short(a), b)
    }

    /// A system with entries in either.
    pub fn of(a: Values<T>, b: &'a Matrix<T>) -> Self {
        let options = Options::default();
        Self { a, b, x0: None, options, device: Device::Auto, observe: None }
    }

    /// The vector with which the iteration begins, in place of zero.
    pub fn start(mut self, x0: &'a Matrix<T>) -> Self {
        self.x0 = Some(x0);
        self
    }

    /// The method: conjugate gradients by default.
    pub fn algorithm(mut self, algorithm: Algorithm) -> Self {
        self.options.algorithm = algorithm;
        self
    }

    /// The preconditioner: none by default.
    pub fn preconditioning(mut self, preconditioning: Preconditioning) -> Self {
        self.options.preconditioning = preconditioning;
        self
    }

    /// The residual beside the first one at which the iteration ends.
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.options.iteration.tolerance = tolerance;
        self
    }

    /// The most iterations.
    pub fn max_iterations(mut self, most: usize) -> Self {
        self.options.iteration.max_iterations = most;
        self
    }

    /// Which residual decides.
    pub fn residual(mut self, residual: Residual) -> Self {
        self.options.iteration.residual = residual;
        self
    }

    /// All options at once, in place of those set before.
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    setters!(device);

    /// Has `observe` hear of every iteration, in a refinement of those within its steps too. It may
    /// stop the iteration: `x` is then what it came to. On ranks, the first one's may.
    pub fn observe(mut self, observe: &'a mut dyn FnMut(Step) -> ControlFlow<()>) -> Self {
        self.observe = Some(observe);
        self
    }

    /// Iterates. Returns `x`, `n × 1`, and the report.
    ///
    /// # Errors
    /// [`Error::NotSquare`], [`Error::NotFinite`], [`Error::Shape`], [`Error::TooLarge`];
    /// [`Error::Precision`] where `x0` has other bits than `b`; [`Error::NotSymmetric`] for a
    /// method that [needs symmetry](Algorithm::needs_symmetry), and for incomplete Cholesky
    /// factors; [`Error::NoArithmetic`], [`Error::NotOfIterations`], [`Error::NotInResidues`]; as
    /// the preconditioners [`jacobi`](krylov::jacobi), [`block_jacobi`](krylov::block_jacobi) and
    /// [`IncompleteCholesky`](krylov::IncompleteCholesky); as
    /// [`Solver::solve`](krylov::Solver::solve); [`Error::Device`] where a GPU is asked for.
    pub fn run(self) -> Result<(Matrix<T>, Report), Error> {
        let Self { a, b, x0, options, device, observe } = self;
        let format = b.format();
        let precision = T::precision(format);
        let residues = format_of_residues(precision, &options)?;
        let (rows, cols) = a.shape();
        check_room(precision, &a, &options).map_err(|_| Error::TooLarge { rows, cols })?;
        let zero;
        let x0 = match x0 {
            Some(x0) => x0,
            None => {
                zero = Matrix::try_zeros_in(format, rows, 1)?;
                &zero
            }
        };
        let start = Instant::now();
        let work = work(precision, &a, &options);
        // What a GPU fails to do is done again.
        let mut inputs = Vec::new();
        if device == Device::Auto && work.estimate().favours_gpu() {
            inputs.push(a.clone());
        }
        inputs.push(a);
        let job = System { format, inputs, vectors: (b, x0), options: &options, observe };
        let (solved, place) = device.share(work, job, System::for_another)?;
        let Solved { x, iterated, entries } = solved;
        let Iterated { iteration, inner_iterations, seconds } = iterated;
        let time = Duration::from_secs_f64(seconds);
        let report = Report {
            algorithm: options.algorithm,
            iteration,
            inner_iterations,
            entries,
            precision,
            arithmetic: if residues.is_some() { Arithmetic::Ieee } else { options.arithmetic },
            moduli: residues.map(|format| format.moduli().len()),
            place,
            time,
            setup_time: start.elapsed().saturating_sub(time),
        };
        Ok((x, report))
    }
}

impl<T: Number> fmt::Debug for Solve<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solve")
            .field("shape", &self.a.shape())
            .field("options", &self.options)
            .field("device", &self.device)
            .finish_non_exhaustive()
    }
}

/// Solves a sparse system, of whose matrix there is a copy for each try.
struct System<'a, T: Number, O> {
    format: T::Format,
    inputs: Vec<Values<T>>,
    vectors: (&'a Matrix<T>, &'a Matrix<T>),
    options: &'a Options,
    observe: Option<O>,
}

impl<'a, T: Number, O> System<'a, T, O> {
    /// The same with a matrix of its own, of which nobody hears.
    fn for_another(&self) -> Result<System<'a, T, Unheard>, Error> {
        let &Self { format, ref inputs, vectors, options, .. } = self;
        Ok(System { format, inputs: inputs.clone(), vectors, options, observe: None })
    }
}

/// The type of an observer that is not there.
type Unheard = fn(Step) -> ControlFlow<()>;

impl<T, O, B> DeviceJob<B> for System<'_, T, O>
where
    T: Number + Iterates<B::Homes>,
    O: FnMut(Step) -> ControlFlow<()>,
    B: Machine,
{
    type Output = Solved<Matrix<T>>;

    fn run(&mut self, backend: &B) -> Result<Self::Output, Error> {
        let a = self.inputs.pop().unwrap_or_else(|| unreachable!("a job has two tries"));
        let homes = backend.homes(a.shape().0, a.places())?;
        let mut observe = |step| {
            let is_over = self.observe.as_mut().is_some_and(|observe| observe(step).is_break());
            // Where ranks are lost, the iteration ends, and what is next asked of them tells.
            match backend.agree(is_over.into()) {
                Ok(0) => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            }
        };
        let (format, vectors, options) = (self.format, self.vectors, self.options);
        <T as Iterates<B::Homes>>::solve(&homes, format, a, vectors, options, &mut observe)
    }
}

/// What a solution may take: as many iterations as there are unknowns, but not more than is usual.
fn work<T: Number>(precision: Precision, a: &Values<T>, options: &Options) -> Work {
    const USUAL_ITERATIONS: usize = 1000;
    let ((n, _), entries) = (a.shape(), a.places().len());
    let iterations = options.iteration.max_iterations.min(n).min(USUAL_ITERATIONS);
    Work::iterations(precision, iterations as f64, entries as f64, n as f64)
}
