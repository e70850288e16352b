//! Residuals as a picture.

use std::path::Path;

use super::outcome::Run;
use crate::convergence::{self, Line};
use crate::failure::Failure;
use crate::summary::counted;

/// A file with the residual beside the first one against the iteration, a line for each run.
pub(super) fn draw<'a>(
    title: &str,
    runs: impl Iterator<Item = &'a Run>,
    path: &Path,
) -> Result<Vec<u8>, Failure> {
    let line = |run: &Run| {
        let count = run.report.iteration.iterations;
        let unit = if run.report.inner_iterations.is_some() { "step" } else { "iteration" };
        let label = format!("{}: {}", run.report.precision, counted(count, unit));
        Line { label, values: run.report.iteration.history.clone() }
    };
    let lines = runs.map(line).collect();
    convergence::draw(title, "residual, relative to the first (no unit)", lines, path)
}
