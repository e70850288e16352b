//! Numbers of points.

use nonius_linalg::{Number, Numbers, Token};

use super::error::{Fault, ReadError};
use super::scanner::{Scanner, Word};
use crate::problem::{Block, Problem};
use crate::solution::{BlockValues, Solution};

/// A finite number.
pub(super) fn number<'a, T: Number>(
    scanner: &mut Scanner<'a>,
    needed: &'static str,
    format: T::Format,
) -> Result<(T, Word<'a>), ReadError> {
    let word = scanner.word(needed)?;
    word.check_length()?;
    let value = T::from_decimal_in(format, word.text).map_err(|_| word.expected(needed))?;
    if value.is_finite() {
        Ok((value, word))
    } else {
        Err(Fault::NotFinite(Token::new(word.text)).at(word.line))
    }
}

/// `x`.
pub(super) fn vector<T: Number>(
    scanner: &mut Scanner<'_>,
    format: T::Format,
    problem: &Problem,
) -> Result<Numbers<T>, ReadError> {
    let mut x = Numbers::new(format);
    for _ in 0..problem.constraints() {
        x.push(number(scanner, "a number of x", format)?.0);
    }
    Ok(x)
}

/// `X` and `Y` of zeros, where there is memory for a point.
pub(super) fn matrices<T: Number>(
    format: T::Format,
    problem: &Problem,
) -> Result<[Vec<BlockValues<T>>; 2], ReadError> {
    let blocks = problem.blocks();
    Solution::<T>::check_memory(problem, format).map_err(|_| largest(blocks))?;
    let zeros = |(block, &kind): (usize, &Block)| {
        let memory = |_| Fault::Memory { block: block + 1, order: kind.order() }.at(0);
        BlockValues::zeros(kind, format).map_err(memory)
    };
    let matrix = || blocks.iter().enumerate().map(zeros).collect::<Result<_, _>>();
    Ok([matrix()?, matrix()?])
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
