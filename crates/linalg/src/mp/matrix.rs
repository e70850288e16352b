//! Matrices of numbers of any precision where they lie, without copies.

use core::ops::Range;

use nonius_num::mp::{Bits, MpRef};

use super::Matrix;
use crate::threads::{Grain, for_each};

impl Matrix {
    /// The precision.
    pub fn bits(&self) -> Bits {
        self.format()
    }

    /// Entry `(i, j)`.
    #[inline]
    pub fn entry(&self, i: usize, j: usize) -> MpRef<'_> {
        self.numbers().entry(self.place(i, j))
    }

    /// Replaces entry `(i, j)` by `x`, rounded to the precision.
    pub fn put(&mut self, i: usize, j: usize, x: MpRef<'_>) {
        let place = self.place(i, j);
        self.numbers_mut().put(place, x);
    }

    /// The rows and columns of the ranges.
    pub fn block(&self, rows: Range<usize>, cols: Range<usize>) -> Self {
        self.view().block(rows.start, cols.start, rows.len(), cols.len()).to_matrix()
    }

    /// Replaces the entries from `(row, col)` on by those of a block of the same precision.
    ///
    /// Panics where the block does not fit or has another precision.
    pub fn set_block(&mut self, row: usize, col: usize, block: &Self) {
        let (rows, cols) = block.shape();
        self.view_mut().block_mut(row, col, rows, cols).copy_from(block.view());
    }

    /// The matrix whose row `i` is row `order[i]` of this one.
    ///
    /// Panics where a row does not exist.
    #[must_use]
    pub fn with_rows(&self, order: &[usize]) -> Self {
        let mut to = Self::zeros_in(self.bits(), order.len(), self.cols());
        for j in 0..self.cols() {
            order.iter().enumerate().for_each(|(i, &row)| to.put(i, j, self.entry(row, j)));
        }
        to
    }

    /// The entries rounded to a precision.
    #[must_use]
    pub fn with_bits(&self, bits: Bits) -> Self {
        let mut to = Self::zeros_in(bits, self.rows(), self.cols());
        for_each(&mut to.numbers_mut().pieces(self.rows().max(1))[..], Grain::ANY, |j, column| {
            (0..column.len()).for_each(|i| column.put(i, self.entry(i, j)));
        });
        to
    }
}
