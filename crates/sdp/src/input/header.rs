//! What both formats begin with.

use super::error::{Fault, ReadError};
use super::scanner::Scanner;
use crate::literals::Literals;
use crate::problem::Block;

/// Blocks, and `c`.
pub(super) struct Header {
    pub(super) blocks: Vec<Block>,
    pub(super) objective: Vec<u32>,
}

pub(super) fn header(
    scanner: &mut Scanner<'_>,
    numbers: &mut Literals,
) -> Result<Header, ReadError> {
    scanner.skip_remarks();
    let constraints = count(scanner, "the number of constraints, which is positive")?;
    scanner.skip_line();
    let count = count(scanner, "the number of blocks, which is positive")?;
    scanner.skip_line();
    let mut blocks = Vec::new();
    for _ in 0..count {
        blocks.push(block(scanner)?);
    }
    scanner.skip_line();
    let mut objective = Vec::new();
    for _ in 0..constraints {
        objective.push(scanner.number("a number of the objective", numbers)?.0);
    }
    scanner.skip_label();
    Ok(Header { blocks, objective })
}

fn count(scanner: &mut Scanner<'_>, needed: &'static str) -> Result<u32, ReadError> {
    let word = scanner.labelled(needed)?;
    let count = word.integer(needed)?;
    if count < 1 {
        return Err(word.expected(needed));
    }
    // The matrices are one more.
    u32::try_from(count)
        .ok()
        .filter(|&count| count < u32::MAX)
        .ok_or_else(|| Fault::TooLarge.at(word.line))
}

fn block(scanner: &mut Scanner<'_>) -> Result<Block, ReadError> {
    const NEEDED: &str = "the order of a block, negative if it is diagonal";
    let word = scanner.labelled(NEEDED)?;
    let order = word.integer(NEEDED)?;
    let magnitude =
        u32::try_from(order.unsigned_abs()).map_err(|_| Fault::TooLarge.at(word.line))?;
    match (magnitude as usize, order < 0) {
        (0, _) => Err(word.expected(NEEDED)),
        (order, true) => Ok(Block::Diagonal(order)),
        (order, false) => Ok(Block::Dense(order)),
    }
}
