//! Every entry is a sum of products with one rounding: [`Dot`].

use core::ops::Range;

use nonius_num::mp::{Dot, Mp};

use super::entries::{Scales, Scratch};
use super::{Operand, Part};
use crate::dense::Transpose;
use crate::threads::{Grain, for_each};
use crate::{MatMut, MatRef, Numbers, Slice, SliceMut};

/// Words of rows of `op(A)` that are multiplied by one column after the other: 1 MiB, to stay in
/// the second-level cache.
const SECOND_LEVEL_WORDS: usize = 1 << 17;
/// Rows that a thread takes at a time.
const ROWS: usize = 4;

/// `C ← α·op(A)·op(B) + β·C` on a part of `C`, for shapes that fit, with entries and terms. Sums
/// have the bits of `C`.
pub(super) fn multiply(
    a: Operand<'_, Mp>,
    b: Operand<'_, Mp>,
    scales: &Scales,
    part: Part<'_>,
    c: MatMut<'_, Mp>,
) {
    let ((m, _), bits) = (c.shape(), c.format());
    let (_, k) = a.shape();
    let columns = b.transposed();
    let height = (SECOND_LEVEL_WORDS / (k * bits.words())).clamp(ROWS, 64);
    let mut columns_of_c = c.into_columns();
    for first in (0..m).step_by(height) {
        let rows = first..m.min(first + height);
        let a = Lines::of(a, rows.clone());
        for_each(&mut columns_of_c[..], Grain::ANY, |j, c| {
            let wanted = part.of(rows.clone(), j);
            if wanted.is_empty() {
                return;
            }
            let b = Lines::of(columns, j..j + 1);
            let from = wanted.start - rows.start;
            let c = c.reborrow().range(wanted);
            for_each(&mut c.pieces(ROWS)[..], Grain::ANY, |piece, c| {
                entries(&a, from + piece * ROWS, b.line(0), scales, c);
            });
        });
    }
}

/// The entries of some rows, from the one that is line `first` of `a`, in the column `b`.
fn entries(
    a: &Lines<'_>,
    first: usize,
    b: Slice<'_, Mp>,
    scales: &Scales,
    c: &mut SliceMut<'_, Mp>,
) {
    let bits = c.format();
    let (mut dot, mut sum, mut scratch) = (Dot::new(bits), Mp::zero(bits), Scratch::new(bits));
    for i in 0..c.len() {
        sum.set_dot(&mut dot, a.line(first + i).parts(), b.parts());
        scales.write(sum.view(), c, i, &mut scratch);
    }
}

/// Rows of an operand, each without gaps.
enum Lines<'a> {
    /// Columns of a matrix.
    Borrowed(MatRef<'a, Mp>, usize),
    Gathered(Numbers<Mp>, usize),
}

impl<'a> Lines<'a> {
    fn of(operand: Operand<'a, Mp>, rows: Range<usize>) -> Self {
        let Operand { transpose, matrix } = operand;
        if transpose == Transpose::Yes {
            return Self::Borrowed(matrix, rows.start);
        }
        let k = matrix.cols();
        let mut numbers = Numbers::zeros(matrix.format(), rows.len() * k);
        let mut lines = numbers.as_mut_slice().pieces(k);
        for_each(&mut lines[..], Grain::ANY, |i, line| {
            for j in 0..k {
                line.put(j, matrix.entry(rows.start + i, j));
            }
        });
        Self::Gathered(numbers, k)
    }

    fn line(&self, i: usize) -> Slice<'_, Mp> {
        match self {
            Self::Borrowed(matrix, first) => matrix.column(first + i),
            Self::Gathered(numbers, k) => numbers.as_slice().range(i * k..(i + 1) * k),
        }
    }
}
