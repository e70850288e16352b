//! Small triangular systems, solved for many right-hand sides at a time.
//!
//! Right-hand sides lie side by side in registers. Unknown after unknown, the products with those
//! already found are summed by [`Accumulator`], subtracted once, and divided by the diagonal.

use core::ops::Range;

use nonius_num::{Element, Lane};

use super::output::Output;
use super::simd::{Kernel, dispatch};
use super::threads;
use super::workspace::Buffer;
use crate::Scalar;
use crate::accumulate::{Accumulator, Sum};
use crate::dense::{MatMut, MatRef, Side, Transpose};
use crate::scalar::Pack;
use crate::threads::{Grain, for_each_index};

/// A small triangular system: `op(A)·X = B`, or `X·op(A)ᵀ = B`.
#[derive(Clone, Copy)]
pub(super) struct Block<'a, T: Element> {
    pub(super) a: MatRef<'a, T>,
    pub(super) transpose: Transpose,
    /// Whether there are ones on the diagonal, which is not read.
    pub(super) unit: bool,
    /// Whether the triangle of `op(A)` is the lower one; unknowns are found from the first to the
    /// last then.
    pub(super) forward: bool,
    pub(super) side: Side,
}

impl<T: Element> Block<'_, T> {
    pub(super) fn order(&self) -> usize {
        self.a.rows()
    }

    /// The unknowns in the order in which they are found.
    pub(super) fn steps(&self) -> impl Iterator<Item = usize> + use<T> {
        let (n, forward) = (self.order(), self.forward);
        (0..n).map(move |step| if forward { step } else { n - 1 - step })
    }

    /// Those found before one.
    pub(super) fn known(&self, unknown: usize) -> Range<usize> {
        if self.forward { 0..unknown } else { unknown + 1..self.order() }
    }
}

/// [`substitute`](crate::cpu::kernels::Kernels::substitute) for limbs.
pub(super) fn substitute<T: Scalar>(block: Block<'_, T>, b: MatMut<'_, T>) {
    let triangular = Triangular::new(&block);
    Substitution { side: block.side, triangular: &triangular }.solve(b);
}

/// A triangular matrix with its rows and columns in the order of substitution, hence lower
/// triangular.
struct Triangular<T> {
    /// Row after row up to the diagonal, which is not read where it is 1.
    entries: Vec<T>,
    order: usize,
    unit: bool,
    forward: bool,
}

impl<T: Scalar> Triangular<T> {
    fn new(block: &Block<'_, T>) -> Self {
        let &Block { a, transpose, unit, forward, .. } = block;
        let order = a.rows();
        let place = |step| if forward { step } else { order - 1 - step };
        let mut entries = Vec::with_capacity(order * (order + 1) / 2);
        for i in 0..order {
            entries.extend((0..i).map(|l| a.at_op(transpose, place(i), place(l))));
            entries.push(if unit { T::ONE } else { a.at(place(i), place(i)) });
        }
        Self { entries, order, unit, forward }
    }

    /// The entries of row `i` to the left of the diagonal, and the diagonal.
    #[inline(always)]
    fn row(&self, i: usize) -> (&[T], T) {
        let start = i * (i + 1) / 2;
        (&self.entries[start..start + i], self.entries[start + i])
    }

    /// The step at which an unknown is found.
    #[inline(always)]
    fn step(&self, unknown: usize) -> usize {
        if self.forward { unknown } else { self.order - 1 - unknown }
    }
}

/// `B ← op(A)⁻¹·B`, or `B ← B·op(A)⁻¹` with the triangle of `op(A)ᵀ`.
struct Substitution<'a, T> {
    side: Side,
    triangular: &'a Triangular<T>,
}

/// Right-hand sides that one task solves for; a multiple of what fits the registers.
const RIGHTS: usize = 256;

impl<T: Scalar> Substitution<'_, T> {
    fn solve(&self, b: MatMut<'_, T>) {
        let rights = if self.side == Side::Left { b.cols() } else { b.rows() };
        let b = &Output::new(b);
        let solve = |task: usize| {
            let start = task * RIGHTS;
            let rights = start..rights.min(start + RIGHTS);
            dispatch(Task { triangular: self.triangular, side: self.side, rights, b });
        };
        let order = self.triangular.order;
        let threads = threads::worth::<T>((), (order * order / 2).saturating_mul(rights));
        let grain = if threads == 1 { Grain::WHOLE } else { Grain::Single };
        for_each_index(rights.div_ceil(RIGHTS), grain, solve);
    }
}

/// Some of the right-hand sides.
struct Task<'a, T> {
    triangular: &'a Triangular<T>,
    side: Side,
    rights: Range<usize>,
    /// No other thread has these right-hand sides.
    b: &'a Output<'a, T>,
}

impl<T: Scalar> Kernel for Task<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(self) {
        // As many registers side by side as it takes to hide the latency of one sum.
        match T::LIMBS {
            1 => self.solve::<1, L, 4>(),
            2 => self.solve::<2, L, 2>(),
            3 => self.solve::<3, L, 1>(),
            _ => self.solve::<4, L, 1>(),
        }
    }
}

