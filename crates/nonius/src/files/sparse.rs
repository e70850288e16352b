//! Sparse matrices in archives of arrays, as `scipy.sparse.save_npz` lays them out.
//!
//! The array `format` is a word. Matrices in `csr` and `csc` have `indptr`, `indices` and `data`,
//! those in `coo` have `row`, `col` and `data`; `shape` has the numbers of rows and columns.
//! Entries of one place are summed, as in SciPy. Matrices are written in `coo`.

use std::io::Write;

use nonius_files::room::{Meter, NoRoom, check_memory};
use nonius_linalg::sparse::Coo;
use nonius_linalg::sparse::matrix_market::{Entry, List, Stored, WriteError};
use nonius_linalg::{Error, Matrix, Number};

use super::archive::{self, Archive};
use super::array::{self, ArrayProblem, Cell, Header, push_cell, read_cells};
use super::entry::grow;

/// Whether arrays of these names are a sparse matrix.
pub(super) fn is_sparse(names: &[String]) -> bool {
    ["format", "shape", "data"].iter().all(|wanted| names.iter().any(|name| name == wanted))
}

/// Reads a sparse matrix.
pub(super) fn read<T: Entry>(
    format: T::ReadAs,
    archive: &mut Archive,
) -> Result<Stored<T>, ArrayProblem> {
    let layout = archive.array("format", |mut input| {
        let header = Header::read(&mut input)?;
        let mut word = String::new();
        read_cells(&header, &mut input, |_, cell| {
            if let (Cell::Text(text), true) = (cell, word.is_empty()) {
                word = String::from_utf8_lossy(text).into_owned();
            }
            Ok(())
        })?;
        Ok(word)
    })?;
    let shape = integers(archive, "shape")?;
    let &[rows, cols] = shape.as_slice() else {
        let found = shape.len();
        return Err(ArrayProblem::Sparse(format!(
            "expected the numbers of rows and columns in `shape`, found {found} numbers"
        )));
    };
    let (row_indices, col_indices) = match layout.as_str() {
        "coo" => (integers(archive, "row")?, integers(archive, "col")?),
        "csr" => {
            let starts = integers(archive, "indptr")?;
            let cols = integers(archive, "indices")?;
            (expanded(&starts, rows, cols.len())?, cols)
        }
        "csc" => {
            let starts = integers(archive, "indptr")?;
            let rows = integers(archive, "indices")?;
            let cols = expanded(&starts, cols, rows.len())?;
            (rows, cols)
        }
        other => {
            return Err(ArrayProblem::Sparse(format!(
                "expected the format csr, csc or coo, found `{other}`"
            )));
        }
    };
    let values = values::<T>(format, archive)?;
    let counts = [row_indices.len(), col_indices.len(), values.count()];
    if counts != [counts[0]; 3] {
        let [rows, cols, values] = counts;
        return Err(ArrayProblem::Sparse(format!(
            "expected as many values as indices, found {rows} rows, {cols} columns and {values} values"
        )));
    }
    let bytes = counts[0] as u128 * size_of::<(usize, usize)>() as u128;
    check_memory("the places of a sparse matrix", bytes).map_err(no_room)?;
    let places: Vec<(usize, usize)> = row_indices.into_iter().zip(col_indices).collect();
    let outside = places.iter().position(|&(row, col)| row >= rows || col >= cols);
    let outside = outside.map(|at| (at + 1, places[at]));
    let stored = Stored::from_places(format, (rows, cols), places, values);
    stored.ok_or_else(|| {
        let (entry, (row, col)) = outside.unwrap_or_default();
        ArrayProblem::Sparse(format!(
            "entry {entry}: row {row}, column {col}, counted from 0, lies outside {rows} × {cols}"
        ))
    })
}

