//! `.ini`.

use std::io::Read;

use nonius_linalg::Number;
use nonius_linalg::Token;

use super::error::{Fault, MatrixName, ReadError};
use super::point::{number, vector};
use super::read;
use super::scanner::Scanner;
use crate::problem::{Block, Problem};
use crate::solution::{BlockValues, Solution};

/// Reads a point in the dense format of SDPA.
///
/// # Errors
/// [`ReadError`].
pub fn read_dense_point<T: Number>(
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
    let primal = PRIMAL.read(scanner, format, problem.blocks())?;
    let dual = DUAL.read(scanner, format, problem.blocks())?;
    match scanner.next() {
        Some(more) => Err(Fault::More(Token::new(more.text)).at(more.line)),
        None => Ok(Solution { x, primal, dual }),
    }
}

/// What messages call a matrix and its entries.
pub(super) struct Matrix {
    name: MatrixName,
    entry: &'static str,
}

pub(super) const PRIMAL: Matrix = Matrix { name: MatrixName::X, entry: "an entry of X" };
pub(super) const DUAL: Matrix = Matrix { name: MatrixName::Y, entry: "an entry of Y" };

impl Matrix {
    /// All blocks.
    pub(super) fn read<T: Number>(
        &self,
        scanner: &mut Scanner<'_>,
        format: T::Format,
        blocks: &[Block],
    ) -> Result<Vec<BlockValues<T>>, ReadError> {
        let read = |(block, &kind)| match kind {
            Block::Dense(order) => self.dense(scanner, format, block, order),
            Block::Diagonal(order) => self.diagonal(scanner, format, order),
        };
        blocks.iter().enumerate().map(read).collect()
    }

    fn dense<T: Number>(
        &self,
        scanner: &mut Scanner<'_>,
        format: T::Format,
        block: usize,
        order: usize,
    ) -> Result<BlockValues<T>, ReadError> {
        let mut entries: Vec<T> = Vec::new();
        for row in 0..order {
            for col in 0..order {
                let (value, word) = number(scanner, self.entry, format)?;
                if row <= col {
                    entries.push(value);
                    continue;
                }
                let mirror = entries[col * order + row];
                if value != mirror {
                    let (matrix, [block, row, col]) = (self.name, [block, row, col].map(|k| k + 1));
                    return Err(Fault::NotSymmetric { matrix, block, row, col }.at(word.line));
                }
                entries.push(mirror);
            }
        }
        Ok(BlockValues::Dense { order, entries })
    }

    fn diagonal<T: Number>(
        &self,
        scanner: &mut Scanner<'_>,
        format: T::Format,
        order: usize,
    ) -> Result<BlockValues<T>, ReadError> {
        let mut next = || number(scanner, self.entry, format).map(|(value, _)| value);
        (0..order).map(|_| next()).collect::<Result<_, _>>().map(BlockValues::Diagonal)
    }
}
