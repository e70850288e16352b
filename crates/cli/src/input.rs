//! Reading the matrices that arguments name.

use std::convert::Infallible;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use nonius::files::matrix_market::{Entry, Header, Stored};
use nonius::files::{self, FileError, FileProblem, Form, MatrixName};
use nonius::ranks;

use crate::failure::Failure;
use crate::progress::Progress;

/// A right-hand side: a file's, or made of ones.
#[derive(Clone)]
pub(crate) enum Rhs {
    Ones,
    File(PathBuf),
}

impl FromStr for Rhs {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(if text == "ones" { Self::Ones } else { Self::File(text.into()) })
    }
}

/// Opens the file, or standard input where its name is `-`; its length where that is known. The
/// file of `a.npz:x` is `a.npz`.
pub(crate) fn open(path: &Path) -> Result<(Option<u64>, Box<dyn Read>), Failure> {
    if is_standard(path) {
        check_standard_input()?;
        return Ok((None, Box::new(io::stdin().lock())));
    }
    let file = File::open(MatrixName::of(path).file).map_err(|error| FileError {
        path: path.to_path_buf(),
        problem: FileProblem::Open(error),
    })?;
    let length = file.metadata().ok().filter(|found| found.is_file()).map(|found| found.len());
    Ok((length, Box::new(file)))
}

/// `Ok` where this process alone reads standard input.
pub(crate) fn check_standard_input() -> Result<(), Failure> {
    if ranks::current().size() == 1 {
        return Ok(());
    }
    Err(Failure::input("standard input reaches one of several ranks: give a file"))
}

/// Reads a file that is no matrix, which may be compressed by gzip or xz.
pub(crate) fn parse<R, E: Display>(
    path: &Path,
    progress: Progress,
    parse: impl FnOnce(Box<dyn Read>) -> Result<R, E>,
) -> Result<R, Failure> {
    let name = display_name(path);
    let (length, input) = open(path)?;
    let bar = progress.bytes(format!("reading {name}"), length);
    let failed = |error: &dyn Display| Failure::input(format!("{name}: {error}"));
    let input = files::decompress(bar.wrap_read(input)).map_err(|error| failed(&error))?;
    let parsed = parse(Box::new(input));
    bar.finish_and_clear();
    parsed.map_err(|error| failed(&error))
}

/// Reads the matrix of the file, or of standard input where its name is `-`.
pub(crate) fn read<T: Entry>(
    format: T::ReadAs,
    path: &Path,
    progress: Progress,
) -> Result<Stored<T>, Failure> {
    let name = display_name(path);
    let (length, input) = open(path)?;
    let bar = progress.bytes(format!("reading {name}"), length);
    let stored = files::read_from(format, Path::new(&name), bar.wrap_read(input));
    bar.finish_and_clear();
    Ok(stored?)
}

/// Reads a matrix into dense form, and says what its file was.
pub(crate) fn read_dense<T: Entry>(
    format: T::ReadAs,
    path: &Path,
    progress: Progress,
) -> Result<(Header, T::Matrix), Failure> {
    into_dense(read::<T>(format, path, progress)?, path)
}

/// Right-hand sides, or a vector, for a matrix of so many rows: in a CSV file, one row of as many
/// numbers is a column.
pub(crate) fn as_right<T: Entry>(stored: Stored<T>, path: &Path, rows: usize) -> Stored<T> {
    let is_csv = MatrixName::of(path).form == Some(Form::Csv);
    if is_csv && stored.header().cols == rows { stored.row_as_column() } else { stored }
}

/// Reads right-hand sides, or a vector, for a matrix of so many rows into dense form.
pub(crate) fn read_right<T: Entry>(
    format: T::ReadAs,
    path: &Path,
    rows: usize,
    progress: Progress,
) -> Result<(Header, T::Matrix), Failure> {
    into_dense(as_right(read::<T>(format, path, progress)?, path, rows), path)
}

fn into_dense<T: Entry>(stored: Stored<T>, path: &Path) -> Result<(Header, T::Matrix), Failure> {
    let header = *stored.header();
    let dense = stored.into_dense();
    Ok((header, dense.map_err(|error| Failure::input(format!("{}: {error}", display_name(path))))?))
}

/// Whether a name stands for standard input or output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// The name in messages.
pub(crate) fn display_name(path: &Path) -> String {
    if is_standard(path) { "standard input".into() } else { path.display().to_string() }
}

/// `48 × 48, symmetric coordinate file`
pub(crate) fn describe(header: &Header) -> String {
    let Header { rows, cols, symmetry, format, .. } = header;
    format!("{rows} × {cols}, {symmetry} {format} file")
}

/// `Ok` for a square matrix of at least one row.
pub(crate) fn check_square(name: &str, (rows, cols): (usize, usize)) -> Result<(), Failure> {
    if rows == cols && rows > 0 {
        return Ok(());
    }
    Err(Failure::input(format!(
        "{name}: expected a square matrix of at least one row, found {rows} × {cols}"
    )))
}
