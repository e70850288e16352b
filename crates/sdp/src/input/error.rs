//! What can be wrong with a file, each with the line and what was expected there.

use std::fmt;
use std::io;

use nonius_linalg::Token;

/// Why a file could not be read, and where.
#[derive(Debug)]
pub struct ReadError {
    /// Line, from 1; the last line where the file ends too early.
    pub line: u64,
    /// What is wrong there.
    pub fault: Fault,
}

/// A matrix of a problem or of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatrixName {
    /// `Fₖ`, from 0.
    F(usize),
    /// `X`.
    X,
    /// `Y`.
    Y,
}

impl fmt::Display for MatrixName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::F(k) => write!(f, "F{k}"),
            Self::X => f.write_str("X"),
            Self::Y => f.write_str("Y"),
        }
    }
}

/// What is wrong with a file.
#[derive(Debug)]
#[non_exhaustive]
pub enum Fault {
    /// The input could not be read (or decompressed).
    Io(io::Error),
    /// Something else than what is needed.
    Expected {
        /// What is needed.
        needed: &'static str,
        /// What is there.
        found: Token,
    },
    /// A number of a matrix, block, row or column that there is not.
    Index {
        /// Of which of them.
        what: &'static str,
        /// The least.
        first: usize,
        /// The greatest.
        last: usize,
        /// What is there.
        found: Token,
    },
    /// A number that is not finite, or too large for any precision.
    NotFinite(Token),
    /// An entry beside the diagonal of a diagonal block.
    OffDiagonal {
        /// The block, from 1.
        block: usize,
        /// Row, from 1.
        row: usize,
        /// Column, from 1.
        col: usize,
    },
    /// An entry that is there already, or its mirror image.
    Repeated {
        /// The matrix.
        matrix: MatrixName,
        /// The block, from 1.
        block: usize,
        /// Row, from 1.
        row: usize,
        /// Column, from 1.
        col: usize,
    },
    /// A matrix that is not symmetric.
    NotSymmetric {
        /// The matrix.
        matrix: MatrixName,
        /// The block, from 1.
        block: usize,
        /// Row, from 1.
        row: usize,
        /// Column, from 1.
        col: usize,
    },
    /// The file ends before all is there.
    Ends {
        /// What is needed.
        needed: &'static str,
    },
    /// More than the file should hold.
    More(Token),
    /// More constraints, blocks or entries than can be counted.
    TooLarge,
    /// A point of another problem, where one to go on from is needed.
    OtherProblem,
    /// A last line that is not the seal with which the program ends such a file.
    Unsealed,
    /// A seal that is not that of the file.
    Damaged,
    /// A block of the problem of which all entries do not fit in memory.
    Memory {
        /// The block, from 1.
        block: usize,
        /// Its order.
        order: usize,
    },
}

impl Fault {
    pub(super) fn at(self, line: u64) -> ReadError {
        ReadError { line, fault: self }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.fault {
            Fault::Io(_) | Fault::Memory { .. } => self.fault.fmt(f),
            fault => write!(f, "line {}: {fault}", self.line),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "reading failed: {error}"),
            Self::Expected { needed, found } => write!(f, "expected {needed}, found {found}"),
            Self::Index { what, first, last, found } => {
                write!(f, "expected the number of a {what} from {first} to {last}, found {found}")
            }
            Self::NotFinite(found) => write!(f, "expected a finite number, found {found}"),
            Self::OffDiagonal { block, row, col } => {
                write!(
                    f,
                    "expected an entry of a diagonal, found row {row} and column {col} of block {block}, which is diagonal"
                )
            }
            Self::Repeated { matrix, block, row, col } => write!(
                f,
                "expected each entry once, found row {row}, column {col} of block {block} of {matrix} again"
            ),
            Self::NotSymmetric { matrix, block, row, col } => write!(
                f,
                "expected a symmetric matrix, found other values at ({row}, {col}) and ({col}, {row}) of block {block} of {matrix}"
            ),
            Self::Ends { needed } => write!(f, "expected {needed}, found the end of the file"),
            Self::More(found) => write!(f, "expected the end of the file, found {found}"),
            Self::TooLarge => {
                f.write_str("expected numbers of constraints, blocks and rows below 2^32")
            }
            Self::OtherProblem => {
                f.write_str("expected a checkpoint of this problem, found one of another problem")
            }
            Self::Unsealed => f.write_str(
                "expected the length and the CRC-32 of the file, with which it ends: the file is cut short or damaged",
            ),
            Self::Damaged => f.write_str(
                "expected the length and the CRC-32 of the file, found others: the file is damaged",
            ),
            Self::Memory { block, order } => {
                write!(
                    f,
                    "expected blocks that fit in memory, found block {block} of order {order}"
                )
            }
        }
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.fault {
            Fault::Io(error) => Some(error),
            _ => None,
        }
    }
}
