//! Thomas's method for as many systems at a time as a register has lanes, with the bits of one by
//! one.

// Loops over indices are always inlined; adaptors of iterators are not, and what is not inlined is
// compiled without the level's instructions.
#![allow(clippy::needless_range_loop)]

use nonius_num::Lane;

use super::output::Output;
use crate::cpu::simd::Kernel;
use crate::tridiag::{Batch, Group, Number, Order};
use crate::{Element, Slice};

/// Some systems of a batch. Returns those whose solution is not finite.
pub(super) struct Thomas<'a, T: Element> {
    batch: &'a Batch<'a, T>,
    first: usize,
    count: usize,
    output: &'a Output<'a, T>,
}

impl<'a, T: Number> Thomas<'a, T> {
    /// # Safety
    /// Nobody else reads or writes the solutions of these systems until this has run.
    pub(super) unsafe fn new(
        batch: &'a Batch<'a, T>,
        first: usize,
        count: usize,
        output: &'a Output<'a, T>,
    ) -> Self {
        Self { batch, first, count, output }
    }
}

impl<T: Number> Kernel for Thomas<'_, T> {
    type Output = Vec<usize>;

    #[inline(always)]
    fn run<L: Lane>(self) -> Vec<usize> {
        let zero = T::Group::<L>::from_fn(|_| T::ZERO);
        let mut rows = vec![(zero, zero); self.batch.size()];
        let mut unsolved = Vec::new();
        let mut done = 0;
        while done < self.count {
            let lanes = T::Group::<L>::LANES.min(self.count - done);
            self.group::<T::Group<L>>(self.first + done, lanes, &mut rows, &mut unsolved);
            done += lanes;
        }
        unsolved
    }
}

impl<T: Number> Thomas<'_, T> {
    /// Entry `i` of systems from `s` on; lanes without a system have that of the last.
    #[inline(always)]
    fn load<G: Group<Number = T>>(
        &self,
        from: Slice<'_, T>,
        s: usize,
        lanes: usize,
        i: usize,
    ) -> G {
        let batch = self.batch;
        if batch.order() == Order::Interleaved && lanes == G::LANES {
            let first = batch.index(s, i);
            G::load(from.range(first..first + G::LANES))
        } else {
            G::from_fn(|lane| {
                from.at(batch.index(s + if lane < lanes { lane } else { lanes - 1 }, i))
            })
        }
    }

    #[inline(always)]
    fn group<G: Group<Number = T>>(
        &self,
        s: usize,
        lanes: usize,
        rows: &mut [(G, G)],
        unsolved: &mut Vec<usize>,
    ) {
        let batch = self.batch;
        let one = G::from_fn(|_| T::ONE);
        let w = one / self.load::<G>(batch.diagonal, s, lanes, 0);
        let mut q = self.load::<G>(batch.upper, s, lanes, 0) * w;
        let mut r = self.load::<G>(batch.right, s, lanes, 0) * w;
        rows[0] = (q, r);
        for i in 1..rows.len() {
            let lower = -self.load::<G>(batch.lower, s, lanes, i);
            let w = one / lower.fused(q, self.load(batch.diagonal, s, lanes, i));
            q = self.load::<G>(batch.upper, s, lanes, i) * w;
            r = lower.fused(r, self.load(batch.right, s, lanes, i)) * w;
            rows[i] = (q, r);
        }
        let mut x = r;
        let mut finite = [true; 16];
        for i in (0..rows.len()).rev() {
            let (q, r) = rows[i];
            if i + 1 < rows.len() {
                x = (-q).fused(x, r);
            }
            for lane in 0..lanes {
                let x = x.number(lane);
                finite[lane] &= x.is_finite();
                // SAFETY: that of `new`.
                unsafe { self.output.write(batch.index(s + lane, i), x) };
            }
        }
        for lane in 0..lanes {
            if !finite[lane] {
                unsolved.push(s + lane);
            }
        }
    }
}
