//! A matrix as a list of triplets (coordinate form).

use crate::dense::MatRef;
use crate::{Error, Matrix, Number, Numbers};

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
/// Several triplets may name the same place: its entry is their sum. Places without a triplet are
/// zero. Values lie beside their places, in one format.
///
/// ```
/// use nonius_linalg::sparse::{Coo, Triplet};
///
/// let t = |row, col, value| Triplet { row, col, value };
/// let a = Coo::new(2, 2, vec![t(1, 0, 2.0), t(0, 0, 1.0), t(1, 0, 0.5)]).unwrap();
/// assert_eq!(a.to_dense()?.as_slice(), [1.0, 2.5, 0.0, 0.0]);
/// assert_eq!(a.sum_duplicates().places(), [(0, 0), (1, 0)]);
/// assert!(Coo::new(2, 2, vec![t(2, 0, 1.0)]).is_none()); // outside
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Coo<T: Number> {
    rows: usize,
    cols: usize,
    /// Row and column of each value.
    places: Vec<(usize, usize)>,
    values: Numbers<T>,
}

impl<T: Number> Coo<T> {
    /// The matrix made of `triplets`, in the format of the one with most bits; `None` where one
    /// lies outside `rows × cols`.
    pub fn new(rows: usize, cols: usize, triplets: Vec<Triplet<T>>) -> Option<Self> {
        let formats = triplets.iter().map(|t| t.value.format());
        let most = formats.max_by_key(|&format| T::precision(format).bits());
        let mut values = Numbers::with_capacity(most.unwrap_or(T::ZERO.format()), triplets.len());
        let places = triplets.iter().map(|t| (t.row, t.col)).collect();
        triplets.into_iter().for_each(|t| values.push(t.value));
        Self::from_parts(rows, cols, places, values)
    }

    /// The matrix of values and their rows and columns; `None` where one lies outside
    /// `rows × cols`, or there are not as many of both.
    pub fn from_parts(
        rows: usize,
        cols: usize,
        places: Vec<(usize, usize)>,
        values: Numbers<T>,
    ) -> Option<Self> {
        let inside = places.iter().all(|&(row, col)| row < rows && col < cols);
        let fits = inside && places.len() == values.len();
        fits.then_some(Self { rows, cols, places, values })
    }

    /// The same where the caller knows that no value lies outside.
    pub(crate) fn from_checked(
        rows: usize,
        cols: usize,
        places: Vec<(usize, usize)>,
        values: Numbers<T>,
    ) -> Self {
        debug_assert!(places.iter().all(|&(row, col)| row < rows && col < cols));
        debug_assert_eq!(places.len(), values.len());
        Self { rows, cols, places, values }
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

    /// Row and column of each value, in the order they are kept.
    pub fn places(&self) -> &[(usize, usize)] {
        &self.places
    }

    /// The values, in the same order.
    pub fn values(&self) -> &Numbers<T> {
        &self.values
    }

    /// The triplets, in the order they are kept.
    pub fn triplets(&self) -> impl ExactSizeIterator<Item = Triplet<T>> + Clone + '_ {
        let values = self.values.as_slice().iter();
        self.places.iter().zip(values).map(|(&(row, col), value)| Triplet { row, col, value })
    }

    /// Places and values.
    pub(super) fn into_parts(self) -> (Vec<(usize, usize)>, Numbers<T>) {
        (self.places, self.values)
    }

    /// The nonzero entries of a dense matrix, column by column.
    pub fn from_dense(a: MatRef<'_, T>) -> Self {
        let (mut places, mut values) = (Vec::new(), Numbers::new(a.format()));
        for col in 0..a.cols() {
            let column = a.column(col);
            for row in 0..a.rows() {
                if !T::is_zero_cell(column.cells()[row]) {
                    places.push((row, col));
                    values.push(column.at(row));
                }
            }
        }
        Self { rows: a.rows(), cols: a.cols(), places, values }
    }

    /// The dense matrix; entries named several times are summed in the order of their triplets.
    pub fn to_dense(&self) -> Result<Matrix<T>, Error> {
        let mut a = Matrix::try_zeros_in(self.values.format(), self.rows, self.cols)?;
        for (i, &(row, col)) in self.places.iter().enumerate() {
            a.set(row, col, a.at(row, col) + self.values.at(i));
        }
        Ok(a)
    }

