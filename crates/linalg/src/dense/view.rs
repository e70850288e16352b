//! Borrowed rectangles of column-major storage.
//!
//! Entry `(i, j)` is number `i + j·ld` of those borrowed, `ld >= rows` being the leading dimension.

use nonius_num::{Element, Plain};

use super::Transpose;
use crate::numbers::{Slice, SliceMut};

/// A borrowed rectangle of a matrix, read-only.
///
/// ```
/// use nonius_linalg::Matrix;
///
/// let a = Matrix::from_fn(4, 4, |i, j| (10 * i + j) as f64);
/// let block = a.view().block(1, 2, 2, 2);
/// assert_eq!(block.at(1, 0), 22.0);
/// assert_eq!(block.to_matrix().into_columns(), [12.0, 22.0, 13.0, 23.0]);
/// ```
#[derive(Debug)]
pub struct MatRef<'a, T: Element> {
    numbers: Slice<'a, T>,
    rows: usize,
    cols: usize,
    ld: usize,
}

/// A borrowed rectangle of a matrix that can be changed.
///
/// ```
/// use nonius_linalg::Matrix;
///
/// let mut a = Matrix::<f64>::identity(3);
/// a.view_mut().swap_rows(0, 2);
/// let (left, mut right) = a.view_mut().split_cols(2);
/// right.set(2, 0, left.at(1, 1));
/// assert_eq!(a.as_slice(), [0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0]);
/// ```
#[derive(Debug)]
pub struct MatMut<'a, T: Element> {
    numbers: SliceMut<'a, T>,
    rows: usize,
    cols: usize,
    ld: usize,
}

impl<T: Element> Clone for MatRef<'_, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Element> Copy for MatRef<'_, T> {}

/// Entries that a view of this shape reaches.
fn extent(rows: usize, cols: usize, ld: usize) -> usize {
    if rows == 0 || cols == 0 { 0 } else { (cols - 1) * ld + rows }
}

fn check(length: usize, rows: usize, cols: usize, ld: usize) {
    assert!(ld >= rows || cols <= 1, "leading dimension {ld} is less than the {rows} rows");
    assert!(
        length >= extent(rows, cols, ld),
        "{length} entries do not hold a {rows} × {cols} view"
    );
}

impl<'a, T: Element> MatRef<'a, T> {
    /// A view of numbers; panics when the shape does not fit.
    pub fn from_numbers(numbers: Slice<'a, T>, rows: usize, cols: usize, ld: usize) -> Self {
        check(numbers.len(), rows, cols, ld);
        Self { numbers, rows, cols, ld }
    }

    /// A vector as a matrix of one column.
    pub fn from_vector(numbers: Slice<'a, T>) -> Self {
        Self { numbers, rows: numbers.len(), cols: 1, ld: numbers.len() }
    }

    /// The format of the entries.
    #[inline(always)]
    pub fn format(&self) -> T::Format {
        self.numbers.format()
    }

    /// Number of rows.
    #[inline(always)]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    #[inline(always)]
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// Number of rows and columns.
    #[inline(always)]
    pub fn shape(&self) -> (usize, usize) {
        (self.rows, self.cols)
    }

    /// Leading dimension.
    #[inline(always)]
    pub fn ld(&self) -> usize {
        self.ld
    }

