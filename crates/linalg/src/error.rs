//! What can go wrong in this crate.

use core::fmt;

/// Why an operation could not be carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// An operand has another shape than the others require; a vector is a matrix of one column.
    Shape {
        /// The operand, by the name of the parameter.
        operand: &'static str,
        /// The rows and columns that it needs.
        expected: (usize, usize),
        /// The rows and columns that it has.
        found: (usize, usize),
    },
    /// A matrix that does not fit into memory.
    TooLarge {
        /// Its rows.
        rows: usize,
        /// Its columns.
        cols: usize,
    },
}

impl Error {
    /// `Ok` where `found` is `expected`.
    pub fn check_shape(
        operand: &'static str,
        expected: (usize, usize),
        found: (usize, usize),
    ) -> Result<(), Error> {
        if expected == found { Ok(()) } else { Err(Error::Shape { operand, expected, found }) }
    }

    /// `Ok` where the vector `operand` has `expected` entries.
    pub fn check_length(operand: &'static str, expected: usize, found: usize) -> Result<(), Error> {
        Error::check_shape(operand, (expected, 1), (found, 1))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Shape { operand, expected, found } => write!(
                f,
                "operand {operand} is {} × {} where {} × {} is needed",
                found.0, found.1, expected.0, expected.1
            ),
            Error::TooLarge { rows, cols } => {
                write!(f, "a matrix of {rows} rows and {cols} columns does not fit into memory")
            }
        }
    }
}

impl core::error::Error for Error {}
