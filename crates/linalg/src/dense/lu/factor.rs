//! The factorisation: half of the columns, its effect on the other half, the other half, and so on
//! down to a [`SPAN`](crate::backend::Panel::SPAN), so that most of the work is in products of many
//! terms.
//!
//! A span is factored by blocks from left to right, each a panel that is factored recursively and
//! then applied to all columns on its right by a triangular solve and a product of matrices, first
//! to the next panel: that is factored while the rest is on its way ("look-ahead"). Columns on the
//! left exchange their rows at the end.
//!
//! Sources: the right-looking form of Dongarra, Duff, Sorensen, van der Vorst, *Solving Linear
//! Systems on Vector and Shared Memory Computers* (1991); Toledo, *Locality of reference in LU
//! decomposition with partial pivoting*, SIAM J. Matrix Anal. Appl. 18 (1997), for the recursion.

use crate::Number;
use crate::backend::{Breakdown, Dense, Order, View, ViewMut};
use crate::dense::halve::halve;
use crate::dense::trsm::TriangularSystem;
use crate::dense::{Diagonal, Transpose, Triangle};

/// Factors an `m × n` matrix in place, `n <= m`. `pivots[j]` is the row that is exchanged with row
/// `j`, after those before. Returns what solves systems with the triangles of each block of
/// [`COLUMNS`](crate::backend::Panel::COLUMNS), where all of them are factored by products.
pub fn factor_in_place<T: Number, B: Dense<T>>(
    backend: &B,
    a: B::Mut<'_>,
    pivots: &mut [usize],
) -> Result<Vec<B::Inverse>, Breakdown> {
    if B::COLUMNS > 0 {
        let inverses = factor_blocks(backend, a, pivots, B::COLUMNS)?;
        return Ok(inverses.into_iter().collect::<Option<_>>().unwrap_or_default());
    }
    factor_span(backend, a, pivots).map(|()| Vec::new())
}

/// [`factor_in_place`] by halves, down to a span.
fn factor_span<T: Number, B: Dense<T>>(
    backend: &B,
    mut a: B::Mut<'_>,
    pivots: &mut [usize],
) -> Result<(), Breakdown> {
    if let Some(factored) = backend.lu_columns(a.reborrow(), pivots) {
        return factored;
    }
    if pivots.len() <= B::SPAN {
        return factor_blocks(backend, a, pivots, B::BLOCK).map(drop);
    }
    in_halves(backend, a, pivots, B::BLOCK, factor_span)
}

/// [`factor_in_place`] by blocks of `block` columns; an inverse for each block that has one.
fn factor_blocks<T: Number, B: Dense<T>>(
    backend: &B,
    mut a: B::Mut<'_>,
    pivots: &mut [usize],
    block: usize,
) -> Result<Vec<Option<B::Inverse>>, Breakdown> {
    let (m, n) = a.shape();
    let mut width = block.min(n);
    let first = a.reborrow().block_mut(0, 0, m, width);
    let mut inverses = vec![factor_block(backend, first, &mut pivots[..width])?];
    let mut start = 0;
    while start + width < n {
        let below = m - start - width;
        let next_width = block.min(n - start - width);
        let (exchanges, later) = pivots[start..].split_at_mut(width);
        let (panel, right) =
            a.reborrow().block_mut(start, start, m - start, n - start).split_cols(width);
        let (next, others) = right.split_cols(next_width);
        let factors =
            Factored { panel: panel.as_ref(), inverse: inverses.last().and_then(Option::as_ref) };
        let (factored, ()) = backend.join(
            || {
                let mut next = next;
                update(backend, factors, next.reborrow(), exchanges);
                let lower = next.block_mut(width, 0, below, next_width);
                factor_block(backend, lower, &mut later[..next_width])
            },
            || update(backend, factors, others, exchanges),
        );
        start += width;
        width = next_width;
        inverses.push(factored.map_err(|b| b.shifted(start))?);
    }
    exchange_on_the_left(backend, a, pivots, block);
    Ok(inverses)
}

/// A factored block of columns, and what solves systems with the triangle on its top, where that is
/// not done by substitution.
struct Factored<'a, T: Number, B: Dense<T> + 'a> {
    panel: B::Ref<'a>,
    inverse: Option<&'a B::Inverse>,
}

impl<T: Number, B: Dense<T>> Clone for Factored<'_, T, B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Number, B: Dense<T>> Copy for Factored<'_, T, B> {}

/// Factors a block of columns in place, by products alone where that can be done.
fn factor_block<T: Number, B: Dense<T>>(
    backend: &B,
    mut a: B::Mut<'_>,
    pivots: &mut [usize],
) -> Result<Option<B::Inverse>, Breakdown> {
    if let Some(inverse) = backend.lu_block(a.reborrow(), pivots) {
        return Ok(Some(inverse));
    }
    let at_once = backend.lu_columns(a.reborrow(), pivots);
    at_once.unwrap_or_else(|| factor_panel(backend, a, pivots)).map(|()| None)
}

