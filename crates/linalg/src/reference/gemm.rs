//! `C ← α·op(A)·op(B) + β·C`, entry by entry.
//!
//! **Error.** With `k` terms a sum, `u` the unit roundoff and rounded `+` and `×` within `u` and
//! `2u` relative, the sum of products differs from the exact one by at most `(k + 2)·u·(|A||B|)` to
//! first order in `u`, entrywise (Higham, *Accuracy and Stability of Numerical Algorithms*, 3.5).

use nonius_num::Real;

use crate::dense::{MatMut, MatRef, Transpose};

/// `C ← α·op(A)·op(B) + β·C`. With `β = 0`, `C` is not read; with `α = 0` or no terms, `A` and `B`
/// are not.
///
/// Panics when the shapes do not fit.
pub fn gemm<T: Real>(
    transpose_a: Transpose,
    transpose_b: Transpose,
    alpha: T,
    a: MatRef<'_, T>,
    b: MatRef<'_, T>,
    beta: T,
    mut c: MatMut<'_, T>,
) {
    let (m, k) = transpose_a.shape(a.shape());
    let (kb, n) = transpose_b.shape(b.shape());
    assert_eq!(k, kb, "inner dimensions");
    assert_eq!(c.shape(), (m, n), "shape of C");
    if k == 0 || alpha == T::ZERO {
        return scale(beta, c);
    }
    for j in 0..n {
        for i in 0..m {
            let sum = product_entry(transpose_a, a, i, transpose_b, b, j);
            let mut entry = c.at(i, j);
            combine(alpha, sum, beta, &mut entry);
            c.set(i, j, entry);
        }
    }
}

/// The factor `c` in the bound `|fl(op(A)·op(B)) − op(A)·op(B)| <= c·u·(|A||B|)` for `k` terms.
pub fn error(k: usize) -> f64 {
    k as f64 + 2.0
}

/// `C ← β·C`; with `β = 0`, `C` is not read.
pub fn scale<T: Real>(beta: T, mut c: MatMut<'_, T>) {
    for j in 0..c.cols() {
        for i in 0..c.rows() {
            let mut entry = c.at(i, j);
            scale_entry(beta, &mut entry);
            c.set(i, j, entry);
        }
    }
}

/// `c ← β·c`; with `β = 0`, `c` is not read.
#[inline(always)]
pub(crate) fn scale_entry<T: Real>(beta: T, c: &mut T) {
    if beta == T::ZERO {
        *c = T::ZERO;
    } else if beta != T::ONE {
        *c = beta * *c;
    }
}

/// Entry `(i, j)` of `op(A)·op(B)`, terms added in the order of their index.
pub(crate) fn product_entry<T: Real>(
    transpose_a: Transpose,
    a: MatRef<'_, T>,
    i: usize,
    transpose_b: Transpose,
    b: MatRef<'_, T>,
    j: usize,
) -> T {
    let (_, k) = transpose_a.shape(a.shape());
    let mut sum = T::ZERO;
    for l in 0..k {
        sum += a.at_op(transpose_a, i, l) * b.at_op(transpose_b, l, j);
    }
    sum
}

/// `c ← α·sum + β·c`, where factors 1 are not multiplied by and `c` is not read when `β = 0`.
#[inline(always)]
pub(crate) fn combine<T: Real>(alpha: T, sum: T, beta: T, c: &mut T) {
    let product = if alpha == T::ONE { sum } else { alpha * sum };
    *c = if beta == T::ZERO {
        product
    } else if beta == T::ONE {
        *c + product
    } else {
        beta * *c + product
    };
}
