//! What is said of a run.

use nonius::device::Place;
use nonius::sdp::Report;
use nonius::sdp::certify::Certificate;

use crate::summary::Summary;

/// What is said of a run.
pub(super) struct Found {
    pub(super) report: Report,
    pub(super) place: Place,
    pub(super) certificate: Option<Certificate>,
    /// What no file has of the point.
    pub(super) shown: Summary,
}
