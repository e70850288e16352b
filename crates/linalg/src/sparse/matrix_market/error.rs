//! What can be wrong with a Matrix Market file, each with the line and what was expected there.

use std::fmt;
use std::io;

use super::banner::{Format, Symmetry};
use crate::{Error, Token};

/// Why a file could not be read, and where.
#[derive(Debug)]
pub struct ReadError {
    /// Line, from 1; the last line where the file ends too early.
    pub line: u64,
    /// What is wrong there.
    pub problem: Problem,
}

/// What is wrong with a file.
#[derive(Debug)]
#[non_exhaustive]
pub enum Problem {
    /// The input could not be read (or decompressed).
    Io(io::Error),
    /// No bytes at all.
    Empty,
    /// The first line does not start with `%%MatrixMarket`.
    Banner(Token),
    /// The first line has not five words.
    BannerWords(usize),
    /// The second word of the banner is not `matrix`.
    Object(Token),
    /// The third word of the banner is unknown.
    Format(Token),
    /// The fourth word of the banner is unknown.
    Field(Token),
    /// The fifth word of the banner is unknown.
    Symmetry(Token),
    /// A complex or Hermitian matrix.
    Complex(Token),
    /// A pattern that is an array, or skew-symmetric: the format has no such thing.
    Pattern(&'static str),
    /// The file ends before the line of sizes.
    SizeMissing(Format),
    /// The line of sizes has the wrong number of words.
    SizeWords {
        /// What the sizes are of.
        format: Format,
        /// Words found.
        found: usize,
    },
    /// A size is not a number that fits in memory addresses.
    Size(Token),
    /// A symmetric matrix that is not square.
    NotSquare {
        /// The symmetry of the banner.
        symmetry: Symmetry,
        /// Rows.
        rows: usize,
        /// Columns.
        cols: usize,
    },
    /// A line of entries has the wrong number of words.
    EntryWords {
        /// What the line should hold.
        expected: &'static str,
        /// Words found.
        found: usize,
    },
    /// A row or column that the matrix does not have.
    Index {
        /// `row` or `column`.
        what: &'static str,
        /// The text in its place.
        found: Token,
        /// Rows or columns of the matrix.
        limit: usize,
    },
    /// An entry above the diagonal, where the file should hold the lower triangle only.
    AboveDiagonal {
        /// The symmetry of the banner.
        symmetry: Symmetry,
        /// Row, from 1.
        row: usize,
        /// Column, from 1.
        col: usize,
    },
    /// A diagonal entry of a skew-symmetric matrix that is not zero.
    SkewDiagonal {
        /// Row and column, from 1.
        index: usize,
    },
    /// A value that is not a decimal number.
    Number(Token),
    /// A value that is not an integer in a file of integers.
    Integer(Token),
    /// NaN or an infinity.
    NotFinite(Token),
    /// A number beyond the range of the precision asked for.
    Overflow {
        /// The text of the number.
        found: Token,
        /// The precision.
        precision: String,
    },
    /// The file ends before its last entry.
    TooFew {
        /// Entries announced.
        expected: usize,
        /// Entries found.
        found: usize,
    },
    /// More entries than announced.
    TooMany {
        /// Entries announced.
        expected: usize,
    },
    /// A line that no matrix file has.
    LongLine {
        /// The longest line that is read, in bytes.
        limit: usize,
    },
    /// The matrix does not fit into memory.
    TooLarge(Error),
}

/// Why a matrix could not be written.
#[derive(Debug)]
#[non_exhaustive]
pub enum WriteError {
    /// The output failed.
    Io(io::Error),
    /// Entries that contradict the symmetry asked for; places count from 0.
    NotSymmetric {
        /// The symmetry asked for.
        symmetry: Symmetry,
        /// Row of an entry that its mirror image contradicts.
        row: usize,
        /// Column of that entry.
        col: usize,
    },
    /// A symmetry asked for a matrix that is not square.
    NotSquare {
        /// The symmetry asked for.
        symmetry: Symmetry,
        /// Rows.
        rows: usize,
        /// Columns.
        cols: usize,
    },
    /// NaN or infinity, which files of matrices do not have; places count from 0.
    NotFinite {
        /// Row of the entry.
        row: usize,
        /// Column of the entry.
        col: usize,
    },
}

impl Problem {
    pub(super) fn at(self, line: u64) -> ReadError {
        ReadError { line, problem: self }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.problem {
            Problem::Io(_) | Problem::Empty | Problem::TooLarge(_) => self.problem.fmt(f),
            problem => write!(f, "line {}: {problem}", self.line),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "reading failed: {error}"),
            Self::Empty => {
                f.write_str("the file is empty: expected the banner `%%MatrixMarket matrix ...`")
            }
            Self::Banner(found) => write!(f, "expected the banner `%%MatrixMarket`, found {found}"),
            Self::BannerWords(found) => write!(
                f,
                "expected the five words `%%MatrixMarket matrix FORMAT FIELD SYMMETRY`, found {found}"
            ),
            Self::Object(found) => write!(f, "expected the object `matrix`, found {found}"),
            Self::Format(found) => {
                write!(f, "expected the format `coordinate` or `array`, found {found}")
            }
            Self::Field(found) => {
                write!(f, "expected the field `real`, `integer` or `pattern`, found {found}")
            }
            Self::Symmetry(found) => write!(
                f,
                "expected the symmetry `general`, `symmetric` or `skew-symmetric`, found {found}"
            ),
            Self::Complex(found) => write!(
                f,
                "expected a real matrix, found {found}: complex matrices are not supported"
            ),
            Self::Pattern(what) => write!(
                f,
                "expected `real` or `integer` before `{what}`, found `pattern`: the format has no {what} pattern"
            ),
            Self::SizeMissing(format) => {
                write!(
                    f,
                    "expected the line of sizes `{}`, found the end of the file",
                    format.sizes()
                )
            }
            Self::SizeWords { format, found } => {
                write!(
                    f,
                    "expected the line of sizes `{}`, found {}",
                    format.sizes(),
                    words(*found)
                )
            }
            Self::Size(found) => {
                write!(f, "expected a size from 0 to {}, found {found}", usize::MAX)
            }
            Self::NotSquare { symmetry, rows, cols } => write!(
                f,
                "expected as many rows as columns in a {symmetry} matrix, found {rows} and {cols}"
            ),
            Self::EntryWords { expected, found } => {
                write!(f, "expected `{expected}`, found {}", words(*found))
            }
            Self::Index { what, found, limit: 0 } => {
                write!(f, "expected no entries in a matrix without {what}s, found {what} {found}")
            }
            Self::Index { what, found, limit } => {
                write!(f, "expected a {what} from 1 to {limit}, found {found}")
            }
            Self::AboveDiagonal { symmetry, row, col } => write!(
                f,
                "expected an entry of the lower triangle of a {symmetry} matrix, found row {row}, column {col}"
            ),
            Self::SkewDiagonal { index } => write!(
                f,
                "expected a zero diagonal in a skew-symmetric matrix, found a nonzero in row {index}, column {index}"
            ),
            Self::Number(found) => write!(f, "expected a decimal number, found {found}"),
            Self::Integer(found) => write!(f, "expected an integer, found {found}"),
            Self::NotFinite(found) => write!(f, "expected a finite number, found {found}"),
            Self::Overflow { found, precision } => {
                write!(f, "expected a number within the range of {precision}, found {found}")
            }
            Self::TooFew { expected, found } => {
                write!(
                    f,
                    "expected {}, found the end of the file after {found}",
                    entries(*expected)
                )
            }
            Self::TooMany { expected } => {
                write!(f, "expected the end of the file after {}, found more", entries(*expected))
            }
            Self::LongLine { limit } => {
                write!(f, "expected lines of at most {limit} bytes, found a longer one")
            }
            Self::TooLarge(size) => size.fmt(f),
        }
    }
}

fn words(n: usize) -> String {
    if n == 1 { "1 word".into() } else { format!("{n} words") }
}

fn entries(n: usize) -> String {
    if n == 1 { "1 entry".into() } else { format!("{n} entries") }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.problem {
            Problem::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "writing failed: {error}"),
            Self::NotSymmetric { symmetry, row, col } => write!(
                f,
                "the matrix is not {symmetry}: the entry in row {}, column {} contradicts its mirror image",
                row + 1,
                col + 1
            ),
            Self::NotSquare { symmetry, rows, cols } => {
                write!(f, "a matrix of {rows} rows and {cols} columns cannot be {symmetry}")
            }
            Self::NotFinite { row, col } => write!(
                f,
                "the entry in row {}, column {} is not finite, and files of matrices have finite numbers",
                row + 1,
                col + 1
            ),
        }
    }
}

impl std::error::Error for WriteError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}
