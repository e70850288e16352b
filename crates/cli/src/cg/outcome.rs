//! What a run left.

use nonius::KrylovReport;

use crate::summary::Summary;

/// What a run left: its report, the order of the system, and what the summary says of the matrix
/// and of the solution.
pub(super) struct Run {
    pub(super) report: KrylovReport,
    pub(super) rows: usize,
    pub(super) matrix: String,
    pub(super) solution: Summary,
}
