//! Jagged diagonals.

use super::csr::Csr;
use super::layout::{Layout, Pattern, Run};
use crate::{Error, Number, Numbers};

/// A sparse matrix whose rows are ordered by falling length, those of equal length as they were;
/// the terms `k` of the rows that have them lie one after the other.
///
/// ```
/// use nonius_linalg::sparse::{Coo, Csr, Jad, Layout, Triplet, spmv};
///
/// let t = |row, col, value| Triplet { row, col, value };
/// let a = Coo::new(3, 3, vec![t(0, 0, 1.0), t(1, 1, 2.0), t(2, 0, 3.0), t(2, 2, 4.0)]).unwrap();
/// let a = Jad::from_csr(&Csr::<f64>::from_coo(a)?)?;
/// assert_eq!(a.values().len(), 4); // no padding
/// let mut y = [0.0; 3];
/// spmv(&a, &[1.0, 10.0, 100.0], &mut y)?;
/// assert_eq!(y, [1.0, 20.0, 403.0]);
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Jad<T: Number> {
    cols: usize,
    /// Entries of each line.
    lengths: Vec<u32>,
    /// For every row its line.
    lines: Vec<u32>,
    /// Where term `k` of the first line lies.
    starts: Vec<usize>,
    columns: Vec<u32>,
    values: Numbers<T>,
}

impl<T: Number> Jad<T> {
    /// The same matrix.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn from_csr(a: &Csr<T>) -> Result<Self, Error> {
        let (rows, cols) = a.shape();
        let too_large = || Error::TooLarge { rows, cols };
        let count = a.entries();
        let mut values = Numbers::try_zeros(a.values().format(), count).ok_or_else(too_large)?;
        let mut columns = Vec::new();
        columns.try_reserve_exact(count).map_err(|_| too_large())?;
        let mut order: Vec<usize> = (0..rows).collect();
        order.sort_by_key(|&row| core::cmp::Reverse(a.row(row).len()));
        let mut lines = vec![0; rows];
        order.iter().enumerate().for_each(|(line, &row)| lines[row] = line as u32);
        let lengths: Vec<u32> = order.iter().map(|&row| a.row(row).len() as u32).collect();
        let mut starts = Vec::with_capacity(a.longest_row());
        for k in 0..a.longest_row() {
            starts.push(columns.len());
            for &row in order.iter().take_while(|&&row| k < a.row(row).len()) {
                if let Some((at, col)) = a.term(row, k) {
                    values.copy_of(columns.len(), a.values(), at);
                    columns.push(col as u32);
                }
            }
        }
        Ok(Self { cols, lengths, lines, starts, columns, values })
    }
}

impl<T: Number> Layout for Jad<T> {
    type Number = T;

    fn shape(&self) -> (usize, usize) {
        (self.lines.len(), self.cols)
    }

    fn values(&self) -> &Numbers<T> {
        &self.values
    }

    fn entries(&self) -> usize {
        self.columns.len()
    }

    fn pattern(&self) -> Pattern<'_> {
        let Self { starts, lengths, columns, lines, .. } = self;
        Pattern::Jad { starts, lengths, columns, lines }
    }

    #[inline(always)]
    fn steps(&self, first: usize, _: usize) -> usize {
        self.lengths[first] as usize
    }

    #[inline(always)]
    fn column(&self, at: usize, _: usize) -> usize {
        self.columns[at] as usize
    }

    #[inline(always)]
    fn term(&self, line: usize, k: usize) -> Option<(usize, usize)> {
        if k < self.lengths[line] as usize {
            let at = self.starts[k] + line;
            Some((at, self.columns[at] as usize))
        } else {
            None
        }
    }

    #[inline(always)]
    fn run(&self, line: usize, k: usize, count: usize) -> Option<Run> {
        let whole = k < self.lengths[line + count - 1] as usize;
        if whole { Some(Run { at: self.starts[k] + line, col: None }) } else { None }
    }

    fn line_of_row(&self) -> Option<&[u32]> {
        Some(&self.lines)
    }
}
