//! `.dat-s`.

use std::io::Read;

use super::error::{MatrixName, ReadError};
use super::header::header;
use super::place::{check_once, place};
use super::read;
use super::scanner::Scanner;
use crate::literals::Literals;
use crate::problem::{Entry, Problem};

/// Reads the sparse format of SDPA.
///
/// ```
/// use nonius_sdp::Block;
/// use nonius_sdp::input::read_sparse;
///
/// let text = "\"A remark\n1 = mDIM\n2 = nBLOCK\n(2, -3)\n{5}\n0 1 1 2 0.1\n1 2 3 3 1\n";
/// let problem = read_sparse(text.as_bytes())?;
/// assert_eq!(problem.constraints(), 1);
/// assert_eq!(problem.blocks(), [Block::Dense(2), Block::Diagonal(3)]);
/// # Ok::<(), nonius_sdp::input::ReadError>(())
/// ```
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
        let place = place(scanner, matrix.index("matrix", [0, matrices])?, &header.blocks)?;
        let (value, _) = scanner.number("the value of an entry", &mut numbers)?;
        entries.push(Entry { place, value });
    }
    let places = entries.iter().map(|entry| entry.place);
    check_once(places.zip(lines), MatrixName::F)?;
    Ok(Problem::new(numbers, header.objective, header.blocks, entries))
}
