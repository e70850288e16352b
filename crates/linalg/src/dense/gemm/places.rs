//! Which rows and columns of a matrix some are.

use core::ops::Range;

use crate::dense::Triangle;

/// The numbers of some rows and columns of a matrix, each ascending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places<'a> {
    /// Of the rows.
    pub rows: &'a [usize],
    /// Of the columns.
    pub columns: &'a [usize],
}

impl<'a> Places<'a> {
    /// The numbers of some rows and columns, of which some may be beyond the last. An entry is in
    /// the triangle where its number among the first is at most that among the second.
    pub(crate) fn ordered(
        self,
        triangle: Triangle,
        rows: Range<usize>,
        columns: Range<usize>,
    ) -> [&'a [usize]; 2] {
        let [rows, columns] =
            [(self.rows, rows), (self.columns, columns)].map(|(numbers, range)| {
                let count = numbers.len();
                &numbers[range.start.min(count)..range.end.min(count)]
            });
        match triangle {
            Triangle::Lower => [columns, rows],
            Triangle::Upper => [rows, columns],
        }
    }

    /// Those of these rows whose entry in a column is in the matrix's triangle.
    pub(crate) fn of(self, triangle: Triangle, rows: Range<usize>, column: usize) -> Range<usize> {
        let (column, numbers) = (self.columns[column], &self.rows[rows.clone()]);
        match triangle {
            Triangle::Lower => rows.start + numbers.partition_point(|&row| row < column)..rows.end,
            Triangle::Upper => {
                rows.start..rows.start + numbers.partition_point(|&row| row <= column)
            }
        }
    }
}
