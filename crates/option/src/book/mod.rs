//! Books of contracts as CSV.
//!
//! The first row names the columns, in any order and case. Numbers are decimal, read at the full
//! precision of the number type; spaces around cells do not count.
//!
//! - `type` (needed): `call` or `put`
//! - `exercise` (`european` if left out): `european`, `american`, or `bermudan:` and dates, as in
//!   `bermudan:0.25;0.5`
//! - `spot` (needed): price of the underlying
//! - `strike` (needed): strike
//! - `rate` (needed): interest rate a year, continuously compounded: a number, or numbers with the
//!   time until which each holds, as in `0.25:0.02;1:0.03`
//! - `dividend` (0 if left out): continuous yield of the underlying, like `rate`
//! - `volatility` (needed): volatility a year, like `rate`, or `surface:` and a file of
//!   volatilities, as in `surface:surface.csv`
//! - `maturity` (needed): years until the option ends
//! - `barrier` (none): `up-in`, `up-out`, `down-in` or `down-out`, its level, and the dates where
//!   it is not looked at always: `down-out:90`, `up-in:130@0.25;0.5`
//! - `rebate` (0 if left out): what is paid when the barrier knocks the option out, or at maturity
//!   when it has not knocked it in
//! - `dividends` (none): dividends of the underlying with their times, sums of money or parts of
//!   the price: `0.5:2.0;0.75:1%`
//!
//! Times are in years from today. Cells with commas or quotes are quoted as in RFC 4180. A row with
//! an error has no contract; the others do.
//!
//! A file of volatilities is CSV too, relative to the folder of the book. The first row has a cell
//! that is ignored and prices of the underlying, each further row a time and a volatility for each
//! price; prices and times increase. Between them the volatility is bilinear, beyond them constant
//! ([`Surface`](crate::Surface)).
//!
//! ```csv
//! time,80,100,120
//! 0.25,0.26,0.21,0.19
//! 1,0.25,0.22,0.20
//! ```

mod cell;
mod error;
mod number;
mod rows;
mod surfaces;
mod write;

use std::io::Read;
use std::path::Path;

use nonius_files::room::read_whole;
use nonius_linalg::Number;

use crate::contract::Contract;

use cell::Cells;
use error::Found;
pub use error::{BookError, Column, Problem, RowError};
use rows::Rows;
use surfaces::Surfaces;
pub use write::{write, write_boundaries};

/// A row of a book.
#[derive(Clone, Debug, PartialEq)]
pub struct Row<T> {
    /// The line on which it begins; that of the column names is 1 where nothing stands above them.
    pub line: u64,
    /// Its contract, or what is wrong with it.
    pub contract: Result<Contract<T>, RowError>,
}

/// The contracts of a book, row by row, with numbers of a format. Each is
/// [valid](Contract::validate). Files that rows name are relative to `folder`, and read once.
///
/// ```
/// use std::path::Path;
///
/// let text = "type,spot,strike,rate,volatility,maturity\n\
///     call,100,105,0.05,0.2,1\n\nput,100,x,0.05,0.2,1\n";
/// let rows = nonius_option::book::read::<f64>((), text.as_bytes(), Path::new(""))?;
/// assert_eq!(rows[0].contract.as_ref().unwrap().strike, 105.0);
/// assert_eq!(rows[1].line, 4);
/// let error = rows[1].contract.as_ref().unwrap_err();
/// assert_eq!(error.to_string(), "row 4, column strike: x is not a number");
/// # Ok::<(), nonius_option::book::BookError>(())
/// ```
///
/// # Errors
/// Of what concerns all rows: input that cannot be read, and columns that are unknown, missing or
/// there twice.
pub fn read<T: Number>(
    format: T::Format,
    input: impl Read,
    folder: &Path,
) -> Result<Vec<Row<T>>, BookError> {
    let text = read_whole(input)?;
    let mut rows = Rows::new(&text);
    let columns = columns(rows.next()?.ok_or(BookError::Empty)?.record)?;
    let mut surfaces = Surfaces::new(format, folder);
    let mut found = Vec::new();
    while let Some(rows::Row { line, record, is_quoted_well }) = rows.next()? {
        let contract = match is_quoted_well {
            true => contract(format, &columns, record, &mut surfaces),
            false => Err((None, Problem::Quotes)),
        };
        let contract =
            contract.map_err(|(column, problem)| RowError { row: line, column, problem });
        found.push(Row { line, contract });
    }
    Ok(found)
}

/// The columns in the order of the cells.
fn columns(header: &csv::ByteRecord) -> Result<Vec<Column>, BookError> {
    let mut columns = Vec::with_capacity(header.len());
    for cell in header {
        let name = String::from_utf8_lossy(cell).trim().to_lowercase();
        let column = Column::named(&name).ok_or(BookError::UnknownColumn { name })?;
        if columns.contains(&column) {
            return Err(BookError::RepeatedColumn { column });
        }
        columns.push(column);
    }
    match Column::NEEDED.into_iter().find(|column| !columns.contains(column)) {
        Some(column) => Err(BookError::MissingColumn { column }),
        None => Ok(columns),
    }
}

fn contract<T: Number>(
    format: T::Format,
    columns: &[Column],
    record: &csv::ByteRecord,
    surfaces: &mut Surfaces<'_, T>,
) -> Found<Contract<T>> {
    if record.len() != columns.len() {
        let problem = Problem::Cells { expected: columns.len(), found: record.len() };
        return Err((None, problem));
    }
    let cells = Cells { format, columns, record };
    let contract = Contract {
        kind: cells.kind()?,
        exercise: cells.exercise()?,
        spot: cells.number(Column::Spot)?,
        strike: cells.number(Column::Strike)?,
        maturity: cells.number(Column::Maturity)?,
        rates: cells.terms(Column::Rate)?,
        yields: cells.terms(Column::Dividend)?,
        volatility: cells.volatility(surfaces)?,
        barrier: cells.barrier()?,
        dividends: cells.dividends()?,
    };
    match contract.validate() {
        Ok(()) => Ok(contract),
        Err(error) => Err((Column::blamed(&error), Problem::Contract(error))),
    }
}
