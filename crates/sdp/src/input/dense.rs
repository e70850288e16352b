//! `.dat`.

use std::io::Read;

use nonius_linalg::Token;

use super::error::{Fault, MatrixName, ReadError};
use super::header::header;
use super::read;
use super::scanner::Scanner;
use crate::decimal::Decimal;
use crate::literals::{Literals, is_zero};
use crate::problem::{Block, Entry, Place, Problem};

/// Reads the dense format of SDPA.
///
/// ```
/// use nonius_sdp::Fingerprint;
/// use nonius_sdp::input::{read_dense, read_sparse};
///
/// let dense = "1\n1\n2\n{1}\n{ {0, -1}, {-1, 0} }\n{ {1, 0}, {0, 2.5} }\n";
/// let sparse = "1\n1\n2\n1\n0 1 1 2 -1\n1 1 1 1 1\n1 1 2 2 2.5\n";
/// let problems = [read_dense(dense.as_bytes())?, read_sparse(sparse.as_bytes())?];
/// let [a, b] = problems.each_ref().map(Fingerprint::of);
/// assert_eq!(a, b); // the same problem
/// # Ok::<(), nonius_sdp::input::ReadError>(())
/// ```
///
/// # Errors
/// [`ReadError`].
pub fn read_dense(input: impl Read) -> Result<Problem, ReadError> {
    read(input, parse)
}

fn parse(scanner: &mut Scanner<'_>) -> Result<Problem, ReadError> {
    let mut numbers = Literals::default();
    let header = header(scanner, &mut numbers)?;
    let mut entries = Vec::new();
    for matrix in 0..=header.objective.len() as u32 {
        for (block, &kind) in header.blocks.iter().enumerate() {
            let at = [matrix, block as u32];
            match kind {
                Block::Dense(order) => dense(scanner, at, order, &mut numbers, &mut entries)?,
                Block::Diagonal(order) | Block::SecondOrder(order) => {
                    diagonal(scanner, at, order, &mut numbers, &mut entries)?
                }
            }
        }
    }
    if let Some(more) = scanner.next() {
        return Err(Fault::More(Token::new(more.text)).at(more.line));
    }
    Ok(Problem::new(numbers, header.objective, header.blocks, entries))
}

const NEEDED: &str = "an entry of a matrix";

fn dense(
    scanner: &mut Scanner<'_>,
    [matrix, block]: [u32; 2],
    order: usize,
    numbers: &mut Literals,
    entries: &mut Vec<Entry>,
) -> Result<(), ReadError> {
    let mut upper = Vec::new();
    for row in 0..order {
        for col in 0..order {
            let (value, word) = scanner.number(NEEDED, numbers)?;
            if row <= col {
                upper.push((value, is_zero(word.text)));
                if !is_zero(word.text) {
                    let place = Place { matrix, block, row: row as u32, col: col as u32 };
                    entries.push(Entry { place, value });
                }
                continue;
            }
            // Row by row, of which those before had as many as are right of their diagonals.
            let (mirror, mirror_is_zero) = upper[col * order - col * (col + 1) / 2 + row];
            let is_same = value == mirror || (mirror_is_zero && is_zero(word.text));
            if !is_same && !is_equal(numbers, value, mirror) {
                let [block, row, col] = [block as usize, row, col].map(|k| k + 1);
                let matrix = MatrixName::F(matrix as usize);
                return Err(Fault::NotSymmetric { matrix, block, row, col }.at(word.line));
            }
        }
    }
    Ok(())
}

/// Whether two texts are the same number, to the last digit.
fn is_equal(numbers: &Literals, a: u32, b: u32) -> bool {
    let [a, b] = [a, b].map(|place| Decimal::parse(numbers.text(place).as_bytes()));
    a.is_some() && a == b
}

fn diagonal(
    scanner: &mut Scanner<'_>,
    [matrix, block]: [u32; 2],
    order: usize,
    numbers: &mut Literals,
    entries: &mut Vec<Entry>,
) -> Result<(), ReadError> {
    for k in 0..order as u32 {
        let (value, word) = scanner.number(NEEDED, numbers)?;
        if !is_zero(word.text) {
            entries.push(Entry { place: Place { matrix, block, row: k, col: k }, value });
        }
    }
    Ok(())
}
