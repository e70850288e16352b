//! `.ini-s`.

use std::io::Read;

use nonius_linalg::Number;

use super::error::{MatrixName, ReadError};
use super::place::{check_once, place};
use super::point::{matrices, number, vector};
use super::read;
use super::scanner::Scanner;
use crate::problem::Problem;
use crate::solution::Solution;

/// Reads a point in the sparse format of SDPA. Entries that are not given are zero, and lines of
/// remarks may stand between them.
///
/// ```
/// use nonius_num::Qd;
/// use nonius_sdp::input::{read_sparse, read_sparse_point};
/// use nonius_sdp::output::write_sparse_point;
///
/// let problem = read_sparse("1\n1\n2\n1\n0 1 1 2 1\n1 1 1 1 1\n".as_bytes())?;
/// let text = "0.1\n1 1 1 1 2\n1 1 1 2 0.3\n2 1 2 2 1\n";
/// let point = read_sparse_point::<Qd>(text.as_bytes(), (), &problem)?;
/// assert_eq!(point.primal[0].at(0, 1), Some("0.3".parse()?));
/// let mut written = Vec::new();
/// write_sparse_point(&mut written, &point)?;
/// assert_eq!(String::from_utf8(written)?, text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    let mut matrices = matrices(format, problem)?;
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
            block.set(i as usize, j as usize, value);
        }
        places.push((place, line));
    }
    check_once(places.into_iter(), |k| [MatrixName::X, MatrixName::Y][k])?;
    let [primal, dual] = matrices;
    Ok(Solution { x, primal, dual })
}
