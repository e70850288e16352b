//! Gauss–Jordan elimination on `[A | B]`: the method of the double-double and quad-double solvers
//! on GPUs by Sivkova et al. (2011): search of the pivot row, division by the pivot, elimination
//! above and below.
//!
//! A block of columns at a time. With the rows of a block exchanged as partial pivoting asks, let
//! `A₁` be the square on the block's diagonal, `A₁ = L₁U₁`, with `L₂` below it and `A₀` above. For
//! every column `c = (c₀, c₁, c₂)` on the right, of `A` and `B`, `y = L₁⁻¹c₁`; then `c₂ ← c₂ − L₂y`
//! eliminates below, `c₁ ← U₁⁻¹y` divides, `c₀ ← c₀ − A₀c₁` eliminates above. One column to a block
//! gives the textbook's method; pivots do not depend on the block.
//!
//! What is below and on the diagonal are the steps of LU factorisation, so the factors come as a
//! by-product. They have the bits of LU up to [`Panel::SPAN`](crate::backend::Panel::SPAN) columns,
//! of which LU halves more. The elimination above costs `n³/6` multiplications and additions more
//! than back substitution would.
//!
//! Error (Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., Theorem 14.5):
//! `|b − Ax̂| <= 8nu|L||U||U⁻¹||U||x̂|` to first order, so that the backward error may exceed that
//! of LU by the condition of `U`; the forward error is of LU's size.

use super::lu::{Lu, exchange_on_the_left, factor_panel, solve_unit_lower, subtract_product};
use super::{Diagonal, Side, Transpose, Triangle};
use crate::backend::{Breakdown, Dense, Order, View, ViewMut};
use crate::{Error, Number};

/// Overwrites `b` with the solution of `A·X = B` and returns the LU factors of `A` that were met on
/// the way.
///
/// # Errors
/// [`Error::NotSquare`], [`Error::Shape`], [`Error::Precision`] where `B` has another precision
/// than `A`, and [`Error::NoArithmetic`], before anything is done; [`Error::Singular`] where no
/// pivot is left, [`Error::Overflow`] where one is not finite. `b` is of no use then.
pub fn gauss_jordan<T: Number, B: Dense<T>>(
    backend: B,
    a: B::Matrix,
    b: B::Mut<'_>,
) -> Result<Lu<T, B>, Error> {
    let block = B::BLOCK;
    eliminate(backend, block, a, b)
}

/// [`gauss_jordan`] with `block` columns at a time.
fn eliminate<T: Number, B: Dense<T>>(
    backend: B,
    block: usize,
    mut a: B::Matrix,
    b: B::Mut<'_>,
) -> Result<Lu<T, B>, Error> {
    let (n, cols) = backend.view(&a).shape();
    Error::check_square((n, cols))?;
    Error::check_shape("b", (n, b.shape().1), b.shape())?;
    Error::check_format::<T>("b", backend.view(&a).format(), b.format())?;
    backend.check_products()?;
    // Rows of U: elimination goes on to change them in `a`.
    let mut upper = backend.copy_of(backend.view(&a));
    let mut pivots = vec![0; n];
    let (view, rows) = (backend.view_mut(&mut a), backend.view_mut(&mut upper));
    backend
        .run(|| eliminate_blocks(&backend, block, view, rows, b, &mut pivots))
        .map_err(Error::no_lu)?;
    for start in (0..n).step_by(block) {
        let width = block.min(n - start);
        let (row, col, cols) = (start, start + width, n - start - width);
        let rows = backend.view(&upper).block(row, col, width, cols);
        backend.copy(rows, backend.view_mut(&mut a).block_mut(row, col, width, cols));
    }
    Ok(Lu::from_parts(backend, a, pivots))
}

