//! Writing: entries are printed in parallel, a round at a time, and written in order.

use std::io::Write;
use std::ops::Range;

use nonius_num::Decimal;
use rayon::prelude::*;

use super::error::WriteError;
use super::header::{Format, Symmetry};
use crate::Scalar;
use crate::dense::MatRef;
use crate::sparse::{Coo, Triplet};

/// Entries that one task prints.
const SEGMENT: usize = 2048;
/// Entries printed before they are written: what bounds the memory that is needed.
const ROUND: usize = 64 * SEGMENT;

/// How a matrix is written.
#[derive(Clone, Debug)]
pub struct Style {
    /// Which entries are listed: the matrix must have the symmetry.
    pub symmetry: Symmetry,
    /// Text after the banner, each line as a comment.
    pub comment: String,
}

impl Default for Style {
    fn default() -> Self {
        Self { symmetry: Symmetry::General, comment: String::new() }
    }
}

/// Writes an array file. Its values read back as the same numbers.
pub fn write_dense<T: Scalar + Decimal>(
    out: &mut impl Write,
    a: MatRef<'_, T>,
    style: &Style,
) -> Result<(), WriteError> {
    check_dense(a, style.symmetry)?;
    write_banner(out, Format::Array, style)?;
    writeln!(out, "{} {}", a.rows(), a.cols())?;
    let cols = if a.rows() == 0 { 0 } else { a.cols() };
    let segments = (0..cols)
        .flat_map(|j| cut(style.symmetry.first_row(j)..a.rows()).map(move |rows| &a.col(j)[rows]));
    write_segments(out, segments, |value, text| value.append_decimal(text))
}

/// Writes a coordinate file, its entries by column, then row, each place once.
pub fn write_coordinate<T: Scalar + Decimal>(
    out: &mut impl Write,
    a: Coo<T>,
    style: &Style,
) -> Result<(), WriteError> {
    let a = a.sum_duplicates();
    check_coordinate(&a, style.symmetry)?;
    let (rows, cols) = a.shape();
    let mut triplets = a.into_triplets();
    triplets.retain(|t| t.row >= style.symmetry.first_row(t.col));
    write_banner(out, Format::Coordinate, style)?;
    writeln!(out, "{rows} {cols} {}", triplets.len())?;
    write_segments(out, triplets.chunks(SEGMENT), |t, text| {
        append_index(t.row, text);
        append_index(t.col, text);
        t.value.append_decimal(text);
    })
}

fn write_banner(out: &mut impl Write, format: Format, style: &Style) -> Result<(), WriteError> {
    writeln!(out, "%%MatrixMarket matrix {format} real {}", style.symmetry)?;
    for line in style.comment.lines() {
        writeln!(out, "% {line}")?;
    }
    Ok(())
}

/// Appends an index, counted from 1 in the file, and a space.
fn append_index(index: usize, text: &mut Vec<u8>) {
    // Written into memory, which does not fail.
    let _ = write!(text, "{} ", index + 1);
}

/// `range` in parts of at most [`SEGMENT`].
fn cut(range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let end = range.end;
    range.step_by(SEGMENT).map(move |start| start..end.min(start + SEGMENT))
}

fn write_segments<'a, E: Sync + 'a>(
    out: &mut impl Write,
    mut segments: impl Iterator<Item = &'a [E]>,
    print: impl Fn(&E, &mut Vec<u8>) + Sync,
) -> Result<(), WriteError> {
    let mut round = Vec::new();
    loop {
        round.clear();
        let mut entries = 0;
        while entries < ROUND {
            let Some(segment) = segments.next() else { break };
            entries += segment.len();
            round.push(segment);
        }
        if round.is_empty() {
            return Ok(());
        }
        let texts: Vec<Vec<u8>> = round
            .par_iter()
            .map(|segment| {
                let mut text = Vec::new();
                for entry in *segment {
                    print(entry, &mut text);
                    text.push(b'\n');
                }
                text
            })
            .collect();
        for text in texts {
            out.write_all(&text)?;
        }
    }
}

fn check_dense<T: Scalar>(a: MatRef<'_, T>, symmetry: Symmetry) -> Result<(), WriteError> {
    check_square(a.rows(), a.cols(), symmetry)?;
    let cols = if a.rows() == 0 { 0 } else { a.cols() };
    for j in 0..cols {
        if let Some(i) = a.col(j).iter().position(|x| !x.is_finite()) {
            return Err(WriteError::NotFinite { row: i, col: j });
        }
        for i in j..a.rows() {
            if !mirrored(a.at(i, j), i == j, symmetry, || a.at(j, i)) {
                return Err(WriteError::NotSymmetric { symmetry, row: i, col: j });
            }
        }
    }
    Ok(())
}

/// The triplets must be those of [`Coo::sum_duplicates`].
fn check_coordinate<T: Scalar>(a: &Coo<T>, symmetry: Symmetry) -> Result<(), WriteError> {
    check_square(a.rows(), a.cols(), symmetry)?;
    let triplets = a.triplets();
    let entry = |row: usize, col: usize| {
        let place = triplets.binary_search_by_key(&(col, row), |t| (t.col, t.row));
        place.map_or(T::ZERO, |n| triplets[n].value)
    };
    for &Triplet { row, col, value } in triplets {
        if !value.is_finite() {
            return Err(WriteError::NotFinite { row, col });
        }
        if !mirrored(value, row == col, symmetry, || entry(col, row)) {
            return Err(WriteError::NotSymmetric { symmetry, row, col });
        }
    }
    Ok(())
}

fn check_square(rows: usize, cols: usize, symmetry: Symmetry) -> Result<(), WriteError> {
    if symmetry != Symmetry::General && rows != cols {
        return Err(WriteError::NotSquare { symmetry, rows, cols });
    }
    Ok(())
}

/// Whether an entry and its mirror image have the symmetry.
fn mirrored<T: Scalar>(
    entry: T,
    on_diagonal: bool,
    symmetry: Symmetry,
    image: impl FnOnce() -> T,
) -> bool {
    match symmetry {
        Symmetry::General => true,
        Symmetry::Symmetric => on_diagonal || entry == image(),
        Symmetry::SkewSymmetric if on_diagonal => entry == T::ZERO,
        Symmetry::SkewSymmetric => entry == -image(),
    }
}
