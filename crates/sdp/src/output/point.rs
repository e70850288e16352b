//! `.ini-s`.

use std::io::{self, Write};

use nonius_linalg::Number;

use super::number::append;
use crate::solution::{BlockValues, Solution};

/// Writes a point in the sparse format of SDPA: `x`, then the entries of `X` and `Y` on and above
/// the diagonal that are not zero.
///
/// # Errors
/// Those of `out`.
pub fn write_sparse_point<T: Number>(
    out: &mut dyn Write,
    solution: &Solution<T>,
) -> io::Result<()> {
    let mut text = Vec::new();
    append(solution.x.as_slice().iter(), b", ", &mut text);
    text.push(b'\n');
    out.write_all(&text)?;
    for (matrix, blocks) in [&solution.primal, &solution.dual].into_iter().enumerate() {
        for (block, values) in blocks.iter().enumerate() {
            for row in 0..values.order() {
                text.clear();
                append_row([matrix, block, row], values, &mut text);
                out.write_all(&text)?;
            }
        }
    }
    Ok(())
}

/// A line for each entry of a row.
fn append_row<T: Number>(
    [matrix, block, row]: [usize; 3],
    values: &BlockValues<T>,
    text: &mut Vec<u8>,
) {
    let end = match values {
        BlockValues::Dense { order, .. } => *order,
        BlockValues::Diagonal(_) => row + 1,
    };
    for col in row..end {
        let Some(value) = values.at(row, col).filter(|&value| value != T::ZERO) else {
            continue;
        };
        let place = [matrix, block, row, col].map(|k| k + 1);
        for index in place {
            text.extend_from_slice(index.to_string().as_bytes());
            text.push(b' ');
        }
        value.append_decimal(text);
        text.push(b'\n');
    }
}
