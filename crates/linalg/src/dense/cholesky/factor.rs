//! The factorisation: half of the columns, its effect on the other half, the other half, and so on
//! down to a [`SPAN`](crate::backend::Panel::SPAN), so that most of the work is in products of many
//! terms.
//!
//! A span is factored by blocks from left to right, each a panel that is factored recursively and
//! whose product with its own transpose is subtracted from the triangle on its right, first from
//! the next panel: that is factored while the rest is on its way.
//!
//! Source: Golub and Van Loan, *Matrix Computations*, 4th ed., 4.2.6 (block Cholesky),
//! outer-product form; inside a panel the same step on halves.

use crate::Number;
use crate::backend::{Breakdown, Dense, View, ViewMut};
use crate::dense::halve::halve;
use crate::dense::{Transpose, Triangle};

/// Factors the lower triangle of a square matrix in place.
pub fn factor_in_place<T: Number, B: Dense<T>>(
    backend: &B,
    a: B::Mut<'_>,
) -> Result<(), Breakdown> {
    let watch = backend.watch();
    Factor { backend, watch: &watch }.span(a, 0)?;
    backend.breakdown(watch)
}

/// Factors the lower triangle of the `n` first columns of a larger matrix, and all of their rows:
/// an `m × n` matrix whose first column has that number.
pub fn factor_columns<T: Number, B: Dense<T>>(
    backend: &B,
    a: B::Mut<'_>,
    column: usize,
    watch: &B::Watch,
) -> Result<(), Breakdown> {
    Factor { backend, watch }.span(a, column)
}

/// A factorisation under way. Its steps take `m × n` matrices, `n <= m`, of which only the lower
/// triangle counts, and the number of their first column.
struct Factor<'a, T: Number, B: Dense<T>> {
    backend: &'a B,
    watch: &'a B::Watch,
}

impl<T: Number, B: Dense<T>> Factor<'_, T, B> {
    fn span(&self, mut a: B::Mut<'_>, column: usize) -> Result<(), Breakdown> {
        if B::COLUMNS > 0 {
            return self.blocks(a, column, B::COLUMNS);
        }
        let at_once = self.backend.cholesky_columns(a.reborrow(), column, self.watch);
        if let Some(factored) = at_once {
            return factored;
        }
        if a.shape().1 <= B::SPAN {
            return self.blocks(a, column, B::BLOCK);
        }
        self.halves(a, column, B::BLOCK, Self::span)
    }

    /// Factors by blocks of `block` columns.
    fn blocks(&self, mut a: B::Mut<'_>, column: usize, block: usize) -> Result<(), Breakdown> {
        let backend = self.backend;
        let (m, n) = a.shape();
        let mut width = block.min(n);
        self.block(a.reborrow().block_mut(0, 0, m, width), column)?;
        let mut start = 0;
        while start + width < n {
            let (below, rest) = (m - start - width, n - start - width);
            let next_width = block.min(rest);
            let (panel, right) =
                a.reborrow().block_mut(start, start, m - start, n - start).split_cols(width);
            let (next, others) = right.block_mut(width, 0, below, rest).split_cols(next_width);
            let lower = panel.as_ref().block(width, 0, below, width);
            start += width;
            let (factored, ()) = backend.join(
                || {
                    let mut next = next;
                    update(backend, lower, next.reborrow());
                    self.block(next, column + start)
                },
                || {
                    let remaining = below - next_width;
                    let lower = lower.block(next_width, 0, remaining, width);
                    let others = others.block_mut(next_width, 0, remaining, rest - next_width);
                    update(backend, lower, others);
                },
            );
            width = next_width;
            factored?;
        }
        Ok(())
    }

    /// A block of columns, by products alone where that can be done.
    fn block(&self, mut a: B::Mut<'_>, column: usize) -> Result<(), Breakdown> {
        if self.backend.cholesky_block(a.reborrow()) {
            return Ok(());
        }
        let at_once = self.backend.cholesky_columns(a.reborrow(), column, self.watch);
        at_once.unwrap_or_else(|| self.panel(a, column))
    }

    fn panel(&self, a: B::Mut<'_>, column: usize) -> Result<(), Breakdown> {
        match a.shape().1 {
            0 => Ok(()),
            cols if cols <= B::WIDTH => self.backend.cholesky_panel(a, column, self.watch),
            _ => self.halves(a, column, B::WIDTH, Self::panel),
        }
    }

    /// The left half of the columns, its effect on the right half, the right half; the left has a
    /// multiple of `unit` columns.
    fn halves(
        &self,
        a: B::Mut<'_>,
        column: usize,
        unit: usize,
        factor: impl Fn(&Self, B::Mut<'_>, usize) -> Result<(), Breakdown>,
    ) -> Result<(), Breakdown> {
        let (rows, cols) = a.shape();
        let half = halve(cols, unit);
        let (mut left, right) = a.split_cols(half);
        let mut right = right.block_mut(half, 0, rows - half, cols - half);
        factor(self, left.reborrow(), column)?;
        let lower = left.as_ref();
        update(self.backend, lower.block(half, 0, rows - half, half), right.reborrow());
        factor(self, right, column + half)
    }
}

/// Subtracts from the columns on the right of a factored panel, on and below the diagonal, the
/// product of the panel's rows beside them with their own transpose.
fn update<T: Number, B: Dense<T>>(backend: &B, lower: B::Ref<'_>, right: B::Mut<'_>) {
    if right.shape().1 > 0 {
        backend.syrk(Triangle::Lower, Transpose::No, -T::ONE, lower, T::ONE, right);
    }
}
