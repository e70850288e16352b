//! What can be wrong with a book.

use core::fmt;
use std::io;
use std::path::{Path, PathBuf};

use nonius_files::text::excerpt;

use crate::error::{Error, Field};

/// What was found in a row, or the column and what is wrong there.
pub(super) type Found<T> = Result<T, (Option<Column>, Problem)>;

/// Why a book cannot be read at all.
#[derive(Debug)]
#[non_exhaustive]
pub enum BookError {
    /// The input cannot be read.
    Read(io::Error),
    /// There is no first row.
    Empty,
    /// A column that a book of this kind does not have.
    UnknownColumn {
        /// Its name.
        name: String,
        /// The columns that there are.
        known: &'static [Column],
    },
    /// A column that is there twice.
    RepeatedColumn {
        /// Which.
        column: Column,
    },
    /// A column that every book of this kind needs.
    MissingColumn {
        /// Which.
        column: Column,
    },
}

/// What is wrong with a row.
#[derive(Clone, Debug, PartialEq)]
pub struct RowError {
    /// The [line](super::Row::line) on which the row begins.
    pub row: u64,
    /// The column, where it is one.
    pub column: Option<Column>,
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong with a cell, or with a row.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Problem {
    /// A row has not as many cells as there are columns.
    Cells {
        /// How many there are columns.
        expected: usize,
        /// How many cells it has.
        found: usize,
    },
    /// A quote at the beginning of a cell without one at its end.
    Quotes,
    /// A cell that has to be filled is empty.
    Empty,
    /// A text where a number is needed.
    Number {
        /// The text.
        text: String,
    },
    /// A text of another form than the column's.
    Form {
        /// The text.
        text: String,
        /// What is needed.
        needed: &'static str,
    },
    /// Times of pieces that do not increase.
    Pieces,
    /// A file of volatilities that cannot be read.
    File {
        /// Its name, with the folder of the book.
        file: PathBuf,
        /// Why.
        problem: io::ErrorKind,
    },
    /// What is wrong with a row of a file of volatilities.
    Surface {
        /// Its name, with the folder of the book.
        file: PathBuf,
        /// The line on which the row begins.
        row: u64,
        /// What is wrong.
        problem: Box<Problem>,
    },
    /// A file of volatilities that has none.
    NoVolatility,
    /// A contract that has no price.
    Contract(Error),
}

/// A column of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Column {
    /// `type`.
    Type,
    /// `exercise`.
    Exercise,
    /// `spot`.
    Spot,
    /// `strike`.
    Strike,
    /// `rate`.
    Rate,
    /// `dividend`.
    Dividend,
    /// `volatility`.
    Volatility,
    /// `maturity`.
    Maturity,
    /// `barrier`.
    Barrier,
    /// `rebate`.
    Rebate,
    /// `dividends`.
    Dividends,
    /// `price`, of a quote.
    Price,
}

impl Column {
    /// Those of contracts, in the order of the documentation.
    pub const CONTRACT: [Column; 11] = [
        Column::Type,
        Column::Exercise,
        Column::Spot,
        Column::Strike,
        Column::Rate,
        Column::Dividend,
        Column::Volatility,
        Column::Maturity,
        Column::Barrier,
        Column::Rebate,
        Column::Dividends,
    ];

    /// Those of quotes: a volatility has no effect.
    pub const QUOTE: [Column; 12] = [
        Column::Price,
        Column::Type,
        Column::Exercise,
        Column::Spot,
        Column::Strike,
        Column::Rate,
        Column::Dividend,
        Column::Maturity,
        Column::Dividends,
        Column::Volatility,
        Column::Barrier,
        Column::Rebate,
    ];

    /// Those without which there is no contract.
    pub(super) const OF_CONTRACT: [Column; 6] = [
        Column::Type,
        Column::Spot,
        Column::Strike,
        Column::Rate,
        Column::Volatility,
        Column::Maturity,
    ];

