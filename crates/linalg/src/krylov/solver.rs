//! The loop around a method: residuals, and what the host looks at.

use core::fmt;
use core::ops::ControlFlow;

use super::method::{Method, System, Work};
use super::operator::{LinearOperator, residual};
use super::options::{Options, Residual};
use super::precondition::Preconditioner;
use super::report::{Report, Step, Stopped};
use super::watch::Watch;
use crate::Error;
use crate::backend::{Reading, Space};

/// A method with its memory, for systems of one order.
pub struct Solver<S: Space, M> {
    work: Work<S>,
    method: M,
}

impl<S: Space, M: Method<S>> Solver<S, M> {
    /// A method for systems of order `n`.
    ///
    /// # Errors
    /// [`Error::TooLarge`], and [`Error::Device`].
    pub fn with_method(space: &S, n: usize, method: M) -> Result<Self, Error> {
        let work = Work {
            n,
            r: space.vector(n)?,
            q: space.vector(n)?,
            one: space.number(),
            square: space.number(),
        };
        Ok(Self { work, method })
    }

    /// Solves `A·x = b` from the `x` that is given, which the solution replaces. `observe` hears of
    /// every iteration and may stop it: `x` is then what the iteration came to.
    ///
    /// An iteration that ends without having converged is no error: the report says so.
    ///
    /// # Errors
    /// [`Error::NotSquare`], [`Error::Shape`], and [`Error::Precision`] for numbers that are not
    /// those of the space, before anything is done; [`Error::Breakdown`] where an iteration cannot
    /// go on, and, if asked for, [`Error::NegativeCurvature`]: `x` then is of no use.
    /// [`Error::TooLarge`] for a history that does not fit into memory, and [`Error::Device`].
    #[expect(
        clippy::too_many_arguments,
        reason = "a system, its preconditioner, and what is asked for"
    )]
    pub fn solve(
        &mut self,
        space: &mut S,
        a: &dyn LinearOperator<S>,
        m: &dyn Preconditioner<S>,
        b: &S::Vector,
        x: &mut S::Vector,
        options: &Options,
        mut observe: impl FnMut(Step) -> ControlFlow<()>,
    ) -> Result<Report, Error> {
        check(space, (self.work.n, &self.work.r), a, b, x)?;
        self.method.prepare(space, self.work.n, m.is_identity())?;
        space.set(1.0, &mut self.work.one);
        residual(space, a, &self.work.one, b, x, &mut self.work.r);
        space.dot(&self.work.r, &self.work.r, &mut self.work.square);
        // No square is negative: this log takes any number of rows.
        let mut single = space.log(1, Reading::of(-1.0));
        let first = read(space, &mut single, &self.work.square)?;
        if first.significand == 0.0 {
            check_zero(space, &mut single, &self.work.r, &mut self.work.q, &mut self.work.square)?;
        }
        let mut watch = Watch::new(first, options, self.work.n)?;
        let log = space.log(M::COLUMNS, watch.limit_of_squares);
        let Self { work, method } = self;
        let system = System { a, m };
        // Only where the recursion's residual counts can many steps be queued before it is known.
        let mut run = Run {
            space,
            system,
            work,
            method,
            b,
            x,
            log,
            single,
            batch: S::LOOK,
            step: 0,
            told: 0,
            is_stopped: false,
        };
        let mut stopped = Stopped::Iterations;
        let mut before = 1.0;
        while !watch.met && !watch.is_last() {
            run.steps(&mut watch, &mut observe)?;
            let small = watch.met;
            if run.method.cycle().is_some() {
                let relative = run.renew(&mut watch)?;
                if small && !watch.met && relative >= before {
                    stopped = Stopped::Stagnation;
                    break;
                }
                before = relative;
                if small {
                    run.log = run.space.log(M::COLUMNS, watch.limit_of_squares);
                }
            } else if small && options.residual == Residual::True {
                watch.met = watch.relative_of(run.true_square()?) <= watch.limit;
                if !watch.met && watch.relative == 0.0 {
                    stopped = Stopped::Stagnation;
                    break;
                }
                run.log = run.space.log(M::COLUMNS, Reading::ZERO);
                run.batch = 1;
            }
            if run.is_stopped && !watch.met {
                stopped = Stopped::Observer;
                break;
            }
        }
        let relative_residual_true = watch.relative_of(run.true_square()?);
        Ok(Report {
            iterations: watch.iteration,
            converged: watch.met,
            stopped: if watch.met { Stopped::Converged } else { stopped },
            first_residual: watch.first.sqrt().to_f64(),
            relative_residual_recursive: watch.relative,
            relative_residual_true,
            non_positive: watch.non_positive,
            history: watch.history,
        })
    }
}

impl<S: Space, M> fmt::Debug for Solver<S, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver").field("n", &self.work.n).finish_non_exhaustive()
    }
}

