//! Sums over vectors.
//!
//! A vector is cut into blocks of [`BLOCK`] entries, and the sum of each block is rounded once. The
//! sums of the blocks are added pairwise, neighbours first; one without a neighbour waits for the
//! next round.
//!
//! **Error.** `(1 + 2^-61 + ⌈log₂⌈n/BLOCK⌉⌉)·u` of the sum of magnitudes.

use core::ops::Range;

use nonius_num::Mp;
use nonius_num::mp::{Bits, Head, stepwise};

use crate::cpu::space::kernels;
use crate::cpu::threads;
use crate::dense::gemm::Arithmetic;
use crate::threads::{Grain, chunks, for_each};
use crate::{Numbers, Slice};

/// Entries of a block.
pub const BLOCK: usize = 1024;

/// `Σ x[i]·y[i]`, in the greater number of bits. Panics when the lengths differ.
pub(in crate::cpu) fn dot(x: Slice<'_, Mp>, y: Slice<'_, Mp>) -> Mp {
    let mut sums = Numbers::new(x.bits().max(y.bits()));
    sum_products(Arithmetic::Delayed, x, y, &mut sums)
}

/// `Σ x[i]·y[i]`, in the bits of `sums`, which is memory for the sums of the blocks.
///
/// In the arithmetic `ieee`, the sum of a block is [`stepwise::strided_dot`]. Panics when the
/// lengths differ.
pub(in crate::cpu) fn sum_products(
    arithmetic: Arithmetic,
    x: Slice<'_, Mp>,
    y: Slice<'_, Mp>,
    sums: &mut Numbers<Mp>,
) -> Mp {
    assert_eq!(x.len(), y.len(), "lengths");
    let (bits, ieee) = (sums.bits(), arithmetic == Arithmetic::Ieee);
    total(x.len(), sums, |block, to| {
        let (x, y) = (x.range(block.clone()).parts(), y.range(block).parts());
        if ieee { stepwise::strided_dot(bits, x, y, to) } else { kernels::dot(bits, x, y, to) }
    })
}

/// `Σ x[i]`.
pub(in crate::cpu) fn sum(x: Slice<'_, Mp>) -> Mp {
    let (bits, ones) = (x.bits(), ones(x.len()));
    total(x.len(), &mut Numbers::new(bits), |block, to| {
        let ones = ones.as_slice().range(0..block.len());
        kernels::dot(bits, ones.parts(), x.range(block).parts(), to)
    })
}

/// `Σ |x[i]|`.
pub(in crate::cpu) fn asum(x: Slice<'_, Mp>) -> Mp {
    let (bits, ones) = (x.bits(), ones(x.len()));
    total(x.len(), &mut Numbers::new(bits), |block, to| {
        let ones = ones.as_slice().range(0..block.len());
        let block = x.range(block);
        let heads: Vec<Head> = block.heads().iter().map(|head| head.abs()).collect();
        kernels::dot(bits, ones.parts(), (&heads, block.words()), to)
    })
}

/// Ones by which the entries of a block are multiplied: the sum of the products is rounded once.
fn ones(count: usize) -> Numbers<Mp> {
    let mut ones = Numbers::with_capacity(Bits::FEWEST, count.min(BLOCK));
    (0..count.min(BLOCK)).for_each(|_| ones.push(Mp::ONE));
    ones
}

/// The sum of `count` terms, with memory for the sums of blocks: `of_block` writes the significand
/// of the sum of a range of terms, and returns its head.
fn total(
    count: usize,
    sums: &mut Numbers<Mp>,
    of_block: impl Fn(Range<usize>, &mut [u64]) -> Head + Sync,
) -> Mp {
    let (bits, blocks) = (sums.bits(), count.div_ceil(BLOCK));
    if blocks <= 1 {
        let mut sum = Mp::zero(bits);
        sum.set_parts(|_, to| of_block(0..count, to));
        return sum;
    }
    while sums.len() < blocks {
        sums.push(Mp::ZERO);
    }
    let (heads, significands) = sums.as_mut_slice().split_at(blocks).0.into_parts();
    let grain = Grain::shared_if(threads::worth::<Mp>(bits, count) > 1);
    for_each((heads, chunks(significands, bits.words())), grain, |block, (head, to)| {
        *head = of_block(block * BLOCK..count.min((block + 1) * BLOCK), to);
    });
    let mut left = blocks;
    while left > 1 {
        for i in 0..left / 2 {
            sums.set(i, sums.entry(2 * i) + sums.entry(2 * i + 1));
        }
        if !left.is_multiple_of(2) {
            sums.copy_within(left - 1, left / 2);
        }
        left = left.div_ceil(2);
    }
    sums.at(0)
}
