//! Residuals as a picture.

use std::path::Path;

use super::outcome::Run;
use crate::convergence::{self, Line};
use crate::failure::Failure;

/// A file with the residual beside the first one against the iteration, a line for each run.
pub(super) fn draw(title: &str, runs: &[Run], path: &Path) -> Result<Vec<u8>, Failure> {
    let line = |run: &Run| {
        let count = run.report.iteration.iterations;
        let unit = if run.report.inner_iterations.is_some() { "steps" } else { "iterations" };
        let label = format!("{}: {count} {unit}", run.report.precision);
        Line { label, values: run.report.iteration.history.clone() }
    };
    let lines = runs.iter().map(line).collect();
    convergence::draw(title, "residual, relative to the first (no unit)", lines, path)
}
