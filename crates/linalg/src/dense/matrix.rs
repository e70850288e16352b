//! An owned dense matrix.

use core::ops::{Index, IndexMut};

use nonius_num::{Element, Plain, Ring};

use super::{MatMut, MatRef};
use crate::Error;
use crate::numbers::{Numbers, Slice, SliceMut};

/// A dense `rows × cols` matrix, stored column by column without gaps.
///
/// ```
/// use nonius_linalg::Matrix;
/// use nonius_num::Qd;
///
/// let a = Matrix::from_fn(2, 3, |i, j| Qd::from((10 * i + j) as f64));
/// assert_eq!(a.shape(), (2, 3));
/// // Columns lie one after the other.
/// assert_eq!(a.col(1), [1.0, 11.0].map(Qd::from));
/// assert_eq!(a.transposed()[(2, 1)], 12.0);
/// ```
#[derive(Debug)]
pub struct Matrix<T: Element> {
    numbers: Numbers<T>,
    rows: usize,
    cols: usize,
}

impl<T: Element> Clone for Matrix<T> {
    fn clone(&self) -> Self {
        let Self { numbers, rows, cols } = self;
        Self { numbers: numbers.clone(), rows: *rows, cols: *cols }
    }
}

/// Of the same shape and with equal entries, whatever the formats.
impl<T: Element + PartialEq> PartialEq for Matrix<T> {
    fn eq(&self, b: &Self) -> bool {
        self.shape() == b.shape() && self.numbers == b.numbers
    }
}

impl<T: Element> Matrix<T> {
    /// All entries zero.
    pub fn zeros_in(format: T::Format, rows: usize, cols: usize) -> Self {
        Self { numbers: Numbers::zeros(format, rows * cols), rows, cols }
    }

    /// All entries zero, for a shape that comes from outside and may be too large.
    ///
    /// ```
    /// use nonius_linalg::{Error, Matrix};
    ///
    /// let refused = Matrix::<f64>::try_zeros_in((), usize::MAX, 2);
    /// assert!(matches!(refused, Err(Error::TooLarge { .. })));
    /// ```
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn try_zeros_in(format: T::Format, rows: usize, cols: usize) -> Result<Self, Error> {
        let count = rows.checked_mul(cols);
        let numbers = count.and_then(|count| Numbers::try_zeros(format, count));
        numbers.map(|numbers| Self { numbers, rows, cols }).ok_or(Error::TooLarge { rows, cols })
    }

    /// Builds a matrix from its entries `f(row, column)`, rounded to the format.
    ///
    /// ```
    /// use nonius_linalg::Matrix;
    /// use nonius_num::Mp;
    /// use nonius_num::mp::Bits;
    ///
    /// let bits = Bits::new(424)?;
    /// let number = |k: usize| Mp::from_f64(bits, k as f64);
    /// let a = Matrix::from_fn_in(bits, 2, 2, |i, j| number(1) / number(i + j + 1));
    /// assert!(a.at(1, 1).to_string().starts_with(&format!("0.{}", "3".repeat(120))));
    /// # Ok::<(), nonius_num::mp::BitsError>(())
    /// ```
    pub fn from_fn_in(
        format: T::Format,
        rows: usize,
        cols: usize,
        mut f: impl FnMut(usize, usize) -> T,
    ) -> Self {
        let mut numbers = Numbers::with_capacity(format, rows * cols);
        for j in 0..cols {
            (0..rows).for_each(|i| numbers.push(f(i, j)));
        }
        Self { numbers, rows, cols }
    }

    /// Takes `rows · cols` numbers, column by column; `None` where their number differs.
    pub fn from_numbers(rows: usize, cols: usize, numbers: Numbers<T>) -> Option<Self> {
        (rows.checked_mul(cols) == Some(numbers.len())).then_some(Self { numbers, rows, cols })
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

    /// All entries, column by column.
    pub fn numbers(&self) -> &Numbers<T> {
        &self.numbers
    }

    /// All entries, column by column, to be changed.
    pub fn numbers_mut(&mut self) -> SliceMut<'_, T> {
        self.numbers.as_mut_slice()
    }

    /// The entries, column by column.
    pub fn into_numbers(self) -> Numbers<T> {
        self.numbers
    }

    /// Entry `(i, j)`.
    #[inline(always)]
    pub fn at(&self, i: usize, j: usize) -> T {
        self.numbers.at(self.place(i, j))
    }

    /// Replaces entry `(i, j)` by `x`, rounded to the format.
    #[inline(always)]
    pub fn set(&mut self, i: usize, j: usize, x: T) {
        let place = self.place(i, j);
        self.numbers.set(place, x);
    }

    /// Where entry `(i, j)` is stored.
    #[inline(always)]
    pub(crate) fn place(&self, i: usize, j: usize) -> usize {
        assert!(i < self.rows && j < self.cols, "index ({i}, {j}) outside the matrix");
        i + j * self.rows
    }

    /// Column `j`.
    #[inline(always)]
    pub fn column(&self, j: usize) -> Slice<'_, T> {
        self.numbers.as_slice().range(j * self.rows..(j + 1) * self.rows)
    }

    /// Column `j`, to be changed.
    #[inline(always)]
    pub fn column_mut(&mut self, j: usize) -> SliceMut<'_, T> {
        let range = j * self.rows..(j + 1) * self.rows;
        self.numbers.as_mut_slice().range(range)
    }

    /// The whole matrix as a view.
    #[inline(always)]
    pub fn view(&self) -> MatRef<'_, T> {
        MatRef::from_numbers(self.numbers.as_slice(), self.rows, self.cols, self.rows)
    }

    /// The whole matrix as a view through which it can be changed.
    #[inline(always)]
    pub fn view_mut(&mut self) -> MatMut<'_, T> {
        MatMut::from_numbers(self.numbers.as_mut_slice(), self.rows, self.cols, self.rows)
    }

    /// The transpose.
    #[must_use]
    pub fn transposed(&self) -> Self {
        self.view().transposed()
    }
}

