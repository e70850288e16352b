//! Diagonals.

use super::csr::Csr;
use super::layout::{Layout, Pattern, Run};
use crate::{Error, Number, Numbers};

/// A sparse matrix by its diagonals: those that have an entry are stored whole. A stored zero is no
/// entry.
///
/// ```
/// use nonius_linalg::sparse::{Dia, spmv};
///
/// let a = Dia::<f64>::diagonal(vec![2.0, 3.0].into());
/// let mut y = [0.0; 2];
/// spmv(&a, &[1.0, 10.0], &mut y)?;
/// assert_eq!(y, [2.0, 30.0]);
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Dia<T: Number> {
    rows: usize,
    cols: usize,
    /// Entries that are not zero.
    entries: usize,
    /// Column minus row of each diagonal, ascending.
    offsets: Vec<i64>,
    /// For each diagonal a number for every row.
    values: Numbers<T>,
}

impl<T: Number> Dia<T> {
    /// The same matrix; entries that are zero leave its pattern.
    ///
    /// # Errors
    /// [`Error::TooLarge`]: rows times diagonals do not fit into memory.
    pub fn from_csr(a: &Csr<T>) -> Result<Self, Error> {
        let (rows, cols) = a.shape();
        let too_large = || Error::TooLarge { rows, cols };
        let terms = |row| a.row(row).filter(|&(at, _)| !a.values().is_zero_at(at));
        let offset = |row: usize, col: usize| col as i64 - row as i64;
        let mut used = vec![false; rows + cols];
        let mut entries = 0;
        for row in 0..rows {
            for (_, col) in terms(row) {
                used[rows + col - row] = true;
                entries += 1;
            }
        }
        let numbered = used.iter().enumerate().filter(|&(_, &used)| used);
        let offsets: Vec<i64> = numbered.map(|(i, _)| i as i64 - rows as i64).collect();
        let count = rows.checked_mul(offsets.len()).ok_or_else(too_large)?;
        let mut values = Numbers::try_zeros(a.values().format(), count).ok_or_else(too_large)?;
        for row in 0..rows {
            for (at, col) in terms(row) {
                if let Ok(k) = offsets.binary_search(&offset(row, col)) {
                    values.copy_of(k * rows + row, a.values(), at);
                }
            }
        }
        Ok(Self { rows, cols, entries, offsets, values })
    }

    /// The diagonal matrix of these numbers.
    pub fn diagonal(values: Numbers<T>) -> Self {
        let rows = values.len();
        let entries = (0..rows).filter(|&i| !values.is_zero_at(i)).count();
        Self { rows, cols: rows, entries, offsets: vec![0], values }
    }
}

impl<T: Number> Layout for Dia<T> {
    type Number = T;

    const GAPLESS: bool = false;

    fn shape(&self) -> (usize, usize) {
        (self.rows, self.cols)
    }

    fn values(&self) -> &Numbers<T> {
        &self.values
    }

    fn entries(&self) -> usize {
        self.entries
    }

    fn pattern(&self) -> Pattern<'_> {
        Pattern::Dia { offsets: &self.offsets }
    }

    #[inline(always)]
    fn steps(&self, _: usize, _: usize) -> usize {
        self.offsets.len()
    }

    #[inline(always)]
    fn term(&self, line: usize, k: usize) -> Option<(usize, usize)> {
        let col = line as i64 + self.offsets[k];
        let at = k * self.rows + line;
        let inside = col >= 0 && col < self.cols as i64;
        if inside && !self.values.is_zero_at(at) { Some((at, col as usize)) } else { None }
    }

    #[inline(always)]
    fn run(&self, line: usize, k: usize, count: usize) -> Option<Run> {
        let first = line as i64 + self.offsets[k];
        let inside = first >= 0 && first + count as i64 <= self.cols as i64;
        let at = k * self.rows + line;
        if inside { Some(Run { at, col: Some(first as usize) }) } else { None }
    }
}
