//! Where the entries of a row lie: what products with vectors ask of a format.

use nonius_num::Real;

use crate::{Error, Number, Numbers};

/// A sparse matrix by lines of terms: its rows, in the order in which the format keeps them.
pub trait Layout: Send + Sync {
    /// What the entries are.
    type Number: Number;

    /// Number of rows and columns.
    fn shape(&self) -> (usize, usize);

    /// The stored numbers, padding included.
    fn values(&self) -> &Numbers<Self::Number>;

    /// How many of these are entries.
    fn entries(&self) -> usize;

    /// The terms `k` of the lines `first .. first + count` are those below this number.
    fn steps(&self, first: usize, count: usize) -> usize;

    /// Term `k` of a line: where its value lies, and its column; `None` where the line has no such
    /// term. Columns ascend with `k`.
    fn term(&self, line: usize, k: usize) -> Option<(usize, usize)>;

    /// All terms of a line.
    #[inline(always)]
    fn terms(&self, line: usize) -> Terms<'_, Self> {
        Terms { layout: self, line, next: 0, end: self.steps(line, 1) }
    }

    /// Whether a line without term `k` has none beyond.
    const GAPLESS: bool = true;

    /// The column of the term `k` whose value lies at `at`; any, for a format that knows it only by
    /// the line.
    fn column(&self, at: usize, k: usize) -> usize {
        let _ = (at, k);
        0
    }

    /// 1 where a line has term `k`, else 0.
    #[inline(always)]
    fn is_term(&self, line: usize, k: usize) -> f64 {
        if k < self.steps(line, 1) { 1.0 } else { 0.0 }
    }

    /// Where the values of term `k` of `count` lines lie one after the other. Those of lines
    /// without the term are zero.
    fn run(&self, line: usize, k: usize, count: usize) -> Option<Run> {
        let _ = (line, k, count);
        None
    }

    /// For every row the line that holds it; `None` where lines are rows.
    fn line_of_row(&self) -> Option<&[u32]> {
        None
    }

    /// What the format consists of beside its values, for backends that keep matrices elsewhere.
    fn pattern(&self) -> Pattern<'_>;

    /// `Ok` where every entry is finite.
    ///
    /// # Errors
    /// [`Error::NotFinite`]: the first that is not, row by row.
    fn check_finite(&self, operand: &'static str) -> Result<(), Error> {
        if Self::Number::are_finite(self.values().as_slice()) {
            return Ok(());
        }
        let first = (0..self.shape().0).find_map(|row| {
            let line = self.line_of_row().map_or(row, |lines| lines[row] as usize);
            let (_, col) = self.terms(line).find(|&(at, _)| !self.values().at(at).is_finite())?;
            Some(Error::NotFinite { operand, row, col })
        });
        first.map_or(Ok(()), Err)
    }
}

/// The [terms](Layout::terms) of a line. Compilers may leave the closure of an adaptor a function
/// of its own, which is called for each term; this has none.
#[derive(Debug)]
pub struct Terms<'a, A: ?Sized> {
    layout: &'a A,
    line: usize,
    next: usize,
    end: usize,
}

impl<A: ?Sized> Clone for Terms<'_, A> {
    #[inline(always)]
    fn clone(&self) -> Self {
        let Self { layout, line, next, end } = *self;
        Self { layout, line, next, end }
    }
}

impl<A: Layout + ?Sized> Iterator for Terms<'_, A> {
    type Item = (usize, usize);

    #[inline(always)]
    fn next(&mut self) -> Option<(usize, usize)> {
        while self.next < self.end {
            let term = self.layout.term(self.line, self.next);
            self.next += 1;
            if term.is_some() {
                return term;
            }
        }
        None
    }
}

/// Values that lie one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Where the first lies.
    pub at: usize,
    /// Its column, where that of each next line is the next one.
    pub col: Option<usize>,
}

/// Where the terms of lines lie, by arrays. Rows, columns and lines are counted from 0; values
/// without a term are zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern<'a> {
    /// Compressed rows.
    Csr {
        /// Where each row begins, and where the last ends.
        starts: &'a [usize],
        /// The columns of the values.
        columns: &'a [u32],
    },
    /// ELLPACK: term `k` of row `i` lies at `k·rows + i`.
    Ell {
        /// The terms of each row.
        lengths: &'a [u32],
        /// The columns of the values.
        columns: &'a [u32],
    },
    /// Jagged diagonals: term `k` of line `i` lies at `starts[k] + i`.
    Jad {
        /// Where the terms `k` begin.
        starts: &'a [usize],
        /// The terms of each line.
        lengths: &'a [u32],
        /// The columns of the values.
        columns: &'a [u32],
        /// The line that holds each row.
        lines: &'a [u32],
    },
    /// Diagonals: that of index `k` has row `i` at `k·rows + i`.
    Dia {
        /// Column minus row.
        offsets: &'a [i64],
    },
    /// All entries: term `k` of row `i` lies at `k·rows + i`, in column `k`.
    Full,
}
