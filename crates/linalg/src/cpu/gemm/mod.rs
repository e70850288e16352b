//! `C ← α·op(A)·op(B) + β·C`, every multiply-add in the element's own arithmetic.
//!
//! **Sums.** Each entry of `op(A)·op(B)` is one [`Sum`](crate::accumulate::Sum) of the chosen [`Arithmetic`] over `k` from first to
//! last, carried at fixed multiples of its period. Blocks of `C` are what threads share out, tiles of registers what a thread computes at a time,
//! and blocks of `k` what it packs at a time; none of them changes an operation or its order in an entry's sum. So the
//! bits of the result depend on the operands alone: not on registers, tiles, threads or transposes.
//!
//! **Error.** `|fl(op(A)·op(B)) − op(A)·op(B)| <= c·u·(|A||B|)` entrywise with `c =` [`Arithmetic::error`]`(k)`, `u` the unit roundoff; `α` and `β` add
//! the errors of their operators. Sums that are not finite are computed anew by the operators, so that NaN, infinities
//! and overflow come out as [`reference`](crate::reference::gemm) has them.
//!
//! The design is that of Goto and van de Geijn, *Anatomy of high-performance matrix multiplication* (2008), with limbs in
//! planes and `k` innermost among the blocks, because a sum of several limbs cannot rest in `C`.

mod block;
mod pack;
mod tile;

use core::ops::Range;

use nonius_num::Lane;
use rayon::prelude::*;

use self::block::Block;
use super::output::Output;
use super::simd::dispatch;
use super::threads;
use crate::Scalar;
use crate::dense::gemm::Arithmetic;
use crate::dense::{MatMut, MatRef, Transpose, Triangle};
use crate::reference::gemm::scale_entry;
use crate::scalar::Pack;

/// `C ← α·op(A)·op(B) + β·C`. With `β = 0`, `C` is not read; with `α = 0` or no terms, `A` and `B` are not.
///
/// Panics when the shapes do not fit or the arithmetic [does not exist](Arithmetic::exists) for `T`.
#[expect(clippy::too_many_arguments, reason = "the signature of BLAS")]
pub fn gemm<T: Scalar>(
    arithmetic: Arithmetic,
    transpose_a: Transpose,
    transpose_b: Transpose,
    alpha: T,
    a: MatRef<'_, T>,
    b: MatRef<'_, T>,
    beta: T,
    c: MatMut<'_, T>,
) {
    let (a, b) = (Operand::new(transpose_a, a), Operand::new(transpose_b, b));
    multiply(arithmetic, a, b, Factors { alpha, beta }, Part::All, c);
}

/// [`gemm`] on a part of `C`; the rest is neither read nor written.
pub(super) fn multiply<T: Scalar>(
    arithmetic: Arithmetic,
    a: Operand<'_, T>,
    b: Operand<'_, T>,
    factors: Factors<T>,
    part: Part,
    mut c: MatMut<'_, T>,
) {
    let (m, k) = a.shape();
    let (k_b, n) = b.shape();
    assert_eq!(k, k_b, "inner dimensions");
    assert_eq!(c.shape(), (m, n), "shape of C");
    assert!(arithmetic.exists(T::LIMBS), "{arithmetic} arithmetic for {}", T::NAME);
    if m == 0 || n == 0 {
        return;
    }
    if k == 0 || factors.alpha == T::ZERO {
        for j in 0..n {
            for x in &mut c.col_mut(j)[part.of(0..m, j)] {
                scale_entry(factors.beta, x);
            }
        }
        return;
    }
    let threads = threads::worth::<T>(m.saturating_mul(n).saturating_mul(k));
    let blocks = blocks::<T>(m, n, part, threads);
    let c = &Output::new(c);
    let compute = |(rows, columns)| {
        dispatch(Block { a, b, arithmetic, factors, part, rows, columns, c });
    };
    if threads == 1 {
        blocks.into_iter().for_each(compute);
    } else {
        blocks.into_par_iter().with_max_len(1).for_each(compute);
    }
}

/// `op(A)`.
#[derive(Clone, Copy)]
pub(super) struct Operand<'a, T> {
    transpose: Transpose,
    matrix: MatRef<'a, T>,
}

impl<'a, T> Operand<'a, T> {
    pub(super) fn new(transpose: Transpose, matrix: MatRef<'a, T>) -> Self {
        Self { transpose, matrix }
    }

    pub(super) fn shape(&self) -> (usize, usize) {
        self.transpose.shape(self.matrix.shape())
    }

    /// Number of columns of `op(A)`.
    fn inner(&self) -> usize {
        self.shape().1
    }
}

/// The part of `C` that is computed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    All,
    Only(Triangle),
}

impl Part {
    /// Whether it has entries in the rectangle.
    fn meets(self, rows: Range<usize>, columns: Range<usize>) -> bool {
        match self {
            Part::All => true,
            Part::Only(Triangle::Lower) => rows.end > columns.start,
            Part::Only(Triangle::Upper) => columns.end > rows.start,
        }
    }

    /// Those of the given rows of a column that belong to it.
    #[inline(always)]
    fn of(self, rows: Range<usize>, column: usize) -> Range<usize> {
        match self {
            Part::All => rows,
            Part::Only(Triangle::Lower) => rows.start.max(column).min(rows.end)..rows.end,
            Part::Only(Triangle::Upper) => rows.start..rows.end.min(column + 1).max(rows.start),
        }
    }
}

/// `α` and `β`.
#[derive(Clone, Copy)]
pub(super) struct Factors<T> {
    pub(super) alpha: T,
    pub(super) beta: T,
}

impl<T: Scalar> Factors<T> {
    #[inline(always)]
    fn times_alpha<L: Lane>(&self, sum: T::Pack<L>) -> T::Pack<L> {
        if self.alpha == T::ONE {
            sum
        } else if self.alpha == -T::ONE {
            -sum
        } else {
            splat::<T, L>(self.alpha) * sum
        }
    }

    #[inline(always)]
    fn add_beta<L: Lane>(&self, product: T::Pack<L>, c: T::Pack<L>) -> T::Pack<L> {
        if self.beta == T::ONE { c + product } else { splat::<T, L>(self.beta) * c + product }
    }
}

#[inline(always)]
fn splat<T: Scalar, L: Lane>(x: T) -> T::Pack<L> {
    T::Pack::<L>::from_limbs(|l| L::splat(x.limb(l)))
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
    part: Part,
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
