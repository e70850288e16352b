//! `r ← r − A·x` accumulated in twice the precision of the entries, rows in SIMD lanes, blocks of rows on threads.
//!
//! With `N` limbs to a number, a product of two entries is the exact sum of `2N²` doubles: for limbs `i` and `j` the
//! rounded product, of order `i + j` (in powers of `2^-53`), and its error, of order `i + j + 1`. A term of order `q`
//! enters limb `q` of an accumulator of `2N + 1` limbs by TwoSum; the error of that sum enters limb `q + 1`, and so
//! on. Only the additions to the last limb round.
//!
//! Bound. Let `v = 2^-53`, `S = |r| + |A||x|` (entrywise), `t_k` the number of terms of order `k` in a product and
//! `A_k` the number of additions to limb `k` that it causes. The error of a TwoSum is at most `v` times the sum, so
//! between two of the renormalisations, which come every `R = 4` products, limb `k` stays below `c_k·v^k·S` with `c_0
//! = 1` and `c_k = (R·A_{k−1} + 1)·c_{k−1} + t_k`, to first order in `v`. The error of `n` products is at most
//! `n·A_2N·c_2N·v^(2N+1)·S`, which is `n·S` times `2^-152`, `2^-245`, `2^-336`, `2^-426` for 1, 2, 3, 4 limbs: below
//! `n·u²·S`, `u` being the unit roundoff of the entries. Preconditions: finite entries and no overflow; a product
//! below `2^-900` adds an error of a few `2^-1074` from underflow.

use nonius_num::{Lane, eft};
use rayon::prelude::*;

use super::simd::{Kernel, dispatch};
use crate::expansion::Expansion;
use crate::{MatMut, MatRef, Scalar};

/// Rows that go together, whatever the registers.
const ROWS: usize = 8;

/// Products between two renormalisations: `R` of the bound.
const PERIOD: usize = 4;

/// `R ← R − A·X`; see the [module](self) for its error.
pub fn residual<T: Scalar>(a: MatRef<'_, T>, x: MatRef<'_, T>, r: MatMut<'_, T>) {
    match T::LIMBS {
        1 => by_blocks::<T, 1, 3>(a, x, r),
        2 => by_blocks::<T, 2, 5>(a, x, r),
        3 => by_blocks::<T, 3, 7>(a, x, r),
        _ => by_blocks::<T, 4, 9>(a, x, r),
    }
}

fn by_blocks<T: Scalar, const N: usize, const M: usize>(
    a: MatRef<'_, T>,
    x: MatRef<'_, T>,
    mut r: MatMut<'_, T>,
) {
    let before = r.as_ref();
    let blocks: Vec<Vec<T>> = (0..a.rows().div_ceil(ROWS))
        .into_par_iter()
        .map_init(Vec::new, |packed, block| {
            let first = block * ROWS;
            let rows = ROWS.min(a.rows() - first);
            pack::<T, N>(a.block(first, 0, rows, a.cols()), packed);
            let mut results = Vec::with_capacity(rows * x.cols());
            for j in 0..x.cols() {
                let start = before.block(first, j, rows, 1);
                let sums =
                    dispatch(Accumulate::<T, N, M> { a: packed, x: x.col(j), start: start.col(0) });
                results.extend(
                    (0..rows).map(|i| Expansion::sum(sums.iter().rev().map(|s| s[i])).round::<T>()),
                );
            }
            results
        })
        .collect();
    for (block, results) in blocks.iter().enumerate() {
        let rows = ROWS.min(a.rows() - block * ROWS);
        for (j, part) in results.chunks(rows).enumerate() {
            r.col_mut(j)[block * ROWS..][..rows].copy_from_slice(part);
        }
    }
}

/// Lays out `−A` for at most [`ROWS`] rows as `[column][limb][row]`, zeros in the missing rows.
fn pack<T: Scalar, const N: usize>(a: MatRef<'_, T>, packed: &mut Vec<f64>) {
    packed.clear();
    packed.resize(a.cols() * N * ROWS, 0.0);
    for (k, planes) in packed.chunks_exact_mut(N * ROWS).enumerate() {
        for (row, &entry) in a.col(k).iter().enumerate() {
            for i in 0..N {
                planes[i * ROWS + row] = -entry.limb(i);
            }
        }
    }
}

/// The accumulators of one block of rows and one right-hand side.
struct Accumulate<'a, T, const N: usize, const M: usize> {
    a: &'a [f64],
    x: &'a [T],
    start: &'a [T],
}

impl<T: Scalar, const N: usize, const M: usize> Kernel for Accumulate<'_, T, N, M> {
    /// `[limb][row]`.
    type Output = [[f64; ROWS]; M];

    #[inline(always)]
    fn run<L: Lane>(self) -> Self::Output {
        let mut sums = [[0.0; ROWS]; M];
        for row in (0..ROWS).step_by(L::LANES) {
            let mut limbs: [L; M] = core::array::from_fn(|i| {
                L::from_fn(|lane| match self.start.get(row + lane) {
                    Some(start) if i < N => start.limb(i),
                    _ => 0.0,
                })
            });
            for (k, (planes, &x)) in self.a.chunks_exact(N * ROWS).zip(self.x).enumerate() {
                let a: [L; N] = core::array::from_fn(|i| L::load(&planes[i * ROWS + row..]));
                let x: [L; N] = core::array::from_fn(|i| L::splat(x.limb(i)));
                add_product(&mut limbs, a, x);
                if k % PERIOD == PERIOD - 1 {
                    renormalize(&mut limbs);
                }
            }
            for (sum, limb) in sums.iter_mut().zip(limbs) {
                limb.store(&mut sum[row..]);
            }
        }
        sums
    }
}

#[inline(always)]
fn add_product<L: Lane, const N: usize, const M: usize>(limbs: &mut [L; M], a: [L; N], x: [L; N]) {
    for (i, &a) in a.iter().enumerate() {
        for (j, &x) in x.iter().enumerate() {
            let (p, e) = eft::two_prod(a, x);
            add(limbs, i + j, p);
            add(limbs, i + j + 1, e);
        }
    }
}

#[inline(always)]
fn add<L: Lane, const M: usize>(limbs: &mut [L; M], order: usize, term: L) {
    let mut term = term;
    for limb in &mut limbs[order..M - 1] {
        (*limb, term) = eft::two_sum(*limb, term);
    }
    limbs[M - 1] = limbs[M - 1] + term;
}

/// Carries what limbs have in common from the last to the first: exact.
#[inline(always)]
fn renormalize<L: Lane, const M: usize>(limbs: &mut [L; M]) {
    for i in (0..M - 1).rev() {
        (limbs[i], limbs[i + 1]) = eft::two_sum(limbs[i], limbs[i + 1]);
    }
}
