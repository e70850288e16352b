//! What can be wrong with arrays of NumPy.

use std::fmt;
use std::io;

use nonius_files::text::{excerpt, printable};
use nonius_linalg::Error;

use super::kind::LONGEST_TEXT;
use crate::files::entry::BadEntry;

/// What can be wrong with an array, or an archive of arrays.
#[derive(Debug)]
#[non_exhaustive]
pub enum ArrayProblem {
    /// What stands before the numbers is not in NumPy's format.
    Header(io::Error),
    /// The input cannot be read.
    Read(io::Error),
    /// The numbers are neither real numbers nor texts.
    Type(String),
    /// The numbers are complex.
    Complex(String),
    /// The array has another shape.
    Shape {
        /// Its shape.
        found: Vec<u64>,
        /// What it should be.
        expected: String,
    },
    /// A number is not read.
    Entry {
        /// Where it stands.
        place: Place,
        /// What is wrong with it.
        problem: BadEntry,
    },
    /// The file ends before the last number.
    Short {
        /// How many numbers it should have.
        expected: usize,
        /// How many it has.
        found: usize,
    },
    /// There are bytes behind the last number.
    More {
        /// How many numbers there are.
        numbers: usize,
    },
    /// The numbers do not fit into memory.
    TooLarge(Error),
    /// The order of memory is another one than that of the first file.
    Order,
    /// The file is no archive.
    Archive(String),
    /// The name says no array of the archive.
    Name {
        /// The array that the name says.
        wanted: Option<String>,
        /// The arrays of the archive.
        found: Vec<String>,
    },
    /// Something is wrong with an array of an archive.
    Member {
        /// The array.
        name: String,
        /// What is wrong.
        problem: Box<ArrayProblem>,
    },
    /// The arrays of a sparse matrix contradict one another, or their layout is not read.
    Sparse(String),
}

/// Where in an array a number stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub(super) index: u64,
    pub(super) shape: Vec<u64>,
    pub(super) is_fortran: bool,
}

/// Counted from 1: `row 2, column 3`.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { index, is_fortran, .. } = *self;
        match self.shape[..] {
            [rows, cols] if rows > 0 && cols > 0 => {
                let (row, col) = if is_fortran {
                    (index % rows, index / rows)
                } else {
                    (index / cols, index % cols)
                };
                write!(f, "row {}, column {}", row + 1, col + 1)
            }
            _ => write!(f, "number {}", index + 1),
        }
    }
}

/// Names of an archive that a message has at most.
const MOST_NAMES: usize = 8;

/// `a, b and c`, the first ones of many.
fn listed(names: &[String]) -> String {
    let quoted: Vec<String> =
        names.iter().take(MOST_NAMES).map(|name| format!("`{}`", excerpt(name))).collect();
    match names.len() - quoted.len() {
        0 => quoted.join(", "),
        more => format!("{} and {more} more", quoted.join(", ")),
    }
}

impl fmt::Display for ArrayProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header(error) => {
                // A header that is not Python is shown on several lines.
                let error = error.to_string();
                let line = excerpt(error.lines().next().unwrap_or_default());
                write!(f, "expected an array of NumPy (.npy): {line}")
            }
            Self::Read(error) => write!(f, "reading failed: {error}"),
            Self::Type(found) => {
                let found = excerpt(found);
                let expected = "expected real numbers or texts";
                write!(f, "{expected} of 1 to {LONGEST_TEXT} characters, not {found}")
            }
            Self::Complex(found) => {
                let found = printable(found);
                let not = "complex matrices are not supported";
                write!(f, "expected real numbers, found complex ones ({found}): {not}")
            }
            Self::Shape { found, expected } => {
                let found = format!("{found:?}");
                let found = excerpt(&found);
                write!(f, "expected an array of shape {expected}, not {found}")
            }
            Self::Entry { place, problem } => write!(f, "{place}: {problem}"),
            Self::Short { expected, found } => {
                write!(f, "expected {expected} numbers, found the end of the array after {found}")
            }
            Self::More { numbers } => {
                write!(f, "expected the end of the array after {numbers} numbers")
            }
            Self::TooLarge(error) => error.fmt(f),
            Self::Order => f.write_str(
                "expected the order of memory of the first file (all of C's, or all of Fortran's)",
            ),
            Self::Archive(error) => {
                write!(f, "expected an archive of NumPy (.npz): {}", excerpt(error))
            }
            Self::Name { found, .. } if found.is_empty() => {
                f.write_str("expected an archive with an array, found none")
            }
            Self::Name { wanted: None, found } => write!(
                f,
                "expected FILE.npz:NAME for one of {} arrays: {}",
                found.len(),
                listed(found)
            ),
            Self::Name { wanted: Some(wanted), found } => {
                let wanted = excerpt(wanted);
                write!(f, "there is no array `{wanted}`: expected {}", listed(found))
            }
            Self::Member { name, problem } => write!(f, "array `{}`: {problem}", excerpt(name)),
            Self::Sparse(problem) => write!(f, "sparse matrix of SciPy: {}", excerpt(problem)),
        }
    }
}

impl std::error::Error for ArrayProblem {}