    /// The numbers from the first entry on, of which entry `(i, j)` is number `i + j·ld`.
    #[inline(always)]
    pub(crate) fn numbers(&self) -> Slice<'a, T> {
        self.numbers
    }

    /// Entry `(i, j)`.
    #[inline(always)]
    pub fn at(&self, i: usize, j: usize) -> T {
        debug_assert!(i < self.rows && j < self.cols);
        self.numbers.at(i + j * self.ld)
    }

    /// Entry `(i, j)` of `op(A)`.
    #[inline(always)]
    pub fn at_op(&self, transpose: Transpose, i: usize, j: usize) -> T {
        match transpose {
            Transpose::No => self.at(i, j),
            Transpose::Yes => self.at(j, i),
        }
    }

    /// Column `j`.
    #[inline(always)]
    pub fn column(&self, j: usize) -> Slice<'a, T> {
        assert!(j < self.cols, "column {j} of {}", self.cols);
        let start = if self.rows == 0 { 0 } else { j * self.ld };
        self.numbers.range(start..start + self.rows)
    }

    /// Row `i`, a matrix of one row: a vector with an increment, as BLAS calls it.
    pub fn row(&self, i: usize) -> MatRef<'a, T> {
        self.block(i, 0, 1, self.cols)
    }

    /// A vector of one column as a matrix of one row; any other matrix as it is.
    pub(crate) fn lying(self) -> Self {
        if self.cols == 1 { Self { rows: 1, cols: self.rows, ld: 1, ..self } } else { self }
    }

    /// Whether the columns follow one another without gaps.
    pub(crate) fn is_contiguous(&self) -> bool {
        self.ld == self.rows || self.cols <= 1
    }

    /// All entries, column by column, where the columns follow one another without gaps.
    pub fn contiguous(&self) -> Option<Slice<'a, T>> {
        self.is_contiguous().then(|| self.numbers.range(0..self.rows * self.cols))
    }

    /// The rectangle of `rows × cols` entries whose first is `(row, col)`.
    pub fn block(&self, row: usize, col: usize, rows: usize, cols: usize) -> MatRef<'a, T> {
        assert!(row + rows <= self.rows && col + cols <= self.cols, "block outside the view");
        let start = if rows == 0 || cols == 0 { 0 } else { row + col * self.ld };
        let numbers = self.numbers.range(start..self.numbers.len());
        MatRef { numbers, rows, cols, ld: self.ld }
    }
}

impl<'a, T: Plain> MatRef<'a, T> {
    /// A view of `data`; panics when the shape does not fit.
    pub fn from_parts(data: &'a [T], rows: usize, cols: usize, ld: usize) -> Self {
        Self::from_numbers(data.into(), rows, cols, ld)
    }

    /// A vector as a matrix of one column.
    pub fn from_column(data: &'a [T]) -> Self {
        Self::from_vector(data.into())
    }

    /// Column `j`.
    #[inline(always)]
    pub fn col(&self, j: usize) -> &'a [T] {
        assert!(j < self.cols, "column {j} of {}", self.cols);
        if self.rows == 0 { &[] } else { &self.numbers.cells()[j * self.ld..][..self.rows] }
    }

    /// `count` entries in the order of storage, from the first of column `j` on; they may reach
    /// into later columns.
    pub(crate) fn run(&self, j: usize, count: usize) -> &'a [T] {
        &self.numbers.cells()[j * self.ld..][..count]
    }

    /// All entries, column by column, where the columns follow one another without gaps.
    pub fn as_contiguous(&self) -> Option<&'a [T]> {
        self.contiguous().map(Slice::cells)
    }
}

impl<'a, T: Element> From<Slice<'a, T>> for MatRef<'a, T> {
    /// A vector as a matrix of one column.
    fn from(x: Slice<'a, T>) -> Self {
        Self::from_vector(x)
    }
}

impl<'a, T: Plain> From<&'a [T]> for MatRef<'a, T> {
    /// A vector as a matrix of one column.
    fn from(x: &'a [T]) -> Self {
        Self::from_column(x)
    }
}

impl<'a, T: Plain> From<&'a Vec<T>> for MatRef<'a, T> {
    /// A vector as a matrix of one column.
    fn from(x: &'a Vec<T>) -> Self {
        Self::from_column(x)
    }
}

impl<'a, T: Plain, const N: usize> From<&'a [T; N]> for MatRef<'a, T> {
    /// A vector as a matrix of one column.
    fn from(x: &'a [T; N]) -> Self {
        Self::from_column(x)
    }
}

