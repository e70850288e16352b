//! Triangular systems with many right-hand sides.

use crate::Scalar;
use crate::dense::{Diagonal, MatMut, MatRef, Side, Transpose, Triangle};
use crate::reference;

/// `B ← α·op(A)⁻¹·B` ([`Side::Left`]) or `B ← α·B·op(A)⁻¹` ([`Side::Right`]) for the triangular matrix `A`.
///
/// Only `triangle` of `A` is read, without its diagonal when that is [`Diagonal::Unit`]. A zero on the diagonal is
/// divided by as IEEE arithmetic does. With `α = 0`, neither `A` nor `B` is read. Panics when the shapes do not fit.
pub fn trsm<T: Scalar>(
    side: Side,
    triangle: Triangle,
    transpose: Transpose,
    diagonal: Diagonal,
    alpha: T,
    a: MatRef<'_, T>,
    b: MatMut<'_, T>,
) {
    reference::trsm::trsm(side, triangle, transpose, diagonal, alpha, a, b);
}
