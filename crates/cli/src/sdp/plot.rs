//! Gap and infeasibilities as a picture.

use std::path::Path;

use nonius::sdp::Row;

use crate::convergence::{self, Line};
use crate::failure::Failure;

/// A file with gap and infeasibilities against the iteration.
pub(super) fn draw(title: &str, history: &[Row], path: &Path) -> Result<Vec<u8>, Failure> {
    let line = |label: &str, value: fn(&Row) -> f64| Line {
        label: label.into(),
        values: history.iter().map(value).collect(),
    };
    let lines = vec![
        line("relative gap", |row| row.relative_gap),
        line("primal infeasibility", |row| row.infeasibilities[0]),
        line("dual infeasibility", |row| row.infeasibilities[1]),
    ];
    convergence::draw(title, "gap and infeasibilities, relative (no unit)", lines, path)
}
