//! Matrix files: read by name, compressed or not, and written whole or not at all.
//!
//! The ending of a name says the form: `.npy` and `.npz` of NumPy, `.csv`, or Matrix Market. What
//! has another name, as standard input, is taken for what its first bytes are.
//!
//! ```
//! use nonius::files::matrix_market::{Style, write_dense};
//! use nonius::{Matrix, Qd, files};
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("roots.mtx");
//! let a = Matrix::from_fn(2, 2, |i, j| Qd::from((i + 2 * j) as f64).sqrt());
//! files::write(&path, |mut out| write_dense(&mut out, &a, &Style::default()))?;
//! // The same bits come back, or the numbers rounded once.
//! assert_eq!(files::read::<Qd>((), &path)?.into_dense()?, a);
//! assert_eq!(files::read::<f64>((), &path)?.into_dense()?[(0, 1)], 2.0_f64.sqrt());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod archive;
pub(crate) mod array;
pub(crate) mod csv;
pub(crate) mod entry;
mod name;
mod npz;
mod print;
mod sparse;

use std::error::Error;
use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Cursor, Read, Write};
use std::path::{Path, PathBuf};

use nonius_files::write::{self, Unwritten};
use nonius_linalg::Number;
use nonius_linalg::sparse::Coo;
use nonius_linalg::sparse::matrix_market::{
    Dense, Entry, Problem, ReadError, Stored, Style, WriteError,
};

use nonius_num::stored_bytes;

pub use nonius_linalg::sparse::matrix_market;

pub use array::{ArrayProblem, Place};
pub use csv::CsvProblem;
pub use entry::BadEntry;
pub use name::{Form, MatrixName};
pub use nonius_files::packed::decompress;
pub use nonius_files::room;
pub use nonius_files::same::is_same_file;
pub use nonius_files::text::printable;
pub use nonius_files::write::remove_unfinished;

/// What went wrong with a file.
#[derive(Debug)]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// What went wrong.
    pub problem: FileProblem,
}

/// What can go wrong with a file.
#[derive(Debug)]
#[non_exhaustive]
pub enum FileProblem {
    /// It cannot be opened.
    Open(io::Error),
    /// It is not what it should be.
    Read(ReadError),
    /// It is not the array of NumPy that it should be, or the archive of arrays.
    Array(ArrayProblem),
    /// It is not what comma-separated values should be.
    Csv(CsvProblem),
    /// It cannot be created or put in place.
    Create(io::Error),
    /// Its contents cannot be written.
    Write(WriteError),
}

impl FileProblem {
    /// The problem of that file.
    pub(crate) fn of(self, path: &Path) -> FileError {
        FileError { path: path.to_path_buf(), problem: self }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.problem {
            FileProblem::Open(error) => write!(f, "{path}: cannot be opened: {error}"),
            FileProblem::Read(error) => write!(f, "{path}: {error}"),
            FileProblem::Array(error) => write!(f, "{path}: {error}"),
            FileProblem::Csv(error) => write!(f, "{path}: {error}"),
            FileProblem::Create(error) => write!(f, "{path}: cannot be created: {error}"),
            FileProblem::Write(error) => write!(f, "{path}: {error}"),
        }
    }
}

impl Error for FileError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(match &self.problem {
            FileProblem::Open(error) | FileProblem::Create(error) => error,
            FileProblem::Read(error) => error,
            FileProblem::Array(error) => error,
            FileProblem::Csv(error) => error,
            FileProblem::Write(error) => error,
        })
    }
}

/// Reads the file of a matrix, which may be compressed by gzip or xz. The name of an archive may
/// say which array: `a.npz:x`.
///
/// The format is `()` for numbers whose precision their type says, for [`Mp`](crate::Mp) the bits.
///
/// # Errors
/// What is wrong with the file.
pub fn read<T: Entry>(format: T::ReadAs, path: &Path) -> Result<Stored<T>, FileError> {
    let file = MatrixName::of(path).file;
    let file = File::open(file).map_err(|error| FileProblem::Open(error).of(path))?;
    read_from(format, path, file)
}

