//! Places of entries in sparse formats.

use super::error::{Fault, MatrixName, ReadError};
use super::scanner::Scanner;
use crate::problem::{Block, Place};

/// What follows the number of the matrix, but for the value.
pub(super) fn place(
    scanner: &mut Scanner<'_>,
    matrix: u32,
    blocks: &[Block],
) -> Result<Place, ReadError> {
    const NEEDED: &str = "the numbers of matrix, block, row and column, and the value of an entry";
    let block = scanner.word(NEEDED)?.index("block", [1, blocks.len()])?;
    let kind = blocks[block as usize];
    let (first, second) = (scanner.word(NEEDED)?, scanner.word(NEEDED)?);
    let line = second.line;
    let first = first.index("row", [1, kind.order()])?;
    let second = second.index("column", [1, kind.order()])?;
    if !matches!(kind, Block::Dense(_)) && first != second {
        let [block, row, col] = [block, first, second].map(|k| k as usize + 1);
        return Err(Fault::OffDiagonal { block, row, col }.at(line));
    }
    Ok(Place { matrix, block, row: first.min(second), col: first.max(second) })
}

/// Refuses the first entry that is there already, of places with their lines.
pub(super) fn check_once(
    places: impl Iterator<Item = (Place, u64)>,
    name: impl Fn(usize) -> MatrixName,
) -> Result<(), ReadError> {
    let mut places: Vec<(Place, u64)> = places.collect();
    places.sort_unstable();
    let pairs = places.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    let Some((place, line)) = pairs.map(|pair| pair[1]).min_by_key(|&(_, line)| line) else {
        return Ok(());
    };
    let [block, row, col] = [place.block, place.row, place.col].map(|k| k as usize + 1);
    Err(Fault::Repeated { matrix: name(place.matrix as usize), block, row, col }.at(line))
}
