//! `.dat-s`.

use std::io::Read;

use super::error::{Fault, ReadError};
use super::header::header;
use super::read;
use super::scanner::Scanner;
use crate::literals::Literals;
use crate::problem::{Block, Entry, Place, Problem, Repeated};

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
    let (mut entries, mut lines) = (Vec::new(), Vec::new());
    while let Some(matrix) = scanner.next() {
        lines.push(matrix.line);
        let matrix = matrix.index("matrix", [0, matrices])?;
        entries.push(entry(scanner, matrix, &header.blocks, &mut numbers)?);
    }
    let given = entries.clone();
    Problem::new(numbers, header.objective, header.blocks, entries).map_err(|Repeated(place)| {
        // The second of them.
        let mut same = given.iter().zip(&lines).filter(|(entry, _)| entry.place == place);
        let line = same.nth(1).map_or(0, |(_, &line)| line);
        let [block, row, col] = [place.block, place.row, place.col].map(|k| k as usize + 1);
        Fault::Repeated { matrix: place.matrix as usize, block, row, col }.at(line)
    })
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