/// Reads a matrix from a stream, which may be compressed, in the form that `path` says; messages
/// call it `path`.
///
/// # Errors
/// What is wrong with the contents.
pub fn read_from<T: Entry>(
    format: T::ReadAs,
    path: &Path,
    input: impl Read,
) -> Result<Stored<T>, FileError> {
    let name = MatrixName::of(path);
    let unreadable = |error| ReadError { line: 0, problem: Problem::Io(error) };
    let opened = open_stream(name, input).map_err(unreadable);
    let read = opened.map_err(FileProblem::Read).and_then(|(form, mut input)| match form {
        Form::MatrixMarket => matrix_market::read_as(format, input).map_err(FileProblem::Read),
        Form::Npy => array::read(format, &mut input).map_err(FileProblem::Array),
        Form::Npz => npz::read(format, name.array, input).map_err(FileProblem::Array),
        Form::Csv => csv::read(format, &mut input).map_err(FileProblem::Csv),
    });
    read.map_err(|problem| problem.of(path))
}

/// A stream, unpacked, and its form: what the name says, else what the first bytes are.
pub(crate) fn open_stream<'a>(
    name: MatrixName<'_>,
    input: impl Read + 'a,
) -> io::Result<(Form, Box<dyn Read + 'a>)> {
    const NPY: &[u8] = b"\x93NUMPY";
    const NPZ: &[u8] = b"PK\x03\x04";
    let mut input = decompress(input)?;
    if let Some(form) = name.form {
        return Ok((form, input));
    }
    let mut first = Vec::with_capacity(NPY.len());
    input.by_ref().take(NPY.len() as u64).read_to_end(&mut first)?;
    let form = match first.as_slice() {
        first if first.starts_with(NPY) => Form::Npy,
        first if first.starts_with(NPZ) => Form::Npz,
        _ => Form::MatrixMarket,
    };
    Ok((form, Box::new(Cursor::new(first).chain(input))))
}

/// Writes a dense matrix in the form that the name says. Its entries read back as the same numbers.
///
/// Arrays of NumPy have doubles as `float64`, and numbers of more bits as decimal texts.
///
/// # Errors
/// [`WriteError`]; only Matrix Market has symmetries and comments.
pub fn write_dense(
    mut out: &mut dyn Write,
    name: MatrixName<'_>,
    a: &impl Dense,
    style: &Style,
) -> Result<(), WriteError> {
    match name.form_written() {
        Form::MatrixMarket => matrix_market::write_dense(&mut out, a, style),
        Form::Npy => array::write(out, a),
        Form::Npz => npz::write_dense(out, name.array, a),
        Form::Csv => csv::write(out, a),
    }
}

/// Writes a sparse matrix in the form that the name says: in archives as SciPy does, in arrays and
/// as comma-separated values every entry.
///
/// # Errors
/// [`WriteError`].
pub fn write_sparse<T: Number>(
    mut out: &mut dyn Write,
    name: MatrixName<'_>,
    a: Coo<T>,
    style: &Style,
) -> Result<(), WriteError> {
    match (name.form_written(), name.array) {
        (Form::MatrixMarket, _) => matrix_market::write_coordinate(&mut out, a, style),
        (Form::Npz, None) => sparse::write(out, a),
        _ => {
            let ((rows, cols), format) = (a.shape(), a.values().format());
            let bytes = rows as u128 * cols as u128 * stored_bytes::<T>(format) as u128;
            room::check_memory(format_args!("a dense matrix of {rows} × {cols}"), bytes)
                .map_err(io::Error::other)?;
            let dense = a.to_dense().map_err(io::Error::other)?;
            write_dense(out, name, &dense, style)
        }
    }
}

/// Fails where [`write`](fn@write) would fail to create its file: worth knowing before a long
/// computation.
pub fn check_writable(path: &Path) -> Result<(), FileError> {
    write::check_writable(path).map_err(|error| FileProblem::Create(error).of(path))
}

/// Writes a file by `contents`, which appears under its name only when it is complete and on the
/// disk.
///
/// A device or pipe, where nothing can be put in place, is written directly.
pub fn write(
    path: &Path,
    contents: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>,
) -> Result<(), FileError> {
    let fill = |file: &mut File| -> Result<(), WriteError> {
        let mut out = BufWriter::new(file);
        contents(&mut out)?;
        Ok(out.flush()?)
    };
    write::write(path, fill).map_err(|unwritten| match unwritten {
        Unwritten::Create(error) => FileProblem::Create(error).of(path),
        Unwritten::Contents(error) => FileProblem::Write(error).of(path),
    })
}
