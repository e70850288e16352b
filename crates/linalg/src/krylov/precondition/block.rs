//! Jacobi's preconditioner by blocks.

use super::Inverse;
use crate::dense::inverse_alone;
use crate::sparse::{Coo, Csr, Layout};
use crate::{Error, Matrix, Number, Numbers};

/// The inverses of the diagonal blocks of `size` rows, the last perhaps of fewer, in `f64`:
/// computed from the blocks rounded to `f64`, and made symmetric where the block is.
///
/// ```
/// use std::ops::ControlFlow::Continue;
///
/// use nonius_linalg::Numbers;
/// use nonius_linalg::krylov::{Cg, HostSpace, Options, block_jacobi};
/// use nonius_linalg::sparse::{Coo, Csr, Triplet};
///
/// // Blocks of two rows that nothing connects.
/// let t = |row, col, value| Triplet { row, col, value };
/// let block = |i: usize| [t(i, i, 2.0), t(i, i + 1, 1.0), t(i + 1, i, 1.0), t(i + 1, i + 1, 3.0)];
/// let triplets = (0..4).step_by(2).flat_map(block).collect();
/// let a = Csr::<f64>::from_coo(Coo::new(4, 4, triplets).unwrap())?;
/// let m = block_jacobi(&a, 2)?;
/// let (b, mut x) = (Numbers::from(vec![3.0, 4.0, 3.0, 4.0]), Numbers::zeros((), 4));
/// let (mut space, options) = (HostSpace::new(()), Options::default());
/// Cg::new(&space, 4)?.solve(&mut space, &a, &m, &b, &mut x, &options, |_| Continue(()))?;
/// assert!((x[3] - 1.0).abs() < 1e-12);
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
///
/// # Errors
/// [`Error::NotSquare`]; [`Error::Singular`] for a block that is, by its column in the matrix;
/// [`Error::Overflow`], [`Error::NotFinite`], [`Error::TooLarge`].
///
/// # Panics
/// For blocks of no rows.
pub fn block_jacobi<T: Number>(a: &Csr<T>, size: usize) -> Result<Inverse<Csr<f64>>, Error> {
    block_jacobi_in(a, size, ())
}

/// Exponents up to which the largest entry of a block leaves the block as it is.
const ORDINARY: i32 = 200;

/// [`block_jacobi`] with inverses in a format, which have the range of its numbers: blocks that are
/// beyond that of `f64` are divided by powers of two first.
pub(crate) fn block_jacobi_in<T: Number, U: Number>(
    a: &Csr<T>,
    size: usize,
    format: U::Format,
) -> Result<Inverse<Csr<U>>, Error> {
    assert!(size > 0, "blocks of no rows");
    let (rows, cols) = a.shape();
    Error::check_square((rows, cols))?;
    let is_wide = T::LEAST_EXPONENT < <f64 as Number>::LEAST_EXPONENT;
    let (mut places, mut values) = (Vec::new(), Numbers::new(format));
    for first in (0..rows).step_by(size) {
        let n = size.min(rows - first);
        let entries = |row: usize| {
            let inside = a.row(first + row).filter(|(_, col)| (first..first + n).contains(col));
            inside.map(|(at, col)| (col - first, a.values().at(at)))
        };
        let exponents = (0..n).flat_map(|row| entries(row).filter_map(|(_, x)| x.exponent()));
        let exponent = if is_wide { exponents.max().unwrap_or(0) } else { 0 };
        let exponent = if exponent.abs() > ORDINARY { exponent } else { 0 };
        let mut block = Matrix::try_zeros(n, n)?;
        for row in 0..n {
            entries(row).for_each(|(col, x)| block[(row, col)] = x.ldexp(-exponent).to_f64());
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
                let x = if symmetric { x / 2.0 + image / 2.0 } else { x };
                let x = U::from_f64(x).ldexp(-exponent);
                if !x.is_finite() {
                    return Err(Error::Overflow { operand: "x", column: first + col });
                }
                places.push((first + row, first + col));
                values.push(x);
            }
        }
    }
    let blocks = Coo::from_checked(rows, cols, places, values);
    Ok(Inverse(Csr::from_coo(blocks)?))
}
