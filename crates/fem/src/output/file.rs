//! Files that appear complete or not at all.

use std::error::Error;
use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tempfile::NamedTempFile;

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
    /// It cannot be opened or read.
    Read(io::Error),
    /// It cannot be created or put in place.
    Create(io::Error),
    /// Its contents cannot be written.
    Write(io::Error),
}

impl FileProblem {
    pub(super) fn of(self, path: &Path) -> FileError {
        FileError { path: path.to_path_buf(), problem: self }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.problem {
            FileProblem::Read(error) => write!(f, "{path}: cannot be read: {error}"),
            FileProblem::Create(error) => write!(f, "{path}: cannot be created: {error}"),
            FileProblem::Write(error) => write!(f, "{path}: cannot be written: {error}"),
        }
    }
}

impl Error for FileError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        let (FileProblem::Read(error) | FileProblem::Create(error) | FileProblem::Write(error)) =
            &self.problem;
        Some(error)
    }
}

/// Writes a file by `contents`, which appears under its name only when it is complete and on the disk.
pub(super) fn write(
    path: &Path,
    contents: impl FnOnce(&mut File) -> io::Result<()>,
) -> Result<(), FileError> {
    let creating = |error| FileProblem::Create(error).of(path);
    let target = target(path).map_err(creating)?;
    let mut file = temporary(&target).map_err(creating)?;
    let _unfinished = Unfinished::register(file.path());
    contents(file.as_file_mut())
        .and_then(|()| file.as_file().sync_all())
        .map_err(|error| FileProblem::Write(error).of(path))?;
    file.persist(target).map_err(|error| creating(error.error))?;
    Ok(())
}

/// Files that are being written, under their temporary names.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes files that are being written and not complete, for a program that is about to be ended by a signal.
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

/// The file that is to be replaced: where `path` is a link, what it leads to.
fn target(path: &Path) -> io::Result<PathBuf> {
    match path.canonicalize() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(path.to_path_buf()),
        found => found,
    }
}

/// A file in the folder of `target`, removed again unless it is put in place.
fn temporary(target: &Path) -> io::Result<NamedTempFile> {
    if target.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let folder = match target.parent() {
        None => return Err(io::ErrorKind::IsADirectory.into()),
        Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
        Some(parent) => parent,
    };
    tempfile::Builder::new()
        .prefix(".nonius-")
        .suffix(".tmp")
        // With the permissions of any new file, not those of a secret.
        .make_in(folder, |path| File::options().read(true).write(true).create_new(true).open(path))
}
