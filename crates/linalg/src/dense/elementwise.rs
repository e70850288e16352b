//! Elementwise operations on vectors and matrices.

use super::{MatMut, MatRef, Matrix};
use crate::operation::Operations;
use crate::{Error, Scalar, cpu};

/// An operand of an elementwise operation on numbers `T`, with vectors or matrices `V`.
#[derive(Clone, Copy, Debug)]
pub enum Operand<T, V> {
    /// Each entry in its place; the shape must be that of the output.
    Entries(V),
    /// The same number everywhere.
    Scalar(T),
    /// What the output holds before: the operation is done in place.
    Output,
}

impl<T, V> Operand<T, V> {
    /// What errors call the operands.
    pub(crate) const NAMES: [&'static str; 3] = ["x", "y", "z"];
}

impl<T: Copy> Operand<T, MatRef<'_, T>> {
    /// The operand of the block of `rows × cols` entries whose first is `(row, col)`.
    pub(crate) fn block(self, row: usize, col: usize, rows: usize, cols: usize) -> Self {
        match self {
            Operand::Entries(x) => Operand::Entries(x.block(row, col, rows, cols)),
            _ => self,
        }
    }
}

impl<'a, T> From<MatRef<'a, T>> for Operand<T, MatRef<'a, T>> {
    fn from(x: MatRef<'a, T>) -> Self {
        Operand::Entries(x)
    }
}

impl<'a, T> From<&'a [T]> for Operand<T, MatRef<'a, T>> {
    fn from(x: &'a [T]) -> Self {
        Operand::Entries(x.into())
    }
}

impl<'a, T> From<&'a Vec<T>> for Operand<T, MatRef<'a, T>> {
    fn from(x: &'a Vec<T>) -> Self {
        Operand::Entries(x.into())
    }
}

impl<'a, T: Copy> From<&'a Matrix<T>> for Operand<T, MatRef<'a, T>> {
    fn from(x: &'a Matrix<T>) -> Self {
        Operand::Entries(x.into())
    }
}

/// `output ← operation(operands)`, entry by entry.
///
/// ```
/// use nonius_linalg::dense::{Operand, elementwise};
/// use nonius_linalg::{BinaryOp, TernaryOp};
/// use nonius_num::Dd;
///
/// let x = [1.0, 2.0, 3.0].map(Dd::from);
/// let mut y = [10.0, 20.0, 30.0].map(Dd::from);
/// // y ← x · y
/// elementwise(BinaryOp::Mul, [x[..].into(), Operand::Output], &mut y[..])?;
/// // y ← 2 · x + y
/// let two = Operand::Scalar(Dd::from(2.0));
/// elementwise(TernaryOp::MulAdd, [two, x[..].into(), Operand::Output], &mut y[..])?;
/// assert_eq!(y, [12.0, 44.0, 96.0].map(Dd::from));
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
///
/// The results are those of the scalar operations, bit for bit, on every processor and for any number of threads (NaN
/// may differ in sign and payload).
///
/// # Errors
/// [`Error::Shape`] when an operand's shape is not that of the output.
pub fn elementwise<'a, const K: usize, T: Scalar>(
    operation: impl Operations<K>,
    operands: [Operand<T, MatRef<'_, T>>; K],
    output: impl Into<MatMut<'a, T>>,
) -> Result<(), Error> {
    let output = output.into();
    for (operand, name) in operands.iter().zip(Operand::<T, MatRef<'_, T>>::NAMES) {
        if let Operand::Entries(x) = operand {
            Error::check_shape(name, output.shape(), x.shape())?;
        }
    }
    cpu::elementwise::elementwise(operation, operands, output);
    Ok(())
}
