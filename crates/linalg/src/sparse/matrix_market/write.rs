//! Writing: entries are printed in parallel, a round at a time, and written in order.

use std::io::Write;
use std::ops::Range;

use super::banner::{Format, Symmetry};
use super::entry::Dense;
use super::error::WriteError;
use crate::Number;
use crate::sparse::{Coo, Triplet};
use crate::threads::{Grain, map};

/// Entries that one task prints.
const SEGMENT: usize = 2048;
/// Segments printed before they are written: what bounds the memory that is needed.
const ROUND: usize = 64;

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
///
/// ```
/// use nonius_linalg::Matrix;
/// use nonius_linalg::sparse::matrix_market::{Style, read, write_dense};
/// use nonius_num::Qd;
///
/// let a = Matrix::from_fn(2, 2, |i, j| Qd::from((i + j + 2) as f64).sqrt());
/// let mut text = Vec::new();
/// write_dense(&mut text, &a, &Style::default())?;
/// assert!(text.starts_with(b"%%MatrixMarket matrix array real general\n"));
/// assert_eq!(read::<Qd>(&text[..])?.into_dense()?, a); // bit for bit
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_dense(out: &mut impl Write, a: &impl Dense, style: &Style) -> Result<(), WriteError> {
    check_dense(a, style.symmetry)?;
    write_banner(out, Format::Array, style)?;
    let (rows, cols) = a.shape();
    writeln!(out, "{rows} {cols}")?;
    let cols = if rows == 0 { 0 } else { cols };
    let segments =
        (0..cols).flat_map(|j| cut(style.symmetry.first_row(j)..rows).map(move |rows| (j, rows)));
    write_segments(out, segments, |(j, rows), text| {
        for i in rows.clone() {
            a.print(i, *j, text);
            text.push(b'\n');
        }
    })
}

/// Writes a coordinate file, its entries by column, then row, each place once.
///
/// ```
/// use nonius_linalg::sparse::matrix_market::{Style, write_coordinate};
/// use nonius_linalg::sparse::{Coo, Triplet};
///
/// let a = Coo::new(3, 3, vec![Triplet { row: 2, col: 0, value: 0.5 }]).unwrap();
/// let mut text = Vec::new();
/// write_coordinate(&mut text, a, &Style::default())?;
/// assert!(text.ends_with(b"3 3 1\n3 1 0.5\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_coordinate<T: Number>(
    out: &mut impl Write,
    a: Coo<T>,
    style: &Style,
) -> Result<(), WriteError> {
    let a = a.sum_duplicates();
    check_coordinate(&a, style.symmetry)?;
    let (rows, cols) = a.shape();
    let places = a.places();
    let is_listed = |&i: &usize| places[i].0 >= style.symmetry.first_row(places[i].1);
    let listed: Vec<usize> = (0..places.len()).filter(is_listed).collect();
    write_banner(out, Format::Coordinate, style)?;
    writeln!(out, "{rows} {cols} {}", listed.len())?;
    write_segments(out, listed.chunks(SEGMENT), |segment, text| {
        for &i in *segment {
            append_index(places[i].0, text);
            append_index(places[i].1, text);
            a.values().at(i).append_decimal(text);
            text.push(b'\n');
        }
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

/// Prints segments of at most [`SEGMENT`] entries, and writes their texts in order.
fn write_segments<S: Sync>(
    out: &mut impl Write,
    mut segments: impl Iterator<Item = S>,
    print: impl Fn(&S, &mut Vec<u8>) + Sync,
) -> Result<(), WriteError> {
    loop {
        let round: Vec<S> = segments.by_ref().take(ROUND).collect();
        if round.is_empty() {
            return Ok(());
        }
        let texts = map(round.len(), Grain::ANY, |i| {
            let mut text = Vec::new();
            print(&round[i], &mut text);
            text
        });
        for text in texts {
            out.write_all(&text)?;
        }
    }
}

fn check_dense(a: &impl Dense, symmetry: Symmetry) -> Result<(), WriteError> {
    let (rows, cols) = a.shape();
    check_square(rows, cols, symmetry)?;
    let cols = if rows == 0 { 0 } else { cols };
    for j in 0..cols {
        if let Some(i) = (0..rows).find(|&i| !a.is_finite(i, j)) {
            return Err(WriteError::NotFinite { row: i, col: j });
        }
        // A number that equals its negative is zero.
        let mirrored = |i| match symmetry {
            Symmetry::General => true,
            Symmetry::Symmetric => i == j || a.mirrors(i, j, false),
            Symmetry::SkewSymmetric => a.mirrors(i, j, true),
        };
        if let Some(i) = (j..rows).find(|&i| !mirrored(i)) {
            return Err(WriteError::NotSymmetric { symmetry, row: i, col: j });
        }
    }
    Ok(())
}

/// The triplets must be those of [`Coo::sum_duplicates`].
fn check_coordinate<T: Number>(a: &Coo<T>, symmetry: Symmetry) -> Result<(), WriteError> {
    check_square(a.rows(), a.cols(), symmetry)?;
    let image = |row: usize, col: usize| {
        let place = a.places().binary_search_by_key(&(row, col), |&(row, col)| (col, row));
        place.ok().map(|n| a.values().at(n))
    };
    for Triplet { row, col, value } in a.triplets() {
        if !value.is_finite() {
            return Err(WriteError::NotFinite { row, col });
        }
        let mirrored = match (symmetry, image(row, col)) {
            (Symmetry::General, _) => true,
            (_, None) => value == T::ZERO,
            (Symmetry::Symmetric, Some(image)) => value == image,
            (Symmetry::SkewSymmetric, Some(image)) => value == -image,
        };
        if !mirrored {
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
