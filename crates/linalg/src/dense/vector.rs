//! Operations on vectors (the first level of BLAS), and products of a matrix with a vector.
//!
//! A vector is a slice, a matrix of one column, or a matrix of one row: [`MatRef::row`] has the row
//! of a matrix, and [`MatRef::from_parts`]`(data, 1, n, step)` every `step`-th entry of a slice.
//! Matrices of the same shape may stand for the vectors of their entries, column by column.
//!
//! Results are the same bits on every processor, for any number of threads and however the entries
//! lie in memory.

use super::{MatMut, MatRef, Operand, Transpose, elementwise};
use crate::operation::{BinaryOp, TernaryOp};
use crate::{Error, Number, Slice, SliceMut, cpu};

/// `Ok` for vectors of the same length and for matrices of the same shape, of one precision; else
/// [`Error::Shape`] or [`Error::Precision`] for `y`.
fn paired<T: Number>(x: MatRef<'_, T>, y: MatRef<'_, T>) -> Result<(), Error> {
    let is_vector = |a: MatRef<'_, T>| a.rows() == 1 || a.cols() == 1;
    let fit = if is_vector(x) && is_vector(y) {
        x.rows() * x.cols() == y.rows() * y.cols()
    } else {
        x.shape() == y.shape()
    };
    if !fit {
        return Error::check_shape("y", x.shape(), y.shape());
    }
    Error::check_format::<T>("y", x.format(), y.format())
}

/// Does something with the entries, column by column.
fn with_entries<T: Number, R>(x: MatRef<'_, T>, work: impl FnOnce(Slice<'_, T>) -> R) -> R {
    match x.contiguous() {
        Some(entries) => work(entries),
        None => work(x.to_matrix().numbers().as_slice()),
    }
}

/// The dot product `Σ x[i]·y[i]`, within `c·u·Σ|x[i]·y[i]|`.
///
/// For `n` entries of limbs `c` is [`cpu::reduce::error`]`(n)`. For numbers of any precision it is
/// `1 + 2^-61 + ⌈log₂⌈n/B⌉⌉`: the sum of each block of `B =`
/// [`BLOCK_OF_MP`](cpu::reduce::BLOCK_OF_MP) entries is rounded once, and the sums of blocks are
/// added pairwise.
///
/// ```
/// use nonius_linalg::{MatRef, dense::dot};
///
/// let a = MatRef::from_parts(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 2, 3, 2);
/// // A row times a column.
/// assert_eq!(dot(a.row(1), &[1.0, 10.0, 100.0])?, 642.0);
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
///
/// # Errors
/// [`Error::Shape`] when the lengths differ, [`Error::Precision`] when the precisions do.
pub fn dot<'a, 'b, T: Number>(
    x: impl Into<MatRef<'a, T>>,
    y: impl Into<MatRef<'b, T>>,
) -> Result<T, Error> {
    let (x, y) = (x.into(), y.into());
    paired(x, y)?;
    Ok(with_entries(x, |x| with_entries(y, |y| cpu::reduce::dot(x, y))))
}

/// The sum `Σ x[i]`, within `c·u·Σ|x[i]|`, with `c` as for [`dot`].
///
/// ```
/// use nonius_linalg::dense::sum;
/// use nonius_num::Dd;
///
/// let x = [1e20, 1.0, -1e20].map(Dd::from);
/// assert_eq!(sum(&x), 1.0);
/// ```
pub fn sum<'a, T: Number>(x: impl Into<MatRef<'a, T>>) -> T {
    with_entries(x.into(), cpu::reduce::sum)
}

/// The 1-norm `Σ |x[i]|` of a vector, within `c·u` of itself, with `c` as for [`dot`].
pub fn asum<'a, T: Number>(x: impl Into<MatRef<'a, T>>) -> T {
    with_entries(x.into(), cpu::reduce::asum)
}

/// The Euclidean norm `√Σ x[i]²` of a vector, which is the Frobenius norm of a matrix.
///
/// It is within `c·u/2` and the error of a square root of itself, with `c` as for [`dot`], without
/// spurious overflow or underflow. It is infinite where an entry is.
///
/// ```
/// use nonius_linalg::dense::nrm2;
/// use nonius_num::Qd;
///
/// // The squares of these would be zero.
/// assert!((nrm2(&[3e-200, 4e-200]) / 5e-200 - 1.0).abs() < 1e-15);
/// assert!((nrm2(&[Qd::ONE, Qd::ONE]) - Qd::SQRT_2).abs() <= 4.0 * Qd::EPSILON);
/// ```
pub fn nrm2<'a, T: Number>(x: impl Into<MatRef<'a, T>>) -> T {
    with_entries(x.into(), |x| cpu::reduce::nrm2(x))
}

