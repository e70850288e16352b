//! Reading: lines become entries, entries a matrix.

use std::io::Read;

use nonius_files::room::check_memory;
use nonius_num::stored_bytes;

use super::banner::{Field, Format, Symmetry};
use super::entry::Entry;
use super::error::{Problem, ReadError};
use super::header::{Header, parse_size};
use super::lines::{Lines, words};
use super::list::{List, Places};
use super::pieces::{no_room, read_entries};
use crate::Scalar;
use crate::sparse::{Coo, Triplet};
use crate::{Error, Number, Numbers, Token};

/// Entries that a list without any makes room for.
const FIRST_ENTRIES: usize = 16;

/// A matrix as its file lists it: for symmetric ones, the lower triangle.
#[derive(Clone, Debug)]
pub struct Stored<T: Entry> {
    header: Header,
    format: T::ReadAs,
    entries: Entries<T>,
}

#[derive(Clone, Debug)]
enum Entries<T: Entry> {
    Coordinate(Places<T::List>),
    /// The values that the file lists, in its order.
    Array(T::List),
}

/// Reads a matrix, each decimal rounded to nearest in `T`.
///
/// ```
/// use nonius_linalg::sparse::matrix_market::read;
/// use nonius_num::Qd;
///
/// let text = "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 0.1\n2 1 0.2\n";
/// let a = read::<Qd>(text.as_bytes())?.into_dense()?;
/// // Each decimal is rounded once, and the other triangle is filled.
/// assert_eq!(a[(0, 0)].to_string(), "0.1");
/// assert_eq!(a[(0, 1)], "0.2".parse::<Qd>()?);
/// let text = "%%MatrixMarket matrix array real general\n1 1\nx\n";
/// assert_eq!(read::<Qd>(text.as_bytes()).unwrap_err().line, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// What is wrong with the file, and where.
pub fn read<T: Scalar>(input: impl Read) -> Result<Stored<T>, ReadError> {
    read_as((), input)
}

/// [`read`] for numbers whose format is chosen at run time.
///
/// # Errors
/// What is wrong with the file, and where.
pub fn read_as<T: Entry>(format: T::ReadAs, input: impl Read) -> Result<Stored<T>, ReadError> {
    let mut lines = Lines::new(input);
    let header = Header::read(&mut lines)?;
    let entries = match header.format {
        Format::Coordinate => Entries::Coordinate(read_entries(
            &mut lines,
            &header,
            size_of::<(usize, usize)>() + T::bytes(format),
            || Places { places: Vec::new(), values: T::list(format) },
            |line, entries| {
                entries.push(triplet(line, &header, format)?);
                Ok(())
            },
        )?),
        Format::Array => Entries::Array(read_entries(
            &mut lines,
            &header,
            T::bytes(format),
            || T::list(format),
            |line, values| array_value::<T>(line, header.field, format, values),
        )?),
    };
    Ok(Stored { header, format, entries })
}

fn triplet<T: Entry>(
    line: &[u8],
    header: &Header,
    format: T::ReadAs,
) -> Result<Triplet<T>, Problem> {
    let expected = if header.field == Field::Pattern { 2 } else { 3 };
    let mut found = words(line);
    let mut fields = [&line[..0]; 3];
    let mut count = 0;
    for (field, word) in fields[..expected].iter_mut().zip(&mut found) {
        *field = word;
        count += 1;
    }
    count += found.count();
    if count != expected {
        let expected = if expected == 2 { "row column" } else { "row column value" };
        return Err(Problem::EntryWords { expected, found: count });
    }
    let row = index(fields[0], "row", header.rows)?;
    let col = index(fields[1], "column", header.cols)?;
    if header.symmetry != Symmetry::General && row < col {
        let symmetry = header.symmetry;
        return Err(Problem::AboveDiagonal { symmetry, row: row + 1, col: col + 1 });
    }
    let value = match header.field {
        Field::Pattern => T::one(format),
        field => value(fields[2], field, format)?,
    };
    if header.symmetry == Symmetry::SkewSymmetric && row == col && !T::is_zero(&value) {
        return Err(Problem::SkewDiagonal { index: row + 1 });
    }
    Ok(Triplet { row, col, value })
}