/// `Ok` for a system of order `n` in the numbers of the space, of which a solver has `own`.
pub(super) fn check<S: Space>(
    space: &S,
    (n, own): (usize, &S::Vector),
    a: &dyn LinearOperator<S>,
    b: &S::Vector,
    x: &S::Vector,
) -> Result<(), Error> {
    Error::check_square(a.size())?;
    Error::check_shape("a", (n, n), a.size())?;
    Error::check_length("b", n, space.length(b))?;
    Error::check_length("x", n, space.length(x))?;
    space.check_numbers("self", own)?;
    space.check_numbers("b", b)?;
    space.check_numbers("x", x)
}

/// The number, once it is known.
pub(super) fn read<S: Space>(
    space: &mut S,
    log: &mut S::Log,
    number: &S::Number,
) -> Result<Reading, Error> {
    space.record(log, [number]);
    Ok(space.look(log)?[0])
}

/// `Ok` where a vector whose square is zero is zero, and not just so small that its square leaves
/// the range of `f64`. Spoils `q` and the number.
pub(super) fn check_zero<S: Space>(
    space: &mut S,
    log: &mut S::Log,
    r: &S::Vector,
    q: &mut S::Vector,
    square: &mut S::Number,
) -> Result<(), Error> {
    space.copy(r, q);
    // The square of the least number of all times this one is in the range.
    space.set(2.0_f64.powi(537), square);
    space.scale(square, q);
    space.dot(q, q, square);
    let zero = read(space, log, square)?.significand == 0.0;
    let broken = Error::Breakdown { iteration: 0, quantity: "r·r", value: 0.0 };
    if zero { Ok(()) } else { Err(broken) }
}

/// A solution under way.
struct Run<'a, S: Space, M> {
    space: &'a mut S,
    system: System<'a, S>,
    work: &'a mut Work<S>,
    method: &'a mut M,
    b: &'a S::Vector,
    x: &'a mut S::Vector,
    log: S::Log,
    /// For single numbers.
    single: S::Log,
    /// Steps to queue before the host looks.
    batch: usize,
    /// Steps that were done since the method began.
    step: usize,
    /// Iterations that the observer heard of.
    told: usize,
    /// Whether the observer has stopped the iteration.
    is_stopped: bool,
}

impl<S: Space, M: Method<S>> Run<'_, S, M> {
    /// Steps until the residual of the recursion is small enough, there were as many iterations as
    /// allowed, the observer has stopped them, or the method has to begin anew.
    fn steps(
        &mut self,
        watch: &mut Watch<'_>,
        observe: &mut dyn FnMut(Step) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        if self.step == 0 {
            self.method.begin(self.space, &self.system, self.work);
        }
        self.space.hold(&self.log);
        let ended = self.queue(watch, observe);
        self.space.release();
        ended
    }

    fn queue(
        &mut self,
        watch: &mut Watch<'_>,
        observe: &mut dyn FnMut(Step) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        loop {
            let left = self.left(watch);
            for step in self.step..self.step + self.batch.min(left) {
                let (system, log) = (&self.system, &mut self.log);
                self.method.step(self.space, system, self.x, self.work, step, log);
            }
            for row in self.space.look(&mut self.log)?.chunks_exact(M::COLUMNS) {
                M::judge(row, self.step, watch)?;
                self.step += 1;
                let ended = watch.met || self.step.is_multiple_of(M::STEPS);
                // An iteration that goes on after all, since the true residual is too large, is not
                // told again.
                if ended && watch.iteration > self.told {
                    self.told = watch.iteration;
                    let (iteration, relative_residual) = (watch.iteration, watch.relative);
                    let step = Step { iteration, inner: None, relative_residual };
                    self.is_stopped |= observe(step).is_break();
                }
                if watch.met {
                    return Ok(());
                }
            }
            // What was queued is done: `x` has all of it.
            if self.is_stopped || self.left(watch) == 0 {
                return Ok(());
            }
        }
    }

    /// Steps that may follow.
    fn left(&self, watch: &Watch<'_>) -> usize {
        let begun = self.step.next_multiple_of(M::STEPS) - self.step;
        let allowed = watch.left().saturating_mul(M::STEPS).saturating_add(begun);
        let cycle = self.method.cycle().map_or(usize::MAX, |cycle| cycle - self.step);
        allowed.min(cycle)
    }

    /// Brings `x` up to date and has the method begin anew; the norm of the true residual beside
    /// that of the first.
    fn renew(&mut self, watch: &mut Watch<'_>) -> Result<f64, Error> {
        let (space, system, work) = (&mut *self.space, &self.system, &mut *self.work);
        self.method.finish(space, system, self.x, work, self.step);
        self.step = 0;
        residual(space, system.a, &work.one, self.b, self.x, &mut work.r);
        space.dot(&work.r, &work.r, &mut work.square);
        watch.renew(read(space, &mut self.single, &work.square)?)
    }

    /// The square of the norm of `b − A·x`.
    fn true_square(&mut self) -> Result<Reading, Error> {
        let (space, work) = (&mut *self.space, &mut *self.work);
        residual(space, self.system.a, &work.one, self.b, self.x, &mut work.q);
        space.dot(&work.q, &work.q, &mut work.square);
        read(space, &mut self.single, &work.square)
    }
}