    /// Those without which there is no quote.
    pub(super) const OF_QUOTE: [Column; 6] =
        [Column::Price, Column::Type, Column::Spot, Column::Strike, Column::Rate, Column::Maturity];

    /// The name in the first row.
    pub fn name(self) -> &'static str {
        match self {
            Column::Type => "type",
            Column::Exercise => "exercise",
            Column::Spot => "spot",
            Column::Strike => "strike",
            Column::Rate => "rate",
            Column::Dividend => "dividend",
            Column::Volatility => "volatility",
            Column::Maturity => "maturity",
            Column::Barrier => "barrier",
            Column::Rebate => "rebate",
            Column::Dividends => "dividends",
            Column::Price => "price",
        }
    }

    pub(super) fn named(name: &str, known: &[Self]) -> Option<Self> {
        known.iter().copied().find(|column| column.name() == name)
    }

    /// The column that a contract's error is about.
    pub(super) fn blamed(error: &Error) -> Option<Self> {
        let field = match error {
            Error::Range { field, .. } | Error::Order { field, .. } => *field,
            Error::EarlyExerciseKnockIn
            | Error::EarlyExerciseMonitoring
            | Error::ImpliedBarrier => Field::Barrier,
            Error::TwoBoundaries => Field::Rate,
            _ => return None,
        };
        Some(match field {
            Field::Spot => Column::Spot,
            Field::Strike => Column::Strike,
            Field::Maturity => Column::Maturity,
            Field::Rate => Column::Rate,
            Field::Yield => Column::Dividend,
            Field::Volatility => Column::Volatility,
            Field::ExerciseDate => Column::Exercise,
            Field::Barrier | Field::MonitoringDate => Column::Barrier,
            Field::Rebate => Column::Rebate,
            Field::DividendDate | Field::Dividend => Column::Dividends,
            Field::Price => Column::Price,
        })
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A file's name, as a book writes it.
fn shown(file: &Path) -> String {
    excerpt(&file.to_string_lossy()).into_owned()
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Cells { expected, found } => {
                write!(f, "{found} cells where there are {expected} columns")
            }
            Problem::Quotes => {
                f.write_str("expected a quote at the end of each cell that begins with one")
            }
            Problem::Empty => f.write_str("the cell is empty"),
            Problem::Number { text } => write!(f, "{} is not a number", excerpt(text)),
            Problem::Form { text, needed } => write!(f, "{} is not {needed}", excerpt(text)),
            Problem::Pieces => f.write_str("the times of the pieces do not increase from zero"),
            Problem::File { file, problem } => {
                write!(f, "{} cannot be read: {problem}", shown(file))
            }
            Problem::Surface { file, row, problem } => {
                write!(f, "{}, row {row}: {problem}", shown(file))
            }
            Problem::NoVolatility => f.write_str(
                "expected prices of the underlying behind a first cell, then rows of a time and a volatility for each price",
            ),
            Problem::Contract(error) => error.fmt(f),
        }
    }
}

impl fmt::Display for RowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.column {
            Some(column) => write!(f, "row {}, column {column}: {}", self.row, self.problem),
            None => write!(f, "row {}: {}", self.row, self.problem),
        }
    }
}

impl core::error::Error for RowError {}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BookError::Read(error) => write!(f, "the book cannot be read: {error}"),
            BookError::Empty => f.write_str("the book is empty: its first row names the columns"),
            BookError::UnknownColumn { name, known } => {
                let names: Vec<_> = known.iter().map(|column| column.name()).collect();
                let names = names.join(", ");
                let name = excerpt(name);
                write!(f, "row 1: there is no column \"{name}\"; columns are {names}")
            }
            BookError::RepeatedColumn { column } => {
                write!(f, "row 1: the column {column} is there twice")
            }
            BookError::MissingColumn { column } => {
                write!(f, "row 1: the column {column} is missing")
            }
        }
    }
}

impl core::error::Error for BookError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            BookError::Read(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for BookError {
    fn from(error: io::Error) -> Self {
        BookError::Read(error)
    }
}
