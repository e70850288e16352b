//! Sums over vectors, and products of a matrix with a vector.
//!
//! Results are the same bits on every processor and for any number of threads.

use super::{MatRef, Transpose};
use crate::{Error, Scalar, cpu};

/// `Σ x[i]·y[i]`, within [`cpu::reduce::error`]`(n)·u·Σ|x[i]·y[i]|`.
///
/// # Errors
/// [`Error::Shape`] when the lengths differ.
pub fn dot<T: Scalar>(x: &[T], y: &[T]) -> Result<T, Error> {
    Error::check_length("y", x.len(), y.len())?;
    Ok(cpu::reduce::dot(x, y))
}

/// `Σ x[i]`, within [`cpu::reduce::error`]`(n)·u·Σ|x[i]|`.
pub fn sum<T: Scalar>(x: &[T]) -> T {
    cpu::reduce::sum(x)
}

/// `Σ |x[i]|`, the 1-norm, within [`cpu::reduce::error`]`(n)·u` of itself.
pub fn asum<T: Scalar>(x: &[T]) -> T {
    cpu::reduce::asum(x)
}

/// `√Σ x[i]²`, the Euclidean norm, without spurious overflow or underflow; within half [`cpu::reduce::error`]`(n)·u` and
/// the error of a square root of itself. Infinite where an entry is.
pub fn nrm2<T: Scalar>(x: &[T]) -> T {
    cpu::reduce::nrm2(x)
}

/// The first index of an entry of greatest magnitude; `None` for an empty vector. Numbers < NaN < ∞.
pub fn iamax<T: Scalar>(x: &[T]) -> Option<usize> {
    cpu::reduce::iamax(x)
}

/// `y ← α·op(A)·x + β·y`. With `β = 0`, `y` is not read and may hold anything; with `α = 0` or no terms, `A` and `x` are
/// not read.
///
/// # Errors
/// [`Error::Shape`] when the shapes do not fit.
pub fn gemv<T: Scalar>(
    transpose: Transpose,
    alpha: T,
    a: MatRef<'_, T>,
    x: &[T],
    beta: T,
    y: &mut [T],
) -> Result<(), Error> {
    let (m, k) = transpose.shape(a.shape());
    Error::check_length("x", k, x.len())?;
    Error::check_length("y", m, y.len())?;
    cpu::gemv::gemv(transpose, alpha, a, x, beta, y);
    Ok(())
}
