//! The method of conjugate gradients, with and without a preconditioner.
//!
//! **Method.** Hestenes and Stiefel, *Methods of conjugate gradients for solving linear systems* (1952), in the form with a preconditioner `M`:
//! with `r = b − A·x`, `z = M⁻¹·r`, `p = z`, an iteration is
//!
//! `α = r·z / p·Ap`, `x ← x + α·p`, `r ← r − α·Ap`, `z = M⁻¹·r`, `β = (r·z)′ / r·z`, `p ← z + β·p`.
//!
//! For symmetric positive definite `A` and `M` the error in the `A`-norm falls with every iteration, in exact arithmetic to zero after as many
//! as `A` has different eigenvalues. Roundings cost orthogonality, and so iterations: the fewer the more bits. For
//! an indefinite `A` the iteration is the same formally; it ends with an error only where `p·Ap = 0`.
//!
//! **Residuals.** What the recursion calls `r` and `b − A·x` drift apart by roundings: by up to about `u·κ(A)` relative to the solution (Greenbaum,
//! *Estimating the attainable accuracy of recursively computed residual methods*, 1997). The report has both.

use super::operator::{LinearOperator, residual};
use super::options::{Options, Residual};
use super::precondition::Preconditioner;
use super::report::{NonPositive, Report, Step, Stopped};
use crate::Error;
use crate::backend::{NumberOp, Reading, Sign, Space};

/// Memory of the method, for systems of one order.
#[derive(Clone, Debug)]
pub struct Cg<S: Space> {
    n: usize,
    r: S::Vector,
    /// `M⁻¹·r`; of no entries until a preconditioner needs it.
    z: S::Vector,
    p: S::Vector,
    /// `A·p`.
    q: S::Vector,
    one: S::Number,
    alpha: S::Number,
    beta: S::Number,
    /// `p·Ap`.
    curvature: S::Number,
    /// `r·z`, and that of the iteration before.
    rho: S::Number,
    rho_before: S::Number,
    /// `r·r`.
    square: S::Number,
}

/// What the host knows of an iteration.
struct Watch<'a> {
    options: &'a Options,
    /// Square of the first residual's norm.
    first: Reading,
    /// Relative norm that is small enough.
    limit: f64,
    /// The square of the norm that is.
    limit_of_squares: Reading,
    non_positive: Option<NonPositive>,
    history: Vec<f64>,
    iteration: usize,
    relative: f64,
    /// Whether the residual that counts is small enough.
    met: bool,
}

impl<S: Space> Cg<S> {
    /// Memory for systems of order `n`.
    ///
    /// # Errors
    /// [`Error::TooLarge`], and [`Error::Device`].
    pub fn new(space: &S, n: usize) -> Result<Self, Error> {
        let number = || space.number();
        Ok(Self {
            n,
            r: space.vector(n)?,
            z: space.vector(0)?,
            p: space.vector(n)?,
            q: space.vector(n)?,
            one: number(),
            alpha: number(),
            beta: number(),
            curvature: number(),
            rho: number(),
            rho_before: number(),
            square: number(),
        })
    }

