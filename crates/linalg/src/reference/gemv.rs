//! `y ← α·op(A)·x + β·y`, entry by entry. Error: that of [`gemm`] with one column.

use nonius_num::Real;

use super::gemm::gemm;
use crate::dense::{MatMut, MatRef, Transpose};

/// `y ← α·op(A)·x + β·y`. With `β = 0`, `y` is not read; with `α = 0` or no terms, `A` and `x` are not.
///
/// Panics when the shapes do not fit.
pub fn gemv<T: Real>(
    transpose: Transpose,
    alpha: T,
    a: MatRef<'_, T>,
    x: &[T],
    beta: T,
    y: &mut [T],
) {
    let (x, y) = (MatRef::from_column(x), MatMut::from_column(y));
    gemm(transpose, Transpose::No, alpha, a, x, beta, y);
}
