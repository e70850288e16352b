//! An owned dense matrix.

use core::ops::{Index, IndexMut};

use nonius_num::Ring;

use super::{MatMut, MatRef};
use crate::Error;

/// A dense `rows × cols` matrix, stored column by column without gaps.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix<T> {
    data: Vec<T>,
    rows: usize,
    cols: usize,
}

impl<T: Copy> Matrix<T> {
    /// Builds a matrix from its entries `f(row, column)`.
    pub fn from_fn(rows: usize, cols: usize, mut f: impl FnMut(usize, usize) -> T) -> Self {
        let mut data = Vec::with_capacity(rows * cols);
        for j in 0..cols {
            data.extend((0..rows).map(|i| f(i, j)));
        }
        Self { data, rows, cols }
    }

    /// Takes `rows · cols` entries, column by column; `None` where their number differs.
    pub fn from_columns(rows: usize, cols: usize, data: Vec<T>) -> Option<Self> {
        (rows.checked_mul(cols) == Some(data.len())).then_some(Self { data, rows, cols })
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
    pub fn as_slice(&self) -> &[T] {
        &self.data
    }

    /// All entries, column by column, to be changed.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.data
    }

    /// The entries, column by column.
    pub fn into_columns(self) -> Vec<T> {
        self.data
    }

    /// Column `j`.
    pub fn col(&self, j: usize) -> &[T] {
        &self.data[j * self.rows..(j + 1) * self.rows]
    }

    /// Column `j`, to be changed.
    pub fn col_mut(&mut self, j: usize) -> &mut [T] {
        &mut self.data[j * self.rows..(j + 1) * self.rows]
    }

    /// The whole matrix as a view.
    pub fn view(&self) -> MatRef<'_, T> {
        MatRef::from_parts(&self.data, self.rows, self.cols, self.rows)
    }

    /// The whole matrix as a view through which it can be changed.
    pub fn view_mut(&mut self) -> MatMut<'_, T> {
        MatMut::from_parts(&mut self.data, self.rows, self.cols, self.rows)
    }

    /// The matrix with `f` applied to every entry.
    pub fn map<U: Copy>(&self, f: impl FnMut(T) -> U) -> Matrix<U> {
        Matrix {
            data: self.data.iter().copied().map(f).collect(),
            rows: self.rows,
            cols: self.cols,
        }
    }

    /// The transpose.
    #[must_use]
    pub fn transposed(&self) -> Self {
        Self::from_fn(self.cols, self.rows, |i, j| self[(j, i)])
    }
}

impl<T: Copy> MatRef<'_, T> {
    /// A copy without gaps.
    pub fn to_matrix(&self) -> Matrix<T> {
        let (rows, cols) = self.shape();
        let mut data = Vec::with_capacity(rows * cols);
        (0..cols).for_each(|j| data.extend_from_slice(self.col(j)));
        Matrix { data, rows, cols }
    }
}

impl<'a, T: Copy> From<&'a Matrix<T>> for MatRef<'a, T> {
    fn from(a: &'a Matrix<T>) -> Self {
        a.view()
    }
}

impl<'a, T: Copy> From<&'a mut Matrix<T>> for MatMut<'a, T> {
    fn from(a: &'a mut Matrix<T>) -> Self {
        a.view_mut()
    }
}

impl<T: Ring> Matrix<T> {
    /// All entries zero.
    pub fn zeros(rows: usize, cols: usize) -> Self {
        Self { data: vec![T::ZERO; rows * cols], rows, cols }
    }

    /// All entries zero, for a shape that comes from outside and may be too large.
    pub fn try_zeros(rows: usize, cols: usize) -> Result<Self, Error> {
        let too_large = Error::TooLarge { rows, cols };
        let Some(length) = rows.checked_mul(cols) else { return Err(too_large) };
        let mut data = Vec::new();
        data.try_reserve_exact(length).map_err(|_| too_large)?;
        data.resize(length, T::ZERO);
        Ok(Self { data, rows, cols })
    }

    /// The identity of order `n`.
    pub fn identity(n: usize) -> Self {
        Self::from_fn(n, n, |i, j| if i == j { T::ONE } else { T::ZERO })
    }
}

impl<T> Index<(usize, usize)> for Matrix<T> {
    type Output = T;

    fn index(&self, (i, j): (usize, usize)) -> &T {
        assert!(i < self.rows && j < self.cols, "index ({i}, {j}) outside the matrix");
        &self.data[i + j * self.rows]
    }
}

impl<T> IndexMut<(usize, usize)> for Matrix<T> {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut T {
        assert!(i < self.rows && j < self.cols, "index ({i}, {j}) outside the matrix");
        &mut self.data[i + j * self.rows]
    }
}
