//! Triangular systems with many right-hand sides.
//!
//! Block by block: what the blocks already solved contribute is one matrix product, then the
//! block's own triangle is solved by substitution. The bits of the result do not depend on
//! registers or threads.
//!
//! **Error.** Each right-hand side is backward stable row by row:
//! `|α·B − op(A)·X| <= (c(n) + 12)·u·(|op(A)||X|)` entrywise for order `n`, with `c` the bound of
//! [`Arithmetic::Delayed`](crate::dense::gemm::Arithmetic::Delayed), likewise with `op(A)` on the
//! right. Beside the sums, one entry meets a product with `α` (2 units), two differences (1 each)
//! and a division (8). That is for limbs. Numbers of any precision, whose sums are rounded once,
//! have the factor 7 for all orders: a sum, a product and two differences (1 unit each) and a
//! division (2).

use core::ops::Range;

use nonius_num::Element;

use super::gemm::{Factors, Operand, Part, multiply};
use super::gemv::gemv;
use super::substitution::Block;
use super::threads;
use crate::dense::gemm::Products;
use crate::dense::{Diagonal, MatMut, MatRef, Side, Transpose, Triangle};
use crate::reference::gemm::scale;
use crate::threads::join;
use crate::{Number, SliceMut};

/// Columns of right-hand sides that are worth a thread.
const RIGHTS: usize = 64;

/// `B ← α·op(A)⁻¹·B` ([`Side::Left`]) or `B ← α·B·op(A)⁻¹` ([`Side::Right`]) for the triangular
/// matrix `A`.
///
/// Only `triangle` of `A` is read, without its diagonal when that is [`Diagonal::Unit`]. A zero on
/// the diagonal is divided by as IEEE arithmetic does. With `α = 0`, neither `A` nor `B` is read.
/// `α` is rounded to the format of `B` first. Panics when the shapes do not fit.
pub fn trsm<T: Number>(
    side: Side,
    triangle: Triangle,
    transpose: Transpose,
    diagonal: Diagonal,
    alpha: T,
    a: MatRef<'_, T>,
    b: MatMut<'_, T>,
) {
    let n = if side == Side::Left { b.rows() } else { b.cols() };
    assert_eq!(a.shape(), (n, n), "shape of A");
    if alpha == T::ZERO {
        return scale(alpha, b);
    }
    T::trsm(System { side, triangle, transpose, diagonal, alpha, a }, b);
}

/// [`trsm`] where there is something to solve.
pub(super) fn solve<T: Number>(system: System<'_, T>, b: MatMut<'_, T>) {
    match system.side {
        Side::Left => {
            let n = b.rows();
            let threads = threads::worth::<T>(b.format(), (n * n / 2).saturating_mul(b.cols()));
            let parts = if threads == 1 { 1 } else { (b.cols() / RIGHTS).min(2 * threads) };
            system.solve_columns(parts, b);
        }
        Side::Right => system.solve_rows(b),
    }
}

/// `op(A)·X = α·B` or `X·op(A) = α·B`.
#[derive(Clone, Copy)]
pub(super) struct System<'a, T: Element> {
    side: Side,
    triangle: Triangle,
    transpose: Transpose,
    diagonal: Diagonal,
    alpha: T,
    a: MatRef<'a, T>,
}

