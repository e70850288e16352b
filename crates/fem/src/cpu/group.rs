//! Numbers of elements side by side.

use nonius_linalg::cpu::simd::real::{Narrow, Real};

/// How many elements lie side by side: as many as the widest registers hold.
pub(super) const GROUP: usize = 16;

/// Numbers of a group: those of all elements one after the other, number by number; and which
/// elements are meant. They are kept as those of the registers `W`, and computed with as those of
/// others.
pub(super) struct Slots<'a, W: Real> {
    numbers: &'a mut [W::Number],
    at: usize,
}

impl<'a, W: Real> Slots<'a, W> {
    /// Those of the elements from `at` on.
    #[inline(always)]
    pub(super) fn new(numbers: &'a mut [W::Number], at: usize) -> Self {
        Self { numbers, at }
    }

    /// A number, rounded.
    #[inline(always)]
    pub(super) fn load<A: Real>(&self, number: usize) -> A
    where
        W: Narrow<A>,
    {
        self.kept(number).narrow()
    }

    /// A number less another, rounded.
    #[inline(always)]
    pub(super) fn difference<A: Real>(&self, number: usize, other: usize) -> A
    where
        W: Narrow<A>,
    {
        self.kept(number).difference(self.kept(other))
    }

    /// Puts something in the place of a number.
    #[inline(always)]
    pub(super) fn store<A: Real>(&mut self, number: usize, x: A)
    where
        W: Narrow<A>,
    {
        self.keep(number, W::widen(x));
    }

    /// Puts a number in the place of another, as it is.
    #[inline(always)]
    pub(super) fn copy(&mut self, from: usize, to: usize) {
        self.keep(to, self.kept(from));
    }

    /// Adds to a number, as it is kept.
    #[inline(always)]
    pub(super) fn grow<A: Real>(&mut self, number: usize, more: A)
    where
        W: Narrow<A>,
    {
        self.keep(number, self.kept(number).grown(more));
    }

    /// Adds a product to a number, as it is kept.
    #[inline(always)]
    pub(super) fn grow_by_product<A: Real>(&mut self, number: usize, a: A, b: A)
    where
        W: Narrow<A>,
    {
        self.keep(number, self.kept(number).grown_by_product(a, b));
    }

    #[inline(always)]
    fn kept(&self, number: usize) -> W {
        W::load(&self.numbers[number * GROUP + self.at..])
    }

    #[inline(always)]
    fn keep(&mut self, number: usize, x: W) {
        x.store(&mut self.numbers[number * GROUP + self.at..]);
    }
}

/// The number of groups that `elements` elements make.
pub(super) fn groups(elements: usize) -> usize {
    elements.div_ceil(GROUP)
}
