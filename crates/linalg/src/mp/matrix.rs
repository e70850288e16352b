//! An owned dense matrix.

use core::ops::Range;

use nonius_num::mp::{Bits, Mp, MpRef};

use super::numbers::{Numbers, Slice, SliceMut};
use crate::Error;
use crate::threads::{Grain, for_each};

/// A dense `rows × cols` matrix of numbers of one precision, stored column by column without gaps.
#[derive(Clone, Debug)]
pub struct Matrix {
    rows: usize,
    cols: usize,
    numbers: Numbers,
}

impl Matrix {
    /// All entries zero.
    pub fn zeros(bits: Bits, rows: usize, cols: usize) -> Self {
        Self { rows, cols, numbers: Numbers::zeros(bits, rows * cols) }
    }

    /// All entries zero, for a shape that comes from outside and may be too large.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn try_zeros(bits: Bits, rows: usize, cols: usize) -> Result<Self, Error> {
        let count = rows.checked_mul(cols);
        let numbers = count.and_then(|count| Numbers::try_zeros(bits, count));
        numbers.map(|numbers| Self { rows, cols, numbers }).ok_or(Error::TooLarge { rows, cols })
    }

    /// The identity of order `n`.
    pub fn identity(bits: Bits, n: usize) -> Self {
        let (mut a, one) = (Self::zeros(bits, n, n), Mp::one(bits));
        (0..n).for_each(|i| a.set(i, i, one.view()));
        a
    }

    /// Builds a matrix from its entries `f(row, column)`, rounded to the precision.
    pub fn from_fn(
        bits: Bits,
        rows: usize,
        cols: usize,
        mut f: impl FnMut(usize, usize) -> Mp,
    ) -> Self {
        let mut a = Self::zeros(bits, rows, cols);
        for j in 0..cols {
            (0..rows).for_each(|i| a.set(i, j, f(i, j).view()));
        }
        a
    }

    /// Takes `rows · cols` numbers, column by column; `None` where their number differs.
    pub fn from_columns(rows: usize, cols: usize, numbers: Numbers) -> Option<Self> {
        (rows.checked_mul(cols) == Some(numbers.len())).then_some(Self { rows, cols, numbers })
    }

    /// The precision.
    pub fn bits(&self) -> Bits {
        self.numbers.bits()
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// Number of rows and columns.
    pub fn shape(&self) -> (usize, usize) {
        (self.rows, self.cols)
    }

    /// All entries, column by column.
    pub fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    /// All entries, column by column, to be changed.
    pub fn numbers_mut(&mut self) -> SliceMut<'_> {
        self.numbers.as_mut_slice()
    }

    /// Entry `(i, j)`.
    #[inline]
    pub fn at(&self, i: usize, j: usize) -> MpRef<'_> {
        assert!(i < self.rows && j < self.cols, "index ({i}, {j}) outside the matrix");
        self.numbers.at(i + j * self.rows)
    }

    /// Replaces entry `(i, j)` by `x`, rounded to the precision.
    pub fn set(&mut self, i: usize, j: usize, x: MpRef<'_>) {
        assert!(i < self.rows && j < self.cols, "index ({i}, {j}) outside the matrix");
        self.numbers.set(i + j * self.rows, x);
    }

    /// The rows and columns of the ranges.
    pub fn block(&self, rows: Range<usize>, cols: Range<usize>) -> Self {
        let mut numbers = Numbers::new(self.bits());
        cols.clone().for_each(|j| numbers.extend(self.col(j).range(rows.clone())));
        Self { rows: rows.len(), cols: cols.len(), numbers }
    }

    /// Replaces the entries from `(row, col)` on by those of a block of the same precision.
    ///
    /// Panics where the block does not fit or has another precision.
    pub fn set_block(&mut self, row: usize, col: usize, block: &Self) {
        assert!(row + block.rows <= self.rows && col + block.cols <= self.cols, "block");
        assert_eq!(block.bits(), self.bits(), "precision");
        let (words, rows) = (self.bits().words(), self.rows);
        let (heads, significands) = self.numbers.as_mut_slice().into_parts();
        for j in 0..block.cols {
            let (from, start) = (block.col(j), row + (col + j) * rows);
            heads[start..][..block.rows].copy_from_slice(from.heads());
            significands[start * words..][..block.rows * words].copy_from_slice(from.words());
        }
    }

    /// The transpose.
    #[must_use]
    pub fn transposed(&self) -> Self {
        let mut to = Self::zeros(self.bits(), self.cols, self.rows);
        for j in 0..self.cols {
            (0..self.rows).for_each(|i| to.set(j, i, self.at(i, j)));
        }
        to
    }

    /// The matrix whose row `i` is row `order[i]` of this one.
    ///
    /// Panics where a row does not exist.
    #[must_use]
    pub fn with_rows(&self, order: &[usize]) -> Self {
        let mut to = Self::zeros(self.bits(), order.len(), self.cols);
        for j in 0..self.cols {
            order.iter().enumerate().for_each(|(i, &row)| to.set(i, j, self.at(row, j)));
        }
        to
    }

    /// The entries rounded to a precision.
    #[must_use]
    pub fn with_bits(&self, bits: Bits) -> Self {
        let mut to = Self::zeros(bits, self.rows, self.cols);
        for_each(&mut to.numbers_mut().pieces(self.rows.max(1))[..], Grain::ANY, |j, column| {
            (0..column.len()).for_each(|i| column.set(i, self.at(i, j)));
        });
        to
    }

    /// Column `j`.
    pub fn col(&self, j: usize) -> Slice<'_> {
        self.numbers.as_slice().range(j * self.rows..(j + 1) * self.rows)
    }
}

/// Of the same shape and with equal entries, whatever the precisions.
impl PartialEq for Matrix {
    fn eq(&self, b: &Self) -> bool {
        let count = self.numbers.len();
        self.shape() == b.shape() && (0..count).all(|i| self.numbers.at(i) == b.numbers.at(i))
    }
}
