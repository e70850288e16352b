//! Sums of products by the operators.

use nonius_linalg::{Scalar, Slice, SliceMut};

use crate::cpu::kernels::Pair;

/// [`gather`](crate::cpu::kernels::Kernels::gather), term by term.
#[inline]
pub(super) fn gather<T: Scalar>(
    mut to: SliceMut<'_, T>,
    x: Slice<'_, T>,
    y: Slice<'_, T>,
    pairs: &[Pair],
) {
    let (x, y) = (x.cells(), y.cells());
    to.set(0, pairs.iter().fold(T::ZERO, |sum, &(i, j)| sum + x[i] * y[j]));
}
