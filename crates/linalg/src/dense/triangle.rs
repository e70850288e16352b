//! Inverses of lower triangles, by halves: products of matrices do most of the work.
//!
//! **Error.** The left residual is small, `|M·L − I| <= c·n·u·|M||L|` entrywise, where `c·u` bounds
//! the error of one multiplication and addition, and so is the right one for factors that are not
//! graded (Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., section 14.2.2).

use super::trsm::TriangularSystem;
use super::{Diagonal, Side, Transpose, Triangle};
use crate::Number;
use crate::backend::{Dense, View, ViewMut};
use crate::dense::halve::halve;

/// `M ← L⁻¹` for an `M` that holds the identity. The upper triangle of `L` is not read.
pub fn invert<T: Number, B: Dense<T>>(backend: &B, l: B::Ref<'_>, m: B::Mut<'_>) {
    let n = l.shape().0;
    if n <= B::BLOCK {
        let (side, triangle, no) = (Side::Left, Triangle::Lower, Transpose::No);
        return backend.trsm(side, triangle, no, Diagonal::NonUnit, T::ONE, l, m);
    }
    let half = halve(n, B::BLOCK);
    let rest = n - half;
    let (mut left, right) = m.split_cols(half);
    let mut last = right.block_mut(half, 0, rest, rest);
    invert(backend, l.block(0, 0, half, half), left.reborrow().block_mut(0, 0, half, half));
    invert(backend, l.block(half, half, rest, rest), last.reborrow());
    let corner = l.block(half, 0, rest, half);
    let mut product = backend.copy_of(corner);
    let no = Transpose::No;
    let first = left.as_ref().block(0, 0, half, half);
    backend.queue_gemm(no, no, T::ONE, corner, first, T::ZERO, backend.view_mut(&mut product));
    let (product, to) = (backend.view(&product), left.block_mut(half, 0, rest, half));
    backend.queue_gemm(no, no, -T::ONE, last.as_ref(), product, T::ZERO, to);
}

/// `M ← L⁻¹` for an `M` that holds the identity, column by column the solution of a system: the
/// right residual is small, `|L·M − I| <= c·n·u·|L||M|` entrywise. Neither the upper triangle of
/// `L` nor, for [`Diagonal::Unit`], its diagonal is read.
pub fn invert_columns<T: Number, B: Dense<T>>(
    backend: &B,
    diagonal: Diagonal,
    l: B::Ref<'_>,
    m: B::Mut<'_>,
) {
    let n = l.shape().0;
    let (triangle, no) = (Triangle::Lower, Transpose::No);
    if n <= B::BLOCK {
        return backend.trsm(Side::Left, triangle, no, diagonal, T::ONE, l, m);
    }
    let half = halve(n, B::BLOCK);
    let rest = n - half;
    let (left, right) = m.split_cols(half);
    let mut left = left;
    let (first, last) = (l.block(0, 0, half, half), l.block(half, half, rest, rest));
    invert_columns(backend, diagonal, first, left.reborrow().block_mut(0, 0, half, half));
    let found = backend.copy_of(left.as_ref().block(0, 0, half, half));
    let mut below = left.block_mut(half, 0, rest, half);
    let (corner, found) = (l.block(half, 0, rest, half), backend.view(&found));
    backend.queue_gemm(no, no, -T::ONE, corner, found, T::ZERO, below.reborrow());
    TriangularSystem::left(triangle, no, diagonal).solve(backend, T::ONE, last, below);
    invert_columns(backend, diagonal, last, right.block_mut(half, 0, rest, rest));
}
