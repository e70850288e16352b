//! Products with every multiply-add in the element's own arithmetic.
//!
//! **Sums.** Each entry of `op(A)·op(B)` is one [`Sum`](crate::accumulate::Sum) of the chosen
//! [`Arithmetic`] over `k` from first to last, carried at fixed multiples of its period. Blocks of
//! `C` are what threads share out, tiles of registers what a thread computes at a time, and blocks
//! of `k` what it packs at a time; none of them changes an operation or its order in an entry's
//! sum. So the bits of the result depend on the operands alone: not on registers, tiles, threads or
//! transposes.
//!
//! **Error.** `|fl(op(A)·op(B)) − op(A)·op(B)| <= c·u·(|A||B|)` entrywise with `c =`
//! [`Arithmetic::error`]`(k)`, `u` the unit roundoff; `α` and `β` add the errors of their
//! operators. Sums that are not finite are computed anew by the operators, so that NaN, infinities
//! and overflow come out as [`reference`](crate::reference::gemm) has them.
//!
//! The design is that of Goto and van de Geijn, *Anatomy of high-performance matrix multiplication*
//! (2008), with limbs in planes and `k` innermost among the blocks, because a sum of several limbs
//! cannot rest in `C`.

mod block;
mod pack;
mod tile;

use core::ops::Range;

use self::block::Block;
use super::entries::Entries;
use super::operand::{Factors, Operand, Part};
use crate::Scalar;
use crate::cpu::output::Output;
use crate::cpu::simd::dispatch;
use crate::cpu::threads;
use crate::dense::MatMut;
use crate::dense::gemm::Arithmetic;
use crate::threads::{Grain, for_each_index};

/// `C ← α·op(A)·op(B) + β·C` on a part of `C`, for shapes that fit, with entries and terms, and an
/// arithmetic that exists for `T`.
pub(super) fn multiply<T: Scalar>(
    arithmetic: Arithmetic,
    a: Operand<'_, T>,
    b: Operand<'_, T>,
    factors: Factors<T>,
    part: Part<'_>,
    c: MatMut<'_, T>,
) {
    let ((m, k), n) = (a.shape(), c.cols());
    let threads = threads::worth::<T>((), m.saturating_mul(n).saturating_mul(k));
    let blocks = blocks::<T>(m, n, part, threads);
    let entries = Entries { a, b, factors, part, c: &Output::new(c) };
    let grain = if threads == 1 { Grain::WHOLE } else { Grain::Single };
    for_each_index(blocks.len(), grain, |i| {
        let (rows, columns) = blocks[i].clone();
        dispatch(Block { entries, arithmetic, rows, columns });
    });
}

/// Most rows and columns of a block: its packed `A` fits the second-level cache.
const BLOCK_ROWS: [usize; 5] = [0, 480, 240, 192, 144];
const BLOCK_COLUMNS: [usize; 5] = [0, 960, 480, 384, 288];
/// Blocks have multiples of these, which the tiles of all registers divide.
const ROW_UNIT: usize = 48;
const COLUMN_UNIT: usize = 24;
/// Blocks for each thread, so that threads that are held up elsewhere do not hold up the whole.
const BLOCKS_PER_THREAD: usize = 4;

/// Cuts `C` into blocks that `threads` threads compute independently.
fn blocks<T: Scalar>(
    m: usize,
    n: usize,
    part: Part<'_>,
    threads: usize,
) -> Vec<(Range<usize>, Range<usize>)> {
    let mut down = m.div_ceil(BLOCK_ROWS[T::LIMBS]);
    let mut across = n.div_ceil(BLOCK_COLUMNS[T::LIMBS]);
    while threads > 1 && down * across < BLOCKS_PER_THREAD * threads {
        let (height, width) = (m / down, n / across);
        if height.max(width) < 2 * ROW_UNIT {
            break;
        }
        if height > width { down += 1 } else { across += 1 }
    }
    let height = m.div_ceil(down).next_multiple_of(ROW_UNIT);
    let width = n.div_ceil(across).next_multiple_of(COLUMN_UNIT);
    let mut blocks = Vec::with_capacity(down * across);
    for j in (0..n).step_by(width) {
        for i in (0..m).step_by(height) {
            let (rows, columns) = (i..m.min(i + height), j..n.min(j + width));
            if part.meets(rows.clone(), columns.clone()) {
                blocks.push((rows, columns));
            }
        }
    }
    blocks
}
