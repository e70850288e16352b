//! What becomes of the integers of which a product consists.

use core::ops::Range;

use nonius_num::Lane;
use nonius_num::rns::Crt;

use super::layout::ROWS;
use crate::Scalar;
use crate::cpu::gemm::entries::Entries;
use crate::cpu::simd::{Kernel, dispatch};
use crate::scalar::Pack;

/// Takes the entries of a product of integers, in any order. Threads have disjoint entries.
pub(in crate::cpu) trait Sink: Sync {
    /// What a thread keeps from one call to the next.
    type Room: Send;

    fn room(&self) -> Self::Room;

    /// Takes the entries of at most [`ROWS`] rows of a column: for the `i`-th row
    /// `Σ digits[d·ROWS + i]·2^(48d)`, with balanced digits as [`Crt::digits`] makes them. The
    /// digits may be overwritten.
    fn write(&self, room: &mut Self::Room, digits: &mut [f64], rows: Range<usize>, column: usize);
}

/// Entries as sums of limbs: integers times powers of two, then `α` and `β`.
pub(super) struct Limbs<'a, T: Scalar> {
    pub(super) entries: Entries<'a, T>,
    /// For each row of `C` and each column, the `e` with `2^e` the unit of its integers.
    pub(super) row_units: &'a [i32],
    pub(super) column_units: &'a [i32],
}

impl<T: Scalar> Sink for Limbs<'_, T> {
    type Room = ();

    fn room(&self) {}

    fn write(&self, _: &mut (), digits: &mut [f64], rows: Range<usize>, column: usize) {
        dispatch(Job { sink: self, digits, rows, column });
    }
}

struct Job<'a, T: Scalar> {
    sink: &'a Limbs<'a, T>,
    digits: &'a [f64],
    rows: Range<usize>,
    column: usize,
}

impl<T: Scalar> Kernel for Job<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(self) {
        // Two registers at a time hide the latency of one another, where there are 32 of them.
        match (T::LIMBS, L::LANES) {
            (1, _) => self.numbers::<1, 1, L>(),
            (2, 8) => self.numbers::<2, 2, L>(),
            (3, 8) => self.numbers::<3, 2, L>(),
            (_, 8) => self.numbers::<4, 2, L>(),
            (2, _) => self.numbers::<2, 1, L>(),
            (3, _) => self.numbers::<3, 1, L>(),
            _ => self.numbers::<4, 1, L>(),
        }
    }
}

/// Digits of the products of integers of
/// [`Plan::MOST_BITS`](crate::dense::gemm::crt::Plan::MOST_BITS) bits.
const MOST_DIGITS: usize = 20;

impl<T: Scalar> Job<'_, T> {
    #[inline(always)]
    fn numbers<const N: usize, const V: usize, L: Lane>(self) {
        let count = self.digits.len() / ROWS;
        let mut digits = [[L::splat(0.0); V]; MOST_DIGITS];
        let digits = &mut digits[..count];
        for (batch, first) in self.rows.clone().step_by(V * L::LANES).enumerate() {
            for (digits, from) in digits.iter_mut().zip(self.digits.chunks_exact(ROWS)) {
                for (v, digit) in digits.iter_mut().enumerate() {
                    *digit = L::load(&from[(batch * V + v) * L::LANES..]);
                }
            }
            let numbers = Crt::limbs::<N, V, L>(digits);
            for (first, limbs) in (first..self.rows.end).step_by(L::LANES).zip(numbers) {
                self.write::<N, L>(limbs, first);
            }
        }
    }

    /// Writes the entries of the rows from `first` on, given as integers.
    #[inline(always)]
    fn write<const N: usize, L: Lane>(&self, mut limbs: [L; N], first: usize) {
        let Self { sink, column, .. } = self;
        let mut units = [0.0; 8];
        let end = self.rows.end.min(first + L::LANES);
        for (unit, &e) in units.iter_mut().zip(&sink.row_units[first..end]) {
            *unit = f64::from(e + sink.column_units[*column]);
        }
        // In four steps: one power may be beyond the range of f64.
        let unit = L::load(&units);
        let quarter = (unit * L::splat(0.25)).round_small();
        let last = L::exp2_integer(unit - quarter * L::splat(3.0));
        let step = L::exp2_integer(quarter);
        for limb in &mut limbs {
            *limb = *limb * step * step * step * last;
        }
        let sum = T::Pack::<L>::from_limbs(|l| limbs[l]);
        sink.entries.write::<L>(sum, first, self.rows.end, *column);
    }
}
