//! An owned dense matrix.

use nonius_num::mp::{Bits, Mp, MpRef};

use super::numbers::{Numbers, Slice, SliceMut};
use crate::Error;

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
