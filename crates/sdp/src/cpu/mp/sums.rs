//! Sums of products at given places, each rounded once ([`dot_of_pairs`]), written to storage of
//! many
//! numbers.

use nonius_linalg::cpu::space::kernels::{dot, dot_of_pairs};
use nonius_linalg::cpu::space::mp::line;
use nonius_linalg::mp::{Numbers, Slice, SliceMut};
use nonius_linalg::threads::{Grain, chunks, for_each_with};
use nonius_num::mp::{Bits, Head, Mp, MpRef};

/// Places in two lines of numbers.
pub(super) type Pair = (usize, usize);

/// Where one number is written; its head is returned.
pub(super) struct Target<'a> {
    bits: Bits,
    words: &'a mut [u64],
}

impl Target<'_> {
    /// `Σ x[i]·y[j]` over pairs `(i, j)`.
    pub(super) fn gather(self, x: Slice<'_>, y: Slice<'_>, pairs: &[Pair]) -> Head {
        let Self { bits, words } = self;
        dot_of_pairs(bits, line(x), line(y), pairs, words)
    }

    /// `Σ x[i]·y[i]`, at its fastest where numbers of one word are those of `x`.
    pub(super) fn dot(self, x: Slice<'_>, y: Slice<'_>) -> Head {
        let Self { bits, words } = self;
        dot(bits, line(x), line(y), words)
    }
}

/// Has a number written.
pub(super) fn write(to: &mut SliceMut<'_>, i: usize, number: impl FnOnce(Target<'_>) -> Head) {
    let bits = to.as_slice().bits();
    let (heads, words) = to.reborrow().into_parts();
    heads[i] = number(Target { bits, words: &mut words[i * bits.words()..][..bits.words()] });
}

/// Has every number written; a thread takes `least` of them at least, with some memory of its own.
pub(super) fn fill<M>(
    to: SliceMut<'_>,
    least: usize,
    memory: impl Fn() -> M + Sync,
    number: impl Fn(&mut M, usize, Target<'_>) -> Head + Sync,
) {
    let bits = to.as_slice().bits();
    let (heads, words) = to.into_parts();
    let places = (heads, chunks(words, bits.words()));
    for_each_with(places, Grain::AtLeast(least), memory, |memory, i, (head, words)| {
        *head = number(memory, i, Target { bits, words });
    });
}

/// Zeros.
pub(super) fn clear(to: &mut SliceMut<'_>) {
    let (heads, words) = to.reborrow().into_parts();
    heads.fill(Head::default());
    words.fill(0);
}

/// Adds `x` to number `i`; `sum` is memory.
pub(super) fn add(to: &mut SliceMut<'_>, i: usize, x: MpRef<'_>, sum: &mut Mp) {
    sum.set_sum(to.as_slice().entry(i), x);
    to.put(i, sum.view());
}

/// `x_i·y_i`
pub(super) fn products(x: &Numbers, y: &Numbers) -> Numbers {
    let (bits, mut to) = (x.bits(), Numbers::zeros(x.bits(), x.len()));
    let mut product = Mp::zero(bits);
    for i in 0..x.len() {
        product.set_product(x.entry(i), y.entry(i));
        to.put(i, product.view());
    }
    to
}
