//! What a device found.

use std::time::Duration;

use nonius_linalg::tridiag::Report;
use nonius_linalg::{Element, Numbers};

/// A solution, and the time it took.
#[derive(Debug)]
pub(crate) struct Solved<T: Element> {
    /// The unknowns.
    pub x: Numbers<T>,
    /// Method and failures.
    pub report: Report,
    /// Time of the solution alone.
    pub time: Duration,
}
