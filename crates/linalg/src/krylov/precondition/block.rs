//! Jacobi's preconditioner by blocks.

use super::Inverse;
use crate::dense::inverse_alone;
use crate::sparse::{Coo, Csr, Layout};
use crate::{Error, Matrix, Number};

/// The inverses of the diagonal blocks of `size` rows, the last perhaps of fewer, in `f64`:
/// computed from the blocks rounded to `f64`, and made symmetric where the block is.
///
/// # Errors
/// [`Error::NotSquare`]; [`Error::Singular`] for a block that is, by its column in the matrix;
/// [`Error::Overflow`], [`Error::NotFinite`], [`Error::TooLarge`].
///
/// # Panics
/// For blocks of no rows.
pub fn block_jacobi<T: Number>(a: &Csr<T>, size: usize) -> Result<Inverse<Csr<f64>>, Error> {
    assert!(size > 0, "blocks of no rows");
    let (rows, cols) = a.shape();
    Error::check_square((rows, cols))?;
    let (mut places, mut values) = (Vec::new(), Vec::new());
    for first in (0..rows).step_by(size) {
        let n = size.min(rows - first);
        let mut block = Matrix::try_zeros(n, n)?;
        for row in 0..n {
            for (at, col) in a.row(first + row) {
                if (first..first + n).contains(&col) {
                    block[(row, col - first)] = a.values().at(at).to_f64();
                }
            }
        }
        let symmetric = (0..n).all(|i| (0..i).all(|j| block[(i, j)] == block[(j, i)]));
        let inverted = inverse_alone(block.view()).map_err(|error| match error {
            Error::Singular { column } => Error::Singular { column: first + column },
            Error::Overflow { operand, column } => {
                Error::Overflow { operand, column: first + column }
            }
            other => other,
        })?;
        for row in 0..n {
            for col in 0..n {
                let (x, image) = (inverted[(row, col)], inverted[(col, row)]);
                places.push((first + row, first + col));
                values.push(if symmetric { x / 2.0 + image / 2.0 } else { x });
            }
        }
    }
    let blocks = Coo::from_checked(rows, cols, places, values.into());
    Ok(Inverse(Csr::from_coo(blocks)?))
}