/// An index of the file, from 1, as an index from 0.
fn index(word: &[u8], what: &'static str, limit: usize) -> Result<usize, Problem> {
    match parse_size(word) {
        Some(n) if (1..=limit).contains(&n) => Ok(n - 1),
        _ => Err(Problem::Index { what, found: Token::new(word), limit }),
    }
}

/// Appends the value that is alone on its line.
fn array_value<T: Entry>(
    line: &[u8],
    field: Field,
    format: T::ReadAs,
    values: &mut T::List,
) -> Result<(), Problem> {
    let Err(problem) = push_value::<T>(line.trim_ascii(), field, format, values) else {
        return Ok(());
    };
    // A number holds no blank, so a line of several words is no number.
    match words(line).count() {
        1 => Err(problem),
        found => Err(Problem::EntryWords { expected: "value", found }),
    }
}

fn value<T: Entry>(word: &[u8], field: Field, format: T::ReadAs) -> Result<T, Problem> {
    check_field(word, field)?;
    let value = T::parse(word, format).map_err(|_| Problem::Number(Token::new(word)))?;
    if value.is_finite() { Ok(value) } else { Err(not_finite::<T>(word, format)) }
}

/// Appends a value, if it is one.
fn push_value<T: Entry>(
    word: &[u8],
    field: Field,
    format: T::ReadAs,
    values: &mut T::List,
) -> Result<(), Problem> {
    check_field(word, field)?;
    match T::parse_to(values, word, format) {
        Ok(true) => Ok(()),
        Ok(false) => Err(not_finite::<T>(word, format)),
        Err(_) => Err(Problem::Number(Token::new(word))),
    }
}

/// Integers have digits alone.
fn check_field(word: &[u8], field: Field) -> Result<(), Problem> {
    if field == Field::Integer {
        let digits = word.strip_prefix(b"-").or(word.strip_prefix(b"+")).unwrap_or(word);
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return Err(Problem::Integer(Token::new(word)));
        }
    }
    Ok(())
}

fn not_finite<T: Entry>(word: &[u8], format: T::ReadAs) -> Problem {
    if word.iter().any(u8::is_ascii_digit) {
        Problem::Overflow { found: Token::new(word), precision: T::spelling(format) }
    } else {
        Problem::NotFinite(Token::new(word))
    }
}

impl<T: Entry> Stored<T> {
    /// A dense matrix whose file lists its entries column by column; `None` where they are not as
    /// many as the matrix has.
    pub fn from_columns(
        format: T::ReadAs,
        (rows, cols): (usize, usize),
        values: T::List,
    ) -> Option<Self> {
        let entries = values.count();
        let header = Header::general(Format::Array, (rows, cols), entries);
        let fits = rows.checked_mul(cols) == Some(entries);
        fits.then_some(Self { header, format, entries: Entries::Array(values) })
    }

    /// The same where the file lists entries row by row.
    ///
    /// # Errors
    /// [`Error::NoRoom`], [`Error::TooLarge`]; the latter also where entries are not as many as the
    /// matrix has.
    pub fn from_rows(
        format: T::ReadAs,
        (rows, cols): (usize, usize),
        values: T::List,
    ) -> Result<Self, Error> {
        let too_large = Error::TooLarge { rows, cols };
        let entries = values.count();
        if rows.checked_mul(cols) != Some(entries) {
            return Err(too_large);
        }
        let mut columns = T::list(format);
        if rows > 1 && cols > 1 {
            let bytes = entries as u128 * T::bytes(format) as u128;
            check_memory(format_args!("a dense matrix of {rows} × {cols}"), bytes)
                .map_err(no_room)?;
            columns.try_reserve_exact(entries).ok_or(too_large)?;
            for j in 0..cols {
                (0..rows).for_each(|i| columns.push(values.at(i * cols + j)));
            }
        } else {
            // One row lies as one column does.
            columns = values;
        }
        let header = Header::general(Format::Array, (rows, cols), entries);
        Ok(Self { header, format, entries: Entries::Array(columns) })
    }

    /// A sparse matrix of values and their rows and columns, of which several may be the same;
    /// `None` where one lies outside, or there are not as many of both.
    pub fn from_places(
        format: T::ReadAs,
        (rows, cols): (usize, usize),
        places: Vec<(usize, usize)>,
        values: T::List,
    ) -> Option<Self> {
        let inside = places.iter().all(|&(row, col)| row < rows && col < cols);
        let header = Header::general(Format::Coordinate, (rows, cols), places.len());
        let fits = inside && places.len() == values.count();
        let entries = Entries::Coordinate(Places { places, values });
        fits.then_some(Self { header, format, entries })
    }