    /// Solves `A·x = b` from the `x` that is given, which the solution replaces. `observe` hears of every iteration.
    ///
    /// An iteration that ends without having converged is no error: the report says so.
    ///
    /// # Errors
    /// [`Error::NotSquare`] and [`Error::Shape`], before anything is done; [`Error::Breakdown`] where an iteration cannot go on, and, if asked for,
    /// [`Error::NegativeCurvature`]: `x` then is of no use. [`Error::TooLarge`] for a history that does not fit into memory, and [`Error::Device`].
    #[expect(
        clippy::too_many_arguments,
        reason = "a system, its preconditioner, and what is asked for"
    )]
    pub fn solve<A: LinearOperator<S> + ?Sized, M: Preconditioner<S> + ?Sized>(
        &mut self,
        space: &mut S,
        a: &A,
        m: &M,
        b: &S::Vector,
        x: &mut S::Vector,
        options: &Options,
        mut observe: impl FnMut(Step),
    ) -> Result<Report, Error> {
        self.check(space, a, b, x)?;
        if !m.is_identity() && space.length(&self.z) != self.n {
            self.z = space.vector(self.n)?;
        }
        space.set(1.0, &mut self.one);
        residual(space, a, &self.one, b, x, &mut self.r);
        space.dot(&self.r, &self.r, &mut self.square);
        let mut watch = self.watch(space, options)?;
        if !watch.met {
            self.begin(space, m);
        }
        let mut stopped = Stopped::Iterations;
        // Only the first time can many iterations be queued before their residuals are known.
        let (mut limit, mut batch) = (watch.limit_of_squares, S::LOOK);
        while !watch.met && watch.iteration < options.max_iterations {
            self.run(space, a, m, x, &mut watch, (limit, batch), &mut observe)?;
            if watch.met && options.residual == Residual::True {
                watch.met = self.true_residual(space, a, b, x, &watch)? <= watch.limit;
                if !watch.met && watch.relative == 0.0 {
                    stopped = Stopped::Stagnation;
                    break;
                }
                (limit, batch) = (Reading::ZERO, 1);
            }
        }
        let converged = watch.met;
        let relative_residual_true = self.true_residual(space, a, b, x, &watch)?;
        Ok(Report {
            iterations: watch.iteration,
            converged,
            stopped: if converged { Stopped::Converged } else { stopped },
            first_residual: watch.first.sqrt().to_f64(),
            relative_residual_recursive: watch.relative,
            relative_residual_true,
            non_positive: watch.non_positive,
            history: watch.history,
        })
    }

    /// Iterates until the residual that counts is small enough, or there were as many iterations as allowed.
    #[expect(
        clippy::too_many_arguments,
        reason = "a system, its preconditioner, and what is asked for"
    )]
    fn run<A: LinearOperator<S> + ?Sized, M: Preconditioner<S> + ?Sized>(
        &mut self,
        space: &mut S,
        a: &A,
        m: &M,
        x: &mut S::Vector,
        watch: &mut Watch<'_>,
        (limit, batch): (Reading, usize),
        observe: &mut impl FnMut(Step),
    ) -> Result<(), Error> {
        let mut log = space.log(3, limit);
        space.hold(&log);
        let ended = self.queue(space, a, m, x, watch, (&mut log, batch), observe);
        space.release();
        ended
    }

    #[expect(clippy::too_many_arguments, reason = "those of `run`")]
    fn queue<A: LinearOperator<S> + ?Sized, M: Preconditioner<S> + ?Sized>(
        &mut self,
        space: &mut S,
        a: &A,
        m: &M,
        x: &mut S::Vector,
        watch: &mut Watch<'_>,
        (log, batch): (&mut S::Log, usize),
        observe: &mut impl FnMut(Step),
    ) -> Result<(), Error> {
        loop {
            for _ in 0..batch.min(watch.options.max_iterations - watch.iteration) {
                self.iterate(space, a, m, x, log);
            }
            for row in space.look(log)?.chunks_exact(3) {
                watch.see(row)?;
                observe(Step { iteration: watch.iteration, relative_residual: watch.relative });
                if watch.met || watch.iteration == watch.options.max_iterations {
                    return Ok(());
                }
            }
        }
    }

    fn check<A: LinearOperator<S> + ?Sized>(
        &self,
        space: &S,
        a: &A,
        b: &S::Vector,
        x: &S::Vector,
    ) -> Result<(), Error> {
        Error::check_square(a.size())?;
        Error::check_shape("a", (self.n, self.n), a.size())?;
        Error::check_length("b", self.n, space.length(b))?;
        Error::check_length("x", self.n, space.length(x))
    }

    /// Reads the first residual, whose square is in place.
    fn watch<'a>(&mut self, space: &mut S, options: &'a Options) -> Result<Watch<'a>, Error> {
        let mut log = space.log(1, Reading::ZERO);
        space.record(&mut log, [&self.square]);
        let first = space.look(&mut log)?[0];
        if !first.is_finite() {
            return Err(Error::Breakdown { iteration: 0, quantity: "r·r", value: first.to_f64() });
        }
        let zero = first.significand == 0.0;
        let limit = if options.relative || zero {
            options.tolerance
        } else {
            Reading::of(options.tolerance).over(first.sqrt()).to_f64()
        };
        let relative = if zero { 0.0 } else { 1.0 };
        let mut history = Vec::new();
        if options.history {
            let n = self.n;
            let length = options.max_iterations.saturating_add(1);
            history
                .try_reserve_exact(length)
                .map_err(|_| Error::TooLarge { rows: n, cols: length })?;
            history.push(relative);
        }
        let least = Reading::of(limit);
        Ok(Watch {
            options,
            first,
            limit,
            limit_of_squares: least.times(least).times(first),
            non_positive: None,
            history,
            iteration: 0,
            relative,
            met: relative <= limit || zero,
        })
    }

    /// The first direction.
    fn begin<M: Preconditioner<S> + ?Sized>(&mut self, space: &mut S, m: &M) {
        if m.is_identity() {
            space.copy(&self.r, &mut self.p);
            core::mem::swap(&mut self.rho, &mut self.square);
        } else {
            m.apply(space, &self.r, &mut self.z);
            space.dot(&self.r, &self.z, &mut self.rho);
            space.copy(&self.z, &mut self.p);
        }
    }

    /// One iteration: nothing of it waits for the host.
    fn iterate<A: LinearOperator<S> + ?Sized, M: Preconditioner<S> + ?Sized>(
        &mut self,
        space: &mut S,
        a: &A,
        m: &M,
        x: &mut S::Vector,
        log: &mut S::Log,
    ) {
        a.apply(space, &self.p, &mut self.q);
        space.dot(&self.p, &self.q, &mut self.curvature);
        space.compute(NumberOp::Div, &self.rho, &self.curvature, &mut self.alpha);
        space.axpy(Sign::Plus, &self.alpha, &self.p, x);
        space.axpy(Sign::Minus, &self.alpha, &self.q, &mut self.r);
        space.assign(&self.rho, &mut self.rho_before);
        if m.is_identity() {
            space.dot(&self.r, &self.r, &mut self.rho);
        } else {
            m.apply(space, &self.r, &mut self.z);
            space.dot(&self.r, &self.z, &mut self.rho);
            space.dot(&self.r, &self.r, &mut self.square);
        }
        space.compute(NumberOp::Div, &self.rho, &self.rho_before, &mut self.beta);
        let z = if m.is_identity() { &self.r } else { &self.z };
        space.xpay(z, Sign::Plus, &self.beta, &mut self.p);
        let square = if m.is_identity() { &self.rho } else { &self.square };
        space.record(log, [square, &self.rho, &self.curvature]);
    }

    /// Norm of `b − A·x` beside that of the first residual. Spoils `A·p`, which the next iteration forms anew.
    fn true_residual<A: LinearOperator<S> + ?Sized>(
        &mut self,
        space: &mut S,
        a: &A,
        b: &S::Vector,
        x: &S::Vector,
        watch: &Watch<'_>,
    ) -> Result<f64, Error> {
        residual(space, a, &self.one, b, x, &mut self.q);
        space.dot(&self.q, &self.q, &mut self.curvature);
        let mut log = space.log(1, Reading::ZERO);
        space.record(&mut log, [&self.curvature]);
        let square = space.look(&mut log)?[0];
        Ok(watch.relative_of(square))
    }
}

