//! ELLPACK: all rows as long as the longest.

use super::csr::Csr;
use super::layout::{Layout, Pattern, Run};
use crate::{Error, Number, Numbers};

/// A sparse matrix whose terms `k` of all rows lie one after the other, for each `k` below the
/// length of the longest row. Shorter rows are padded with zeros in a column that the row has
/// anyway.
///
/// ```
/// use nonius_linalg::sparse::{Coo, Csr, Ell, Layout, Triplet, spmv};
///
/// let t = |row, col, value| Triplet { row, col, value };
/// let a = Coo::new(2, 2, vec![t(0, 0, 1.0), t(0, 1, 2.0), t(1, 1, 3.0)]).unwrap();
/// let a = Ell::from_csr(&Csr::<f64>::from_coo(a)?)?;
/// assert_eq!((a.entries(), a.values().len()), (3, 4)); // one is padding
/// let mut y = [0.0; 2];
/// spmv(&a, &[1.0, 10.0], &mut y)?;
/// assert_eq!(y, [21.0, 30.0]);
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ell<T: Number> {
    cols: usize,
    /// Entries of each row.
    lengths: Vec<u32>,
    /// Entries of all rows.
    entries: usize,
    columns: Vec<u32>,
    values: Numbers<T>,
}

impl<T: Number> Ell<T> {
    /// The same matrix.
    ///
    /// # Errors
    /// [`Error::TooLarge`]: rows times entries of the longest row do not fit into memory.
    pub fn from_csr(a: &Csr<T>) -> Result<Self, Error> {
        let (rows, cols) = a.shape();
        let too_large = || Error::TooLarge { rows, cols };
        let width = a.longest_row();
        let count = rows.checked_mul(width).ok_or_else(too_large)?;
        let mut values = Numbers::try_zeros(a.values().format(), count).ok_or_else(too_large)?;
        let mut columns = Vec::new();
        columns.try_reserve_exact(count).map_err(|_| too_large())?;
        columns.resize(count, 0);
        let mut lengths = Vec::with_capacity(rows);
        for row in 0..rows {
            let terms = a.row(row);
            lengths.push(terms.len() as u32);
            let mut last = 0;
            for (k, (at, col)) in terms.enumerate() {
                values.copy_of(k * rows + row, a.values(), at);
                columns[k * rows + row] = col as u32;
                last = col as u32;
            }
            (lengths[row] as usize..width).for_each(|k| columns[k * rows + row] = last);
        }
        Ok(Self { cols, lengths, entries: a.entries(), columns, values })
    }
}

impl<T: Number> Layout for Ell<T> {
    type Number = T;

    fn shape(&self) -> (usize, usize) {
        (self.lengths.len(), self.cols)
    }

    fn values(&self) -> &Numbers<T> {
        &self.values
    }

    fn entries(&self) -> usize {
        self.entries
    }

    fn pattern(&self) -> Pattern<'_> {
        Pattern::Ell { lengths: &self.lengths, columns: &self.columns }
    }

    #[inline(always)]
    fn steps(&self, first: usize, count: usize) -> usize {
        let mut most = 0;
        for line in first..first + count {
            most = most.max(self.lengths[line] as usize);
        }
        most
    }

    #[inline(always)]
    fn column(&self, at: usize, _: usize) -> usize {
        self.columns[at] as usize
    }

    #[inline(always)]
    fn term(&self, line: usize, k: usize) -> Option<(usize, usize)> {
        if k < self.lengths[line] as usize {
            let at = k * self.lengths.len() + line;
            Some((at, self.columns[at] as usize))
        } else {
            None
        }
    }

    #[inline(always)]
    fn run(&self, line: usize, k: usize, _: usize) -> Option<Run> {
        Some(Run { at: k * self.lengths.len() + line, col: None })
    }
}
