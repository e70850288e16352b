//! What goes wrong with a file, and its name.

use std::error::Error;
use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use crate::write::{self, Unwritten};

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
    /// The problem of that file.
    #[must_use]
    pub fn of(self, path: &Path) -> FileError {
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

/// Writes a file by `contents`, which appears under its name only when it is complete and on the
/// disk.
///
/// # Errors
/// [`FileProblem::Create`] and [`FileProblem::Write`]; whatever had the name is as it was.
pub fn write(
    path: &Path,
    contents: impl FnOnce(&mut File) -> io::Result<()>,
) -> Result<(), FileError> {
    write::write(path, contents).map_err(|unwritten| of(path, unwritten))
}

/// Writes a file as [`write`](fn@write) does, but leaves it to [`sync`] to wait until it is on the
/// disk.
///
/// # Errors
/// [`FileProblem::Create`] and [`FileProblem::Write`]; whatever had the name is as it was.
pub fn write_without_sync(
    path: &Path,
    contents: impl FnOnce(&mut File) -> io::Result<()>,
) -> Result<(), FileError> {
    write::write_without_sync(path, contents).map_err(|unwritten| of(path, unwritten))
}

/// Waits until a file is on the disk.
///
/// # Errors
/// [`FileProblem::Write`].
pub fn sync(path: &Path) -> Result<(), FileError> {
    write::sync(path).map_err(|error| FileProblem::Write(error).of(path))
}

fn of(path: &Path, unwritten: Unwritten) -> FileError {
    match unwritten {
        Unwritten::Create(error) => FileProblem::Create(error).of(path),
        Unwritten::Contents(error) => FileProblem::Write(error).of(path),
    }
}
