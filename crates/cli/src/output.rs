//! Writing results: the matrix where `-o` says, the report on standard output.

use std::fmt::Display;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use nonius::files::{self, FileError};
use nonius::linalg::dense::gemm::Arithmetic;
use nonius::linalg::sparse::matrix_market::{Dense, Style, WriteError, write_dense};
use nonius::{DecompositionReport, Number, Place, Precision, files::FileProblem};
use serde::Serialize;

use crate::common::{device_text, precision_text};
use crate::failure::Failure;
use crate::input::is_standard;

#[derive(Args)]
pub(crate) struct Output {
    /// Write the matrix to FILE, which appears complete or not at all; `-` is standard output
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

impl Output {
    /// Refuses, before any work is done, what could not be written in the end.
    pub(crate) fn check(&self, json: bool) -> Result<(), Failure> {
        let Some(path) = &self.output else { return Ok(()) };
        if is_standard(path) {
            return if json {
                Err(Failure::input("--json needs standard output for itself: give --output a file"))
            } else {
                Ok(())
            };
        }
        if path.extension().is_some_and(|ending| ending == "gz" || ending == "xz") {
            return Err(Failure::input(format!(
                "{}: expected a name without .gz or .xz: matrices are written uncompressed",
                path.display()
            )));
        }
        Ok(files::check_writable(path)?)
    }

    /// A further matrix that goes to a file of its own.
    pub(crate) fn beside(path: Option<&PathBuf>) -> Self {
        Self { output: path.cloned() }
    }

    /// Whether it goes to standard output.
    pub(crate) fn is_standard(&self) -> bool {
        self.output.as_deref().is_some_and(is_standard)
    }

    /// [`check`](Self::check) of several, of which one at the most may go to standard output.
    pub(crate) fn check_all<const N: usize>(all: [&Self; N], json: bool) -> Result<(), Failure> {
        if all.iter().filter(|output| output.is_standard()).count() > 1 {
            return Err(Failure::input("expected at most one matrix for standard output"));
        }
        all.into_iter().try_for_each(|output| output.check(json))
    }

    /// Writes a dense matrix of numbers of a precision where it should go, if anywhere.
    pub(crate) fn write_matrix(
        &self,
        precision: Precision,
        matrix: &impl Dense,
    ) -> Result<(), Failure> {
        let style = Style { comment: comment(precision), ..Style::default() };
        self.write(|mut out| write_dense(&mut out, matrix, &style))
    }

    /// Writes a matrix where it should go, if anywhere.
    pub(crate) fn write(
        &self,
        contents: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>,
    ) -> Result<(), Failure> {
        let Some(path) = &self.output else { return Ok(()) };
        if !is_standard(path) {
            return Ok(files::write(path, contents)?);
        }
        let mut out = BufWriter::new(io::stdout().lock());
        match contents(&mut out).and_then(|()| Ok(out.flush()?)) {
            Ok(()) => Ok(()),
            Err(WriteError::Io(error)) => Err(error.into()),
            Err(error) => {
                let path = Path::new("standard output").to_path_buf();
                Err(FileError { path, problem: FileProblem::Write(error) }.into())
            }
        }
    }

    /// Prints a summary on standard output, or on standard error where the matrix is on standard output.
    pub(crate) fn print_summary(&self, summary: &Summary) -> Result<(), Failure> {
        Self::print_summary_beside([self], summary)
    }

    /// [`print_summary`](Self::print_summary) where several matrices are written.
    pub(crate) fn print_summary_beside<const N: usize>(
        all: [&Self; N],
        summary: &Summary,
    ) -> Result<(), Failure> {
        if all.into_iter().any(Self::is_standard) {
            // Nothing depends on it.
            let _ = io::stderr().write_all(summary.text.as_bytes());
            return Ok(());
        }
        print_text(&summary.text)
    }
}

/// What the first comment of a written file says.
pub(crate) fn comment(precision: impl Display) -> String {
    format!("Written by nonius {} in {precision}", env!("CARGO_PKG_VERSION"))
}

/// Lines of a label and what it labels.
#[derive(Default)]
pub(crate) struct Summary {
    pub(crate) text: String,
}

impl Summary {
    pub(crate) fn line(&mut self, label: &str, value: impl std::fmt::Display) {
        self.text.push_str(&format!("{label:<20}  {value}\n"));
    }

    /// With what and where it was computed.
    pub(crate) fn setting(&mut self, precision: Precision, arithmetic: Arithmetic, place: &Place) {
        self.line("precision", precision_text(precision));
        self.line("arithmetic", arithmetic);
        self.line("device", device_text(place));
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
}

/// `1.234 s`, or milliseconds where it is short.
pub(crate) fn time_text(seconds: f64) -> String {
    if seconds < 0.1 { format!("{:.3} ms", seconds * 1e3) } else { format!("{seconds:.3} s") }
}

pub(crate) fn print_text(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

pub(crate) fn print_json(report: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(report).map_err(io::Error::from)?;
    print_text(&(text + "\n"))
}

/// A number at full precision.
pub(crate) fn decimal_text<T: Number>(x: T) -> String {
    let mut text = Vec::new();
    x.append_decimal(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}
