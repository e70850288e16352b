//! Residuals as CSV.

use std::io::{self, Write};

use super::outcome::Run;

/// A row for every iteration of every run.
pub(super) fn write<'a>(
    out: &mut dyn Write,
    runs: impl Iterator<Item = &'a Run>,
) -> io::Result<()> {
    writeln!(out, "precision,iteration,relative_residual")?;
    for run in runs {
        let precision = run.report.precision;
        for (iteration, residual) in run.report.iteration.history.iter().enumerate() {
            writeln!(out, "{precision},{iteration},{residual:e}")?;
        }
    }
    Ok(())
}
