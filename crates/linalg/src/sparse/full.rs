//! All entries.

use super::csr::Csr;
use super::layout::{Layout, Pattern, Run};
use super::values::Values;
use crate::Error;

/// A matrix with all its entries, column by column, for dense systems among the sparse ones.
#[derive(Clone, Debug)]
pub struct Full<V: Values> {
    rows: usize,
    cols: usize,
    values: V,
}

impl<V: Values> Full<V> {
    /// The matrix of these columns, one after the other; `None` where they have another number of entries.
    pub fn from_columns(rows: usize, cols: usize, values: V) -> Option<Self> {
        let fits = rows.checked_mul(cols) == Some(values.count());
        fits.then_some(Self { rows, cols, values })
    }

    /// The same matrix.
    ///
    /// # Errors
    /// [`Error::TooLarge`]: rows times columns do not fit into memory.
    pub fn from_csr(a: &Csr<V>) -> Result<Self, Error> {
        let (rows, cols) = a.shape();
        let too_large = || Error::TooLarge { rows, cols };
        let count = rows.checked_mul(cols).ok_or_else(too_large)?;
        let mut values = V::zeros(a.values().format(), count).ok_or_else(too_large)?;
        for row in 0..rows {
            for (at, col) in a.row(row) {
                values.copy_from(col * rows + row, a.values(), at);
            }
        }
        Ok(Self { rows, cols, values })
    }
}

impl<V: Values> Layout for Full<V> {
    type Values = V;

    fn shape(&self) -> (usize, usize) {
        (self.rows, self.cols)
    }

    fn values(&self) -> &V {
        &self.values
    }

    fn entries(&self) -> usize {
        self.values.count()
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
