//! Matrices in arrays: of two dimensions, or of one for a column.

use std::io::Read;

use nonius_linalg::sparse::matrix_market::{Entry, List, Stored};
use nonius_linalg::{Error, Token};
use npyz::Order;

use super::cells::read_cells;
use super::error::ArrayProblem;
use super::header::Header;
use super::kind::Cell;
use crate::files::entry::{BadEntry, grow, push_text};

/// Reads a matrix. An array of one dimension is a column, and one of none a matrix of one entry.
pub(in crate::files) fn read<T: Entry>(
    format: T::ReadAs,
    input: &mut impl Read,
) -> Result<Stored<T>, ArrayProblem> {
    let header = Header::read(input)?;
    let (rows, cols) = match header.shape[..] {
        [] => (1, 1),
        [rows] => (rows as usize, 1),
        [rows, cols] => (rows as usize, cols as usize),
        _ => {
            let expected = "(rows, columns) or (rows,)".to_string();
            return Err(ArrayProblem::Shape { found: header.shape, expected });
        }
    };
    let count = header.count();
    let mut entries = T::list(format);
    read_cells(&header, input, |index, cell| {
        grow(&mut entries, count, T::bytes(format)).map_err(ArrayProblem::TooLarge)?;
        let pushed = push_cell::<T>(&mut entries, format, cell);
        pushed.map_err(|problem| ArrayProblem::Entry { place: header.place(index), problem })
    })?;
    let too_large = || ArrayProblem::TooLarge(Error::TooLarge { rows, cols });
    match header.order {
        Order::C => {
            Stored::from_rows(format, (rows, cols), entries).map_err(ArrayProblem::TooLarge)
        }
        Order::Fortran => Stored::from_columns(format, (rows, cols), entries).ok_or_else(too_large),
    }
}

/// Appends a number of an array, rounded once.
pub(in crate::files) fn push_cell<T: Entry>(
    entries: &mut T::List,
    format: T::ReadAs,
    cell: Cell<'_>,
) -> Result<(), BadEntry> {
    /// Integers up to this one are doubles.
    const LARGEST: u128 = 1 << f64::MANTISSA_DIGITS;
    let double = match cell {
        Cell::Double(x) if !x.is_finite() => {
            return Err(BadEntry::NotFinite(Token::new(x.to_string().as_bytes())));
        }
        Cell::Double(x) => x,
        Cell::Integer(x) if x.unsigned_abs() <= LARGEST => x as f64,
        Cell::Integer(x) => return push_text::<T>(entries, format, x.to_string().as_bytes()),
        Cell::Text(text) => return push_text::<T>(entries, format, text),
    };
    entries.push(T::from_f64(double, format));
    Ok(())
}
