//! The summary of a run: lines of a label and what it labels, and small results.

use std::fmt::Display;
use std::io::Write;

use nonius::Precision;
use nonius::dense::Arithmetic;
use nonius::dense::DecompositionReport;
use nonius::device::Place;
use nonius::files::matrix_market::Dense;
use nonius::files::printable;

use crate::common::{device_text, precision_text};
use crate::failure::Failure;
use crate::output::Output;
use crate::say::WARNING;

/// Rows and columns of a result that a summary shows at most.
const MOST_ROWS: usize = 20;
const MOST_COLUMNS: usize = 4;
/// Characters of a row of it at most.
const MOST_CHARACTERS: usize = 400;

/// How to get a result that the summary does not show.
pub(crate) const NOT_WRITTEN: &str = "not written: give -o FILE, or -o - for standard output";

/// Text for people.
#[derive(Default)]
pub(crate) struct Summary {
    /// With the terminal's codes of colours.
    text: String,
}

impl Summary {
    pub(crate) fn line(&mut self, label: &str, value: impl Display) {
        let value = value.to_string();
        self.text.push_str(&format!("{label:<20}  {}\n", printable(&value)));
    }

    /// What the reader should not miss.
    pub(crate) fn warning(&mut self, value: impl Display) {
        let value = value.to_string();
        let text = format!("{WARNING}{:<20}{WARNING:#}  {}\n", "warning", printable(&value));
        self.text.push_str(&text);
    }

    /// Text that has its form already.
    pub(crate) fn text(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// The lines of another summary.
    pub(crate) fn append(&mut self, other: Self) {
        self.text.push_str(&other.text);
    }

    /// With what and where it was computed, in so many seconds.
    pub(crate) fn setting(
        &mut self,
        precision: Precision,
        arithmetic: Arithmetic,
        (place, seconds): (&Place, f64),
    ) {
        self.line("precision", precision_text(precision));
        self.line("arithmetic", arithmetic);
        self.line("device", device_text(place, seconds));
    }

    /// How good values and vectors are, where there are vectors to tell.
    pub(crate) fn quality(&mut self, report: &DecompositionReport) {
        if let Some(residual) = report.relative_residual {
            self.line("relative residual", format!("{residual:.1e}"));
        }
        if let Some(orthogonality) = report.orthogonality {
            self.line("orthogonality", format!("{orthogonality:.1e} from orthonormal vectors"));
        }
    }

    /// A result that goes to no file: its entries where they are few, else how to get them.
    pub(crate) fn result(&mut self, label: &str, matrix: &impl Dense, output: &Output) {
        if output.output.is_some() {
            return;
        }
        let entry = |i, j, out: &mut Vec<u8>| matrix.print(i, j, out);
        if !self.entries(label, matrix.shape(), entry) {
            self.line(label, NOT_WRITTEN);
        }
    }

    /// Shows the entries of a matrix if they are few. Returns whether they are.
    pub(crate) fn entries(
        &mut self,
        label: &str,
        (rows, columns): (usize, usize),
        entry: impl Fn(usize, usize, &mut Vec<u8>),
    ) -> bool {
        if rows == 0 || columns == 0 {
            self.line(label, format!("{rows} × {columns}, no entries"));
            return true;
        }
        if rows > MOST_ROWS || columns > MOST_COLUMNS {
            return false;
        }
        let column = |j| {
            let text = |i| {
                let mut text = Vec::new();
                entry(i, j, &mut text);
                String::from_utf8_lossy(&text).into_owned()
            };
            aligned((0..rows).map(text).collect())
        };
        let columns: Vec<Vec<String>> = (0..columns).map(column).collect();
        let row = |i: usize| {
            let cells: Vec<&str> = columns.iter().map(|column| &*column[i]).collect();
            format!("  {}", cells.join("  ").trim_end())
        };
        let lines: Vec<String> = (0..rows).map(row).collect();
        if lines.iter().any(|line| line.len() > MOST_CHARACTERS) {
            return false;
        }
        self.text.push_str(&format!("{label}\n"));
        lines.iter().for_each(|line| self.text.push_str(&format!("{}\n", printable(line))));
        true
    }

    /// Prints the text on standard output, or on standard error where standard output is taken.
    pub(crate) fn print(&self, is_output_taken: bool) -> Result<(), Failure> {
        if is_output_taken {
            // Nothing depends on it.
            let _ = anstream::stderr().write_all(self.text.as_bytes());
            return Ok(());
        }
        let mut out = anstream::stdout().lock();
        out.write_all(self.text.as_bytes())?;
        Ok(out.flush()?)
    }
}

/// Numbers of a column, with their signs one below the other and of one length.
fn aligned(mut column: Vec<String>) -> Vec<String> {
    if column.iter().any(|number| number.starts_with('-')) {
        let positive = column.iter_mut().filter(|number| !number.starts_with('-'));
        positive.for_each(|number| number.insert(0, ' '));
    }
    let longest = column.iter().map(String::len).max().unwrap_or(0);
    column.into_iter().map(|number| format!("{number:<longest$}")).collect()
}

/// `1 step`, `2 steps`.
pub(crate) fn counted(count: usize, what: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {what}{ending}")
}

/// `1.234 s`, or milliseconds where it is short.
pub(crate) fn time_text(seconds: f64) -> String {
    if seconds < 0.1 { format!("{:.3} ms", seconds * 1e3) } else { format!("{seconds:.3} s") }
}

#[cfg(test)]
mod tests {
    use nonius::Matrix;

    use super::*;

    fn shown(matrix: &Matrix<f64>) -> String {
        let mut summary = Summary::default();
        summary.result("result", matrix, &Output::beside(None));
        summary.text
    }

    #[test]
    fn small_results_are_shown_and_others_are_named() {
        let small = Matrix::from_fn(2, 2, |i, j| if (i, j) == (0, 1) { -2.5 } else { 1.0 });
        assert_eq!(shown(&small), "result\n  1  -2.5\n  1   1\n");
        let most = shown(&Matrix::from_fn(MOST_ROWS, MOST_COLUMNS, |i, _| i as f64));
        assert_eq!(most.lines().count(), MOST_ROWS + 1);
        for (rows, columns) in [(MOST_ROWS + 1, 1), (1, MOST_COLUMNS + 1)] {
            let text = shown(&Matrix::zeros(rows, columns));
            assert_eq!(text, format!("{:<20}  {NOT_WRITTEN}\n", "result"));
        }
        assert_eq!(shown(&Matrix::zeros(0, 5)), "result                0 × 5, no entries\n");
        let mut written = Summary::default();
        let file = std::path::PathBuf::from("x.mtx");
        written.result("result", &small, &Output::beside(Some(&file)));
        assert_eq!(written.text, "");
        // Rows that nobody reads.
        let mut long = Summary::default();
        assert!(!long.entries("result", (1, 1), |_, _, out| out.resize(500, b'1')));
    }
}