impl<T: Scalar> Task<'_, T> {
    #[inline(always)]
    fn solve<const N: usize, L: Lane, const WIDTH: usize>(self) {
        let width = WIDTH * L::LANES;
        let mut buffer = Buffer::new(self.triangular.order * N * width);
        for first in self.rights.clone().step_by(width) {
            let rights = first..self.rights.end.min(first + width);
            self.read::<N>(&rights, width, &mut buffer);
            for step in 0..self.triangular.order {
                self.find::<N, L, WIDTH>(step, &rights, &mut buffer);
            }
            self.write::<N>(&rights, width, &buffer);
        }
    }

    /// Finds one unknown of every right-hand side. The buffer holds the unknowns' limbs in planes:
    /// `[step][limb][right]`.
    #[inline(always)]
    fn find<const N: usize, L: Lane, const WIDTH: usize>(
        &self,
        step: usize,
        rights: &Range<usize>,
        buffer: &mut [f64],
    ) {
        let width = WIDTH * L::LANES;
        let (found, this) = buffer.split_at_mut(step * N * width);
        let (row, pivot) = self.triangular.row(step);
        let mut sums = [Accumulator::<N, L>::new(); WIDTH];
        for (k, (x, planes)) in row.iter().zip(found.chunks_exact(N * width)).enumerate() {
            let x = core::array::from_fn(|l| L::splat(x.limb(l)));
            for (w, sum) in sums.iter_mut().enumerate() {
                if N > 1 && k > 0 && k.is_multiple_of(Accumulator::<N, L>::PERIOD) {
                    sum.carry();
                }
                let place = |l: usize| l * width + w * L::LANES;
                sum.add_product(x, core::array::from_fn(|l| L::load(&planes[place(l)..])));
            }
        }
        for (w, sum) in sums.iter().enumerate() {
            let place = |l: usize| l * width + w * L::LANES;
            let mut sum = sum.normalized();
            if !sum[0].all_finite() {
                sum = self.recompute(sum, row, found, rights.len(), (width, w * L::LANES));
            }
            let mut x = T::Pack::<L>::from_limbs(|l| L::load(&this[place(l)..]));
            x = x - T::Pack::<L>::from_limbs(|l| sum[l]);
            if !self.triangular.unit {
                x = x / T::Pack::<L>::from_limbs(|l| L::splat(pivot.limb(l)));
            }
            for l in 0..N {
                x.limb(l).store(&mut this[place(l)..]);
            }
        }
    }

    /// Replaces sums that are not finite, whose lower limbs carry no meaning, by those of the
    /// operators.
    #[cold]
    #[inline(never)]
    fn recompute<const N: usize, L: Lane>(
        &self,
        sums: [L; N],
        row: &[T],
        found: &[f64],
        count: usize,
        (width, first): (usize, usize),
    ) -> [L; N] {
        let mut lanes = [[0.0; 8]; N];
        for i in 0..L::LANES {
            let mut sum = T::from_limbs(|l| sums[l].lane(i));
            if first + i < count && !sum.is_finite() {
                sum = T::ZERO;
                for (x, planes) in row.iter().zip(found.chunks_exact(N * width)) {
                    sum += *x * T::from_limbs(|l| planes[l * width + first + i]);
                }
            }
            for (l, lanes) in lanes.iter_mut().enumerate() {
                lanes[i] = sum.limb(l);
            }
        }
        lanes.map(|limbs| L::from_fn(|i| limbs[i]))
    }

    /// Brings the right-hand sides into the buffer; numbers beyond the last are zeros.
    #[inline(always)]
    fn read<const N: usize>(&self, rights: &Range<usize>, width: usize, to: &mut [f64]) {
        if rights.len() < width {
            to.fill(0.0);
        }
        self.each::<N>(rights, width, |right, place, x| {
            for l in 0..N {
                to[place + l * width + right] = x.limb(l);
            }
        });
    }

    #[inline(always)]
    fn write<const N: usize>(&self, rights: &Range<usize>, width: usize, from: &[f64]) {
        self.each::<N>(rights, width, |right, place, x| {
            *x = T::from_limbs(|l| from[place + l * width + right]);
        });
    }

    /// Calls `work` with every unknown of the right-hand sides, these counted from 0, and with the
    /// place of the unknown's planes in the buffer. Goes through `B` in the order of its memory.
    #[inline(always)]
    #[allow(unsafe_code)]
    fn each<const N: usize>(
        &self,
        rights: &Range<usize>,
        width: usize,
        mut work: impl FnMut(usize, usize, &mut T),
    ) {
        let order = self.triangular.order;
        match self.side {
            Side::Left => {
                for (right, j) in rights.clone().enumerate() {
                    // SAFETY: threads have disjoint right-hand sides, and this piece is the only
                    // one of this thread that lives now.
                    let column = unsafe { self.b.column(j, 0..order) };
                    for (unknown, x) in column.iter_mut().enumerate() {
                        work(right, self.triangular.step(unknown) * N * width, x);
                    }
                }
            }
            Side::Right => {
                for unknown in 0..order {
                    // SAFETY: as above.
                    let column = unsafe { self.b.column(unknown, rights.clone()) };
                    let place = self.triangular.step(unknown) * N * width;
                    for (right, x) in column.iter_mut().enumerate() {
                        work(right, place, x);
                    }
                }
            }
        }
    }
}
