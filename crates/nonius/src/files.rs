//! Matrix files: reading them by name, compressed or not, and writing them whole or not at all.

use std::error::Error;
use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use nonius_linalg::sparse::matrix_market::{self, Entry, ReadError, Stored, WriteError};
use tempfile::NamedTempFile;

use crate::Number;

pub use nonius_fem::input::decompress;

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
pub fn read<T: Number>(path: &Path) -> Result<Stored<T>, FileError> {
    read_as((), path)
}

/// [`read`] for numbers whose format is chosen at run time: for [`Mp`](crate::Mp) the bits.
pub fn read_as<T: Entry>(format: T::Format, path: &Path) -> Result<Stored<T>, FileError> {
    let file = File::open(path).map_err(|error| FileProblem::Open(error).of(path))?;
    read_from(format, path, file)
}

/// Reads a Matrix Market matrix from a stream, which may be compressed; messages call it `path`.
pub fn read_from<T: Entry>(
    format: T::Format,
    path: &Path,
    input: impl Read,
) -> Result<Stored<T>, FileError> {
    let stored = decompress(input)
        .map_err(|error| ReadError { line: 0, problem: matrix_market::Problem::Io(error) })
        .and_then(|input| matrix_market::read_as(format, input));
    stored.map_err(|error| FileProblem::Read(error).of(path))
}

/// Fails where [`write`](fn@write) would fail to create its file: worth knowing before a long computation.
pub fn check_writable(path: &Path) -> Result<(), FileError> {
    if written_in_place(path) {
        return Ok(());
    }
    temporary(path).map(drop).map_err(|error| FileProblem::Create(error).of(path))
}

/// Writes a file by `contents`, which appears under its name only when it is complete and on the disk.
///
/// A device or pipe, where nothing can be put in place, is written directly.
pub fn write(
    path: &Path,
    contents: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>,
) -> Result<(), FileError> {
    let creating = |error| FileProblem::Create(error).of(path);
    let writing = |error| FileProblem::Write(error).of(path);
    let fill = |file: &mut File| -> Result<(), WriteError> {
        let mut out = BufWriter::new(file);
        contents(&mut out)?;
        Ok(out.flush()?)
    };
    if written_in_place(path) {
        let mut file = File::options().write(true).open(path).map_err(creating)?;
        return fill(&mut file).map_err(writing);
    }
    let mut file = temporary(path).map_err(creating)?;
    let _unfinished = Unfinished::register(file.path());
    fill(file.as_file_mut()).map_err(writing)?;
    file.as_file().sync_all().map_err(|error| writing(error.into()))?;
    let target = target(path).map_err(creating)?;
    file.persist(target).map_err(|error| creating(error.error))?;
    Ok(())
}

/// Files that are being written, under their temporary names.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes what calls of [`write`](fn@write) that are still running have written so far, for a program that is about to be
/// ended by a signal.
pub fn remove_unfinished() {
    for path in UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        // It may have been put in place just now; a second error has nobody left to hear it.
        let _ = std::fs::remove_file(path);
    }
}

/// Keeps a path in [`UNFINISHED`] while it lives.
struct Unfinished(PathBuf);

impl Unfinished {
    fn register(path: &Path) -> Self {
        UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_path_buf());
        Self(path.to_path_buf())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).retain(|path| *path != self.0);
    }
}

/// Whether `path` is there and is neither a file nor a directory.
fn written_in_place(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// The file that is to be replaced: where `path` is a link, what it leads to.
fn target(path: &Path) -> io::Result<PathBuf> {
    match path.canonicalize() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(path.to_path_buf()),
        found => found,
    }
}

/// A file in the folder of `path`, removed again unless it is put in place.
fn temporary(path: &Path) -> io::Result<NamedTempFile> {
    let target = target(path)?;
    let existing = match target.metadata() {
        Ok(found) if found.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        // Renaming would replace it all the same.
        Ok(found) if found.permissions().readonly() => {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        Ok(found) => Some(found.permissions()),
        Err(_) => None,
    };
    let folder = match target.parent() {
        None => return Err(io::ErrorKind::IsADirectory.into()),
        Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
        Some(parent) => parent,
    };
    let mut builder = tempfile::Builder::new();
    let file =
        builder.prefix(".nonius-").suffix(".tmp").make_in(folder, |path| File::create_new(path))?;
    if let Some(permissions) = existing {
        file.as_file().set_permissions(permissions)?;
    }
    Ok(file)
}
