//! Books of contracts, and of quotes, as CSV.
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
//! A book of quotes has a column `price` beside these. It needs no `volatility`: where there is
//! that column, its cells are not read.
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

use std::borrow::Cow;
use std::io::Read;
use std::path::Path;

use nonius_files::room::read_whole;
use nonius_linalg::Number;

use crate::contract::{Contract, Volatility};
use crate::implied::Quote;

pub use cell::Cell;
use cell::Cells;
use error::Found;
pub use error::{BookError, Column, Problem, RowError};
use rows::Rows;
use surfaces::Surfaces;
pub use write::{write, write_boundaries, write_volatilities};

/// A row of a book.
#[derive(Clone, Debug, PartialEq)]
pub struct Row<C> {
    /// The line on which it begins; that of the column names is 1 where nothing stands above them.
    /// Of a [`Table`] the number of the row, from 0.
    pub line: u64,
    /// Its contract or quote, or what is wrong with it.
    pub found: Result<C, RowError>,
}

/// A book in memory, whose cells may be numbers.
#[derive(Clone, Copy, Debug)]
pub struct Table<'a, F> {
    /// The names of its columns, as in a file.
    pub names: &'a [&'a str],
    /// How many rows it has.
    pub rows: usize,
    /// The cell of a row and a column, by their places.
    pub cell: F,
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
/// assert_eq!(rows[0].found.as_ref().unwrap().strike, 105.0);
/// assert_eq!(rows[1].line, 4);
/// let error = rows[1].found.as_ref().unwrap_err();
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
) -> Result<Vec<Row<Contract<T>>>, BookError> {
    rows(format, input, folder, &Column::CONTRACT, &Column::OF_CONTRACT, contract_of)
}

/// The contracts of a table, as [`read`] has them of a file.
///
/// ```
/// use std::path::Path;
///
/// use nonius_option::book::{self, Cell, Table};
///
/// let names = ["type", "spot", "strike", "rate", "volatility", "maturity"];
/// let cell = |row, column| match column {
///     0 => Cell::Text("call".into()),
///     column => Cell::Number([100.0, [105.0, -1.0][row], 0.05, 0.2, 1.0][column - 1]),
/// };
/// let table = Table { names: &names, rows: 2, cell };
/// let rows = book::contracts::<f64>((), &table, Path::new(""))?;
/// assert_eq!(rows[0].found.as_ref().unwrap().strike, 105.0);
/// let error = rows[1].found.as_ref().unwrap_err().to_string();
/// assert!(error.starts_with("row 1, column strike: "));
/// # Ok::<(), nonius_option::book::BookError>(())
/// ```
///
/// # Errors
/// As [`read`].
pub fn contracts<'a, T: Number>(
    format: T::Format,
    table: &Table<'_, impl Fn(usize, usize) -> Cell<'a, T>>,
    folder: &Path,
) -> Result<Vec<Row<Contract<T>>>, BookError> {
    of_table(format, table, folder, &Column::CONTRACT, &Column::OF_CONTRACT, contract_of)
}

/// The quotes of a book, row by row, with numbers of a format. Each has the column `price` and is
/// [valid](Quote::validate). A volatility is not read.
///
/// ```
/// let text = "type,spot,strike,rate,maturity,price\ncall,100,105,0.05,1,8.02\n";
/// let rows = nonius_option::book::read_quotes::<f64>((), text.as_bytes())?;
/// assert_eq!(rows[0].found.as_ref().unwrap().price, 8.02);
/// # Ok::<(), nonius_option::book::BookError>(())
/// ```
///
/// # Errors
/// As [`read`].
pub fn read_quotes<T: Number>(
    format: T::Format,
    input: impl Read,
) -> Result<Vec<Row<Quote<T>>>, BookError> {
    let folder = Path::new("");
    rows(format, input, folder, &Column::QUOTE, &Column::OF_QUOTE, quote_of)
}

/// The quotes of a table, as [`read_quotes`] has them of a file.
///
/// # Errors
/// As [`read`].
pub fn quotes<'a, T: Number>(
    format: T::Format,
    table: &Table<'_, impl Fn(usize, usize) -> Cell<'a, T>>,
) -> Result<Vec<Row<Quote<T>>>, BookError> {
    let folder = Path::new("");
    of_table(format, table, folder, &Column::QUOTE, &Column::OF_QUOTE, quote_of)
}

