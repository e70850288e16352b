//! Refinement: a solution in many bits from iterations in few.
//!
//! **Method.** Iterative refinement (Wilkinson, *Rounding errors in algebraic processes*, 1963;
//! Moler 1967; with an iterative method for the corrections: Langou et al., *Exploiting the
//! performance of 32 bit floating point arithmetic in obtaining 64 bit accuracy*, 2006). A step
//! computes `r = b − A·x` in the precision of the solution, rounds it to that of the inner space,
//! solves `A·d = r` there to a loose tolerance, and adds `d` to `x`.
//!
//! A step leaves about the tolerance of the inner solution and `u·κ(A)` of the residual, with `u`
//! that of the inner space and of the matrix rounded to it: where that is below 1/2 the residual
//! falls until it is as small as the precision of `x` permits, `u·‖A‖‖x‖` with its own `u`. Else
//! the refinement ends as stagnated, and there is no way around iterations in more bits.
//!
//! Residuals are divided by a power of two near their norm before they are rounded, and corrections
//! multiplied by it, so that numbers with a wider range than that of the inner space do not leave
//! it. A matrix that does is divided by a power of two too: [`Inner::exponent`].

use core::fmt;
use core::ops::ControlFlow;

use super::choice::{Algorithm, AnySolver};
use super::operator::{LinearOperator, residual};
use super::options::{Options, Residual};
use super::precondition::Preconditioner;
use super::report::{NonPositive, Report, Step, Stopped};
use super::solver::{check, check_zero, read};
use super::watch::Watch;
use crate::Error;
use crate::backend::{Reading, Round, Sign, Space};

/// Refinement with its memory, for systems of one order: vectors in `S`, corrections in `F`.
///
/// ```
/// use std::ops::ControlFlow::Continue;
///
/// use nonius_linalg::Numbers;
/// use nonius_linalg::krylov::{Algorithm, HostSpace, Identity, Inner, Options, Refinement};
/// use nonius_linalg::sparse::Dia;
/// use nonius_num::Qd;
///
/// // Corrections in `f64`, residuals and solution in quad-double.
/// let a = Dia::<f64>::diagonal(vec![1.0, 2.0, 3.0].into());
/// let (mut space, mut inner_space) = (HostSpace::<Qd>::new(()), HostSpace::<f64>::new(()));
/// let (b, mut x) = (Numbers::from(vec![Qd::ONE; 3]), Numbers::zeros((), 3));
/// let mut refinement = Refinement::new(&space, &inner_space, 3, Algorithm::Cg)?;
/// let options = Options { tolerance: 1e-58, ..Options::default() };
/// let inner =
///     Inner { space: &mut inner_space, a: &a, m: &Identity, exponent: 0, tolerance: 1e-10 };
/// let refined = refinement.solve(&mut space, &a, inner, &b, &mut x, &options, |_| Continue(()))?;
/// assert!(refined.report.converged);
/// assert!((x[2] * 3.0 - 1.0).abs().to_f64() < 1e-57);
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
pub struct Refinement<S: Space, F: Space> {
    n: usize,
    r: S::Vector,
    /// A correction.
    d: S::Vector,
    one: S::Number,
    /// `r·r`.
    square: S::Number,
    solver: AnySolver<F>,
    rounded: F::Vector,
    correction: F::Vector,
}

/// The system for corrections.
pub struct Inner<'a, F> {
    /// The space.
    pub space: &'a mut F,
    /// The matrix, rounded, divided by `2^exponent`.
    pub a: &'a dyn LinearOperator<F>,
    /// Its preconditioner.
    pub m: &'a dyn Preconditioner<F>,
    /// The exponent of the power by which the matrix was divided.
    pub exponent: i64,
    /// Relative residual to which corrections are computed.
    pub tolerance: f64,
}

/// What a refinement took.
#[derive(Clone, Debug, PartialEq)]
pub struct Refined {
    /// Steps, as iterations, and the residuals. The recursive one is what the last inner solution
    /// would have left, had it been exact otherwise. That `A` is not positive definite was seen in
    /// inner iterations, of all steps one after the other.
    pub report: Report,
    /// Iterations of all inner solutions.
    pub inner_iterations: usize,
}

impl<S: Round<F>, F: Space> Refinement<S, F> {
    /// Memory for systems of order `n`, with corrections by this method.
    ///
    /// # Errors
    /// [`Error::TooLarge`], and [`Error::Device`].
    pub fn new(space: &S, inner: &F, n: usize, algorithm: Algorithm) -> Result<Self, Error> {
        Ok(Self {
            n,
            r: space.vector(n)?,
            d: space.vector(n)?,
            one: space.number(),
            square: space.number(),
            solver: AnySolver::new(inner, n, algorithm)?,
            rounded: inner.vector(n)?,
            correction: inner.vector(n)?,
        })
    }

