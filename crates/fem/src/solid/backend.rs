//! Where problems go through time.

use nonius_comm::Communicator;

use super::advance::Advance;
use super::failure::Failure;
use super::precision::Precision;
use super::problem::Problem;
use super::state::State;

/// What [runs](crate::solid::Run) ask of a backend.
pub trait Solids {
    /// A problem at the time of a state, which fits it.
    ///
    /// # Errors
    /// [`Failure`].
    fn solids(
        &self,
        problem: &Problem,
        precision: Precision,
        state: &State,
    ) -> Result<Box<dyn Advance>, Failure>;

    /// The ranks that share problems out among them.
    fn ranks(&self) -> Communicator {
        Communicator::alone()
    }
}