impl<'a, T: Element> From<SliceMut<'a, T>> for MatMut<'a, T> {
    /// A vector as a matrix of one column.
    fn from(x: SliceMut<'a, T>) -> Self {
        Self::from_vector(x)
    }
}

impl<'a, T: Plain, const N: usize> From<&'a mut [T; N]> for MatMut<'a, T> {
    /// A vector as a matrix of one column.
    fn from(x: &'a mut [T; N]) -> Self {
        Self::from_column(x)
    }
}

impl<'a, T: Plain> From<&'a mut [T]> for MatMut<'a, T> {
    /// A vector as a matrix of one column.
    fn from(x: &'a mut [T]) -> Self {
        Self::from_column(x)
    }
}

impl<'a, T: Plain> From<&'a mut Vec<T>> for MatMut<'a, T> {
    /// A vector as a matrix of one column.
    fn from(x: &'a mut Vec<T>) -> Self {
        Self::from_column(x)
    }
}

impl<'a, T: Element> MatMut<'a, T> {
    /// A view of numbers; panics when the shape does not fit.
    pub fn from_numbers(numbers: SliceMut<'a, T>, rows: usize, cols: usize, ld: usize) -> Self {
        check(numbers.len(), rows, cols, ld);
        Self { numbers, rows, cols, ld }
    }

    /// A vector as a matrix of one column.
    pub fn from_vector(numbers: SliceMut<'a, T>) -> Self {
        let rows = numbers.len();
        Self { numbers, rows, cols: 1, ld: rows }
    }

    /// The format of the entries.
    #[inline(always)]
    pub fn format(&self) -> T::Format {
        self.numbers.format()
    }

    /// Number of rows.
    #[inline(always)]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    #[inline(always)]
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// Number of rows and columns.
    #[inline(always)]
    pub fn shape(&self) -> (usize, usize) {
        (self.rows, self.cols)
    }

    /// Leading dimension.
    #[inline(always)]
    pub fn ld(&self) -> usize {
        self.ld
    }

