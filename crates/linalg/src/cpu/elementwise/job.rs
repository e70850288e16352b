//! What is to be computed, and how threads share it.

use super::{Sink, Source};
use crate::threads::{available, join};

/// Numbers that one thread should have at least, times their limbs: below, handing out work costs
/// more than it saves.
pub(super) const NUMBERS_OF_A_THREAD: usize = 1 << 16;

/// Threads receive multiples of this many numbers, so that their cache lines do not meet.
const ALIGNMENT: usize = 64;

/// See `compute`.
#[derive(Debug)]
pub struct Job<'a, const K: usize> {
    pub(super) limbs: usize,
    pub(super) sources: [Source<'a>; K],
    pub(super) sink: Sink<'a>,
}

impl<const K: usize> Job<'_, K> {
    /// Halves long vectors for the threads that are free.
    pub(super) fn fork(self, grain: usize, work: &(dyn Fn(Job<'_, K>) + Sync)) {
        let length = self.sink.len(self.limbs);
        if length * self.limbs <= grain || available() == 1 {
            return work(self);
        }
        let (left, right) = self.split_at((length / 2).next_multiple_of(ALIGNMENT));
        join(|| left.fork(grain, work), || right.fork(grain, work));
    }

    pub(super) fn split_at(self, at: usize) -> (Self, Self) {
        let limbs = self.limbs;
        let halves = self.sources.map(|source| source.split_at(at, limbs));
        let (left, right) = self.sink.split_at(at, limbs);
        (
            Self { limbs, sources: halves.map(|half| half.0), sink: left },
            Self { limbs, sources: halves.map(|half| half.1), sink: right },
        )
    }
}
