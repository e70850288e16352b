//! Machines that solve and prove programs, whose code is compiled with this crate.

use nonius_linalg::Error as LinalgError;

use super::climb::{Ladder, Observe};
use super::{AnyPoint, Error};
use crate::certify::Certificate;
use crate::problem::Problem;
use crate::report::Report;
use crate::solver::Phase;

/// A machine that solves programs and proves what it found.
pub trait Optimizer {
    /// As [`Ladder::climb`].
    ///
    /// # Errors
    /// As there.
    fn climb(
        &self,
        ladder: &Ladder<'_>,
        observe: &mut Observe<'_>,
    ) -> Result<(Report, AnyPoint), LinalgError>;

    /// As [`prove`](super::prove).
    ///
    /// # Errors
    /// As there.
    fn prove(&self, problem: &Problem, found: (&AnyPoint, Phase)) -> Result<Certificate, Error>;
}