/// Eliminates block by block: the next panel is factored while the rest is on its way. Rows of `U`
/// go to `upper`.
fn eliminate_blocks<T: Number, B: Dense<T>>(
    backend: &B,
    block: usize,
    mut a: B::Mut<'_>,
    mut upper: B::Mut<'_>,
    mut b: B::Mut<'_>,
    pivots: &mut [usize],
) -> Result<(), Breakdown> {
    let n = pivots.len();
    let first = block.min(n);
    factor_panel(backend, a.reborrow().block_mut(0, 0, n, first), &mut pivots[..first])?;
    for start in (0..n).step_by(block) {
        let width = block.min(n - start);
        let end = start + width;
        let next_width = block.min(n - end);
        let (exchanges, later) = pivots[start..].split_at_mut(width);
        let (left, right) = a.reborrow().split_cols(end);
        let columns = left.as_ref().block(0, start, n, width);
        let (next, others) = right.split_cols(next_width);
        let rows = upper.reborrow().block_mut(start, end, width, n - end);
        let (next_rows, other_rows) = rows.split_cols(next_width);
        let b = b.reborrow();
        let (factored, ()) = backend.join(
            || {
                let mut next = next;
                let y = step(backend, start, columns, next.reborrow(), exchanges);
                backend.copy(backend.view(&y), next_rows);
                let panel = next.block_mut(end, 0, n - end, next_width);
                factor_panel(backend, panel, &mut later[..next_width])
            },
            || {
                let y = step(backend, start, columns, others, exchanges);
                backend.copy(backend.view(&y), other_rows);
                step(backend, start, columns, b, exchanges);
            },
        );
        factored.map_err(|breakdown| breakdown.shifted(end))?;
    }
    exchange_on_the_left(backend, a, pivots, block);
    Ok(())
}

/// Eliminates with the block of rows that begins at `start`: `columns` are its columns of `A` in
/// full height, factored from row `start` down; `right` is any set of further columns. Returns `y`,
/// the rows of the block between the two triangular solves.
fn step<T: Number, B: Dense<T>>(
    backend: &B,
    start: usize,
    columns: B::Ref<'_>,
    mut right: B::Mut<'_>,
    exchanges: &[usize],
) -> B::Matrix {
    let ((n, width), (_, cols)) = (columns.shape(), right.shape());
    let rest = n - start;
    let panel = columns.block(start, 0, rest, width);
    let mut active = right.reborrow().block_mut(start, 0, rest, cols);
    backend.swap_rows(active.reborrow(), exchanges, Order::Forward);
    let y = solve_unit_lower(backend, panel, active.reborrow());
    subtract_product(
        backend,
        panel.block(width, 0, rest - width, width),
        backend.view(&y),
        active.reborrow().block_mut(width, 0, rest - width, cols),
    );
    backend.trsm(
        Side::Left,
        Triangle::Upper,
        Transpose::No,
        Diagonal::NonUnit,
        T::ONE,
        panel.block(0, 0, width, width),
        active.block_mut(0, 0, width, cols),
    );
    let divided = backend.copy_of(right.as_ref().block(start, 0, width, cols));
    subtract_product(
        backend,
        columns.block(0, 0, start, width),
        backend.view(&divided),
        right.block_mut(0, 0, start, cols),
    );
    y
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Matrix;
    use crate::backend::Reference;
    use crate::dense::relative_residual;
    use nonius_num::Dd;

    #[test]
    fn a_column_at_a_time_takes_the_same_pivots() {
        let n = 14;
        let entry = |i, j| Dd::from(((i * 37 + j * j * 11 + 5) % 23) as f64) / 7.0;
        let far = |i, j| if i == (j + 5) % n { 9.0 } else { 0.0 };
        let a = Matrix::from_fn(n, n, |i, j| entry(i, j) + far(i, j));
        let b = Matrix::from_fn(n, 3, |i, j| Dd::from((i * j) as f64) - 4.0);
        let solve = |block| {
            let mut x = b.clone();
            let lu = eliminate(Reference, block, a.clone(), x.view_mut()).unwrap();
            (lu.pivots().to_vec(), x)
        };
        let (pivots, _) = solve(5);
        let (pivots_of_textbook, x) = solve(1);
        assert_eq!(pivots, pivots_of_textbook);
        let residual = relative_residual(a.view(), x.view(), b.view()).unwrap();
        // A well-conditioned matrix: what Theorem 14.5 says, with |L||U||U⁻¹||U| below n²
        // times |A|.
        let bound = 8.0 * 4.0 * (n * n * n) as f64 * Dd::UNIT_ROUNDOFF;
        assert!(residual <= bound, "{residual:e}");
    }
}
