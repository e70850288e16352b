//! Sums over vectors.
//!
//! A vector is cut into blocks of [`BLOCK`] entries. The sum of a block is rounded once, and the
//! sums are added pairwise, neighbours first, where one
//! without a neighbour waits for the next round: `(1 + 2^-61 + ⌈log₂⌈n/BLOCK⌉⌉)·u` of the sum of
//! magnitudes.

use nonius_num::Mp;
use nonius_num::mp::Bits;

use super::lines::Line;
use crate::threads::{Grain, map};
use crate::{Numbers, Slice};

/// Entries of a block.
pub const BLOCK: usize = 1024;
/// Words of vectors that are worth a second thread.
const PARALLEL: usize = 1 << 14;

/// `Σ x[i]·y[i]`. Panics when the lengths differ.
pub(in crate::cpu) fn dot(x: Slice<'_, Mp>, y: Slice<'_, Mp>) -> Mp {
    assert_eq!(x.len(), y.len(), "lengths");
    total(x, |block| Line::of(of_block(x, block)).dot(Line::of(of_block(y, block))))
}

/// `Σ x[i]`.
pub(in crate::cpu) fn sum(x: Slice<'_, Mp>) -> Mp {
    total(x, |block| sum_of(of_block(x, block)))
}

/// `Σ |x[i]|`.
pub(in crate::cpu) fn asum(x: Slice<'_, Mp>) -> Mp {
    total(x, |block| {
        let block = of_block(x, block);
        let mut sizes = Numbers::with_capacity(x.bits(), block.len());
        block.iter().for_each(|x| sizes.push(x.abs()));
        sum_of(sizes.as_slice())
    })
}

/// The sum of a block: that of products with ones, rounded once.
fn sum_of(x: Slice<'_, Mp>) -> Mp {
    let mut ones = Numbers::with_capacity(Bits::FEWEST, x.len());
    (0..x.len()).for_each(|_| ones.push(Mp::ONE));
    Line::of(x).dot(Line::of(ones.as_slice()))
}

fn of_block(x: Slice<'_, Mp>, block: usize) -> Slice<'_, Mp> {
    x.range(block * BLOCK..x.len().min((block + 1) * BLOCK))
}

/// The sum of those of blocks.
fn total(x: Slice<'_, Mp>, of_block: impl Fn(usize) -> Mp + Sync) -> Mp {
    let blocks = x.len().div_ceil(BLOCK);
    if blocks <= 1 {
        return if blocks == 0 { Mp::zero(x.bits()) } else { of_block(0) };
    }
    let grain = Grain::shared_if(x.words().len() >= PARALLEL);
    let mut sums = map(blocks, grain, of_block);
    while sums.len() > 1 {
        sums = sums
            .chunks(2)
            .map(|pair| pair.iter().copied().reduce(|x, y| x + y))
            .collect::<Option<_>>()
            .unwrap_or_default();
    }
    sums[0]
}
