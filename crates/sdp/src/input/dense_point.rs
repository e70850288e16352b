//! `.ini`.

use std::io::Read;

use nonius_linalg::{Number, Numbers, Token};

use super::error::{Fault, MatrixName, ReadError};
use super::point::{matrices, number, vector};
use super::read;
use super::scanner::Scanner;
use crate::problem::Problem;
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
    let [mut primal, mut dual] = matrices(format, problem)?;
    PRIMAL.read(scanner, format, &mut primal)?;
    DUAL.read(scanner, format, &mut dual)?;
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
    /// All blocks, of which there are zeros.
    pub(super) fn read<T: Number>(
        &self,
        scanner: &mut Scanner<'_>,
        format: T::Format,
        blocks: &mut [BlockValues<T>],
    ) -> Result<(), ReadError> {
        blocks.iter_mut().enumerate().try_for_each(|(block, values)| match values {
            BlockValues::Dense { order, entries } => {
                self.dense(scanner, format, (block, *order), entries)
            }
            BlockValues::Diagonal(entries) => (0..entries.len()).try_for_each(|i| {
                entries.set(i, number(scanner, self.entry, format)?.0);
                Ok(())
            }),
        })
    }

    fn dense<T: Number>(
        &self,
        scanner: &mut Scanner<'_>,
        format: T::Format,
        (block, order): (usize, usize),
        entries: &mut Numbers<T>,
    ) -> Result<(), ReadError> {
        for row in 0..order {
            for col in 0..order {
                let (value, word) = number(scanner, self.entry, format)?;
                // Zeros of different signs are equal.
                let upper = if row > col { entries.at(col * order + row) } else { value };
                if value != upper {
                    let (matrix, [block, row, col]) = (self.name, [block, row, col].map(|k| k + 1));
                    return Err(Fault::NotSymmetric { matrix, block, row, col }.at(word.line));
                }
                entries.set(row * order + col, upper);
            }
        }
        Ok(())
    }
}
