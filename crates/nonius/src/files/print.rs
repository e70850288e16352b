//! Entries of a dense matrix as text, row by row.

use nonius_linalg::sparse::matrix_market::{Dense, WriteError};
use nonius_linalg::threads::{Grain, map};

/// Entries that one task prints.
const SEGMENT: usize = 2048;
/// Segments printed before they are handed on: what bounds the memory that is needed.
const ROUND: usize = 64;

/// Refuses what files of matrices do not have.
pub(super) fn check_finite(a: &impl Dense) -> Result<(), WriteError> {
    let (rows, cols) = a.shape();
    let cols = if rows == 0 { 0 } else { cols };
    let places = (0..cols).flat_map(|col| (0..rows).map(move |row| (row, col)));
    let mut not_finite = places.filter(|&(row, col)| !a.is_finite(row, col));
    not_finite.next().map_or(Ok(()), |(row, col)| Err(WriteError::NotFinite { row, col }))
}

/// Prints a matrix of at least one column: commas between the entries of a row, a line feed behind
/// each row. Texts of several rows are made in parallel, and handed on in order.
pub(super) fn print_rows<E>(
    a: &impl Dense,
    mut each: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let (rows, cols) = a.shape();
    let together = (SEGMENT / cols.max(1)).max(1);
    let segments = rows.div_ceil(together);
    for first in (0..segments).step_by(ROUND) {
        let texts = map(ROUND.min(segments - first), Grain::ANY, |segment| {
            let start = (first + segment) * together;
            let mut text = Vec::new();
            for i in start..rows.min(start + together) {
                for j in 0..cols {
                    a.print(i, j, &mut text);
                    text.push(if j + 1 == cols { b'\n' } else { b',' });
                }
            }
            text
        });
        texts.iter().try_for_each(|text| each(text))?;
    }
    Ok(())
}

/// The entries of a text of [`print_rows`].
pub(super) fn entries(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| matches!(byte, b',' | b'\n')).filter(|entry| !entry.is_empty())
}
