//! Comma-separated values: a row of a matrix on each line.
//!
//! Cells are decimal numbers, which may stand in quotes, with blanks around them. Blank lines and
//! lines that begin with `#` are read past.
//!
//! Source: Y. Shafranovich, "Common Format and MIME Type for Comma-Separated Values (CSV) Files",
//! RFC 4180, 2005.

use std::fmt;
use std::io::{self, ErrorKind, Read, Write};

use csv_core::{ReadFieldResult, ReaderBuilder};
use nonius_linalg::Error;
use nonius_linalg::sparse::matrix_market::{Dense, Entry, Stored, WriteError};

use super::entry::{BadEntry, grow, push_text};
use super::print::{check_finite, print_rows};

/// Bytes that are read at a time.
const BUFFER: usize = 64 << 10;

/// The longest cell, in bytes: room for all digits of a number, and for more.
const LONGEST_CELL: usize = 1 << 16;

/// What is wrong with a file of comma-separated values.
#[derive(Debug)]
#[non_exhaustive]
pub enum CsvProblem {
    /// The input cannot be read.
    Read(io::Error),
    /// There is no row.
    Empty,
    /// A cell is not read.
    Cell {
        /// Its line, counted from 1.
        line: u64,
        /// Its column, counted from 1.
        column: usize,
        /// What is wrong with it.
        problem: BadEntry,
    },
    /// A cell is longer than any number.
    LongCell {
        /// Its line, counted from 1.
        line: u64,
    },
    /// A row has not as many cells as the first one.
    Ragged {
        /// The line of the row, counted from 1.
        line: u64,
        /// Cells of the first row.
        expected: usize,
        /// Cells of this row.
        found: usize,
    },
    /// The entries do not fit into memory.
    TooLarge(Error),
}

impl fmt::Display for CsvProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => write!(f, "reading failed: {error}"),
            Self::Empty => f.write_str("the file is empty: expected rows of decimal numbers"),
            Self::Cell { line, column, problem } => {
                write!(f, "line {line}, column {column}: {problem}")
            }
            Self::LongCell { line } => {
                write!(f, "line {line}: expected cells of at most {LONGEST_CELL} bytes")
            }
            Self::Ragged { line, expected, found } => {
                let cells = if *expected == 1 { "cell" } else { "cells" };
                write!(
                    f,
                    "line {line}: expected {expected} {cells} as in the first row, found {found}"
                )
            }
            Self::TooLarge(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CsvProblem {}

/// A cell: its line and column, counted from 1, and its text.
pub(crate) struct Cell<'a> {
    pub(crate) line: u64,
    pub(crate) column: usize,
    pub(crate) text: &'a [u8],
}

/// Reads a matrix.
pub(super) fn read<T: Entry>(
    format: T::ReadAs,
    input: &mut impl Read,
) -> Result<Stored<T>, CsvProblem> {
    let mut entries = T::list(format);
    let shape = read_cells(input, |Cell { line, column, text }| {
        grow(&mut entries, usize::MAX, T::bytes(format)).map_err(CsvProblem::TooLarge)?;
        let pushed = push_text::<T>(&mut entries, format, text);
        pushed.map_err(|problem| CsvProblem::Cell { line, column, problem })
    })?;
    Stored::from_rows(format, shape, entries).map_err(CsvProblem::TooLarge)
}

/// Hands on all cells, row by row. Returns how many rows and columns there are: at least one.
pub(crate) fn read_cells(
    input: &mut impl Read,
    mut each: impl FnMut(Cell<'_>) -> Result<(), CsvProblem>,
) -> Result<(usize, usize), CsvProblem> {
    let mut reader = ReaderBuilder::new().comment(Some(b'#')).build();
    let mut buffer = vec![0; BUFFER];
    let mut held = 0..0;
    let mut cell = vec![0; LONGEST_CELL];
    let mut length = 0;
    let mut is_at_end = false;
    // Line feeds that were passed, without the one that ends a cell.
    let mut feeds = 0;
    let (mut rows, mut cols, mut column) = (0, 0, 0);
    loop {
        if held.is_empty() && !is_at_end {
            held = 0..fill(input, &mut buffer)?;
            is_at_end = held.is_empty();
        }
        let (result, taken, written) =
            reader.read_field(&buffer[held.clone()], &mut cell[length..]);
        let passed = &buffer[held.start..held.start + taken];
        let last_feed = u64::from(passed.last() == Some(&b'\n'));
        let line = 1 + feeds + passed.iter().filter(|&&byte| byte == b'\n').count() as u64;
        feeds = line - 1;
        held.start += taken;
        length += written;
        match result {
            ReadFieldResult::InputEmpty => {}
            ReadFieldResult::OutputFull => return Err(CsvProblem::LongCell { line }),
            ReadFieldResult::End => break,
            ReadFieldResult::Field { record_end } => {
                let line = line - last_feed;
                column += 1;
                each(Cell { line, column, text: &cell[..length] })?;
                length = 0;
                if record_end {
                    if rows == 0 {
                        cols = column;
                    } else if column != cols {
                        return Err(CsvProblem::Ragged { line, expected: cols, found: column });
                    }
                    rows += 1;
                    column = 0;
                }
            }
        }
    }
    if rows == 0 { Err(CsvProblem::Empty) } else { Ok((rows, cols)) }
}

/// Reads some bytes; none at the end of the input.
fn fill(input: &mut impl Read, buffer: &mut [u8]) -> Result<usize, CsvProblem> {
    loop {
        match input.read(buffer) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            read => return read.map_err(CsvProblem::Read),
        }
    }
}

/// Writes a matrix. Its cells read back as the same numbers.
pub(super) fn write(out: &mut dyn Write, a: &impl Dense) -> Result<(), WriteError> {
    check_finite(a)?;
    print_rows(a, |text| Ok(out.write_all(text)?))
}
