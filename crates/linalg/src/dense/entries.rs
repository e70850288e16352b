//! Iteration over a matrix.

use nonius_num::Element;

use super::Matrix;
use crate::Slice;

impl<T: Element> Matrix<T> {
    /// The entries, column by column.
    ///
    /// ```
    /// use nonius_linalg::Matrix;
    ///
    /// let a = Matrix::from_rows([[1.0, 2.0], [3.0, 4.0]]);
    /// assert_eq!(a.iter().sum::<f64>(), 10.0);
    /// assert_eq!(a.columns().map(|x| x.at(1)).collect::<Vec<_>>(), [3.0, 4.0]);
    /// ```
    pub fn iter(&self) -> Entries<'_, T> {
        self.into_iter()
    }

    /// The columns, from the first to the last.
    pub fn columns(&self) -> impl ExactSizeIterator<Item = Slice<'_, T>> {
        (0..self.cols()).map(|j| self.column(j))
    }
}

impl<'a, T: Element> IntoIterator for &'a Matrix<T> {
    type Item = T;
    type IntoIter = Entries<'a, T>;

    /// The entries, column by column.
    fn into_iter(self) -> Entries<'a, T> {
        Entries { matrix: self, next: 0 }
    }
}

/// The entries of a matrix, column by column.
#[derive(Clone, Debug)]
pub struct Entries<'a, T: Element> {
    matrix: &'a Matrix<T>,
    next: usize,
}

impl<T: Element> Iterator for Entries<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        let numbers = self.matrix.numbers();
        let i = self.next;
        (i < numbers.len()).then(|| {
            self.next += 1;
            numbers.at(i)
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.matrix.numbers().len() - self.next;
        (left, Some(left))
    }
}

impl<T: Element> ExactSizeIterator for Entries<'_, T> {}
