//! What can go wrong with histories.

use std::error::Error;
use std::fmt;
use std::path::PathBuf;

use nonius_files::file::FileError;

use crate::output::Inconsistent;

/// Why a history cannot be written, read or gone on with.
#[derive(Debug)]
#[non_exhaustive]
pub enum HistoryError {
    /// The file.
    File(FileError),
    /// A row that is not of the columns.
    Inconsistent(Inconsistent),
    /// A file whose columns are not those of the run.
    Columns {
        /// The file.
        path: PathBuf,
        /// The place, from 1, of the first column that differs.
        column: usize,
    },
    /// A row of the file that is not one.
    Row {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
    },
}

impl fmt::Display for HistoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::Inconsistent(error) => error.fmt(f),
            Self::Columns { path, column } => {
                write!(f, "{}: column {column} is not that of this run", path.display())
            }
            Self::Row { path, line } => {
                write!(f, "{}: line {line}: expected a number in each column", path.display())
            }
        }
    }
}

impl Error for HistoryError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::File(error) => Some(error),
            Self::Inconsistent(error) => Some(error),
            _ => None,
        }
    }
}

impl From<FileError> for HistoryError {
    fn from(error: FileError) -> Self {
        Self::File(error)
    }
}

impl From<Inconsistent> for HistoryError {
    fn from(error: Inconsistent) -> Self {
        Self::Inconsistent(error)
    }
}
