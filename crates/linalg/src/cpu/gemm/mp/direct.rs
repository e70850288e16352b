//! Every entry is a sum of products with one rounding: [`Dot`].

use core::ops::Range;

use nonius_num::mp::{Dot, Mp};

use super::entries::{Factors, Scratch};
use super::operand::Operand;
use crate::dense::Transpose;
use crate::mp::{Matrix, Numbers, Slice, SliceMut};
use crate::threads::{Grain, for_each};

/// Words of rows of `op(A)` that are multiplied by one column after the other: 1 MiB, to stay in the second-level cache.
const SECOND_LEVEL_WORDS: usize = 1 << 17;
/// Rows that a thread takes at a time.
const ROWS: usize = 4;

/// `C ← α·op(A)·op(B) + β·C`, for shapes and precisions that fit, with entries and terms.
pub(super) fn multiply(a: Operand<'_>, b: Operand<'_>, factors: &Factors<'_>, c: &mut Matrix) {
    let ((m, _), bits) = (c.shape(), c.bits());
    let (_, k) = a.shape();
    let columns = b.transposed();
    let height = (SECOND_LEVEL_WORDS / (k * bits.words())).clamp(ROWS, 64);
    let mut columns_of_c = c.numbers_mut().pieces(m);
    for first in (0..m).step_by(height) {
        let rows = first..m.min(first + height);
        let a = Lines::of(a, rows.clone());
        for_each(&mut columns_of_c[..], Grain::ANY, |j, c| {
            let b = Lines::of(columns, j..j + 1);
            let (_, c) = c.reborrow().split_at(rows.start);
            let (c, _) = c.split_at(rows.len());
            for_each(&mut c.pieces(ROWS)[..], Grain::ANY, |piece, c| {
                entries(&a, piece * ROWS, b.line(0), factors, c);
            });
        });
    }
}

/// The entries of some rows, from the one that is line `first` of `a`, in the column `b`.
fn entries(a: &Lines<'_>, first: usize, b: Slice<'_>, factors: &Factors<'_>, c: &mut SliceMut<'_>) {
    let bits = b.bits();
    let (mut dot, mut sum, mut scratch) = (Dot::new(bits), Mp::zero(bits), Scratch::new(bits));
    for i in 0..c.len() {
        let a = a.line(first + i);
        sum.set_dot(&mut dot, (a.heads(), a.words()), (b.heads(), b.words()));
        factors.write(sum.view(), c, i, &mut scratch);
    }
}

/// Rows of an operand, each without gaps.
enum Lines<'a> {
    /// Columns of a matrix.
    Borrowed(&'a Matrix, usize),
    Gathered(Numbers, usize),
}

impl<'a> Lines<'a> {
    fn of(operand: Operand<'a>, rows: Range<usize>) -> Self {
        let Operand { transpose, matrix } = operand;
        if transpose == Transpose::Yes {
            return Self::Borrowed(matrix, rows.start);
        }
        let k = matrix.cols();
        let mut numbers = Numbers::zeros(matrix.bits(), rows.len() * k);
        let mut lines = numbers.as_mut_slice().pieces(k);
        for_each(&mut lines[..], Grain::ANY, |i, line| {
            for j in 0..k {
                line.set(j, matrix.at(rows.start + i, j));
            }
        });
        Self::Gathered(numbers, k)
    }

    fn line(&self, i: usize) -> Slice<'_> {
        match self {
            Self::Borrowed(matrix, first) => matrix.col(first + i),
            Self::Gathered(numbers, k) => numbers.as_slice().range(i * k..(i + 1) * k),
        }
    }
}
