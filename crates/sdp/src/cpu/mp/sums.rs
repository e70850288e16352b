//! Sums of products at given places, each rounded once.

use nonius_linalg::cpu::simd::{Kernel, dispatch_words};
use nonius_linalg::cpu::space::kernels;
use nonius_linalg::mp::{Slice, SliceMut};
use nonius_num::Lane;
use nonius_num::mp::{Bits, Head, gathered_dot};

use crate::cpu::kernels::Pair;

/// Has the first number written: `number` is called with its precision and words, and returns its
/// head.
fn write(to: SliceMut<'_>, number: impl FnOnce(Bits, &mut [u64]) -> Head) {
    let bits = to.format();
    let (heads, words) = to.into_parts();
    heads[0] = number(bits, &mut words[..bits.words()]);
}

/// `Σ x[i]·y[j]` over pairs `(i, j)`.
pub(super) fn gather(to: SliceMut<'_>, x: Slice<'_>, y: Slice<'_>, pairs: &[Pair]) {
    write(to, |bits, words| kernels::dot_of_pairs(bits, x.parts(), y.parts(), pairs, words));
}

/// `Σ x[i]·y[i]`, at its fastest where numbers of one word are those of `x`.
pub(super) fn dot(to: SliceMut<'_>, x: Slice<'_>, y: Slice<'_>) {
    write(to, |bits, words| kernels::dot(bits, x.parts(), y.parts(), words));
}

/// `Σ x[i]·y[places[i]]`.
pub(super) fn weigh(to: SliceMut<'_>, x: Slice<'_>, y: Slice<'_>, places: &[usize]) {
    write(to, |bits, to| dispatch_words(Weigh { bits, x, y, places, to }));
}

struct Weigh<'a> {
    bits: Bits,
    x: Slice<'a>,
    y: Slice<'a>,
    places: &'a [usize],
    to: &'a mut [u64],
}

impl Kernel for Weigh<'_> {
    type Output = Head;

    #[inline(always)]
    fn run<L: Lane>(self) -> Head {
        let pairs = self.places.iter().copied().enumerate();
        gathered_dot(self.bits, self.x.parts(), self.y.parts(), pairs, self.to)
    }
}
