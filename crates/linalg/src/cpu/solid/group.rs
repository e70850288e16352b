//! Numbers of elements side by side.

use crate::cpu::simd::real::{Number, Real};

/// How many elements lie side by side: as many as the widest registers hold.
pub(super) const GROUP: usize = 16;

/// Numbers of a group: those of all elements one after the other, number by number; and which elements are meant.
pub(super) struct Slots<'a, T> {
    numbers: &'a mut [T],
    at: usize,
}

impl<'a, T: Number> Slots<'a, T> {
    /// Those of the elements from `at` on.
    #[inline(always)]
    pub(super) fn new(numbers: &'a mut [T], at: usize) -> Self {
        Self { numbers, at }
    }

    #[inline(always)]
    pub(super) fn load<R: Real<Number = T>>(&self, number: usize) -> R {
        R::load(&self.numbers[number * GROUP + self.at..])
    }

    #[inline(always)]
    pub(super) fn store<R: Real<Number = T>>(&mut self, number: usize, x: R) {
        x.store(&mut self.numbers[number * GROUP + self.at..]);
    }
}

/// How many groups so many elements make.
pub(super) fn groups(elements: usize) -> usize {
    elements.div_ceil(GROUP)
}
