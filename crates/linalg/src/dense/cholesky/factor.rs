//! The factorisation: blocks from left to right, each a panel that is factored recursively and whose product with its own
//! transpose is subtracted from the triangle on its right.
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
    for start in (0..n).step_by(B::BLOCK) {
        let rest = n - start;
        let width = B::BLOCK.min(rest);
        let active = a.reborrow().block_mut(start, start, rest, rest);
        let (mut panel, right) = active.split_cols(width);
        factor_panel(backend, panel.reborrow()).map_err(|b| b.shifted(start))?;
        update(backend, panel.as_ref(), right);
    }
    Ok(())
}

/// Factors an `m × w` panel in place, of which only the lower triangle counts, `w <= m`.
fn factor_panel<T: Scalar, B: Dense<T>>(backend: &B, a: B::Mut<'_>) -> Result<(), Breakdown> {
    let (rows, cols) = a.shape();
    if cols <= B::WIDTH {
        return backend.cholesky_panel(a);
    }
    let half = halve(cols, B::WIDTH);
    let (mut left, mut right) = a.split_cols(half);
    factor_panel(backend, left.reborrow())?;
    update(backend, left.as_ref(), right.reborrow());
    factor_panel(backend, right.block_mut(half, 0, rows - half, cols - half))
        .map_err(|b| b.shifted(half))
}

/// Subtracts from the columns on the right of a factored panel the product of its lower rows with their own transpose,
/// on and below the diagonal.
fn update<T: Scalar, B: Dense<T>>(backend: &B, panel: B::Ref<'_>, mut right: B::Mut<'_>) {
    let ((rows, width), (_, cols)) = (panel.shape(), right.shape());
    let top = panel.block(width, 0, cols, width);
    let square = right.reborrow().block_mut(width, 0, cols, cols);
    backend.syrk(Triangle::Lower, Transpose::No, -T::ONE, top, T::ONE, square);
    let below = rows - width - cols;
    if below > 0 {
        let bottom = panel.block(width + cols, 0, below, width);
        let rectangle = right.block_mut(width + cols, 0, below, cols);
        backend.gemm(Transpose::No, Transpose::Yes, -T::ONE, bottom, top, T::ONE, rectangle);
    }
}
