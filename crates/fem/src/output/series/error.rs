//! What can go wrong with a series.

use std::error::Error;
use std::fmt;
use std::path::PathBuf;

use nonius_files::file::FileError;

use crate::output::Inconsistent;

/// Why a series cannot be written or gone on with.
#[derive(Debug)]
#[non_exhaustive]
pub enum SeriesError {
    /// A file.
    File(FileError),
    /// A list whose name is not text.
    Name {
        /// Its path.
        path: PathBuf,
    },
    /// A list that is not one.
    List {
        /// Its path.
        path: PathBuf,
        /// The line, from 1; 0 where it is the whole.
        line: usize,
    },
    /// Fields that are not of the mesh.
    Inconsistent(Inconsistent),
}

impl fmt::Display for SeriesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::Name { path } => {
                write!(f, "{}: expected a name that is valid Unicode", path.display())
            }
            Self::List { path, line: 0 } => {
                write!(f, "{}: expected a list of VTK files", path.display())
            }
            Self::List { path, line } => {
                write!(f, "{}: line {line}: expected a time and a file", path.display())
            }
            Self::Inconsistent(error) => error.fmt(f),
        }
    }
}

impl Error for SeriesError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::File(error) => Some(error),
            Self::Inconsistent(error) => Some(error),
            _ => None,
        }
    }
}

impl From<FileError> for SeriesError {
    fn from(error: FileError) -> Self {
        Self::File(error)
    }
}

impl From<Inconsistent> for SeriesError {
    fn from(error: Inconsistent) -> Self {
        Self::Inconsistent(error)
    }
}
