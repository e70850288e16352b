//! What takes a problem through time.

use core::num::NonZeroU64;

use super::clock::{Clock, Goal, Limits};
use super::failure::Failure;
use super::operations::Operations;
use super::state::State;
use super::tally::Works;

/// A problem at a time, in the memory of a backend.
pub trait Advance: Send + Sync {
    /// Takes steps until they [have come](Clock::has_come_to) to the goal, at most `steps` of them.
    ///
    /// # Errors
    /// [`Failure`].
    fn advance(&mut self, limits: Limits, goal: Goal, steps: u64) -> Result<(), Failure>;
    /// See [`Run::drift`](super::Run::drift).
    ///
    /// # Errors
    /// [`Failure`].
    fn drift(&mut self) -> Result<f64, Failure>;
    /// See [`Run::operations`](super::Run::operations).
    ///
    /// # Errors
    /// [`Failure::Device`].
    fn operations(&self, resync: Option<NonZeroU64>) -> Result<Operations, Failure>;
    /// Where it is.
    fn clock(&self) -> Clock;
    /// Work done until now.
    ///
    /// # Errors
    /// [`Failure::Device`].
    fn works(&self) -> Result<Works, Failure>;
    /// See [`Run::kinetic`](super::Run::kinetic).
    ///
    /// # Errors
    /// [`Failure::Device`].
    fn kinetic(&self) -> Result<f64, Failure>;
    /// Displacements of nodes, and their velocities at the time itself.
    ///
    /// # Errors
    /// [`Failure::Device`].
    fn motion(&self) -> Result<[Vec<[f64; 3]>; 2], Failure>;
    /// See [`State::elements`].
    ///
    /// # Errors
    /// [`Failure::Device`].
    fn elements(&self, block: usize) -> Result<Vec<f64>, Failure>;
    /// Everything that it goes on from.
    ///
    /// # Errors
    /// [`Failure::Device`].
    fn state(&self) -> Result<State, Failure>;
}
