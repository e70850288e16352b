//! Matrix files: read by name, compressed or not, and written whole or not at all.
//!
//! ```
//! use nonius::linalg::sparse::matrix_market::{Style, write_dense};
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

use std::error::Error;
use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use nonius_files::write::{self, Unwritten};
use nonius_linalg::sparse::matrix_market::{self, Entry, ReadError, Stored, WriteError};

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
    /// It cannot be created or put in place.
    Create(io::Error),
    /// Its contents cannot be written.
    Write(WriteError),
}

impl FileProblem {
    fn of(self, path: &Path) -> FileError {
        FileError { path: path.to_path_buf(), problem: self }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.problem {
            FileProblem::Open(error) => write!(f, "{path}: cannot be opened: {error}"),
            FileProblem::Read(error) => write!(f, "{path}: {error}"),
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
            FileProblem::Write(error) => error,
        })
    }
}

/// Reads a Matrix Market file, which may be compressed by gzip or xz.
///
/// The format is `()` for numbers whose precision their type says, for [`Mp`](crate::Mp) the bits.
pub fn read<T: Entry>(format: T::ReadAs, path: &Path) -> Result<Stored<T>, FileError> {
    let file = File::open(path).map_err(|error| FileProblem::Open(error).of(path))?;
    read_from(format, path, file)
}

/// Reads a Matrix Market matrix from a stream, which may be compressed; messages call it `path`.
pub fn read_from<T: Entry>(
    format: T::ReadAs,
    path: &Path,
    input: impl Read,
) -> Result<Stored<T>, FileError> {
    let stored = decompress(input)
        .map_err(|error| ReadError { line: 0, problem: matrix_market::Problem::Io(error) })
        .and_then(|input| matrix_market::read_as(format, input));
    stored.map_err(|error| FileProblem::Read(error).of(path))
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