impl<T: Plain> Matrix<T> {
    /// Builds a matrix from its entries `f(row, column)`.
    pub fn from_fn(rows: usize, cols: usize, f: impl FnMut(usize, usize) -> T) -> Self {
        Self::from_fn_in((), rows, cols, f)
    }

    /// Takes `rows · cols` entries, column by column; `None` where their number differs.
    ///
    /// ```
    /// use nonius_linalg::Matrix;
    ///
    /// let a = Matrix::from_columns(2, 2, vec![1.0, 2.0, 3.0, 4.0]).unwrap();
    /// assert_eq!((a[(1, 0)], a[(0, 1)]), (2.0, 3.0));
    /// assert!(Matrix::from_columns(2, 2, vec![1.0]).is_none());
    /// ```
    pub fn from_columns(rows: usize, cols: usize, data: Vec<T>) -> Option<Self> {
        Self::from_numbers(rows, cols, data.into())
    }

    /// All entries, column by column.
    pub fn as_slice(&self) -> &[T] {
        self.numbers.plain()
    }

    /// All entries, column by column, to be changed.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        self.numbers.plain_mut()
    }

    /// The entries, column by column.
    pub fn into_columns(self) -> Vec<T> {
        self.numbers.into_vec()
    }

    /// Column `j`.
    #[inline(always)]
    pub fn col(&self, j: usize) -> &[T] {
        self.column(j).cells()
    }

    /// Column `j`, to be changed.
    #[inline(always)]
    pub fn col_mut(&mut self, j: usize) -> &mut [T] {
        self.column_mut(j).plain()
    }

    /// Builds a matrix from its rows.
    ///
    /// ```
    /// use nonius_linalg::Matrix;
    ///
    /// let a = Matrix::from_rows([[1.0, 2.0], [3.0, 4.0]]);
    /// assert_eq!(a[(1, 0)], 3.0);
    /// ```
    pub fn from_rows<const M: usize, const N: usize>(rows: [[T; N]; M]) -> Self {
        Self::from_fn(M, N, |i, j| rows[i][j])
    }

    /// The matrix with `f` applied to every entry.
    ///
    /// ```
    /// use nonius_linalg::Matrix;
    /// use nonius_num::Dd;
    ///
    /// let a = Matrix::from_fn(2, 2, |i, j| (i * 2 + j) as f64);
    /// assert_eq!(a.map(Dd::from).map(|x| x.sqrt()).map(|x| x.to_f64())[(1, 1)], 3.0_f64.sqrt());
    /// ```
    pub fn map<U: Plain>(&self, f: impl FnMut(T) -> U) -> Matrix<U> {
        let numbers: Vec<U> = self.as_slice().iter().copied().map(f).collect();
        Matrix { numbers: numbers.into(), rows: self.rows, cols: self.cols }
    }
}

impl<T: Element> MatRef<'_, T> {
    /// A copy without gaps.
    pub fn to_matrix(&self) -> Matrix<T> {
        let (rows, cols) = self.shape();
        let mut numbers = Numbers::with_capacity(self.format(), rows * cols);
        (0..cols).for_each(|j| numbers.extend(self.column(j)));
        Matrix { numbers, rows, cols }
    }

    /// The transpose.
    #[must_use]
    pub fn transposed(&self) -> Matrix<T> {
        Matrix::from_fn_in(self.format(), self.cols(), self.rows(), |i, j| self.at(j, i))
    }
}

impl<'a, T: Element> From<&'a Matrix<T>> for MatRef<'a, T> {
    fn from(a: &'a Matrix<T>) -> Self {
        a.view()
    }
}

impl<'a, T: Element> From<&'a mut Matrix<T>> for MatMut<'a, T> {
    fn from(a: &'a mut Matrix<T>) -> Self {
        a.view_mut()
    }
}

impl<T: Element + Ring> Matrix<T> {
    /// The identity of order `n`.
    pub fn identity_in(format: T::Format, n: usize) -> Self {
        let mut a = Self::zeros_in(format, n, n);
        (0..n).for_each(|i| a.set(i, i, T::ONE));
        a
    }
}

impl<T: Plain + Ring> Matrix<T> {
    /// All entries zero.
    pub fn zeros(rows: usize, cols: usize) -> Self {
        Self::zeros_in((), rows, cols)
    }

    /// All entries zero, for a shape that comes from outside and may be too large.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn try_zeros(rows: usize, cols: usize) -> Result<Self, Error> {
        Self::try_zeros_in((), rows, cols)
    }

    /// The identity of order `n`.
    pub fn identity(n: usize) -> Self {
        Self::identity_in((), n)
    }
}

impl<T: Plain> Index<(usize, usize)> for Matrix<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, (i, j): (usize, usize)) -> &T {
        &self.as_slice()[self.place(i, j)]
    }
}

impl<T: Plain> IndexMut<(usize, usize)> for Matrix<T> {
    #[inline(always)]
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut T {
        let place = self.place(i, j);
        &mut self.as_mut_slice()[place]
    }
}
