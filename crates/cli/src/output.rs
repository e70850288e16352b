//! Writing results: the matrix where `-o` says, the report on standard output.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use nonius::files::{self, FileError};
use nonius::linalg::sparse::matrix_market::WriteError;
use nonius::{Precision, files::FileProblem};
use serde::Serialize;

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
        if self.output.as_deref().is_some_and(is_standard) {
            // Nothing depends on it.
            let _ = io::stderr().write_all(summary.text.as_bytes());
            return Ok(());
        }
        print_text(&summary.text)
    }
}

/// What the first comment of a written file says.
pub(crate) fn comment(precision: Precision) -> String {
    format!("Written by nonius {} in {precision}", env!("CARGO_PKG_VERSION"))
}

/// Lines of a label and what it labels.
#[derive(Default)]
pub(crate) struct Summary {
    text: String,
}

impl Summary {
    pub(crate) fn line(&mut self, label: &str, value: impl std::fmt::Display) {
        self.text.push_str(&format!("{label:<20}  {value}\n"));
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