/// Ends a factorisation by blocks of columns: `pivots`, counted from the first row of their block,
/// come to be counted from row 0, and the columns of every block exchange rows as the blocks after
/// them did.
pub(crate) fn exchange_on_the_left<T: Number, B: Dense<T>>(
    backend: &B,
    mut a: B::Mut<'_>,
    pivots: &mut [usize],
    block: usize,
) {
    let rows = a.shape().0;
    for (index, exchanges) in pivots.chunks_mut(block).enumerate() {
        exchanges.iter_mut().for_each(|row| *row += index * block);
    }
    for end in (block..pivots.len()).step_by(block) {
        let exchanges: Vec<usize> = pivots[end..].iter().map(|row| row - end).collect();
        let left = a.reborrow().block_mut(end, end - block, rows - end, block);
        backend.swap_rows(left, &exchanges, Order::Forward);
    }
}

/// Factors an `m × w` panel in place, `w <= m`.
pub(crate) fn factor_panel<T: Number, B: Dense<T>>(
    backend: &B,
    a: B::Mut<'_>,
    pivots: &mut [usize],
) -> Result<(), Breakdown> {
    match pivots.len() {
        0 => Ok(()),
        cols if cols <= B::WIDTH => backend.lu_panel(a, pivots),
        _ => in_halves(backend, a, pivots, B::WIDTH, factor_panel),
    }
}

/// The left half of the columns, its effect on the right half, the right half; the left has a
/// multiple of `unit` columns.
fn in_halves<T: Number, B: Dense<T>>(
    backend: &B,
    mut a: B::Mut<'_>,
    pivots: &mut [usize],
    unit: usize,
    factor: impl Fn(&B, B::Mut<'_>, &mut [usize]) -> Result<(), Breakdown>,
) -> Result<(), Breakdown> {
    let (rows, cols) = a.shape();
    let half = halve(cols, unit);
    let (first, second) = pivots.split_at_mut(half);
    let (mut left, mut right) = a.reborrow().split_cols(half);
    factor(backend, left.reborrow(), first)?;
    let factors = Factored { panel: left.as_ref(), inverse: None };
    update(backend, factors, right.reborrow(), first);
    let lower = right.block_mut(half, 0, rows - half, cols - half);
    factor(backend, lower, second).map_err(|b| b.shifted(half))?;
    backend.swap_rows(left.block_mut(half, 0, rows - half, half), second, Order::Forward);
    second.iter_mut().for_each(|row| *row += half);
    Ok(())
}

/// Carries factored columns over to those on their right: exchanges rows, solves for the rows of
/// `U`, subtracts their product with `L` from the rows below.
fn update<T: Number, B: Dense<T>>(
    backend: &B,
    factors: Factored<'_, T, B>,
    mut right: B::Mut<'_>,
    pivots: &[usize],
) {
    backend.swap_rows(right.reborrow(), pivots, Order::Forward);
    match backend.gathered(factors.panel) {
        Some(panel) => apply(backend, Factored { panel: backend.view(&panel), ..factors }, right),
        None => apply(backend, factors, right),
    }
}

/// [`update`] of columns that have exchanged their rows.
fn apply<T: Number, B: Dense<T>>(
    backend: &B,
    Factored { panel, inverse }: Factored<'_, T, B>,
    mut right: B::Mut<'_>,
) {
    let ((rows, width), (_, cols)) = (panel.shape(), right.shape());
    let upper = match inverse {
        None => solve_unit_lower(backend, panel, right.reborrow()),
        Some(inverse) => {
            let rows = right.reborrow().block_mut(0, 0, width, cols);
            backend.solve_block(inverse, Triangle::Lower, Transpose::No, rows);
            backend.copy_of(right.as_ref().block(0, 0, width, cols))
        }
    };
    subtract_product(
        backend,
        panel.block(width, 0, rows - width, width),
        backend.view(&upper),
        right.block_mut(width, 0, rows - width, cols),
    );
}

/// Turns the first rows of `right` into `L⁻¹` times them, `L` being the unit lower triangle on top
/// of the panel, and returns a copy: the product that follows writes other rows of the same
/// columns.
pub(crate) fn solve_unit_lower<T: Number, B: Dense<T>>(
    backend: &B,
    panel: B::Ref<'_>,
    mut right: B::Mut<'_>,
) -> B::Matrix {
    let ((_, width), (_, cols)) = (panel.shape(), right.shape());
    let unit_lower = TriangularSystem::left(Triangle::Lower, Transpose::No, Diagonal::Unit);
    let square = panel.block(0, 0, width, width);
    unit_lower.solve(backend, T::ONE, square, right.reborrow().block_mut(0, 0, width, cols));
    backend.copy_of(right.as_ref().block(0, 0, width, cols))
}

/// `C ← C − A·B`.
pub(crate) fn subtract_product<T: Number, B: Dense<T>>(
    backend: &B,
    a: B::Ref<'_>,
    b: B::Ref<'_>,
    c: B::Mut<'_>,
) {
    backend.queue_gemm(Transpose::No, Transpose::No, -T::ONE, a, b, T::ONE, c);
}
