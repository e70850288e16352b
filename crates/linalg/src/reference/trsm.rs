//! Triangular systems with many right-hand sides, by substitution.
//!
//! **Error.** Row by row (or column by column) backward stable: the computed `X` satisfies
//! `(op(A) + Δ)·x = α·b` for each right-hand side with its own `|Δ| <= (n + 5)·u·|op(A)|` to first
//! order in `u`, entrywise, for the rounding errors `u`, `2u`, `4u` of `+`, `×`, `÷` (Higham,
//! *Accuracy and Stability of Numerical Algorithms*, Theorem 8.5).

use nonius_num::Real;

use super::gemm::scale;
use crate::dense::{Diagonal, MatMut, MatRef, Side, Transpose, Triangle};

/// `B ← α·op(A)⁻¹·B` ([`Side::Left`]) or `B ← α·B·op(A)⁻¹` ([`Side::Right`]) for the triangular
/// matrix `A`.
///
/// Only `triangle` of `A` is read, without its diagonal when that is [`Diagonal::Unit`]. A zero on
/// the diagonal is divided by as IEEE arithmetic does. With `α = 0`, neither `A` nor `B` is read.
/// Panics when the shapes do not fit.
pub fn trsm<T: Real>(
    side: Side,
    triangle: Triangle,
    transpose: Transpose,
    diagonal: Diagonal,
    alpha: T,
    a: MatRef<'_, T>,
    mut b: MatMut<'_, T>,
) {
    let n = if side == Side::Left { b.rows() } else { b.cols() };
    assert_eq!(a.shape(), (n, n), "shape of A");
    if alpha == T::ZERO {
        return scale(alpha, b);
    }
    // X·op(A) = αB is op(A)ᵀ·Xᵀ = αBᵀ: one substitution serves both sides.
    let (transpose, rights) = match side {
        Side::Left => (transpose, b.cols()),
        Side::Right => (transpose.flipped(), b.rows()),
    };
    let forward = triangle.transposed(transpose) == Triangle::Lower;
    for right in 0..rights {
        let place = |i: usize| if side == Side::Left { (i, right) } else { (right, i) };
        for step in 0..n {
            let i = if forward { step } else { n - 1 - step };
            let known = if forward { 0..i } else { i + 1..n };
            let mut sum = T::ZERO;
            for l in known {
                let (row, col) = place(l);
                sum += a.at_op(transpose, i, l) * b.at(row, col);
            }
            let (row, col) = place(i);
            let mut x = alpha_times(alpha, b.at(row, col)) - sum;
            if diagonal == Diagonal::NonUnit {
                x /= a.at(i, i);
            }
            b.set(row, col, x);
        }
    }
}

#[inline(always)]
fn alpha_times<T: Real>(alpha: T, x: T) -> T {
    if alpha == T::ONE { x } else { alpha * x }
}