impl Watch<'_> {
    fn relative_of(&self, square: Reading) -> f64 {
        if self.first.significand == 0.0 { 0.0 } else { square.over(self.first).sqrt().to_f64() }
    }

    /// Takes note of an iteration: `r·r`, `r·z` and `p·Ap`.
    fn see(&mut self, row: &[Reading]) -> Result<(), Error> {
        let &[square, rho, curvature] = row else { return Ok(()) };
        self.iteration += 1;
        let iteration = self.iteration;
        let broken = |quantity, value: Reading| {
            Err(Error::Breakdown { iteration, quantity, value: value.to_f64() })
        };
        if !curvature.is_finite() || curvature.significand == 0.0 {
            return broken("p·Ap", curvature);
        }
        if curvature.significand < 0.0 {
            NonPositive::count(&mut self.non_positive, iteration);
            if self.options.require_positive_definite {
                return Err(Error::NegativeCurvature { iteration, value: curvature.to_f64() });
            }
        }
        if !square.is_finite() {
            return broken("r·r", square);
        }
        self.relative = self.relative_of(square);
        self.met = square.at_most(self.limit_of_squares);
        if self.options.history {
            self.history.push(self.relative);
        }
        if !self.met && (!rho.is_finite() || rho.significand == 0.0) {
            return broken("r·z", rho);
        }
        Ok(())
    }
}
