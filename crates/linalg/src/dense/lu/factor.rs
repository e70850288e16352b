//! The factorisation: blocks from left to right, each a panel that is factored recursively and then applied to all
//! columns on its right by a triangular solve and a product of matrices.
//!
//! Sources: the right-looking form of Dongarra, Duff, Sorensen, van der Vorst, *Solving Linear Systems on Vector and
//! Shared Memory Computers* (1991); Toledo, *Locality of reference in LU decomposition with partial pivoting*, SIAM J.
//! Matrix Anal. Appl. 18 (1997), for the recursion inside a panel.

use crate::Scalar;
use crate::backend::{Breakdown, Dense, Order, View, ViewMut};
use crate::dense::{Diagonal, Side, Transpose, Triangle};

/// Factors a square matrix in place and returns the row exchanges.
pub(crate) fn factor_in_place<T: Scalar, B: Dense<T>>(
    backend: &B,
    mut a: B::Mut<'_>,
) -> Result<Vec<usize>, Breakdown> {
    let (n, _) = a.shape();
    let mut pivots = vec![0; n];
    for start in (0..n).step_by(B::BLOCK) {
        let width = B::BLOCK.min(n - start);
        let rest = n - start;
        let exchanges = &mut pivots[start..start + width];
        let (mut left, right) = a.reborrow().block_mut(start, 0, rest, n).split_cols(start + width);
        let mut panel = left.reborrow().block_mut(0, start, rest, width);
        factor_panel(backend, panel.reborrow(), exchanges).map_err(|b| b.shifted(start))?;
        update(backend, panel.as_ref(), right, exchanges);
        drop(panel);
        backend.swap_rows(left.block_mut(0, 0, rest, start), exchanges, Order::Forward);
        exchanges.iter_mut().for_each(|row| *row += start);
    }
    Ok(pivots)
}

/// Factors an `m × w` panel in place, `w <= m`: the left half, its effect on the right half, the right half.
pub(crate) fn factor_panel<T: Scalar, B: Dense<T>>(
    backend: &B,
    mut a: B::Mut<'_>,
    pivots: &mut [usize],
) -> Result<(), Breakdown> {
    let (rows, cols) = a.shape();
    if cols <= B::WIDTH {
        return backend.lu_panel(a, pivots);
    }
    let half = halve(cols, B::WIDTH);
    let (first, second) = pivots.split_at_mut(half);
    let (mut left, mut right) = a.reborrow().split_cols(half);
    factor_panel(backend, left.reborrow(), first)?;
    update(backend, left.as_ref(), right.reborrow(), first);
    let lower = right.block_mut(half, 0, rows - half, cols - half);
    factor_panel(backend, lower, second).map_err(|b| b.shifted(half))?;
    backend.swap_rows(left.block_mut(half, 0, rows - half, half), second, Order::Forward);
    second.iter_mut().for_each(|row| *row += half);
    Ok(())
}

/// About half of `cols`, a multiple of `width`.
pub(crate) fn halve(cols: usize, width: usize) -> usize {
    (cols.div_ceil(width) / 2 * width).max(width)
}

/// Carries a factored panel over to the columns on its right: exchanges rows, solves for the rows of `U`, subtracts
/// their product with `L` from the rows below.
pub(crate) fn update<T: Scalar, B: Dense<T>>(
    backend: &B,
    panel: B::Ref<'_>,
    mut right: B::Mut<'_>,
    pivots: &[usize],
) {
    let ((rows, width), (_, cols)) = (panel.shape(), right.shape());
    backend.swap_rows(right.reborrow(), pivots, Order::Forward);
    let upper = solve_unit_lower(backend, panel, right.reborrow());
    subtract_product(
        backend,
        panel.block(width, 0, rows - width, width),
        backend.view(&upper),
        right.block_mut(width, 0, rows - width, cols),
    );
}

/// Turns the first rows of `right` into `L⁻¹` times them, `L` being the unit lower triangle on top of the panel, and
/// returns a copy: the product that follows writes other rows of the same columns.
pub(crate) fn solve_unit_lower<T: Scalar, B: Dense<T>>(
    backend: &B,
    panel: B::Ref<'_>,
    mut right: B::Mut<'_>,
) -> B::Matrix {
    let ((_, width), (_, cols)) = (panel.shape(), right.shape());
    backend.trsm(
        Side::Left,
        Triangle::Lower,
        Transpose::No,
        Diagonal::Unit,
        T::ONE,
        panel.block(0, 0, width, width),
        right.reborrow().block_mut(0, 0, width, cols),
    );
    backend.copy_of(right.as_ref().block(0, 0, width, cols))
}

/// `C ← C − A·B`.
pub(crate) fn subtract_product<T: Scalar, B: Dense<T>>(
    backend: &B,
    a: B::Ref<'_>,
    b: B::Ref<'_>,
    c: B::Mut<'_>,
) {
    backend.gemm(Transpose::No, Transpose::No, -T::ONE, a, b, T::ONE, c);
}
