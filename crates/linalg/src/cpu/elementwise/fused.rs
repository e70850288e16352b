//! Short operations: numbers go from memory to registers, through the operation and back.

use core::marker::PhantomData;

use nonius_num::Lane;

use super::super::simd::{Kernel, dispatch};
use super::{Sink, Source};
use crate::Scalar;
use crate::operation::Operation;

/// `sink ← operation(sources)` on this thread.
pub(super) fn run<const K: usize, T: Scalar, O: Operation<K>>(
    operation: O,
    sources: [Source<'_>; K],
    sink: Sink<'_>,
) {
    dispatch(Fused { operation, sources, sink, scalar: PhantomData::<T> });
}

struct Fused<'a, O, T, const K: usize> {
    operation: O,
    sources: [Source<'a>; K],
    sink: Sink<'a>,
    scalar: PhantomData<T>,
}

impl<O: Operation<K>, T: Scalar, const K: usize> Kernel for Fused<'_, O, T, K> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(mut self) {
        let length = self.sink.len(T::LIMBS);
        let head = self.sink.unaligned(T::LIMBS, L::LANES);
        let tail = head + (length - head) / L::LANES * L::LANES;
        for at in (head..tail).step_by(L::LANES) {
            // Loops over indices, not closures: what is not inlined here is compiled without the level's instructions.
            let mut operands = [self.sources[0].load::<T::Pack<L>>(at, &self.sink); K];
            for k in 1..K {
                operands[k] = self.sources[k].load::<T::Pack<L>>(at, &self.sink);
            }
            self.sink.store(at, self.operation.pack(operands));
        }
        for (at, count) in [(0, head), (tail, length - tail)] {
            if count > 0 {
                let operands = self
                    .sources
                    .map(|source| source.load_some::<T::Pack<L>>(at, count, &self.sink));
                self.sink.store_some(at, count, self.operation.pack(operands));
            }
        }
    }
}
