//! `C ← α·op(A)·op(B) + β·C`.

use crate::Scalar;
use crate::dense::{MatMut, MatRef, Transpose};
use crate::reference;

/// `C ← α·op(A)·op(B) + β·C`. With `β = 0`, `C` is not read; with `α = 0` or no terms, `A` and `B` are not.
///
/// Panics when the shapes do not fit.
pub fn gemm<T: Scalar>(
    transpose_a: Transpose,
    transpose_b: Transpose,
    alpha: T,
    a: MatRef<'_, T>,
    b: MatRef<'_, T>,
    beta: T,
    c: MatMut<'_, T>,
) {
    reference::gemm::gemm(transpose_a, transpose_b, alpha, a, b, beta, c);
}
