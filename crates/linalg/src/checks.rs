//! Checks of operands: shapes that fit, and entries that are finite.

use crate::dense::Transpose;
use crate::{Error, MatRef, Number};

impl Error {
    /// `Ok` where a matrix of this shape is square.
    pub fn check_square((rows, cols): (usize, usize)) -> Result<(), Error> {
        if rows == cols { Ok(()) } else { Err(Error::NotSquare { rows, cols }) }
    }

    /// `Ok` where all entries of `operand` are finite; else the first that is not, column by
    /// column.
    pub fn check_finite<T: Number>(operand: &'static str, a: MatRef<'_, T>) -> Result<(), Error> {
        // Columns without rows may be any number: nothing is done for each.
        let cols = if a.rows() == 0 { 0 } else { a.cols() };
        let first = (0..cols).find_map(|col| {
            let column = a.column(col);
            // Without an early end, which registers could not take.
            if T::are_finite(column) {
                return None;
            }
            let row = column.iter().position(|x| !x.is_finite())?;
            Some(Error::NotFinite { operand, row, col })
        });
        first.map_or(Ok(()), Err)
    }

    /// `Ok` where `found` is `expected`.
    pub fn check_shape(
        operand: &'static str,
        expected: (usize, usize),
        found: (usize, usize),
    ) -> Result<(), Error> {
        if expected == found { Ok(()) } else { Err(Error::Shape { operand, expected, found }) }
    }

    /// `Ok` where `C` has the shape of `op(A)·op(B)`, and these fit.
    pub fn check_product(
        transpose_a: Transpose,
        a: (usize, usize),
        transpose_b: Transpose,
        b: (usize, usize),
        c: (usize, usize),
    ) -> Result<(), Error> {
        let (m, k) = transpose_a.shape(a);
        let (_, n) = transpose_b.shape(b);
        Error::check_shape("b", transpose_b.shape((k, n)), b)?;
        Error::check_shape("c", (m, n), c)
    }

    /// `Ok` where `operand` has the precision of the other matrices.
    pub fn check_format<T: Number>(
        operand: &'static str,
        expected: T::Format,
        found: T::Format,
    ) -> Result<(), Error> {
        Error::check_bits(operand, [expected, found], |format| T::precision(format).bits())
    }

    /// `Ok` where the `found` format is the `expected` one, of `bits` each.
    pub(crate) fn check_bits<F: Copy + PartialEq>(
        operand: &'static str,
        [expected, found]: [F; 2],
        bits: impl Fn(F) -> u32,
    ) -> Result<(), Error> {
        if expected == found {
            return Ok(());
        }
        Err(Error::Precision { operand, expected: bits(expected), found: bits(found) })
    }

    /// `Ok` where the vector `operand` has `expected` entries.
    pub fn check_length(operand: &'static str, expected: usize, found: usize) -> Result<(), Error> {
        Error::check_shape(operand, (expected, 1), (found, 1))
    }
}
