//! Books of contracts as CSV.
//!
//! The first row names the columns, in any order and case. Numbers are decimal, read at the full precision of the number type; spaces around cells do not count.
//!
//! | column | holds | if left out |
//! |---|---|---|
//! | `type` | `call` or `put` | needed |
//! | `exercise` | `european`, `american`, or `bermudan:` and dates, as in `bermudan:0.25;0.5` | `european` |
//! | `spot` | price of the underlying | needed |
//! | `strike` | strike | needed |
//! | `rate` | interest rate a year, continuously compounded: a number, or numbers with the time until which each holds, as in `0.25:0.02;1:0.03` | needed |
//! | `dividend` | continuous yield of the underlying, like `rate` | 0 |
//! | `volatility` | volatility a year, like `rate` | needed |
//! | `maturity` | years until the option ends | needed |
//! | `barrier` | `up-in`, `up-out`, `down-in` or `down-out`, its level, and the dates where it is not looked at always: `down-out:90`, `up-in:130@0.25;0.5` | none |
//! | `rebate` | what is paid when the barrier knocks the option out, or at maturity when it has not knocked it in | 0 |
//! | `dividends` | dividends of the underlying with their times, sums of money or parts of the price: `0.5:2.0;0.75:1%` | none |
//!
//! Times are in years from today. Cells with commas or quotes are quoted as in RFC 4180. A row with an error has no contract; the others do.

mod cell;
mod error;
mod write;

use std::io::Read;

use nonius_linalg::Scalar;
use nonius_num::Decimal;

use crate::contract::{Contract, Volatility};
use crate::terms::Terms;

use cell::Cells;
pub use error::{BookError, Column, Problem, RowError};
pub use write::write;

/// A row's contract, or what is wrong with the row.
pub type Row<T> = Result<Contract<T>, RowError>;

/// The contracts of a book, row by row. Each is [valid](Contract::validate).
///
/// ```
/// let text = "type,spot,strike,rate,volatility,maturity\ncall,100,105,0.05,0.2,1\nput,100,x,0.05,0.2,1\n";
/// let rows = nonius_option::book::read::<f64>(text.as_bytes())?;
/// assert_eq!(rows[0].as_ref().unwrap().strike, 105.0);
/// assert_eq!(rows[1].as_ref().unwrap_err().to_string(), "row 3, column strike: x is not a number");
/// # Ok::<(), nonius_option::book::BookError>(())
/// ```
///
/// # Errors
/// Of what concerns all rows: input that cannot be read, and columns that are unknown, missing or there twice.
pub fn read<T: Scalar + Decimal>(input: impl Read) -> Result<Vec<Row<T>>, BookError> {
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .has_headers(false)
        .trim(csv::Trim::All)
        .from_reader(input);
    let mut record = csv::ByteRecord::new();
    if !reader.read_byte_record(&mut record)? {
        return Err(BookError::Empty);
    }
    let columns = columns(&record)?;
    let mut rows = Vec::new();
    while reader.read_byte_record(&mut record)? {
        let row = record.position().map_or(0, csv::Position::line);
        let contract = contract(&columns, &record);
        rows.push(contract.map_err(|(column, problem)| RowError { row, column, problem }));
    }
    Ok(rows)
}

/// The columns in the order of the cells.
fn columns(header: &csv::ByteRecord) -> Result<Vec<Column>, BookError> {
    let mut columns = Vec::with_capacity(header.len());
    for (i, cell) in header.iter().enumerate() {
        // What some programs write before the first letter.
        let cell = if i == 0 { cell.strip_prefix(b"\xef\xbb\xbf").unwrap_or(cell) } else { cell };
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

type Found<T> = Result<T, (Option<Column>, Problem)>;

fn contract<T: Scalar + Decimal>(
    columns: &[Column],
    record: &csv::ByteRecord,
) -> Found<Contract<T>> {
    if record.len() != columns.len() {
        let problem = Problem::Cells { expected: columns.len(), found: record.len() };
        return Err((None, problem));
    }
    let cells = Cells { columns, record };
    let contract = Contract {
        kind: cells.kind()?,
        exercise: cells.exercise()?,
        spot: cells.number(Column::Spot)?,
        strike: cells.number(Column::Strike)?,
        maturity: cells.number(Column::Maturity)?,
        rates: cells.terms(Column::Rate)?.unwrap_or_else(|| Terms::constant(T::ZERO)),
        yields: cells.terms(Column::Dividend)?.unwrap_or_else(|| Terms::constant(T::ZERO)),
        volatility: Volatility::Terms(
            cells.terms(Column::Volatility)?.unwrap_or_else(|| Terms::constant(T::ZERO)),
        ),
        barrier: cells.barrier()?,
        dividends: cells.dividends()?,
    };
    match contract.validate() {
        Ok(()) => Ok(contract),
        Err(error) => Err((Column::blamed(&error), Problem::Contract(error))),
    }
}
