//! `.dat-s`.

use std::io::Read;

use super::error::{Fault, ReadError};
use super::header::header;
use super::read;
use super::scanner::Scanner;
use crate::literals::Literals;
use crate::problem::{Block, Entry, Place, Problem};

/// Reads the sparse format of SDPA.
///
/// # Errors
/// [`ReadError`].
pub fn read_sparse(input: impl Read) -> Result<Problem, ReadError> {
    read(input, parse)
}

fn parse(scanner: &mut Scanner<'_>) -> Result<Problem, ReadError> {
    let mut numbers = Literals::default();
    let header = header(scanner, &mut numbers)?;
    let matrices = header.objective.len();
    let mut entries = Vec::new();
    while let Some(matrix) = scanner.next() {
        let line = matrix.line;
        let matrix = matrix.index("matrix", [0, matrices])?;
        entries.push((entry(scanner, matrix, &header.blocks, &mut numbers)?, line));
    }
    entries.sort_by_key(|(entry, _)| entry.place);
    if let Some(pair) = entries.windows(2).find(|pair| pair[0].0.place == pair[1].0.place) {
        let (Entry { place, .. }, line) = pair[1];
        let [block, row, col] = [place.block, place.row, place.col].map(|k| k as usize + 1);
        return Err(Fault::Repeated { matrix: place.matrix as usize, block, row, col }.at(line));
    }
    let entries = entries.into_iter().map(|(entry, _)| entry).collect();
    Ok(Problem::new(numbers, header.objective, header.blocks, entries))
}

/// What follows the number of the matrix.
fn entry(
    scanner: &mut Scanner<'_>,
    matrix: u32,
    blocks: &[Block],
    numbers: &mut Literals,
) -> Result<Entry, ReadError> {
    const NEEDED: &str = "the numbers of matrix, block, row and column, and the value of an entry";
    let block = scanner.word(NEEDED)?.index("block", [1, blocks.len()])?;
    let kind = blocks[block as usize];
    let (first, second) = (scanner.word(NEEDED)?, scanner.word(NEEDED)?);
    let line = second.line;
    let first = first.index("row", [1, kind.order()])?;
    let second = second.index("column", [1, kind.order()])?;
    if matches!(kind, Block::Diagonal(_)) && first != second {
        let [block, row, col] = [block, first, second].map(|k| k as usize + 1);
        return Err(Fault::OffDiagonal { block, row, col }.at(line));
    }
    let (value, _) = scanner.number("the value of an entry", numbers)?;
    let place = Place { matrix, block, row: first.min(second), col: first.max(second) };
    Ok(Entry { place, value })
}
