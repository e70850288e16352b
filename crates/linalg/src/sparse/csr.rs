//! Compressed sparse rows.

use super::coo::{Coo, Triplet};
use super::layout::{Layout, Pattern};
use nonius_num::Element;

use super::values::Values;
use crate::Error;
use crate::mp::Numbers;
use crate::mp::{Bits, Mp};

/// A sparse matrix whose entries lie row by row, by ascending columns in a row; each place once.
#[derive(Clone, Debug)]
pub struct Csr<V: Values> {
    cols: usize,
    /// Where the entries of each row begin; one more says where the last row ends.
    starts: Vec<usize>,
    columns: Vec<u32>,
    values: V,
}

impl<V: Values> Csr<V> {
    /// The matrix of the triplets. Those of one place are summed in their order; entries that are zero stay.
    ///
    /// # Errors
    /// [`Error::TooLarge`], with `2^32` columns and more too.
    pub fn from_coo(format: <V::Item as Element>::Format, a: Coo<V::Item>) -> Result<Self, Error> {
        let (rows, cols) = a.shape();
        let too_large = || Error::TooLarge { rows, cols };
        check_indices(rows, cols)?;
        let mut starts = Vec::new();
        starts.try_reserve_exact(rows + 1).map_err(|_| too_large())?;
        starts.resize(rows + 1, 0);
        let mut triplets = a.sum_duplicates().into_triplets();
        // By column then row from `sum_duplicates`; a stable sort by row keeps the columns ascending.
        triplets.sort_by_key(|t| t.row);
        let mut columns = Vec::new();
        columns.try_reserve_exact(triplets.len()).map_err(|_| too_large())?;
        let mut values = V::zeros(format, triplets.len()).ok_or_else(too_large)?;
        for (i, t) in triplets.iter().enumerate() {
            starts[t.row + 1] = i + 1;
            columns.push(t.col as u32);
            values.put(i, &t.value);
        }
        for row in 0..rows {
            starts[row + 1] = starts[row + 1].max(starts[row]);
        }
        Ok(Self { cols, starts, columns, values })
    }

    /// The entries row by row.
    pub fn to_coo(&self) -> Coo<V::Item> {
        let rows = self.starts.len() - 1;
        let triplets = (0..rows).flat_map(|row| {
            self.row(row).map(move |(at, col)| Triplet { row, col, value: self.values.value(at) })
        });
        Coo::from_checked(rows, self.cols, triplets.collect())
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
                    Ok(place) => self.values.value(start + place) == self.values.value(at),
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

    /// The same pattern with the values that `f` makes of these.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn map<W: Values>(
        &self,
        format: <W::Item as Element>::Format,
        mut f: impl FnMut(V::Item) -> W::Item,
    ) -> Result<Csr<W>, Error> {
        let (rows, cols) = self.shape();
        let mut values =
            W::zeros(format, self.values.count()).ok_or(Error::TooLarge { rows, cols })?;
        (0..self.values.count()).for_each(|i| values.put(i, &f(self.values.value(i))));
        Ok(Csr { cols, starts: self.starts.clone(), columns: self.columns.clone(), values })
    }
}

impl Csr<Vec<f64>> {
    /// The same matrix, exactly, for products with `mp` vectors: its values are numbers of 64 bits.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn to_mp(&self) -> Result<Csr<Numbers>, Error> {
        let bits = Bits::new(64).unwrap_or_else(|_| unreachable!("64 bits are a precision"));
        self.map(bits, |x| Mp::from_f64(bits, x))
    }
}

/// `Ok` where rows and columns have indices of 32 bits.
pub(super) fn check_indices(rows: usize, cols: usize) -> Result<(), Error> {
    let most = u32::MAX as usize;
    if rows < most && cols < most { Ok(()) } else { Err(Error::TooLarge { rows, cols }) }
}

impl<V: Values> Layout for Csr<V> {
    type Values = V;

    fn shape(&self) -> (usize, usize) {
        (self.starts.len() - 1, self.cols)
    }

    fn values(&self) -> &V {
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
