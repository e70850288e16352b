//! A matrix as a list of triplets (coordinate form).

use core::ops::AddAssign;

use nonius_num::{Plain, Ring};

use crate::Error;
use crate::Matrix;
use crate::dense::MatRef;

/// The value that belongs at `(row, col)`, both counted from zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triplet<T> {
    /// Row, from zero.
    pub row: usize,
    /// Column, from zero.
    pub col: usize,
    /// Value.
    pub value: T,
}

/// A `rows × cols` matrix as triplets in any order.
///
/// Several triplets may name the same place: its entry is their sum. Places without a triplet are zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Coo<T> {
    rows: usize,
    cols: usize,
    triplets: Vec<Triplet<T>>,
}

impl<T> Coo<T> {
    /// The matrix made of `triplets`; `None` where one lies outside `rows × cols`.
    pub fn new(rows: usize, cols: usize, triplets: Vec<Triplet<T>>) -> Option<Self> {
        triplets.iter().all(|t| t.row < rows && t.col < cols).then_some(Self {
            rows,
            cols,
            triplets,
        })
    }

    /// The same where the caller knows that no triplet lies outside.
    pub(crate) fn from_checked(rows: usize, cols: usize, triplets: Vec<Triplet<T>>) -> Self {
        debug_assert!(triplets.iter().all(|t| t.row < rows && t.col < cols));
        Self { rows, cols, triplets }
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

    /// The triplets, in the order they are kept.
    pub fn triplets(&self) -> &[Triplet<T>] {
        &self.triplets
    }

    /// The triplets, in the order they are kept.
    pub fn into_triplets(self) -> Vec<Triplet<T>> {
        self.triplets
    }
}

impl<T: Plain + Ring> Coo<T> {
    /// The nonzero entries of a dense matrix, column by column.
    pub fn from_dense(a: MatRef<'_, T>) -> Self {
        let mut triplets = Vec::new();
        for col in 0..a.cols() {
            for (row, &value) in a.col(col).iter().enumerate() {
                if value != T::ZERO {
                    triplets.push(Triplet { row, col, value });
                }
            }
        }
        Self { rows: a.rows(), cols: a.cols(), triplets }
    }

    /// The dense matrix; entries named several times are summed in the order of their triplets.
    pub fn to_dense(&self) -> Result<Matrix<T>, Error> {
        let mut a = Matrix::try_zeros(self.rows, self.cols)?;
        for t in &self.triplets {
            a[(t.row, t.col)] += t.value;
        }
        Ok(a)
    }
}

impl<T: Clone + AddAssign> Coo<T> {
    /// The same matrix with its triplets ordered by column, then row, and at most one for each place.
    ///
    /// Triplets of one place are summed in their order. Entries whose value is zero stay: they belong to the
    /// pattern of the matrix.
    #[must_use]
    pub fn sum_duplicates(mut self) -> Self {
        self.triplets.sort_by_key(|t| (t.col, t.row));
        self.triplets.dedup_by(|next, kept| {
            let same = (next.row, next.col) == (kept.row, kept.col);
            if same {
                kept.value += next.value.clone();
            }
            same
        });
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triplet(row: usize, col: usize, value: f64) -> Triplet<f64> {
        Triplet { row, col, value }
    }

    #[test]
    fn repeated_places_are_summed() {
        let a = Coo::new(
            2,
            3,
            vec![triplet(1, 2, 4.0), triplet(0, 0, 1.0), triplet(1, 2, 0.5), triplet(0, 1, 0.0)],
        )
        .unwrap();
        let dense = a.to_dense().unwrap();
        assert_eq!(dense.as_slice(), [1.0, 0.0, 0.0, 0.0, 0.0, 4.5]);
        let summed = a.sum_duplicates();
        assert_eq!(summed.triplets(), [triplet(0, 0, 1.0), triplet(0, 1, 0.0), triplet(1, 2, 4.5)]);
        assert_eq!(Coo::from_dense(dense.view()).triplets().len(), 2);
    }

    #[test]
    fn places_outside_are_refused() {
        assert!(Coo::new(2, 2, vec![triplet(2, 0, 1.0)]).is_none());
        assert!(Coo::new(2, 2, vec![triplet(0, 2, 1.0)]).is_none());
    }

    #[test]
    fn a_dense_form_beyond_memory_is_an_error() {
        let a = Coo::new(usize::MAX, usize::MAX, vec![triplet(5, 7, 1.0)]).unwrap();
        let error = a.to_dense().unwrap_err();
        assert_eq!(error, Error::TooLarge { rows: usize::MAX, cols: usize::MAX });
        let a = Coo::new(1 << 40, 1 << 18, vec![triplet(5, 7, 1.0)]).unwrap();
        assert!(a.to_dense().is_err());
    }
}
