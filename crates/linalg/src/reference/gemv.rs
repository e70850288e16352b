//! `y ← α·op(A)·x + β·y`, entry by entry. Error: that of [`gemm`] with one column.

use nonius_num::Real;

use super::gemm::gemm;
use crate::dense::{MatMut, MatRef, Transpose};
use crate::{Slice, SliceMut};

/// `y ← α·op(A)·x + β·y`. With `β = 0`, `y` is not read; with `α = 0` or no terms, `A` and `x` are
/// not.
///
/// Panics when the shapes do not fit.
pub fn gemv<T: Real>(
    transpose: Transpose,
    alpha: T,
    a: MatRef<'_, T>,
    x: Slice<'_, T>,
    beta: T,
    y: SliceMut<'_, T>,
) {
    let (x, y) = (MatRef::from_vector(x), MatMut::from_vector(y));
    gemm(transpose, Transpose::No, alpha, a, x, beta, y);
}
