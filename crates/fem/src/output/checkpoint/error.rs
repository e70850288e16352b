//! What can go wrong with a checkpoint.

use std::error::Error;
use std::fmt;
use std::path::PathBuf;

use nonius_files::file::FileError;
use nonius_files::text::excerpt;

use super::array::Type;
use super::format::VERSION;

/// Why a checkpoint cannot be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The file.
    File(FileError),
    /// A file of another kind.
    NotOne {
        /// The file.
        path: PathBuf,
    },
    /// A file of a later version than [`VERSION`].
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u32,
    },
    /// A file of which the end is missing.
    Truncated {
        /// The file.
        path: PathBuf,
    },
    /// A file whose contents do not have their checksum.
    Damaged {
        /// The file.
        path: PathBuf,
        /// The array; none where it is the index.
        array: Option<String>,
    },
    /// A file of another model, or written by another version.
    OtherModel {
        /// The file.
        path: PathBuf,
    },
    /// A number or array that is not there.
    Missing {
        /// Its name.
        name: String,
    },
    /// A number or array of another type.
    WrongType {
        /// Its name.
        name: String,
        /// The type asked for.
        expected: Type,
        /// Its type.
        found: Type,
    },
    /// An array of another length.
    Length {
        /// Its name.
        name: String,
        /// The length asked for.
        expected: usize,
        /// Its length.
        found: u64,
    },
    /// An array for which there is not enough memory.
    Memory {
        /// Its name.
        name: String,
    },
}

impl CheckpointError {
    pub(super) fn wrong_type(name: &str, expected: Type, found: Type) -> Self {
        Self::WrongType { name: name.to_owned(), expected, found }
    }
}

impl fmt::Display for CheckpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::NotOne { path } => write!(f, "{}: expected a checkpoint", path.display()),
            Self::Newer { path, version } => {
                let path = path.display();
                write!(f, "{path}: expected a checkpoint of version {VERSION}, not {version}")
            }
            Self::Truncated { path } => write!(f, "{}: its end is missing", path.display()),
            Self::Damaged { path, array: None } => {
                write!(f, "{}: damaged: the index has another checksum", path.display())
            }
            Self::Damaged { path, array: Some(name) } => {
                let name = excerpt(name);
                write!(f, "{}: damaged: `{name}` has another checksum", path.display())
            }
            Self::OtherModel { path } => {
                let path = path.display();
                write!(f, "{path}: a checkpoint of another model or version of Nonius")
            }
            Self::Missing { name } => write!(f, "expected `{name}` in the checkpoint"),
            Self::WrongType { name, expected, found } => {
                write!(f, "expected `{name}` of {expected}, found {found}")
            }
            Self::Length { name, expected, found } => {
                write!(f, "expected {expected} numbers in `{name}`, found {found}")
            }
            Self::Memory { name } => write!(f, "not enough memory for `{}`", excerpt(name)),
        }
    }
}

impl Error for CheckpointError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        if let Self::File(error) = self { Some(error) } else { None }
    }
}

impl From<FileError> for CheckpointError {
    fn from(error: FileError) -> Self {
        Self::File(error)
    }
}
