//! Elementwise operations on vectors and matrices.

use super::{MatMut, MatRef, Operand};
use crate::operation::Operations;
use crate::{Error, Number, cpu};

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
/// Scalars are rounded to the format of the output first. The results are those of the scalar
/// operations, bit for bit, on every processor and for any number of threads (NaN may differ in
/// sign and payload).
///
/// # Errors
/// [`Error::Shape`] when an operand's shape is not that of the output, [`Error::Precision`] where
/// its precision is not.
pub fn elementwise<'a, const K: usize, T: Number>(
    operation: impl Operations<K>,
    operands: [Operand<T, MatRef<'_, T>>; K],
    output: impl Into<MatMut<'a, T>>,
) -> Result<(), Error> {
    let output = output.into();
    for (operand, name) in operands.iter().zip(Operand::<T, MatRef<'_, T>>::NAMES) {
        if let Operand::Entries(x) = operand {
            Error::check_shape(name, output.shape(), x.shape())?;
            Error::check_format::<T>(name, output.format(), x.format())?;
        }
    }
    cpu::elementwise::elementwise(operation, operands, output);
    Ok(())
}

/// `output ← x^n`, entry by entry, with the bits of
/// [`Elementary::powi`](nonius_num::Elementary::powi).
///
/// ```
/// use nonius_linalg::dense::powi;
/// use nonius_num::Dd;
///
/// let mut y = [Dd::ZERO; 2];
/// powi(&[2.0, -3.0].map(Dd::from), 3, &mut y)?;
/// assert_eq!(y, [8.0, -27.0].map(Dd::from));
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
///
/// # Errors
/// [`Error::Shape`] when the shape of `x` is not that of the output, [`Error::Precision`] when its
/// precision is not.
pub fn powi<'a, 'b, T: Number>(
    x: impl Into<MatRef<'a, T>>,
    n: i32,
    output: impl Into<MatMut<'b, T>>,
) -> Result<(), Error> {
    let (x, output) = (x.into(), output.into());
    Error::check_shape("x", output.shape(), x.shape())?;
    Error::check_format::<T>("x", output.format(), x.format())?;
    cpu::elementwise::powi(x, n, output);
    Ok(())
}

/// `sin ← sin x` and `cos ← cos x`, entry by entry; arguments are reduced once for both. The bits
/// are those of [`Elementary::sin_cos`](nonius_num::Elementary::sin_cos).
///
/// ```
/// use nonius_linalg::dense::sin_cos;
/// use nonius_num::Qd;
///
/// let (mut sin, mut cos) = ([Qd::ZERO; 2], [Qd::ZERO; 2]);
/// sin_cos(&[Qd::FRAC_PI_6, Qd::ZERO], &mut sin, &mut cos)?;
/// assert!((sin[0] - 0.5).abs() <= 2.0 * Qd::EPSILON && cos[1] == 1.0);
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
///
/// # Errors
/// [`Error::Shape`] when the shape of a result is not that of `x`, [`Error::Precision`] when its
/// precision is not.
pub fn sin_cos<'a, 'b, 'c, T: Number>(
    x: impl Into<MatRef<'a, T>>,
    sin: impl Into<MatMut<'b, T>>,
    cos: impl Into<MatMut<'c, T>>,
) -> Result<(), Error> {
    let (x, sin, cos) = (x.into(), sin.into(), cos.into());
    Error::check_shape("sin", x.shape(), sin.shape())?;
    Error::check_shape("cos", x.shape(), cos.shape())?;
    Error::check_format::<T>("sin", x.format(), sin.format())?;
    Error::check_format::<T>("cos", x.format(), cos.format())?;
    cpu::elementwise::sin_cos(x, sin, cos);
    Ok(())
}