/// The row of each entry of a matrix that lists where rows start, or so for columns.
fn expanded(starts: &[usize], lines: usize, entries: usize) -> Result<Vec<usize>, ArrayProblem> {
    let wrong = |what: String| ArrayProblem::Sparse(format!("`indptr`: {what}"));
    if lines.checked_add(1) != Some(starts.len()) {
        let found = starts.len();
        return Err(wrong(format!("expected one number more than {lines}, found {found}")));
    }
    let is_order = starts.is_sorted() && starts[0] == 0 && starts[lines] == entries;
    if !is_order {
        return Err(wrong(format!("expected increasing numbers from 0 to {entries}")));
    }
    check_memory("the indices of a sparse matrix", entries as u128 * size_of::<usize>() as u128)
        .map_err(no_room)?;
    let mut indices = Vec::with_capacity(entries);
    for line in 0..lines {
        indices.resize(starts[line + 1], line);
    }
    Ok(indices)
}

fn no_room(refused: NoRoom) -> ArrayProblem {
    ArrayProblem::TooLarge(Error::NoRoom(Box::new(refused)))
}

/// The entries of an array of integers that are not negative.
fn integers(archive: &mut Archive, name: &str) -> Result<Vec<usize>, ArrayProblem> {
    let numbers = archive.array(name, |mut input| {
        let header = Header::read(&mut input)?;
        let mut meter = Meter::new("the indices of a sparse matrix");
        let mut numbers: Vec<usize> = Vec::new();
        let mut wrong = None;
        read_cells(&header, &mut input, |index, cell| {
            let number = match cell {
                Cell::Integer(x) => usize::try_from(x).ok(),
                _ => None,
            };
            if number.is_none() && wrong.is_none() {
                wrong = Some(header.place(index));
            }
            meter.take(size_of::<usize>()).map_err(no_room)?;
            numbers.push(number.unwrap_or_default());
            Ok(())
        })?;
        Ok((numbers, wrong))
    });
    match numbers? {
        (numbers, None) => Ok(numbers),
        (_, Some(place)) => Err(ArrayProblem::Sparse(format!(
            "`{name}`, {place}: expected an integer that is not negative"
        ))),
    }
}

/// The values of the entries.
fn values<T: Entry>(format: T::ReadAs, archive: &mut Archive) -> Result<T::List, ArrayProblem> {
    archive.array("data", |mut input| {
        let header = Header::read(&mut input)?;
        if header.shape.len() != 1 {
            let expected = "(entries,)".to_string();
            return Err(ArrayProblem::Shape { found: header.shape, expected });
        }
        let mut values = T::list(format);
        read_cells(&header, &mut input, |index, cell| {
            grow(&mut values, header.count(), T::bytes(format)).map_err(ArrayProblem::TooLarge)?;
            push_cell::<T>(&mut values, format, cell).map_err(|problem| {
                let place = header.place(index);
                ArrayProblem::Entry { place, problem }
            })
        })?;
        Ok(values)
    })
}

/// Writes a sparse matrix, its entries by column, then row, each place once.
pub(super) fn write<T: Number>(out: &mut dyn Write, a: Coo<T>) -> Result<(), WriteError> {
    let a = a.sum_duplicates();
    let places = a.places();
    if let Some((_, &(row, col))) = (0..).zip(places).find(|&(i, _)| !a.values().at(i).is_finite())
    {
        return Err(WriteError::NotFinite { row, col });
    }
    let values = Matrix::from_numbers(places.len(), 1, a.values().clone());
    let shape = [a.rows() as i64, a.cols() as i64];
    archive::write(
        out,
        &mut [
            ("row", &mut |out| integers_of(out, places.iter().map(|place| place.0))),
            ("col", &mut |out| integers_of(out, places.iter().map(|place| place.1))),
            ("format", &mut |out| Ok(array::write_word(out, "coo")?)),
            ("shape", &mut |out| Ok(array::write_integers(out, shape.iter().copied())?)),
            ("data", &mut |out| match &values {
                Some(values) => array::write(out, values),
                None => Ok(()),
            }),
        ],
    )
}

fn integers_of(
    out: &mut dyn Write,
    numbers: impl ExactSizeIterator<Item = usize>,
) -> Result<(), WriteError> {
    Ok(array::write_integers(out, numbers.map(|x| x as i64))?)
}
