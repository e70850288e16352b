//! Writing results: the matrix where `-o` says, the report on standard output.

use std::fmt::Display;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use nonius::files::{self, FileError, printable, room};
use nonius::linalg::backend::Reading;
use nonius::linalg::dense::gemm::Arithmetic;
use nonius::linalg::sparse::matrix_market::{Dense, Style, WriteError, write_dense};
use nonius::{DecompositionReport, Number, Place, Precision, files::FileProblem};
use serde::{Serialize, Serializer, ser};
use serde_json::value::RawValue;

use crate::common::{device_text, precision_text};
use crate::failure::Failure;
use crate::names::is_standard_output;

#[derive(Args)]
pub(crate) struct Output {
    /// Write the matrix to FILE, which appears complete or not at all; `-` is standard output
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

impl Output {
    /// What goes where a further argument says.
    pub(crate) fn beside(path: Option<&PathBuf>) -> Self {
        Self { output: path.cloned() }
    }

    /// Whether it goes to standard output.
    pub(crate) fn is_standard(&self) -> bool {
        self.output.as_deref().is_some_and(is_standard_output)
    }

    /// Writes a dense matrix of numbers of a precision where it should go, if anywhere.
    pub(crate) fn write_matrix(
        &self,
        precision: Precision,
        matrix: &impl Dense,
    ) -> Result<(), Failure> {
        self.check_disk(matrix)?;
        let style = Style { comment: comment(precision), ..Style::default() };
        self.write(|mut out| write_dense(&mut out, matrix, &style))
    }

    /// Refuses a matrix whose text does not fit the disk, judged by some of its entries.
    pub(crate) fn check_disk(&self, matrix: &impl Dense) -> Result<(), Failure> {
        let Some(path) = self.output.as_deref().filter(|path| !is_standard_output(path)) else {
            return Ok(());
        };
        let bytes = text_bytes(matrix);
        // A device or a pipe has no disk.
        if bytes < ALWAYS_FITS || path.metadata().is_ok_and(|found| !found.is_file()) {
            return Ok(());
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        room::check_disk(path.display(), bytes, folder).map_err(Failure::input)
    }

    /// Writes a matrix where it should go, if anywhere.
    pub(crate) fn write(
        &self,
        contents: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>,
    ) -> Result<(), Failure> {
        let Some(path) = &self.output else { return Ok(()) };
        if !is_standard_output(path) {
            return Ok(files::write(path, contents)?);
        }
        let mut standard = Standard { out: io::stdout().lock(), is_closed: false };
        let mut out = BufWriter::new(&mut standard);
        let written = contents(&mut out).and_then(|()| Ok(out.flush()?));
        drop(out);
        match written {
            Ok(()) => Ok(()),
            Err(_) if standard.is_closed => Err(Failure::NobodyListens),
            Err(WriteError::Io(error)) => Err(error.into()),
            Err(error) => {
                let path = Path::new("standard output").to_path_buf();
                Err(FileError { path, problem: FileProblem::Write(error) }.into())
            }
        }
    }

    /// Prints a summary on standard output, or on standard error where the matrix is on standard
    /// output.
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

/// Text of fewer bytes is not compared with the disk.
const ALWAYS_FITS: u128 = 1 << 24;

/// About how long a matrix is as text, rather less than more.
fn text_bytes(matrix: &impl Dense) -> u128 {
    const SAMPLES: u128 = 1000;
    let (rows, cols) = matrix.shape();
    let count = rows as u128 * cols as u128;
    if count < SAMPLES {
        return 0;
    }
    let mut text = Vec::new();
    for i in 0..SAMPLES {
        let place = count * i / SAMPLES;
        let (row, col) = (place % rows as u128, place / rows as u128);
        matrix.print(row as usize, col as usize, &mut text);
    }
    // With the ends of lines; entries between the samples may be shorter.
    count * (text.len() as u128 + SAMPLES) / SAMPLES * 9 / 10
}

/// Standard output, and whether its reader has gone: writers on top of it may hide the reason of a
/// failure.
struct Standard<W> {
    out: W,
    is_closed: bool,
}

impl<W: Write> Write for Standard<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes);
        self.noted(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.out.flush();
        self.noted(flushed)
    }
}

impl<W> Standard<W> {
    fn noted<R>(&mut self, result: io::Result<R>) -> io::Result<R> {
        let is_gone = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
        self.is_closed |= result.as_ref().err().is_some_and(is_gone);
        result
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
        let value = value.to_string();
        self.text.push_str(&format!("{label:<20}  {}\n", printable(&value)));
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

/// A figure of a report: null where it is infinite, NaN or above the range of `f64`. One below that
/// range is a number of JSON too, whose exponent readers may round to zero.
#[derive(Clone, Copy)]
pub(crate) struct Figure(pub(crate) Reading);

impl Serialize for Figure {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let near = self.0.to_f64();
        if !near.is_finite() {
            return to.serialize_none();
        }
        if near.is_normal() || self.0.significand == 0.0 {
            return to.serialize_f64(near);
        }
        let text = format!("{:.6e}", self.0);
        RawValue::from_string(text).map_err(ser::Error::custom)?.serialize(to)
    }
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

#[cfg(test)]
mod tests {
    use nonius::Matrix;

    use super::text_bytes;

    #[test]
    fn lengths_of_text_are_judged_by_samples() {
        let integers = Matrix::from_fn(3000, 2000, |_, _| 1.0);
        assert_eq!(text_bytes(&integers), 3000 * 2000 * 2 * 9 / 10);
        assert_eq!(text_bytes(&Matrix::<f64>::zeros(0, 5)), 0);
        assert_eq!(text_bytes(&Matrix::<f64>::zeros(5, 0)), 0);
    }
}
