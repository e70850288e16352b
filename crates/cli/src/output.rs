//! Writing results: each where its argument says.

use std::fmt::Display;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use nonius::files::matrix_market::{Dense, Style, WriteError};
use nonius::files::{self, FileError, FileProblem, Form, MatrixName, room};
use nonius::{Number, Precision};

use crate::failure::Failure;
use crate::input::display_name;
use crate::names::is_standard_output;
use crate::ranks;

/// Where a result goes: to a file, which appears complete or not at all, to standard output, or
/// nowhere. Of several ranks the first one writes it.
pub(crate) struct Output {
    pub(crate) output: Option<PathBuf>,
}

impl Output {
    /// What goes where an argument says.
    pub(crate) fn beside(path: Option<&PathBuf>) -> Self {
        Self { output: path.cloned() }
    }

    /// What goes to standard output where no argument names a file, unless a JSON object has it.
    pub(crate) fn or_standard(path: Option<&PathBuf>, json: bool) -> Self {
        let standard = || (!json).then(|| PathBuf::from("-"));
        Self { output: path.cloned().or_else(standard) }
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
        let name = self.name();
        self.write(|out| files::write_dense(out, name, matrix, &style))
    }

    /// What the name of a matrix says.
    pub(crate) fn name(&self) -> MatrixName<'_> {
        MatrixName::of(self.output.as_deref().unwrap_or(Path::new("-")))
    }

    /// Refuses a matrix whose text does not fit the disk, judged by some of its entries.
    pub(crate) fn check_disk(&self, matrix: &impl Dense) -> Result<(), Failure> {
        let written = self.output.as_deref().filter(|_| ranks::is_first());
        let Some(path) = written.filter(|path| !is_standard_output(path)) else {
            return Ok(());
        };
        let path = MatrixName::of(path).file;
        let bytes = bytes(matrix, self.name().form_written());
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
        let Some(path) = self.output.as_ref().filter(|_| ranks::is_first()) else {
            return Ok(());
        };
        if !is_standard_output(path) {
            return Ok(files::write(MatrixName::of(path).file, contents)?);
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
}

/// Text of fewer bytes is not compared with the disk.
const ALWAYS_FITS: u128 = 1 << 24;

/// About how long a matrix is in a file of that form, rather less than more.
fn bytes(matrix: &impl Dense, form: Form) -> u128 {
    /// Bytes of a character of NumPy's.
    const CHARACTER: u128 = 4;
    let (rows, cols) = matrix.shape();
    let count = rows as u128 * cols as u128;
    let is_double = count > 0 && matrix.double(0, 0).is_some();
    match form {
        Form::MatrixMarket | Form::Csv => text_bytes(matrix),
        Form::Npy | Form::Npz if is_double => count * size_of::<f64>() as u128,
        Form::Npy | Form::Npz => CHARACTER * text_bytes(matrix),
    }
}

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

/// Writes files into the folder that an argument names, which is made where it is not there. What
/// the folder is called, and the names of the files.
pub(crate) fn write_folder(
    argument: &str,
    folder: &Path,
    files: Vec<(String, Vec<u8>)>,
) -> Result<(String, Vec<String>), Failure> {
    if is_standard_output(folder) {
        return Err(Failure::input(format!("{argument} takes a folder, not standard output")));
    }
    let name = display_name(folder);
    fs::create_dir_all(folder)
        .map_err(|error| Failure::input(format!("{name}: cannot be created: {error}")))?;
    let mut names = Vec::new();
    for (name, contents) in files {
        files::write(&folder.join(&name), |out| Ok(out.write_all(&contents)?))?;
        names.push(name);
    }
    Ok((name, names))
}

/// What the first comment of a written file says.
pub(crate) fn comment(precision: impl Display) -> String {
    format!("Written by nonius {} in {precision}", env!("CARGO_PKG_VERSION"))
}

pub(crate) fn print_text(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
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
