//! The factorisation: blocks from left to right, each a panel that is factored recursively and whose product with its own
//! transpose is subtracted from the triangle on its right, first from the next panel: that is factored while the
//! rest is on its way.
//!
//! Source: Golub and Van Loan, *Matrix Computations*, 4th ed., 4.2.6 (block Cholesky), outer-product form; inside a
//! panel the same step on halves.

use crate::Scalar;
use crate::backend::{Breakdown, Dense, View, ViewMut};
use crate::dense::lu::halve;
use crate::dense::{Transpose, Triangle};

/// Factors the lower triangle of a square matrix in place.
pub(super) fn factor_in_place<T: Scalar, B: Dense<T>>(
    backend: &B,
    mut a: B::Mut<'_>,
) -> Result<(), Breakdown> {
    let (n, _) = a.shape();
    let mut width = B::BLOCK.min(n);
    factor_panel(backend, a.reborrow().block_mut(0, 0, n, width))?;
    let mut start = 0;
    while start + width < n {
        let rest = n - start - width;
        let next_width = B::BLOCK.min(rest);
        let (panel, right) =
            a.reborrow().block_mut(start, start, n - start, n - start).split_cols(width);
        let (next, others) = right.block_mut(width, 0, rest, rest).split_cols(next_width);
        let lower = panel.as_ref().block(width, 0, rest, width);
        let (factored, ()) = backend.join(
            || {
                let mut next = next;
                update(backend, lower, next.reborrow());
                factor_panel(backend, next)
            },
            || {
                let remaining = rest - next_width;
                let lower = lower.block(next_width, 0, remaining, width);
                update(backend, lower, others.block_mut(next_width, 0, remaining, remaining));
            },
        );
        start += width;
        width = next_width;
        factored.map_err(|b| b.shifted(start))?;
    }
    Ok(())
}

/// Factors an `m × w` panel in place, of which only the lower triangle counts, `w <= m`.
fn factor_panel<T: Scalar, B: Dense<T>>(backend: &B, a: B::Mut<'_>) -> Result<(), Breakdown> {
    let (rows, cols) = a.shape();
    if cols == 0 {
        return Ok(());
    }
    if cols <= B::WIDTH {
        return backend.cholesky_panel(a);
    }
    let half = halve(cols, B::WIDTH);
    let (mut left, right) = a.split_cols(half);
    let mut right = right.block_mut(half, 0, rows - half, cols - half);
    factor_panel(backend, left.reborrow())?;
    update(backend, left.as_ref().block(half, 0, rows - half, half), right.reborrow());
    factor_panel(backend, right).map_err(|b| b.shifted(half))
}

/// Subtracts from the columns on the right of a factored panel, on and below the diagonal, the product of the panel's
/// rows beside them with their own transpose.
fn update<T: Scalar, B: Dense<T>>(backend: &B, lower: B::Ref<'_>, mut right: B::Mut<'_>) {
    let ((rows, width), (_, cols)) = (lower.shape(), right.shape());
    let top = lower.block(0, 0, cols, width);
    let square = right.reborrow().block_mut(0, 0, cols, cols);
    backend.syrk(Triangle::Lower, Transpose::No, -T::ONE, top, T::ONE, square);
    let below = rows - cols;
    if below > 0 {
        let bottom = lower.block(cols, 0, below, width);
        let rectangle = right.block_mut(cols, 0, below, cols);
        backend.gemm(Transpose::No, Transpose::Yes, -T::ONE, bottom, top, T::ONE, rectangle);
    }
}