    /// Solves `A·x = b` from the `x` that is given, which the solution replaces. `observe` hears of
    /// every step and of every inner iteration, and may stop both: `x` is then what the steps came
    /// to.
    ///
    /// Of the options, most iterations are those of all inner solutions together, and the history
    /// has a residual for each step. The residual that counts is always the true one.
    ///
    /// # Errors
    /// As [`Solver::solve`](super::Solver::solve), inner solutions included: iterations of these
    /// are counted in each.
    #[expect(clippy::too_many_arguments, reason = "a system twice, and what is asked for")]
    pub fn solve(
        &mut self,
        space: &mut S,
        a: &dyn LinearOperator<S>,
        inner: Inner<'_, F>,
        b: &S::Vector,
        x: &mut S::Vector,
        options: &Options,
        mut observe: impl FnMut(Step) -> ControlFlow<()>,
    ) -> Result<Refined, Error> {
        check(space, (self.n, &self.r), a, b, x)?;
        space.set(1.0, &mut self.one);
        // No square is negative: this log takes any number of rows.
        let mut log = space.log(1, Reading::of(-1.0));
        let mut square = self.residual(space, &mut log, a, b, x)?;
        if square.significand == 0.0 {
            check_zero(space, &mut log, &self.r, &mut self.d, &mut self.square)?;
        }
        let mut watch = Watch::new(square, options, self.n)?;
        let (mut inner_iterations, mut recursive) = (0, watch.relative);
        let mut stopped = Stopped::Iterations;
        while !watch.met && inner_iterations < options.max_iterations {
            let loose = Options {
                tolerance: inner.tolerance,
                relative: true,
                residual: Residual::Recursive,
                max_iterations: options.max_iterations - inner_iterations,
                require_positive_definite: options.require_positive_definite,
                history: false,
            };
            let exponent = square.sqrt().exponent;
            space.round(&self.r, exponent, &mut self.rounded);
            inner.space.clear(&mut self.correction);
            let Inner { a: b64, m, .. } = inner;
            let (r, d) = (&self.rounded, &mut self.correction);
            let (iteration, before) = (watch.iteration + 1, watch.relative);
            let within = |step: Step| {
                let inner = Some(inner_iterations + step.iteration);
                let relative_residual = before * step.relative_residual;
                observe(Step { iteration, inner, relative_residual })
            };
            let found = self.solver.solve(inner.space, b64, m, r, d, &loose, within)?;
            NonPositive::append(&mut watch.non_positive, inner_iterations, found.non_positive);
            inner_iterations += found.iterations;
            space.widen(&self.correction, exponent - inner.exponent, &mut self.d);
            space.axpy(Sign::Plus, &self.one, &self.d, x);
            recursive = before * found.relative_residual_recursive;
            square = self.residual(space, &mut log, a, b, x)?;
            let relative = watch.relative_of(square);
            if relative > before {
                // The last correction made it worse.
                space.axpy(Sign::Minus, &self.one, &self.d, x);
                square = self.residual(space, &mut log, a, b, x)?;
            }
            watch.begin();
            watch.residual(square)?;
            let (iteration, relative_residual) = (watch.iteration, watch.relative);
            let step = Step { iteration, inner: None, relative_residual };
            let is_stopped = observe(step).is_break() || found.stopped == Stopped::Observer;
            if !watch.met && is_stopped {
                stopped = Stopped::Observer;
                break;
            }
            if !watch.met && relative > before / 2.0 {
                stopped = Stopped::Stagnation;
                break;
            }
        }
        let report = Report {
            iterations: watch.iteration,
            converged: watch.met,
            stopped: if watch.met { Stopped::Converged } else { stopped },
            first_residual: watch.first.sqrt().to_f64(),
            relative_residual_recursive: recursive,
            relative_residual_true: watch.relative,
            non_positive: watch.non_positive,
            history: watch.history,
        };
        Ok(Refined { report, inner_iterations })
    }

    /// `r ← b − A·x`, and the square of its norm.
    fn residual(
        &mut self,
        space: &mut S,
        log: &mut S::Log,
        a: &dyn LinearOperator<S>,
        b: &S::Vector,
        x: &S::Vector,
    ) -> Result<Reading, Error> {
        residual(space, a, &self.one, b, x, &mut self.r);
        space.dot(&self.r, &self.r, &mut self.square);
        read(space, log, &self.square)
    }
}

impl<F: Space> fmt::Debug for Inner<'_, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inner").field("size", &self.a.size()).finish_non_exhaustive()
    }
}

impl<S: Space, F: Space> fmt::Debug for Refinement<S, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Refinement").field("n", &self.n).finish_non_exhaustive()
    }
}
