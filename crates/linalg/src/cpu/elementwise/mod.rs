//! Elementwise operations: registers of numbers, threads for long vectors.
//!
//! Every number is computed by the arithmetic of `nonius-num` in a lane of its own, so the results
//! are those of [`reference::elementwise`](crate::reference::elementwise) bit for bit, whatever the
//! registers, the layout and the number of threads (NaN may differ in sign and payload, which IEEE
//! 754 leaves open).

// Loops over indices are always inlined; adaptors of iterators are not, and what is not inlined is
// compiled without the level's instructions.
#![allow(clippy::needless_range_loop)]

mod fused;
mod job;
mod operation;
mod sin_cos;
mod storage;
mod stream;
mod tiled;
mod transfer;

pub use job::Job;
pub(crate) use operation::Operation;
pub(super) use sin_cos::sin_cos as sin_cos_of_limbs;
pub(crate) use storage::{Sink, Source};
pub(crate) use transfer::transfer;

use self::job::NUMBERS_OF_A_THREAD;
use super::limbs::{limbs_of, limbs_of_mut};
use crate::dense::Operand;
use crate::operation::{Powi, Select};
use crate::threads::{available, join};
use crate::{MatMut, MatRef, Number, Scalar};

/// Columns with fewer entries than this are copied together first.
const SHORT_COLUMN: usize = 32;

/// Entries that are gathered at a time.
const GATHERED: usize = 1024;

/// `output ← operation(operands)`, entry by entry. Panics when the shapes do not fit.
pub fn elementwise<const K: usize, T: Number>(
    operation: impl Select<K>,
    operands: [Operand<T, MatRef<'_, T>>; K],
    output: MatMut<'_, T>,
) {
    T::elementwise(operation, operands, output);
}

/// `output ← x^n`, entry by entry. Panics when the shapes do not fit.
pub fn powi<T: Number>(x: MatRef<'_, T>, n: i32, output: MatMut<'_, T>) {
    T::elementwise(Powi(n), [Operand::Entries(x)], output);
}

/// `sin ← sin x` and `cos ← cos x`, entry by entry. Panics when the shapes do not fit.
pub fn sin_cos<T: Number>(x: MatRef<'_, T>, sin: MatMut<'_, T>, cos: MatMut<'_, T>) {
    T::sin_cos_of_entries(x, sin, cos);
}

/// [`elementwise`] of sums of limbs.
pub(super) fn of_limbs<const K: usize, T: Scalar>(
    operation: impl Select<K>,
    operands: [Operand<T, MatRef<'_, T>>; K],
    mut output: MatMut<'_, T>,
) {
    let (rows, cols) = output.shape();
    let mut contiguous = output.as_ref().is_contiguous();
    for operand in &operands {
        if let Operand::Entries(x) = operand {
            assert_eq!(x.shape(), (rows, cols), "shape of an operand");
            contiguous &= x.is_contiguous();
        }
    }
    if rows == 0 || cols == 0 {
        return;
    }
    if contiguous {
        return compute_run(operation, operands, &mut output, 0, rows * cols);
    }
    if cols > 1 && rows * cols * T::LIMBS > NUMBERS_OF_A_THREAD && available() > 1 {
        let middle = cols / 2;
        let half = |col, cols| operands.map(|operand| operand.block(0, col, rows, cols));
        let (left, right) = output.split_cols(middle);
        join(
            || of_limbs(operation, half(0, middle), left),
            || of_limbs(operation, half(middle, cols - middle), right),
        );
        return;
    }
    if rows >= SHORT_COLUMN {
        return (0..cols).for_each(|j| compute_run(operation, operands, &mut output, j, rows));
    }
    // Columns too short for registers, rows of matrices among them: several are gathered.
    let together = GATHERED / rows;
    for j in (0..cols).step_by(together) {
        let count = together.min(cols - j);
        let mut part = output.reborrow().block_mut(0, j, rows, count);
        let gathered = operands.map(|operand| match operand.block(0, j, rows, count) {
            Operand::Entries(x) => Some(x.to_matrix()),
            _ => None,
        });
        let mut results = part.as_ref().to_matrix();
        let mut sources = operands;
        for (source, entries) in sources.iter_mut().zip(&gathered) {
            if let Some(entries) = entries {
                *source = Operand::Entries(entries.view());
            }
        }
        compute_run(operation, sources, &mut results.view_mut(), 0, rows * count);
        for j in 0..count {
            part.col_mut(j).copy_from_slice(results.col(j));
        }
    }
}

/// [`of_limbs`] for `count` entries in the order of storage, from the first of column `j` on.
fn compute_run<const K: usize, T: Scalar>(
    operation: impl Select<K>,
    operands: [Operand<T, MatRef<'_, T>>; K],
    output: &mut MatMut<'_, T>,
    j: usize,
    count: usize,
) {
    let sources = operands.map(|operand| match operand {
        Operand::Entries(x) => Source::Interleaved(limbs_of(x.run(j, count))),
        Operand::Scalar(x) => Source::constant(x),
        Operand::Output => Source::Sink,
    });
    let sink = Sink::Interleaved(limbs_of_mut(output.run_mut(j, count)));
    compute(operation, T::LIMBS, sources, sink);
}

/// `sink ← operation(sources)` for numbers of `limbs` limbs. Sources that are vectors have the
/// sink's layout.
pub(crate) fn compute<const K: usize>(
    operation: impl Select<K>,
    limbs: usize,
    sources: [Source<'_>; K],
    sink: Sink<'_>,
) {
    operation.run(Job { limbs, sources, sink });
}
