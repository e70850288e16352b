//! Short operations: numbers go from memory to registers, through the operation and back.

// A kernel may read the vector that it writes, which no pair of slices allows.
#![allow(unsafe_code)]

use core::marker::PhantomData;

use nonius_num::{Dd, Lane, Qd, Td};

use super::super::simd::{Kernel, dispatch};
use super::job::NUMBERS_OF_A_THREAD;
use super::storage::LIMBS;
use super::stream::{Buffer, Interleaved, Layout, Planar, Starts};
use super::{Job, Operation, Sink, Source};
use crate::{Pack, Scalar};

impl<const K: usize> Job<'_, K> {
    /// Does the job with an operation of a few instructions.
    pub(crate) fn fused(self, operation: impl Operation<K>) {
        self.fork(NUMBERS_OF_A_THREAD, &|job: Job<'_, K>| match job.limbs {
            1 => run::<K, f64, _>(operation, job.sources, job.sink),
            2 => run::<K, Dd, _>(operation, job.sources, job.sink),
            3 => run::<K, Td, _>(operation, job.sources, job.sink),
            _ => run::<K, Qd, _>(operation, job.sources, job.sink),
        });
    }
}

/// `sink ← operation(sources)` on this thread; the sources that are vectors have the sink's layout.
fn run<const K: usize, T: Scalar, O: Operation<K>>(
    operation: O,
    sources: [Source<'_>; K],
    sink: Sink<'_>,
) {
    match sink {
        Sink::Interleaved(_) => pass::<K, T, O, Interleaved, Interleaved>(operation, sources, sink),
        Sink::Planar(_) => pass::<K, T, O, Planar, Planar>(operation, sources, sink),
    }
}

/// As [`run`] with an operand that is a vector of either layout.
pub(super) fn run_across<T: Scalar, O: Operation<1>>(
    operation: O,
    source: Source<'_>,
    sink: Sink<'_>,
) {
    match (source, &sink) {
        (Source::Interleaved(_), Sink::Planar(_)) => {
            pass::<1, T, O, Interleaved, Planar>(operation, [source], sink);
        }
        (Source::Planar(_), Sink::Interleaved(_)) => {
            pass::<1, T, O, Planar, Interleaved>(operation, [source], sink);
        }
        _ => run::<1, T, O>(operation, [source], sink),
    }
}

fn pass<const K: usize, T: Scalar, O: Operation<K>, From: Layout, To: Layout>(
    operation: O,
    sources: [Source<'_>; K],
    sink: Sink<'_>,
) {
    dispatch(Fused { operation, sources, sink, types: PhantomData::<(T, From, To)> });
}

struct Fused<'a, O, T, const K: usize> {
    operation: O,
    sources: [Source<'a>; K],
    sink: Sink<'a>,
    types: PhantomData<T>,
}

impl<O, T, From, To, const K: usize> Kernel for Fused<'_, O, (T, From, To), K>
where
    O: Operation<K>,
    T: Scalar,
    From: Layout,
    To: Layout,
{
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(mut self) {
        let length = self.sink.len(T::LIMBS);
        let whole = length / L::LANES * L::LANES;
        // Ones are in every function's domain or cheap: registers that are not full compute with
        // them.
        let mut buffers: [Buffer; K] = [[1.0; _]; K];
        let to = To::sink(&mut self.sink);
        let mut from = [[core::ptr::null_mut(); LIMBS]; K];
        // By how much of itself the place moves on: constants stay where they are.
        let mut moves = [1; K];
        for k in 0..K {
            from[k] = match self.sources[k] {
                Source::Constant(x) => {
                    moves[k] = 0;
                    let starts = From::buffer(&mut buffers[k]);
                    let number = T::Pack::<L>::from_limbs(|limb| L::splat(x[limb]));
                    // SAFETY: a buffer holds a register's worth of numbers, and is used by nothing
                    // else now.
                    unsafe { From::store(starts, 0, number) };
                    starts
                }
                Source::Sink => to,
                vector => From::source(vector),
            };
        }
        for at in (0..whole).step_by(L::LANES) {
            // SAFETY: vectors are as long as the sink, and all their numbers before `whole` lie in
            // whole registers; constants fill a buffer. Nothing else reads or writes the sink.
            unsafe {
                let operands = load::<K, T::Pack<L>, From>(from, at, moves);
                To::store(to, at, self.operation.pack(operands));
            }
        }
        let rest = length - whole;
        if rest == 0 {
            return;
        }
        // SAFETY: the vectors' last numbers, from `whole` on, fit into a buffer, which is no part
        // of them.
        unsafe {
            for k in 0..K {
                if moves[k] == 1 {
                    let starts = From::buffer(&mut buffers[k]);
                    From::copy(from[k], whole, starts, 0, T::LIMBS, rest);
                    from[k] = starts;
                }
            }
            let mut result: Buffer = [0.0; _];
            let starts = To::buffer(&mut result);
            To::store(starts, 0, self.operation.pack(load::<K, T::Pack<L>, From>(from, 0, moves)));
            To::copy(starts, 0, to, whole, T::LIMBS, rest);
        }
    }
}

/// A register's worth of each operand, from number `at · moves` on.
///
/// # Safety
/// They lie in the vectors.
#[inline(always)]
unsafe fn load<const K: usize, P: Pack, From: Layout>(
    from: [Starts; K],
    at: usize,
    moves: [usize; K],
) -> [P; K] {
    // SAFETY: by the contract.
    unsafe {
        // A loop over indices, not a closure: what is not inlined here is compiled without the
        // level's instructions.
        let mut operands = [From::load::<P>(from[0], at * moves[0]); K];
        for k in 1..K {
            operands[k] = From::load(from[k], at * moves[k]);
        }
        operands
    }
}
