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

/// `output ← x^n`, entry by entry, with the bits of [`Elementary::powi`](nonius_num::Elementary::powi).
///
/// # Errors
/// [`Error::Shape`] when the shape of `x` is not that of the output.
pub fn powi<'a, 'b, T: Scalar>(
    x: impl Into<MatRef<'a, T>>,
    n: i32,
    output: impl Into<MatMut<'b, T>>,
) -> Result<(), Error> {
    let (x, output) = (x.into(), output.into());
    Error::check_shape("x", output.shape(), x.shape())?;
    cpu::elementwise::powi(x, n, output);
    Ok(())
}

/// `sin ← sin x` and `cos ← cos x`, entry by entry; arguments are reduced once for both. The bits are those of
/// [`Elementary::sin_cos`](nonius_num::Elementary::sin_cos).
///
/// # Errors
/// [`Error::Shape`] when the shape of a result is not that of `x`.
pub fn sin_cos<'a, 'b, 'c, T: Scalar>(
    x: impl Into<MatRef<'a, T>>,
    sin: impl Into<MatMut<'b, T>>,
    cos: impl Into<MatMut<'c, T>>,
) -> Result<(), Error> {
    let (x, sin, cos) = (x.into(), sin.into(), cos.into());
    Error::check_shape("sin", x.shape(), sin.shape())?;
    Error::check_shape("cos", x.shape(), cos.shape())?;
    cpu::elementwise::sin_cos(x, sin, cos);
    Ok(())
}