/// The first index of an entry of greatest magnitude; `None` for an empty vector. Numbers < NaN <
/// ∞.
///
/// ```
/// use nonius_linalg::dense::iamax;
///
/// assert_eq!(iamax(&[1.0, -5.0, 5.0]), Some(1));
/// ```
pub fn iamax<'a, T: Number>(x: impl Into<MatRef<'a, T>>) -> Option<usize> {
    with_entries(x.into(), cpu::reduce::iamax)
}

/// Adds a multiple: `y ← α·x + y`. It rounds `α` to the format of `y`, and has the bits of the
/// operators.
///
/// ```
/// use nonius_linalg::dense::axpy;
/// use nonius_num::Dd;
///
/// let mut y = [1.0, 2.0].map(Dd::from);
/// axpy(Dd::from(10), &[3.0, 4.0].map(Dd::from), &mut y)?;
/// assert_eq!(y, [31.0, 42.0].map(Dd::from));
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
///
/// # Errors
/// [`Error::Shape`] when the lengths differ, [`Error::Precision`] when the precisions do; `y` is as
/// it was.
pub fn axpy<'a, 'b, T: Number>(
    alpha: T,
    x: impl Into<MatRef<'a, T>>,
    y: impl Into<MatMut<'b, T>>,
) -> Result<(), Error> {
    let (x, y) = (x.into(), y.into());
    paired(x, y.as_ref())?;
    let operands = [Operand::Scalar(alpha), Operand::Entries(x.lying()), Operand::Output];
    elementwise(TernaryOp::MulAdd, operands, y.lying())
}

/// Multiplies by a number: `x ← α·x`. It rounds `α` to the format of `x`, and has the bits of the
/// operator.
pub fn scal<'a, T: Number>(alpha: T, x: impl Into<MatMut<'a, T>>) {
    let operands = [Operand::Scalar(alpha), Operand::Output];
    cpu::elementwise::elementwise(BinaryOp::Mul, operands, x.into());
}

/// Copies a vector: `y ← x`.
///
/// # Errors
/// [`Error::Shape`] when the lengths differ, [`Error::Precision`] when the precisions do; `y` is as
/// it was.
pub fn copy<'a, 'b, T: Number>(
    x: impl Into<MatRef<'a, T>>,
    y: impl Into<MatMut<'b, T>>,
) -> Result<(), Error> {
    let (x, y) = (x.into(), y.into());
    paired(x, y.as_ref())?;
    y.lying().copy_from(x.lying());
    Ok(())
}

/// Exchanges `x` and `y`.
///
/// # Errors
/// [`Error::Shape`] when the lengths differ, [`Error::Precision`] when the precisions do; both are
/// as they were.
pub fn swap<'a, 'b, T: Number>(
    x: impl Into<MatMut<'a, T>>,
    y: impl Into<MatMut<'b, T>>,
) -> Result<(), Error> {
    let (x, y) = (x.into(), y.into());
    paired(x.as_ref(), y.as_ref())?;
    let (mut x, mut y) = (x.lying(), y.lying());
    for j in 0..x.as_ref().cols() {
        for i in 0..x.as_ref().rows() {
            let (of_x, of_y) = (x.at(i, j), y.at(i, j));
            x.set(i, j, of_y);
            y.set(i, j, of_x);
        }
    }
    Ok(())
}

/// Multiplies a matrix with a vector: `y ← α·op(A)·x + β·y`.
///
/// With `β = 0`, `y` is not read and may hold anything. With `α = 0` or no terms, `A` and `x` are
/// not read.
///
/// ```
/// use nonius_linalg::Matrix;
/// use nonius_linalg::dense::{Transpose, gemv};
///
/// let a = Matrix::from_columns(2, 2, vec![1.0, 2.0, 3.0, 4.0]).unwrap();
/// let mut y = [f64::NAN; 2]; // not read where β = 0
/// gemv(Transpose::Yes, 1.0, a.view(), &[1.0, 10.0], 0.0, &mut y)?;
/// assert_eq!(y, [21.0, 43.0]);
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
///
/// # Errors
/// [`Error::Shape`] when the shapes do not fit, [`Error::Precision`] when the precisions differ.
pub fn gemv<'a, 'b, T: Number>(
    transpose: Transpose,
    alpha: T,
    a: MatRef<'_, T>,
    x: impl Into<Slice<'a, T>>,
    beta: T,
    y: impl Into<SliceMut<'b, T>>,
) -> Result<(), Error> {
    let (x, y) = (x.into(), y.into());
    let (m, k) = transpose.shape(a.shape());
    Error::check_length("x", k, x.len())?;
    Error::check_length("y", m, y.len())?;
    Error::check_format::<T>("a", y.format(), a.format())?;
    Error::check_format::<T>("x", y.format(), x.format())?;
    cpu::gemv::gemv(transpose, alpha, a, x, beta, y);
    Ok(())
}
