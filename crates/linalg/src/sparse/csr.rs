//! Compressed sparse rows.

use super::coo::Coo;
use super::layout::{Layout, Pattern};
use crate::{Error, Number, Numbers};

/// A sparse matrix whose entries lie row by row, by ascending columns in a row; each place once.
///
/// ```
/// use nonius_linalg::Matrix;
/// use nonius_linalg::sparse::{Coo, Csr, Layout};
///
/// let dense = Matrix::from_fn(3, 3, |i, j| if i == j || i == 0 { 1.0 } else { 0.0 });
/// let a = Csr::from_coo(Coo::from_dense(dense.view()))?;
/// assert_eq!((a.entries(), a.longest_row()), (5, 3));
/// let columns: Vec<usize> = a.row(0).map(|(_, column)| column).collect();
/// assert_eq!(columns, [0, 1, 2]);
/// assert!(a.check_symmetric().is_err());
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Csr<T: Number> {
    cols: usize,
    /// Where the entries of each row begin; one more says where the last row ends.
    starts: Vec<usize>,
    columns: Vec<u32>,
    values: Numbers<T>,
}

impl<T: Number> Csr<T> {
    /// The matrix of the triplets. Those of one place are summed in their order. Entries that are
    /// zero stay.
    ///
    /// # Errors
    /// [`Error::TooLarge`], with `2^32` columns and more too.
    pub fn from_coo(a: Coo<T>) -> Result<Self, Error> {
        let (rows, cols) = a.shape();
        let too_large = || Error::TooLarge { rows, cols };
        check_indices(rows, cols)?;
        let mut starts = Vec::new();
        starts.try_reserve_exact(rows + 1).map_err(|_| too_large())?;
        starts.resize(rows + 1, 0);
        let (places, values) = a.by_rows()?.into_parts();
        let mut columns = Vec::new();
        columns.try_reserve_exact(places.len()).map_err(|_| too_large())?;
        for (i, &(row, col)) in places.iter().enumerate() {
            starts[row + 1] = i + 1;
            columns.push(col as u32);
        }
        for row in 0..rows {
            starts[row + 1] = starts[row + 1].max(starts[row]);
        }
        Ok(Self { cols, starts, columns, values })
    }

    /// The entries row by row.
    pub fn to_coo(&self) -> Coo<T> {
        let rows = self.starts.len() - 1;
        let places = (0..rows).flat_map(|row| self.row(row).map(move |(_, col)| (row, col)));
        Coo::from_checked(rows, self.cols, places.collect(), self.values.clone())
    }

    /// The entries of a row: where each value lies, and its column.
    pub fn row(&self, row: usize) -> impl ExactSizeIterator<Item = (usize, usize)> + Clone + '_ {
        let (start, end) = (self.starts[row], self.starts[row + 1]);
        (start..end).map(|at| (at, self.columns[at] as usize))
    }

    /// Entries in the longest row.
    pub fn longest_row(&self) -> usize {
        self.starts.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0)
    }

    /// Where the value on the diagonal of a row lies, if there is one.
    pub fn diagonal(&self, row: usize) -> Option<usize> {
        self.row(row).find(|&(_, col)| col == row).map(|(at, _)| at)
    }

    /// `Ok` for a symmetric matrix; the values of the pattern count, not the pattern itself.
    ///
    /// # Errors
    /// [`Error::NotSquare`], [`Error::NotSymmetric`].
    pub fn check_symmetric(&self) -> Result<(), Error> {
        Error::check_square(self.shape())?;
        for row in 0..self.shape().0 {
            for (at, col) in self.row(row) {
                let (start, end) = (self.starts[col], self.starts[col + 1]);
                let image = self.columns[start..end].binary_search(&(row as u32));
                let mirrored = match image {
                    Ok(place) => self.values.at(start + place) == self.values.at(at),
                    Err(_) => self.values.is_zero_at(at),
                };
                if !mirrored {
                    let (row, col) = (row.max(col), row.min(col));
                    return Err(Error::NotSymmetric { row, col });
                }
            }
        }
        Ok(())
    }

    /// The same pattern with the values that `f` makes of these, in a format.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn map<U: Number>(
        &self,
        format: U::Format,
        mut f: impl FnMut(T) -> U,
    ) -> Result<Csr<U>, Error> {
        let (rows, cols) = self.shape();
        let zeros = Numbers::try_zeros(format, self.values.len());
        let mut values = zeros.ok_or(Error::TooLarge { rows, cols })?;
        (0..self.values.len()).for_each(|i| values.set(i, f(self.values.at(i))));
        Ok(Csr { cols, starts: self.starts.clone(), columns: self.columns.clone(), values })
    }
}

impl Csr<f64> {
    /// The same matrix with numbers of a format, rounded to it where it has fewer bits than an
    /// `f64`.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn to_format<T: Number>(&self, format: T::Format) -> Result<Csr<T>, Error> {
        self.map(format, |x| T::from_f64(x))
    }
}

/// `Ok` where rows and columns have indices of 32 bits.
pub(super) fn check_indices(rows: usize, cols: usize) -> Result<(), Error> {
    let most = u32::MAX as usize;
    if rows < most && cols < most { Ok(()) } else { Err(Error::TooLarge { rows, cols }) }
}

impl<T: Number> Layout for Csr<T> {
    type Number = T;

    fn shape(&self) -> (usize, usize) {
        (self.starts.len() - 1, self.cols)
    }

    fn values(&self) -> &Numbers<T> {
        &self.values
    }

    fn entries(&self) -> usize {
        self.columns.len()
    }

    fn pattern(&self) -> Pattern<'_> {
        Pattern::Csr { starts: &self.starts, columns: &self.columns }
    }

    #[inline(always)]
    fn steps(&self, first: usize, count: usize) -> usize {
        let mut most = 0;
        for line in first..first + count {
            most = most.max(self.starts[line + 1] - self.starts[line]);
        }
        most
    }

    #[inline(always)]
    fn column(&self, at: usize, _: usize) -> usize {
        self.columns[at] as usize
    }

    #[inline(always)]
    fn term(&self, line: usize, k: usize) -> Option<(usize, usize)> {
        let at = self.starts[line] + k;
        if at < self.starts[line + 1] { Some((at, self.columns[at] as usize)) } else { None }
    }
}