    /// A dense matrix of one row as one of one column; other matrices as they are.
    #[must_use]
    pub fn row_as_column(mut self) -> Self {
        let Header { rows, cols, symmetry, .. } = self.header;
        let is_row = rows == 1 && symmetry == Symmetry::General;
        if is_row && matches!(self.entries, Entries::Array(_)) {
            (self.header.rows, self.header.cols) = (cols, rows);
        }
        self
    }

    /// What the file says of its matrix.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The whole matrix, both triangles of a symmetric one.
    ///
    /// # Errors
    /// [`Error::NoRoom`], [`Error::TooLarge`].
    pub fn into_dense(self) -> Result<T::Matrix, Error> {
        let Self { header, format, entries } = self;
        let Header { rows, cols, symmetry, .. } = header;
        let listed: Box<dyn Iterator<Item = Triplet<T>>> = match entries {
            Entries::Coordinate(entries) => Box::new(entries.into_items()),
            Entries::Array(values) if symmetry == Symmetry::General => {
                return T::matrix(rows, cols, values);
            }
            Entries::Array(values) => Box::new(placed::<T>(values, &header)),
        };
        let bytes = rows as u128 * cols as u128 * T::bytes(format) as u128;
        check_memory(format_args!("a dense matrix of {rows} × {cols}"), bytes).map_err(no_room)?;
        let mut a = T::zeros(format, rows, cols)?;
        for Triplet { row, col, value } in listed {
            if symmetry != Symmetry::General && row != col {
                mirror(symmetry, value.clone()).add_to(&mut a, col, row);
            }
            value.add_to(&mut a, row, col);
        }
        Ok(a)
    }
}

impl<T: Number> Stored<T> {
    /// The whole matrix as triplets: both triangles of a symmetric one, in the order of the file.
    /// Zeros of an array file are left out.
    ///
    /// # Errors
    /// [`Error::NoRoom`], [`Error::TooLarge`].
    pub fn into_coo(self) -> Result<Coo<T>, Error> {
        let Self { header, format, entries } = self;
        let Header { rows, cols, symmetry, .. } = header;
        let too_large = || Error::TooLarge { rows, cols };
        let Places { places, values } = match entries {
            Entries::Coordinate(entries) => entries,
            Entries::Array(values) => {
                let mut entries = Places { places: Vec::new(), values: Numbers::new(format) };
                for triplet in placed::<T>(values, &header).filter(|t| !Entry::is_zero(&t.value)) {
                    if entries.count() == entries.capacity() {
                        let more = entries.count().max(FIRST_ENTRIES);
                        entries.try_reserve_exact(more).ok_or_else(too_large)?;
                    }
                    entries.push(triplet);
                }
                entries
            }
        };
        if symmetry == Symmetry::General {
            return Ok(Coo::from_checked(rows, cols, places, values));
        }
        let each = size_of::<(usize, usize)>() + stored_bytes::<T>(format);
        let bytes = 2 * places.len() as u128 * each as u128;
        check_memory(format_args!("both triangles of a matrix of order {rows}"), bytes)
            .map_err(no_room)?;
        let mut all = Places { places: Vec::new(), values: Numbers::new(format) };
        all.try_reserve_exact(2 * places.len()).ok_or_else(too_large)?;
        for (i, (row, col)) in places.into_iter().enumerate() {
            let value = values.at(i);
            all.push(Triplet { row, col, value });
            if row != col {
                all.push(Triplet { row: col, col: row, value: mirror(symmetry, value) });
            }
        }
        Ok(Coo::from_checked(rows, cols, all.places, all.values))
    }
}

/// The entry on the other side of the diagonal.
fn mirror<T: Entry>(symmetry: Symmetry, value: T) -> T {
    if symmetry == Symmetry::SkewSymmetric { -value } else { value }
}

/// The values of an array file with their places.
fn placed<T: Entry>(values: T::List, header: &Header) -> impl Iterator<Item = Triplet<T>> {
    let Header { rows, cols, symmetry, .. } = *header;
    let places = (0..cols).flat_map(move |j| (symmetry.first_row(j)..rows).map(move |i| (i, j)));
    values.into_items().zip(places).map(|(value, (row, col))| Triplet { row, col, value })
}
