//! What an iterative method is beside what all have in common.

use core::fmt;

use super::operator::LinearOperator;
use super::precondition::Preconditioner;
use super::watch::Watch;
use crate::Error;
use crate::backend::{Reading, Space};

/// A matrix and its preconditioner.
#[derive(Clone, Copy)]
pub struct System<'a, S> {
    /// The matrix.
    pub a: &'a dyn LinearOperator<S>,
    /// The preconditioner.
    pub m: &'a dyn Preconditioner<S>,
}

impl<S: Space> fmt::Debug for System<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("System").field("size", &self.a.size()).finish_non_exhaustive()
    }
}

/// Memory that all methods have.
#[derive(Clone, Debug)]
pub struct Work<S: Space> {
    /// The order of the system.
    pub n: usize,
    /// `b − A·x` as a method begins; then its own.
    pub r: S::Vector,
    /// A method's own, but between steps, where the true residual may be formed in it.
    pub q: S::Vector,
    /// The number 1.
    pub one: S::Number,
    /// `r·r` as a method begins; then as `q`.
    pub square: S::Number,
}

/// An iterative method: [`Solver`](super::Solver) has the loop around it.
///
/// A step queues operations and waits for nothing; it ends with a row of the log, whose first
/// number is the square of the recursive residual's norm. As what is queued after a row that meets
/// the log is [not done](Space::hold), all that further steps need has to be in place before the
/// row. Memory is exchanged by the number of the step alone, since steps that are queued beyond are
/// not done either.
pub trait Method<S: Space> {
    /// Numbers in a row of the log.
    const COLUMNS: usize;

    /// Steps of an iteration, each with a row of the log.
    const STEPS: usize = 1;

    /// Steps after which [`finish`](Self::finish) brings `x` up to date and the method begins anew
    /// from the true residual; none where each step does so.
    fn cycle(&self) -> Option<usize> {
        None
    }

    /// Finds the memory that this preconditioner needs, for systems of order `n`.
    ///
    /// # Errors
    /// [`Error::TooLarge`], and [`Error::Device`].
    fn prepare(&mut self, _space: &S, _n: usize, _is_identity: bool) -> Result<(), Error> {
        Ok(())
    }

    /// What precedes the first step, from `r` and `r·r`.
    fn begin(&mut self, space: &mut S, system: &System<'_, S>, work: &mut Work<S>);

    /// Queues a step, counted from 0 since the method began, and records its row.
    fn step(
        &mut self,
        space: &mut S,
        system: &System<'_, S>,
        x: &mut S::Vector,
        work: &mut Work<S>,
        step: usize,
        log: &mut S::Log,
    );

    /// Tells the watch what the row of a step says.
    ///
    /// # Errors
    /// [`Error::Breakdown`] where the method cannot go on, and [`Error::NegativeCurvature`].
    fn judge(row: &[Reading], step: usize, watch: &mut Watch<'_>) -> Result<(), Error>;

    /// Brings `x` up to date after `_steps` steps. Spoils `r`.
    fn finish(
        &mut self,
        _space: &mut S,
        _system: &System<'_, S>,
        _x: &mut S::Vector,
        _work: &mut Work<S>,
        _steps: usize,
    ) {
    }
}