    /// The same entries, only to be read.
    #[inline(always)]
    pub fn as_ref(&self) -> MatRef<'_, T> {
        MatRef { numbers: self.numbers.as_slice(), rows: self.rows, cols: self.cols, ld: self.ld }
    }

    /// The same view for a shorter time.
    #[inline(always)]
    pub fn reborrow(&mut self) -> MatMut<'_, T> {
        MatMut { numbers: self.numbers.reborrow(), rows: self.rows, cols: self.cols, ld: self.ld }
    }

    /// Entry `(i, j)`.
    #[inline(always)]
    pub fn at(&self, i: usize, j: usize) -> T {
        debug_assert!(i < self.rows && j < self.cols);
        self.numbers.at(i + j * self.ld)
    }

    /// Replaces entry `(i, j)` by `x`, rounded to the format.
    #[inline(always)]
    pub fn set(&mut self, i: usize, j: usize, x: T) {
        debug_assert!(i < self.rows && j < self.cols);
        self.numbers.set(i + j * self.ld, x);
    }

    /// Column `j`.
    #[inline(always)]
    pub fn column_mut(&mut self, j: usize) -> SliceMut<'_, T> {
        assert!(j < self.cols, "column {j} of {}", self.cols);
        let start = if self.rows == 0 { 0 } else { j * self.ld };
        self.numbers.reborrow().range(start..start + self.rows)
    }

    /// The columns of a matrix with rows, one after the other.
    pub(crate) fn into_columns(self) -> Vec<SliceMut<'a, T>> {
        let Self { numbers, rows, cols, ld } = self;
        let columns = numbers.range(0..extent(rows, cols, ld)).pieces(ld.max(1)).into_iter();
        columns.map(|column| column.split_at(rows).0).collect()
    }

    /// Row `i`, a matrix of one row: a vector with an increment, as BLAS calls it.
    pub fn row_mut(self, i: usize) -> MatMut<'a, T> {
        let cols = self.cols;
        self.block_mut(i, 0, 1, cols)
    }

    /// A vector of one column as a matrix of one row; any other matrix as it is.
    pub(crate) fn lying(self) -> Self {
        if self.cols == 1 { Self { rows: 1, cols: self.rows, ld: 1, ..self } } else { self }
    }

    /// The rectangle of `rows × cols` entries whose first is `(row, col)`.
    pub fn block_mut(self, row: usize, col: usize, rows: usize, cols: usize) -> MatMut<'a, T> {
        assert!(row + rows <= self.rows && col + cols <= self.cols, "block outside the view");
        let start = if rows == 0 || cols == 0 { 0 } else { row + col * self.ld };
        let end = self.numbers.len();
        MatMut { numbers: self.numbers.range(start..end), rows, cols, ld: self.ld }
    }

    /// Columns before `col` and from `col` on.
    pub fn split_cols(self, col: usize) -> (MatMut<'a, T>, MatMut<'a, T>) {
        assert!(col <= self.cols, "column {col} of {}", self.cols);
        let middle = (col * self.ld).min(self.numbers.len());
        let (left, right) = self.numbers.split_at(middle);
        (
            MatMut { numbers: left, rows: self.rows, cols: col, ld: self.ld },
            MatMut { numbers: right, rows: self.rows, cols: self.cols - col, ld: self.ld },
        )
    }

    /// Exchanges rows `i` and `k`.
    pub fn swap_rows(&mut self, i: usize, k: usize) {
        if i != k {
            for j in 0..self.cols {
                self.column_mut(j).swap(i, k);
            }
        }
    }

    /// Exchanges columns `j` and `k`.
    pub fn swap_cols(&mut self, j: usize, k: usize) {
        if j != k {
            let (mut left, right) = self.reborrow().split_cols(j.max(k));
            let mut other = left.column_mut(j.min(k));
            let first = right.block_mut(0, 0, other.len(), 1);
            other.swap_with(first.into_numbers().range(0..other.len()));
        }
    }

    /// Replaces all entries by those of a matrix of the same shape and format.
    ///
    /// Panics where these differ.
    pub fn copy_from(&mut self, from: MatRef<'_, T>) {
        assert_eq!(self.shape(), from.shape(), "shape");
        (0..from.cols()).for_each(|j| self.column_mut(j).copy_from(from.column(j)));
    }

    /// The numbers from the first entry on.
    pub fn into_numbers(self) -> SliceMut<'a, T> {
        self.numbers
    }
}

impl<'a, T: Plain> MatMut<'a, T> {
    /// A view of `data`; panics when the shape does not fit.
    pub fn from_parts(data: &'a mut [T], rows: usize, cols: usize, ld: usize) -> Self {
        Self::from_numbers(data.into(), rows, cols, ld)
    }

    /// A vector as a matrix of one column.
    pub fn from_column(data: &'a mut [T]) -> Self {
        Self::from_vector(data.into())
    }

    /// Entry `(i, j)`, to be changed.
    #[inline(always)]
    pub fn at_mut(&mut self, i: usize, j: usize) -> &mut T {
        debug_assert!(i < self.rows && j < self.cols);
        &mut self.numbers.reborrow().plain()[i + j * self.ld]
    }

    /// Column `j`.
    #[inline(always)]
    pub fn col_mut(&mut self, j: usize) -> &mut [T] {
        self.column_mut(j).plain()
    }

    /// Where entry `(0, 0)` lies; as valid for writing as the view.
    pub fn as_mut_ptr(&mut self) -> *mut T {
        self.numbers.reborrow().plain().as_mut_ptr()
    }

    /// `count` entries in the order of storage, from the first of column `j` on; they may reach
    /// into later columns.
    pub(crate) fn run_mut(&mut self, j: usize, count: usize) -> &mut [T] {
        let start = j * self.ld;
        &mut self.numbers.reborrow().plain()[start..][..count]
    }
}
