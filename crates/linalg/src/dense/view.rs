//! Borrowed rectangles of column-major storage.
//!
//! Entry `(i, j)` lies at `i + j·ld` of the borrowed slice, `ld >= rows` being the leading dimension.

use super::Transpose;

/// A matrix that is only read.
#[derive(Debug)]
pub struct MatRef<'a, T> {
    data: &'a [T],
    rows: usize,
    cols: usize,
    ld: usize,
}

/// A matrix that is written.
#[derive(Debug)]
pub struct MatMut<'a, T> {
    data: &'a mut [T],
    rows: usize,
    cols: usize,
    ld: usize,
}

impl<T> Clone for MatRef<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for MatRef<'_, T> {}

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

impl<'a, T> MatRef<'a, T> {
    /// A view of `data`; panics when the shape does not fit.
    pub fn from_parts(data: &'a [T], rows: usize, cols: usize, ld: usize) -> Self {
        check(data.len(), rows, cols, ld);
        Self { data, rows, cols, ld }
    }

    /// A vector as a matrix of one column.
    pub fn from_column(data: &'a [T]) -> Self {
        Self { data, rows: data.len(), cols: 1, ld: data.len() }
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

    /// Leading dimension.
    pub fn ld(&self) -> usize {
        self.ld
    }

    /// Column `j`.
    pub fn col(&self, j: usize) -> &'a [T] {
        assert!(j < self.cols, "column {j} of {}", self.cols);
        if self.rows == 0 { &[] } else { &self.data[j * self.ld..j * self.ld + self.rows] }
    }

    /// Row `i`, a matrix of one row: a vector with an increment, as BLAS calls it.
    pub fn row(&self, i: usize) -> MatRef<'a, T> {
        self.block(i, 0, 1, self.cols)
    }

    /// A vector of one column as a matrix of one row; any other matrix as it is.
    pub(crate) fn lying(self) -> Self {
        if self.cols == 1 { Self { rows: 1, cols: self.rows, ld: 1, ..self } } else { self }
    }

    /// `count` entries in the order of storage, from the first of column `j` on; they may reach into later columns.
    pub(crate) fn run(&self, j: usize, count: usize) -> &'a [T] {
        &self.data[j * self.ld..][..count]
    }

    /// Whether the columns follow one another without gaps.
    pub(crate) fn is_contiguous(&self) -> bool {
        self.ld == self.rows || self.cols <= 1
    }

    /// All entries, column by column, where the columns follow one another without gaps.
    pub fn as_contiguous(&self) -> Option<&'a [T]> {
        self.is_contiguous().then(|| self.run(0, self.rows * self.cols))
    }

    /// The rectangle of `rows × cols` entries whose first is `(row, col)`.
    pub fn block(&self, row: usize, col: usize, rows: usize, cols: usize) -> MatRef<'a, T> {
        assert!(row + rows <= self.rows && col + cols <= self.cols, "block outside the view");
        let start = if rows == 0 || cols == 0 { 0 } else { row + col * self.ld };
        MatRef { data: &self.data[start..], rows, cols, ld: self.ld }
    }
}

impl<'a, T> From<&'a [T]> for MatRef<'a, T> {
    /// A vector as a matrix of one column.
    fn from(x: &'a [T]) -> Self {
        Self::from_column(x)
    }
}

impl<'a, T> From<&'a Vec<T>> for MatRef<'a, T> {
    /// A vector as a matrix of one column.
    fn from(x: &'a Vec<T>) -> Self {
        Self::from_column(x)
    }
}

impl<'a, T, const N: usize> From<&'a [T; N]> for MatRef<'a, T> {
    /// A vector as a matrix of one column.
    fn from(x: &'a [T; N]) -> Self {
        Self::from_column(x)
    }
}

impl<'a, T, const N: usize> From<&'a mut [T; N]> for MatMut<'a, T> {
    /// A vector as a matrix of one column.
    fn from(x: &'a mut [T; N]) -> Self {
        Self::from_column(x)
    }
}

impl<'a, T> From<&'a mut [T]> for MatMut<'a, T> {
    /// A vector as a matrix of one column.
    fn from(x: &'a mut [T]) -> Self {
        Self::from_column(x)
    }
}

impl<'a, T> From<&'a mut Vec<T>> for MatMut<'a, T> {
    /// A vector as a matrix of one column.
    fn from(x: &'a mut Vec<T>) -> Self {
        Self::from_column(x)
    }
}

