//! A product in blocks.

use core::ops::Range;

use super::layout::LINES;
use super::strassen::MOST_LEVELS;
use crate::cpu::gemm::Part;

/// What lengths of pieces are multiples of: lines that the scheme of any level takes.
pub(super) const UNIT: usize = LINES << MOST_LEVELS;

/// A range in pieces of about the same length, a multiple of [`UNIT`], of at most some more than
/// `most`.
pub(super) fn pieces(range: Range<usize>, most: usize) -> impl Iterator<Item = Range<usize>> {
    let end = range.end;
    let length = range.len().div_ceil(range.len().div_ceil(most).max(1)).next_multiple_of(UNIT);
    range.step_by(length.max(UNIT)).map(move |start| start..end.min(start + length))
}

/// Blocks of at most some more than `edge` rows and columns that have all entries of a part of a
/// rectangle, and few others: those on the diagonal are small.
pub(super) fn blocks(
    rows: Range<usize>,
    columns: Range<usize>,
    edge: usize,
    part: Part<'_>,
) -> Vec<(Range<usize>, Range<usize>)> {
    let mut blocks = Vec::new();
    for columns in pieces(columns, edge) {
        for rows in pieces(rows.clone(), edge) {
            cut(rows, columns.clone(), part, &mut blocks);
        }
    }
    blocks
}

fn cut(
    rows: Range<usize>,
    columns: Range<usize>,
    part: Part<'_>,
    to: &mut Vec<(Range<usize>, Range<usize>)>,
) {
    let longest = rows.len().max(columns.len());
    if !part.meets(rows.clone(), columns.clone()) {
        return;
    }
    if longest <= UNIT || part.covers(rows.clone(), columns.clone()) {
        return to.push((rows, columns));
    }
    let half = longest.div_ceil(2);
    for columns in pieces(columns, half) {
        for rows in pieces(rows.clone(), half) {
            cut(rows, columns.clone(), part, to);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dense::Triangle;
    use crate::dense::gemm::Places;

    #[test]
    fn blocks_have_every_entry_of_a_part_once() {
        // Tiles of 96 rows, of which others have every second one, and of 50 columns.
        let numbers = |tile: usize, first| -> Vec<usize> {
            (0..700).map(|i| i + (i / tile + first) * tile).collect()
        };
        let (rows, columns) = (numbers(96, 1), numbers(50, 0));
        let places = Places { rows: &rows, columns: &columns };
        let parts = [Triangle::Lower, Triangle::Upper]
            .map(|triangle| [Part::Only(triangle), Part::Within(triangle, places)]);
        for part in [Part::All].into_iter().chain(parts.concat()) {
            for (rows, columns) in [
                (0..700, 0..700),
                (0..513, 0..100),
                (256..700, 0..700),
                (0..64, 64..700),
                (0..1, 0..1),
            ] {
                let blocks = blocks(rows.clone(), columns.clone(), 256, part);
                for j in columns.clone() {
                    for i in rows.clone() {
                        let count = blocks.iter().filter(|(r, c)| r.contains(&i) && c.contains(&j));
                        let wanted = part.of(i..i + 1, j).len();
                        let count = count.count();
                        assert!(count == 1 || (count == 0 && wanted == 0), "{part:?} {i} {j}");
                    }
                }
            }
        }
        let triangle = blocks(0..1024, 0..1024, 1024, Part::Only(Triangle::Lower));
        let area: usize = triangle.iter().map(|(r, c)| r.len() * c.len()).sum();
        assert_eq!(area, 1024 * 1024 / 2 + 1024 * UNIT / 2);
    }
}
