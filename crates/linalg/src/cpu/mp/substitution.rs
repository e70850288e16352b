//! Small triangular systems, entry by entry.
//!
//! **Error.** An entry is what is left of one of `α·B` after a sum of products is subtracted, the
//! sum and the difference rounded once each, times a reciprocal: row by row
//! `|α·B − op(A)·X| <= (n + 5)·u·|op(A)||X|` for order `n` (N. J. Higham, *Accuracy and Stability
//! of Numerical Algorithms*, 2nd ed., Theorem 8.5).

use nonius_num::Mp;

use super::lines::{Divisor, Strided};
use crate::MatMut;
use crate::cpu::substitution::Block;
use crate::dense::{Side, Transpose};
use crate::threads::{Grain, for_each};

/// Entries of a column that a thread takes at a time.
const ROWS: usize = 16;

/// [`substitute`](crate::cpu::kernels::Kernels::substitute).
pub(in crate::cpu) fn substitute(block: Block<'_, Mp>, b: MatMut<'_, Mp>) {
    let (n, bits) = (block.order(), b.format());
    let divisors: Option<Vec<Divisor>> =
        (!block.unit).then(|| (0..n).map(|i| Divisor::new(block.a.entry(i, i), bits)).collect());
    let system = System { block, divisors };
    match system.block.side {
        Side::Left => for_each(&mut b.into_columns()[..], Grain::ANY, |_, column| {
            for i in system.block.steps() {
                let known = system.block.known(i);
                let found = Strided::of(column.as_slice().range(known.clone()));
                let x = system.row(i, known).remainder(column.as_slice().entry(i), found);
                column.put(i, system.divided(i, x).view());
            }
        }),
        Side::Right => {
            let (mut b, rows) = (b, system.block.steps());
            for i in rows {
                let known = system.block.known(i);
                let (found, mut this) = if known.start == 0 {
                    let (found, rest) = b.reborrow().split_cols(i);
                    (found, rest)
                } else {
                    let (rest, found) = b.reborrow().split_cols(i + 1);
                    let last = rest.cols() - 1;
                    (found, rest.split_cols(last).1)
                };
                let (found, factors) = (found.as_ref(), system.row(i, known.clone()));
                let mut pieces = this.column_mut(0).pieces(ROWS);
                for_each(&mut pieces[..], Grain::ANY, |piece, to| {
                    for row in 0..to.len() {
                        let before = Strided::of_row(found, piece * ROWS + row, 0, known.len());
                        let x = factors.remainder(to.as_slice().entry(row), before);
                        to.put(row, system.divided(i, x).view());
                    }
                });
            }
        }
    }
}

/// A triangle with what its diagonal divides by.
struct System<'a> {
    block: Block<'a, Mp>,
    divisors: Option<Vec<Divisor>>,
}

impl System<'_> {
    /// The factors of the unknowns before unknown `i`.
    fn row(&self, i: usize, known: core::ops::Range<usize>) -> Strided<'_> {
        match self.block.transpose {
            Transpose::No => Strided::of_row(self.block.a, i, known.start, known.len()),
            Transpose::Yes => Strided::of_column(self.block.a, known.start, i, known.len()),
        }
    }

    fn divided(&self, i: usize, x: Mp) -> Mp {
        self.divisors.as_ref().map_or(x, |divisors| divisors[i].divide(x.view()))
    }
}
