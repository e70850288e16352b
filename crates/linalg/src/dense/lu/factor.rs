//! The factorisation: blocks from left to right, each a panel that is factored recursively and then applied to all
//! columns on its right by a triangular solve and a product of matrices, first to the next panel: that is factored
//! while the rest is on its way ("look-ahead"). Columns on the left exchange their rows at the end.
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
    let mut width = B::BLOCK.min(n);
    factor_panel(backend, a.reborrow().block_mut(0, 0, n, width), &mut pivots[..width])?;
    let mut start = 0;
    while start + width < n {
        let rest = n - start - width;
        let next_width = B::BLOCK.min(rest);
        let (exchanges, later) = pivots[start..].split_at_mut(width);
        let (panel, right) =
            a.reborrow().block_mut(start, start, n - start, n - start).split_cols(width);
        let (next, others) = right.split_cols(next_width);
        let panel = panel.as_ref();
        let (factored, ()) = backend.join(
            || {
                let mut next = next;
                update(backend, panel, next.reborrow(), exchanges);
                let lower = next.block_mut(width, 0, rest, next_width);
                factor_panel(backend, lower, &mut later[..next_width])
            },
            || update(backend, panel, others, exchanges),
        );
        start += width;
        width = next_width;
        factored.map_err(|b| b.shifted(start))?;
    }
    exchange_on_the_left(backend, a, &mut pivots, B::BLOCK);
    Ok(pivots)
}

/// Ends a factorisation by blocks of columns: `pivots`, counted from the first row of their block, come to be counted
/// from row 0, and the columns of every block exchange rows as the blocks after them did.
pub(crate) fn exchange_on_the_left<T: Scalar, B: Dense<T>>(
    backend: &B,
    mut a: B::Mut<'_>,
    pivots: &mut [usize],
    block: usize,
) {
    let n = pivots.len();
    for (index, exchanges) in pivots.chunks_mut(block).enumerate() {
        exchanges.iter_mut().for_each(|row| *row += index * block);
    }
    for end in (block..n).step_by(block) {
        let exchanges: Vec<usize> = pivots[end..].iter().map(|row| row - end).collect();
        let left = a.reborrow().block_mut(end, end - block, n - end, block);
        backend.swap_rows(left, &exchanges, Order::Forward);
    }
}

/// Factors an `m × w` panel in place, `w <= m`: the left half, its effect on the right half, the right half.
pub(crate) fn factor_panel<T: Scalar, B: Dense<T>>(
    backend: &B,
    mut a: B::Mut<'_>,
    pivots: &mut [usize],
) -> Result<(), Breakdown> {
    let (rows, cols) = a.shape();
    if cols == 0 {
        return Ok(());
    }
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
