//! What a device found.

use nonius_linalg::tridiag::Report;

/// A solution, and the seconds it took.
#[derive(Debug)]
pub(crate) struct Solved<T> {
    /// The unknowns.
    pub x: Vec<T>,
    /// Method and failures.
    pub report: Report,
    /// Time of the solution alone.
    pub seconds: f64,
}
