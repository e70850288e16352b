//! What each precision came to.

use nonius::Precision;
use nonius::sparse::{self, Stopped};

use crate::failure::Failure;
use crate::summary::Summary;

/// What a run left: its report, the order of the system, and what the summary says of the matrix
/// and of the solution.
pub(super) struct Run {
    pub(super) report: sparse::Report,
    pub(super) rows: usize,
    pub(super) matrix: String,
    pub(super) solution: Summary,
}

/// A precision, and what it came to.
pub(super) struct Outcome {
    pub(super) precision: Precision,
    /// The failure is one of numbers.
    pub(super) run: Result<Run, Failure>,
}

/// The runs that have left something.
pub(super) fn runs(outcomes: &[Outcome]) -> impl Iterator<Item = &Run> {
    outcomes.iter().filter_map(|outcome| outcome.run.as_ref().ok())
}

/// Whether a signal has ended a run.
pub(super) fn is_interrupted(report: &sparse::Report) -> bool {
    report.iteration.stopped == Stopped::Observer
}
