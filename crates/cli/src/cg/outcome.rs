//! What a run left.

use nonius::KrylovReport;

/// What a run left: its report and the order of the system.
pub(super) struct Run {
    pub(super) report: KrylovReport,
    pub(super) rows: usize,
    pub(super) matrix: String,
}