impl<T: Number> System<'_, T> {
    /// `op(A)·X = α·B`: columns are independent. Cuts them into `parts`.
    fn solve_columns(self, parts: usize, b: MatMut<'_, T>) {
        if parts > 1 {
            let first = parts / 2;
            let middle = b.cols() * first / parts;
            let (left, right) = b.split_cols(middle);
            join(|| self.solve_columns(first, left), || self.solve_columns(parts - first, right));
        } else {
            self.solve_on_one_thread(b);
        }
    }

    fn solve_on_one_thread(self, mut b: MatMut<'_, T>) {
        let columns = b.cols();
        if columns == 1 && self.transpose == Transpose::No {
            return self.solve_one(b.column_mut(0));
        }
        for unknowns in self.blocks() {
            // A product reads the rows above or below and writes these, which therefore leave B for
            // a while.
            let (first, count) = (unknowns.start, unknowns.len());
            let mut block = b.as_ref().block(first, 0, count, columns).to_matrix();
            let known = self.known(&unknowns);
            let solved = b.as_ref().block(known.start, 0, known.len(), columns);
            let factors = Factors { alpha: -T::ONE, beta: self.alpha };
            let left = self.operand(unknowns.clone(), known);
            let right = Operand::new(Transpose::No, solved);
            multiply(
                Products::direct(),
                None,
                [left, right],
                [None; 2],
                factors,
                Part::All,
                block.view_mut(),
            );
            self.substitute(unknowns, block.view_mut());
            b.reborrow().block_mut(first, 0, count, columns).copy_from(block.view());
        }
    }

    /// `A·x = α·b` with products of `A` and a vector, whose entries have the bits that a product of
    /// matrices gives.
    fn solve_one(self, mut b: SliceMut<'_, T>) {
        for unknowns in self.blocks() {
            let known = self.known(&unknowns);
            let (solved, mut block) = if self.forward() {
                let (solved, rest) = b.reborrow().split_at(unknowns.start);
                (solved, rest.range(0..unknowns.len()))
            } else {
                let (rest, solved) = b.reborrow().split_at(unknowns.end);
                (solved, rest.range(unknowns.clone()))
            };
            let left = self.a.block(unknowns.start, known.start, unknowns.len(), known.len());
            gemv(Transpose::No, -T::ONE, left, solved.as_slice(), self.alpha, block.reborrow());
            self.substitute(unknowns, MatMut::from_vector(block));
        }
    }

    /// `X·op(A) = α·B`: rows are independent.
    fn solve_rows(self, mut b: MatMut<'_, T>) {
        let rows = b.rows();
        for unknowns in self.blocks() {
            let known = self.known(&unknowns);
            let factors = Factors { alpha: -T::ONE, beta: self.alpha };
            let right = self.operand(known, unknowns.clone());
            let (first, count) = (unknowns.start, unknowns.len());
            let (solved, mut block) = if self.forward() {
                let (solved, rest) = b.reborrow().split_cols(first);
                (solved, rest.block_mut(0, 0, rows, count))
            } else {
                let (rest, solved) = b.reborrow().split_cols(unknowns.end);
                (solved, rest.block_mut(0, first, rows, count))
            };
            let left = Operand::new(Transpose::No, solved.as_ref());
            multiply(
                Products::direct(),
                None,
                [left, right],
                [None; 2],
                factors,
                Part::All,
                block.reborrow(),
            );
            self.substitute(unknowns, block);
        }
    }

    /// Whether unknowns are found from the first to the last.
    fn forward(&self) -> bool {
        let below = self.triangle.transposed(self.transpose) == Triangle::Lower;
        below == (self.side == Side::Left)
    }

    /// Blocks of unknowns in the order in which they are found.
    fn blocks(&self) -> impl Iterator<Item = Range<usize>> + use<T> {
        let n = self.a.rows();
        let forward = self.forward();
        let block = T::BLOCKING.substitution;
        let count = n.div_ceil(block);
        (0..count).map(move |step| {
            let start = if forward { step } else { count - 1 - step } * block;
            start..n.min(start + block)
        })
    }

    /// The unknowns found before these.
    fn known(&self, unknowns: &Range<usize>) -> Range<usize> {
        if self.forward() { 0..unknowns.start } else { unknowns.end..self.a.rows() }
    }

    /// A rectangle of `op(A)`.
    fn operand(&self, rows: Range<usize>, columns: Range<usize>) -> Operand<'_, T> {
        let (rows, columns) = match self.transpose {
            Transpose::No => (rows, columns),
            Transpose::Yes => (columns, rows),
        };
        let part = self.a.block(rows.start, columns.start, rows.len(), columns.len());
        Operand::new(self.transpose, part)
    }

    /// Solves for some unknowns when nothing else is unknown; `block` holds their rows or columns.
    fn substitute(&self, unknowns: Range<usize>, block: MatMut<'_, T>) {
        let square = self.a.block(unknowns.start, unknowns.start, unknowns.len(), unknowns.len());
        // X·op(A) = B is op(A)ᵀ·Xᵀ = Bᵀ: one substitution serves both sides.
        let transpose = match self.side {
            Side::Left => self.transpose,
            Side::Right => self.transpose.flipped(),
        };
        let unit = self.diagonal == Diagonal::Unit;
        let (side, forward) = (self.side, self.forward());
        T::substitute(Block { a: square, transpose, unit, forward, side }, block);
    }
}
