//! Elementwise operations: registers of numbers, threads for long vectors.
//!
//! Every number is computed by the arithmetic of `nonius-num` in a lane of its own, so the results are those of
//! [`reference::elementwise`](crate::reference::elementwise) bit for bit, whatever the registers, the layout and the
//! number of threads (NaN may differ in sign and payload, which IEEE 754 leaves open).

// Loops over indices are always inlined; adaptors of iterators are not, and what is not inlined is compiled without the
// level's instructions.
#![allow(clippy::needless_range_loop)]

mod fused;
mod sin_cos;
mod storage;
mod stream;
mod tiled;

use nonius_num::{Dd, Qd, Td};

pub use sin_cos::sin_cos;
pub(crate) use storage::{Sink, Source};

use super::limbs::{limbs_of, limbs_of_mut};
use crate::dense::Operand;
use crate::operation::{Operation, Powi, Select};
use crate::{MatMut, MatRef, Pack, Scalar};

/// Numbers that one thread should have at least, times their limbs: below, handing out work costs more than it saves.
const GRAIN: usize = 1 << 16;

/// Columns with fewer entries than this are copied together first.
const SHORT: usize = 32;

/// Entries that are gathered at a time.
const GATHERED: usize = 1024;

/// Threads receive multiples of this many numbers, so that their cache lines do not meet.
const ALIGNMENT: usize = 64;

/// `output ← x^n`, entry by entry. Panics when the shapes do not fit.
pub fn powi<T: Scalar>(x: MatRef<'_, T>, n: i32, output: MatMut<'_, T>) {
    elementwise(Powi(n), [Operand::Entries(x)], output);
}

/// `output ← operation(operands)`, entry by entry. Panics when the shapes do not fit.
pub fn elementwise<const K: usize, T: Scalar>(
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
    if cols > 1 && rows * cols * T::LIMBS > GRAIN && rayon::current_num_threads() > 1 {
        let middle = cols / 2;
        let half = |col, cols| operands.map(|operand| operand.block(0, col, rows, cols));
        let (left, right) = output.split_cols(middle);
        rayon::join(
            || elementwise(operation, half(0, middle), left),
            || elementwise(operation, half(middle, cols - middle), right),
        );
        return;
    }
    if rows >= SHORT {
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

/// [`elementwise`] for `count` entries in the order of storage, from the first of column `j` on.
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

/// `sink ← operation(sources)` for numbers of so many limbs; the sources that are vectors have the sink's layout.
pub(crate) fn compute<const K: usize>(
    operation: impl Select<K>,
    limbs: usize,
    sources: [Source<'_>; K],
    sink: Sink<'_>,
) {
    operation.run(Job { limbs, sources, sink });
}

/// Copies numbers of so many limbs from one layout to another.
pub(crate) fn transfer(limbs: usize, source: Source<'_>, sink: Sink<'_>) {
    Job { limbs, sources: [source], sink }.fork(GRAIN, &|job: Job<'_, 1>| match job.limbs {
        1 => fused::run_across::<f64, _>(Identity, job.sources[0], job.sink),
        2 => fused::run_across::<Dd, _>(Identity, job.sources[0], job.sink),
        3 => fused::run_across::<Td, _>(Identity, job.sources[0], job.sink),
        _ => fused::run_across::<Qd, _>(Identity, job.sources[0], job.sink),
    });
}

/// What it receives.
#[derive(Clone, Copy)]
struct Identity;

impl Operation<1> for Identity {
    #[inline(always)]
    fn pack<P: Pack>(self, [x]: [P; 1]) -> P {
        x
    }
}

/// See `compute`.
#[derive(Debug)]
pub struct Job<'a, const K: usize> {
    limbs: usize,
    sources: [Source<'a>; K],
    sink: Sink<'a>,
}

impl<const K: usize> Job<'_, K> {
    /// Does the job with an operation of a few instructions.
    pub(crate) fn fused(self, operation: impl Operation<K>) {
        self.fork(GRAIN, &|job: Job<'_, K>| match job.limbs {
            1 => fused::run::<K, f64, _>(operation, job.sources, job.sink),
            2 => fused::run::<K, Dd, _>(operation, job.sources, job.sink),
            3 => fused::run::<K, Td, _>(operation, job.sources, job.sink),
            _ => fused::run::<K, Qd, _>(operation, job.sources, job.sink),
        });
    }

    /// Does the job with an operation of hundreds of instructions.
    pub(crate) fn tiled(self, operation: impl Operation<K>) {
        self.fork(tiled::GRAIN, &|job: Job<'_, K>| match job.limbs {
            1 => tiled::run::<K, f64>(operation, job),
            2 => tiled::run::<K, Dd>(operation, job),
            3 => tiled::run::<K, Td>(operation, job),
            _ => tiled::run::<K, Qd>(operation, job),
        });
    }

    /// Halves long vectors for the threads that are free.
    fn fork(self, grain: usize, work: &(dyn Fn(Job<'_, K>) + Sync)) {
        let length = self.sink.len(self.limbs);
        if length * self.limbs <= grain || rayon::current_num_threads() == 1 {
            return work(self);
        }
        let (left, right) = self.split_at((length / 2).next_multiple_of(ALIGNMENT));
        rayon::join(|| left.fork(grain, work), || right.fork(grain, work));
    }

    fn split_at(self, at: usize) -> (Self, Self) {
        let limbs = self.limbs;
        let halves = self.sources.map(|source| source.split_at(at, limbs));
        let (left, right) = self.sink.split_at(at, limbs);
        (
            Self { limbs, sources: halves.map(|half| half.0), sink: left },
            Self { limbs, sources: halves.map(|half| half.1), sink: right },
        )
    }
}
