//! `.ini-s`.

use std::io::Read;

use nonius_linalg::Number;
use nonius_linalg::sparse::matrix_market::Entry;

use super::error::{Fault, MatrixName, ReadError};
use super::place::{check_once, place};
use super::point::{number, vector};
use super::read;
use super::scanner::Scanner;
use crate::problem::{Block, Problem};
use crate::solution::{BlockValues, Solution};

/// Reads a point in the sparse format of SDPA. Entries that are not given are zero, and lines of
/// remarks may stand between them.
///
/// # Errors
/// [`ReadError`].
pub fn read_sparse_point<T: Number>(
    input: impl Read,
    format: T::Format,
    problem: &Problem,
) -> Result<Solution<T>, ReadError> {
    read(input, |scanner| parse(scanner, format, problem))
}

fn parse<T: Number>(
    scanner: &mut Scanner<'_>,
    format: T::Format,
    problem: &Problem,
) -> Result<Solution<T>, ReadError> {
    scanner.skip_remarks();
    let x = vector(scanner, format, problem)?;
    Solution::<T>::check_memory(problem).map_err(|_| largest(problem.blocks()))?;
    let mut matrices = [zeros(format, problem.blocks())?, zeros(format, problem.blocks())?];
    let mut places = Vec::new();
    while let Some(matrix) = scanner.next() {
        if matrix.text.starts_with(b"*") {
            scanner.skip_line();
            continue;
        }
        let line = matrix.line;
        let place = place(scanner, matrix.index("matrix", [1, 2])?, problem.blocks())?;
        let (value, _) = number::<T>(scanner, "the value of an entry", format)?;
        let block = &mut matrices[place.matrix as usize][place.block as usize];
        for [i, j] in [[place.row, place.col], [place.col, place.row]] {
            if let Some(entry) = block.at_mut(i as usize, j as usize) {
                *entry = value;
            }
        }
        places.push((place, line));
    }
    check_once(places.into_iter(), |k| [MatrixName::X, MatrixName::Y][k])?;
    let [primal, dual] = matrices;
    Ok(Solution { x, primal, dual })
}

/// That the largest block does not fit in memory.
fn largest(blocks: &[Block]) -> ReadError {
    let size = |&(_, block): &(usize, &Block)| block.entries().unwrap_or(usize::MAX);
    let (block, order) = match blocks.iter().enumerate().max_by_key(size) {
        Some((block, kind)) => (block + 1, kind.order()),
        None => (0, 0),
    };
    Fault::Memory { block, order }.at(0)
}

/// Zeros in all blocks.
fn zeros<T: Number>(format: T::Format, blocks: &[Block]) -> Result<Vec<BlockValues<T>>, ReadError> {
    let zeros = |(block, &kind): (usize, &Block)| {
        let memory = |_| Fault::Memory { block: block + 1, order: kind.order() }.at(0);
        BlockValues::filled(kind, &T::zero(format)).map_err(memory)
    };
    blocks.iter().enumerate().map(zeros).collect()
}