    /// The same matrix with its triplets ordered by column, then row, and at most one for each
    /// place.
    ///
    /// Triplets of one place are summed in their order. Entries whose value is zero stay: they
    /// belong to the pattern of the matrix.
    #[must_use]
    pub fn sum_duplicates(self) -> Self {
        let key = |(row, col)| (col, row);
        if self.is_ordered(key) {
            return self;
        }
        let order = (0..self.places.len()).collect();
        self.ordered(order, key)
    }

    /// The same matrix with its triplets ordered by row, then column, and at most one for each
    /// place: as [`sum_duplicates`](Self::sum_duplicates).
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub(super) fn by_rows(self) -> Result<Self, Error> {
        let key = |place| place;
        if self.is_ordered(key) {
            return Ok(self);
        }
        let (rows, cols) = self.shape();
        let (count, mut order) = (self.places.len(), Vec::new());
        order.try_reserve_exact(count).map_err(|_| Error::TooLarge { rows, cols })?;
        order.extend(0..count);
        Ok(self.ordered(order, key))
    }

    /// Whether each place comes before the next.
    fn is_ordered(&self, key: impl Fn((usize, usize)) -> (usize, usize)) -> bool {
        self.places.is_sorted_by(|&one, &next| key(one) < key(next))
    }

    /// The same matrix with its triplets ordered by a key that no two places share, and at most
    /// one for each place: the sum of all, in their order. All triplets stay in their memory;
    /// `order` has their numbers.
    fn ordered(
        mut self,
        mut order: Vec<usize>,
        key: impl Fn((usize, usize)) -> (usize, usize),
    ) -> Self {
        let Self { places, values, .. } = &mut self;
        order.sort_unstable_by_key(|&i| (key(places[i]), i));
        // Each cycle of exchanges ends where it began.
        for start in 0..order.len() {
            let mut at = start;
            while order[at] != start {
                let from = core::mem::replace(&mut order[at], at);
                places.swap(at, from);
                values.as_mut_slice().swap(at, from);
                at = from;
            }
            order[at] = at;
        }
        let mut kept = 0;
        for i in 0..places.len() {
            if kept > 0 && places[kept - 1] == places[i] {
                values.set(kept - 1, values.at(kept - 1) + values.at(i));
            } else {
                places[kept] = places[i];
                values.copy_within(i, kept);
                kept += 1;
            }
        }
        places.truncate(kept);
        values.truncate(kept);
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
        let expected = [triplet(0, 0, 1.0), triplet(0, 1, 0.0), triplet(1, 2, 4.5)];
        assert!(summed.triplets().eq(expected));
        assert_eq!(Coo::from_dense(dense.view()).triplets().len(), 2);
    }

    /// All orders of triplets, three of which name one place: their sum depends on the order.
    #[test]
    fn triplets_are_ordered_in_their_memory() {
        let large = 2.0_f64.powi(60);
        let given = [(0, 1, 2.0), (1, 0, large), (1, 0, 1.0), (1, 0, -large), (0, 0, 8.0)];
        let given = given.map(|(row, col, value)| triplet(row, col, value));
        let count = given.len();
        let mut seen = 0;
        for number in 0..count.pow(5) {
            let order = [1, 5, 25, 125, 625].map(|unit| number / unit % count);
            if !(0..count).all(|i| order.contains(&i)) {
                continue;
            }
            seen += 1;
            let triplets = order.map(|i| given[i]);
            let sum = triplets.iter().filter(|t| t.row == 1).fold(0.0, |sum, t| sum + t.value);
            let a = Coo::new(2, 2, triplets.to_vec()).unwrap();
            let memory = a.values().plain().as_ptr();
            let by_columns = [triplet(0, 0, 8.0), triplet(1, 0, sum), triplet(0, 1, 2.0)];
            assert!(a.clone().sum_duplicates().triplets().eq(by_columns));
            let a = a.by_rows().unwrap();
            assert!(a.triplets().eq([triplet(0, 0, 8.0), triplet(0, 1, 2.0), triplet(1, 0, sum)]));
            assert!(core::ptr::eq(a.values().plain().as_ptr(), memory));
        }
        assert_eq!(seen, 120);
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
