//! Solids in motion.

use nonius_linalg::backend::Cpu;

use crate::cpu;
use crate::solid::{Advance, Failure, Precision, Problem, State};

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
}

impl Solids for Cpu {
    fn solids(
        &self,
        problem: &Problem,
        precision: Precision,
        state: &State,
    ) -> Result<Box<dyn Advance>, Failure> {
        cpu::start(problem, precision, state)
    }
}