fn contract_of<T: Number>(
    cells: &Cells<'_, T>,
    surfaces: &mut Surfaces<'_, T>,
) -> Found<Contract<T>> {
    let volatility = cells.volatility(surfaces)?;
    contract(cells, volatility)
}

fn quote_of<T: Number>(cells: &Cells<'_, T>, _: &mut Surfaces<'_, T>) -> Found<Quote<T>> {
    let price = cells.number(Column::Price)?;
    let contract = contract(cells, Quote::any_volatility(cells.format))?;
    let quote = Quote { contract, price };
    match quote.validate() {
        Ok(()) => Ok(quote),
        Err(error) => Err((Column::blamed(&error), Problem::Contract(error))),
    }
}

/// The rows of a book of these columns, of which some are needed.
fn rows<T: Number, C>(
    format: T::Format,
    input: impl Read,
    folder: &Path,
    known: &'static [Column],
    needed: &[Column],
    of_cells: impl Fn(&Cells<'_, T>, &mut Surfaces<'_, T>) -> Found<C>,
) -> Result<Vec<Row<C>>, BookError> {
    let text = read_whole(input)?;
    let mut rows = Rows::new(&text);
    let names = rows.next()?.ok_or(BookError::Empty)?.record;
    let columns = columns(names.iter().map(String::from_utf8_lossy), known, needed)?;
    let mut surfaces = Surfaces::new(format, folder);
    let mut all = Vec::new();
    while let Some(rows::Row { line, record, is_quoted_well }) = rows.next()? {
        let found = if !is_quoted_well {
            Err((None, Problem::Quotes))
        } else if record.len() != columns.len() {
            Err((None, Problem::Cells { expected: columns.len(), found: record.len() }))
        } else {
            let cell = |place| match record.get(place) {
                Some(text) => Cell::Text(String::from_utf8_lossy(text)),
                None => Cell::Empty,
            };
            of_cells(&Cells { format, columns: &columns, cell: &cell }, &mut surfaces)
        };
        all.push(row(line, found));
    }
    Ok(all)
}

/// The rows of a table of these columns, of which some are needed.
fn of_table<'a, T: Number, C>(
    format: T::Format,
    table: &Table<'_, impl Fn(usize, usize) -> Cell<'a, T>>,
    folder: &Path,
    known: &'static [Column],
    needed: &[Column],
    of_cells: impl Fn(&Cells<'_, T>, &mut Surfaces<'_, T>) -> Found<C>,
) -> Result<Vec<Row<C>>, BookError> {
    let columns = columns(table.names.iter().map(|&name| name.into()), known, needed)?;
    let mut surfaces = Surfaces::new(format, folder);
    let of_row = |number| {
        let cell = |place| (table.cell)(number, place);
        let cells = Cells { format, columns: &columns, cell: &cell };
        row(number as u64, of_cells(&cells, &mut surfaces))
    };
    Ok((0..table.rows).map(of_row).collect())
}

fn row<C>(line: u64, found: Found<C>) -> Row<C> {
    let found = found.map_err(|(column, problem)| RowError { row: line, column, problem });
    Row { line, found }
}

/// The columns in the order of their names.
fn columns<'a>(
    names: impl Iterator<Item = Cow<'a, str>>,
    known: &'static [Column],
    needed: &[Column],
) -> Result<Vec<Column>, BookError> {
    let mut columns = Vec::new();
    for name in names {
        let name = name.trim().to_lowercase();
        let column = Column::named(&name, known).ok_or(BookError::UnknownColumn { name, known })?;
        if columns.contains(&column) {
            return Err(BookError::RepeatedColumn { column });
        }
        columns.push(column);
    }
    match needed.iter().find(|column| !columns.contains(column)) {
        Some(&column) => Err(BookError::MissingColumn { column }),
        None => Ok(columns),
    }
}

/// The contract of the cells, valid, with a volatility.
fn contract<T: Number>(cells: &Cells<'_, T>, volatility: Volatility<T>) -> Found<Contract<T>> {
    let contract = Contract {
        kind: cells.kind()?,
        exercise: cells.exercise()?,
        spot: cells.number(Column::Spot)?,
        strike: cells.number(Column::Strike)?,
        maturity: cells.number(Column::Maturity)?,
        rates: cells.terms(Column::Rate)?,
        yields: cells.terms(Column::Dividend)?,
        volatility,
        barrier: cells.barrier()?,
        dividends: cells.dividends()?,
    };
    match contract.validate() {
        Ok(()) => Ok(contract),
        Err(error) => Err((Column::blamed(&error), Problem::Contract(error))),
    }
}