impl<'a, T: Copy> MatRef<'a, T> {
    /// Entry `(i, j)`.
    #[inline(always)]
    pub fn at(&self, i: usize, j: usize) -> T {
        debug_assert!(i < self.rows && j < self.cols);
        self.data[i + j * self.ld]
    }

    /// Entry `(i, j)` of `op(A)`.
    #[inline(always)]
    pub fn at_op(&self, transpose: Transpose, i: usize, j: usize) -> T {
        match transpose {
            Transpose::No => self.at(i, j),
            Transpose::Yes => self.at(j, i),
        }
    }
}

impl<'a, T> MatMut<'a, T> {
    /// A view of `data`; panics when the shape does not fit.
    pub fn from_parts(data: &'a mut [T], rows: usize, cols: usize, ld: usize) -> Self {
        check(data.len(), rows, cols, ld);
        Self { data, rows, cols, ld }
    }

    /// A vector as a matrix of one column.
    pub fn from_column(data: &'a mut [T]) -> Self {
        let rows = data.len();
        Self { data, rows, cols: 1, ld: rows }
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

    /// Leading dimension.
    pub fn ld(&self) -> usize {
        self.ld
    }

    /// The same entries, only to be read.
    pub fn as_ref(&self) -> MatRef<'_, T> {
        MatRef { data: self.data, rows: self.rows, cols: self.cols, ld: self.ld }
    }

    /// The same view for a shorter time.
    pub fn reborrow(&mut self) -> MatMut<'_, T> {
        MatMut { data: self.data, rows: self.rows, cols: self.cols, ld: self.ld }
    }

    /// Column `j`.
    pub fn col_mut(&mut self, j: usize) -> &mut [T] {
        assert!(j < self.cols, "column {j} of {}", self.cols);
        if self.rows == 0 { &mut [] } else { &mut self.data[j * self.ld..j * self.ld + self.rows] }
    }

    /// The columns of a matrix with rows, one after the other.
    pub(crate) fn into_cols(self) -> impl Iterator<Item = &'a mut [T]> {
        let Self { data, rows, cols, ld } = self;
        data.chunks_mut(ld.max(1)).take(cols).map(move |column| &mut column[..rows])
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

    /// Where entry `(0, 0)` lies; as valid for writing as the view.
    pub fn as_mut_ptr(&mut self) -> *mut T {
        self.data.as_mut_ptr()
    }

    /// `count` entries in the order of storage, from the first of column `j` on; they may reach into later columns.
    pub(crate) fn run_mut(&mut self, j: usize, count: usize) -> &mut [T] {
        &mut self.data[j * self.ld..][..count]
    }

    /// The rectangle of `rows × cols` entries whose first is `(row, col)`.
    pub fn block_mut(self, row: usize, col: usize, rows: usize, cols: usize) -> MatMut<'a, T> {
        assert!(row + rows <= self.rows && col + cols <= self.cols, "block outside the view");
        let start = if rows == 0 || cols == 0 { 0 } else { row + col * self.ld };
        MatMut { data: &mut self.data[start..], rows, cols, ld: self.ld }
    }

    /// Columns before `col` and from `col` on.
    pub fn split_cols(self, col: usize) -> (MatMut<'a, T>, MatMut<'a, T>) {
        assert!(col <= self.cols, "column {col} of {}", self.cols);
        let middle = (col * self.ld).min(self.data.len());
        let (left, right) = self.data.split_at_mut(middle);
        (
            MatMut { data: left, rows: self.rows, cols: col, ld: self.ld },
            MatMut { data: right, rows: self.rows, cols: self.cols - col, ld: self.ld },
        )
    }
}

impl<'a, T: Copy> MatMut<'a, T> {
    /// Entry `(i, j)`.
    #[inline(always)]
    pub fn at(&self, i: usize, j: usize) -> T {
        debug_assert!(i < self.rows && j < self.cols);
        self.data[i + j * self.ld]
    }

    /// Entry `(i, j)`, to be changed.
    #[inline(always)]
    pub fn at_mut(&mut self, i: usize, j: usize) -> &mut T {
        debug_assert!(i < self.rows && j < self.cols);
        &mut self.data[i + j * self.ld]
    }

    /// Exchanges rows `i` and `k`.
    pub fn swap_rows(&mut self, i: usize, k: usize) {
        if i != k {
            for j in 0..self.cols {
                self.col_mut(j).swap(i, k);
            }
        }
    }
}
