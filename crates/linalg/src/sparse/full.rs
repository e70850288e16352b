//! All entries.

use super::csr::Csr;
use super::layout::{Layout, Pattern, Run};
use crate::{Error, Number, Numbers};

/// A matrix with all its entries, column by column, for dense systems among the sparse ones.
///
/// ```
/// use nonius_linalg::sparse::{Full, spmv};
///
/// let a = Full::<f64>::from_columns(2, 2, vec![1.0, 3.0, 2.0, 4.0].into()).unwrap();
/// let mut y = [0.0; 2];
/// spmv(&a, &[1.0, 10.0], &mut y)?;
/// assert_eq!(y, [21.0, 43.0]);
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Full<T: Number> {
    rows: usize,
    cols: usize,
    values: Numbers<T>,
}

impl<T: Number> Full<T> {
    /// The matrix of these columns, one after the other; `None` where they have another number of
    /// entries.
    pub fn from_columns(rows: usize, cols: usize, values: Numbers<T>) -> Option<Self> {
        let fits = rows.checked_mul(cols) == Some(values.len());
        fits.then_some(Self { rows, cols, values })
    }

    /// The same matrix.
    ///
    /// # Errors
    /// [`Error::TooLarge`]: rows times columns do not fit into memory.
    pub fn from_csr(a: &Csr<T>) -> Result<Self, Error> {
        let (rows, cols) = a.shape();
        let too_large = || Error::TooLarge { rows, cols };
        let count = rows.checked_mul(cols).ok_or_else(too_large)?;
        let mut values = Numbers::try_zeros(a.values().format(), count).ok_or_else(too_large)?;
        for row in 0..rows {
            for (at, col) in a.row(row) {
                values.copy_of(col * rows + row, a.values(), at);
            }
        }
        Ok(Self { rows, cols, values })
    }
}

impl<T: Number> Layout for Full<T> {
    type Number = T;

    fn shape(&self) -> (usize, usize) {
        (self.rows, self.cols)
    }

    fn values(&self) -> &Numbers<T> {
        &self.values
    }

    fn entries(&self) -> usize {
        self.values.len()
    }

    fn pattern(&self) -> Pattern<'_> {
        Pattern::Full
    }

    #[inline(always)]
    fn steps(&self, _: usize, _: usize) -> usize {
        self.cols
    }

    #[inline(always)]
    fn term(&self, line: usize, k: usize) -> Option<(usize, usize)> {
        Some((k * self.rows + line, k))
    }

    #[inline(always)]
    fn column(&self, _: usize, k: usize) -> usize {
        k
    }

    #[inline(always)]
    fn run(&self, line: usize, k: usize, _: usize) -> Option<Run> {
        Some(Run { at: k * self.rows + line, col: None })
    }
}
