//! `r ← r − A·x` accumulated in twice the precision of the entries, rows in SIMD lanes, blocks of
//! rows on threads.
//!
//! With `N` limbs to a number, a product of two entries is the exact sum of `2N²` doubles: for
//! limbs `i` and `j` the rounded product, of order `i + j` (in powers of `2^-53`), and its error,
//! of order `i + j + 1`. A term of order `q` enters limb `q` of an accumulator of `2N + 1` limbs by
//! TwoSum; the error of that sum enters limb `q + 1`, and so on. Only the additions to the last
//! limb round.
//!
//! Bound. Let `v = 2^-53`, `S = |r| + |A||x|` (entrywise), `t_k` the number of terms of order `k`
//! in a product and `A_k` the number of additions to limb `k` that it causes. The error of a TwoSum
//! is at most `v` times the sum, so between two of the renormalisations, which come every `R = 4`
//! products, limb `k` stays below `c_k·v^k·S` with `c_0 = 1` and
//! `c_k = (R·A_{k−1} + 1)·c_{k−1} + t_k`, to first order in `v`. The error of `n` products is at
//! most `n·A_2N·c_2N·v^(2N+1)·S`, which is `n·S` times `2^-152`, `2^-245`, `2^-336`, `2^-426` for
//! 1, 2, 3, 4 limbs: below `n·u²·S`, `u` being the unit roundoff of the entries. Preconditions:
//! finite entries and no overflow; a product below `2^-900` adds an error of a few `2^-1074` from
//! underflow.

use nonius_num::{Lane, eft};

use super::simd::{Kernel, dispatch};
use crate::expansion::Expansion;
use crate::threads::{Grain, map_with};
use crate::{MatMut, MatRef, Matrix, Number, Scalar};

/// Rows of a group: the longest register.
const GROUP: usize = 8;

/// Groups of rows that a task works on: enough that it reads more than a few bytes of a column.
const GROUPS: usize = 8;

/// Columns of `A` that are laid out at a time: with the rows of a task they fit into the
/// second-level cache.
const COLUMNS: usize = 128;

/// Products between two renormalisations: `R` of the bound.
const PERIOD: usize = 4;

/// `R ← R − A·X`; see the [module](self) for its error. For numbers of any precision, 64 bits more
/// than they have take the place of twice the precision.
pub fn residual<T: Number>(a: MatRef<'_, T>, x: MatRef<'_, T>, r: MatMut<'_, T>) {
    T::residual(a, x, r);
}

pub(super) fn by_limbs<T: Scalar>(a: MatRef<'_, T>, x: MatRef<'_, T>, r: MatMut<'_, T>) {
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
    let block = GROUP * GROUPS;
    let rows_of = |first: usize| block.min(a.rows() - first);
    let blocks = map_with(a.rows().div_ceil(block), Grain::ANY, Vec::new, |packed, i| {
        let (first, rows) = (i * block, rows_of(i * block));
        let right = before.block(first, 0, rows, x.cols());
        let left = a.block(first, 0, rows, a.cols());
        residual_of_block::<T, N, M>(left, x, right, packed)
    });
    for (i, results) in blocks.into_iter().enumerate() {
        let first = i * block;
        for j in 0..results.cols() {
            r.col_mut(j)[first..][..results.rows()].copy_from_slice(results.col(j));
        }
    }
}

/// `B − A·X` for a few rows; `packed` is room to work in.
fn residual_of_block<T: Scalar, const N: usize, const M: usize>(
    a: MatRef<'_, T>,
    x: MatRef<'_, T>,
    b: MatRef<'_, T>,
    packed: &mut Vec<f64>,
) -> Matrix<T> {
    let groups = a.rows().div_ceil(GROUP);
    // The accumulators: `[right-hand side][group][limb]`.
    let mut sums = vec![[0.0; GROUP]; x.cols() * groups * M];
    for j in 0..x.cols() {
        for (row, b) in b.col(j).iter().enumerate() {
            for i in 0..N {
                sums[(j * groups + row / GROUP) * M + i][row % GROUP] = b.limb(i);
            }
        }
    }
    for start in (0..a.cols()).step_by(COLUMNS) {
        let columns = COLUMNS.min(a.cols() - start);
        pack::<T, N>(a.block(0, start, a.rows(), columns), packed);
        for j in 0..x.cols() {
            let x = &x.col(j)[start..start + columns];
            let sums = &mut sums[j * groups * M..][..groups * M];
            let groups = packed.chunks_exact(columns * N * GROUP);
            for (a, sums) in groups.zip(sums.as_chunks_mut::<M>().0) {
                dispatch(Accumulate::<T, N, M> { a, x, sums });
            }
        }
    }
    Matrix::from_fn(a.rows(), x.cols(), |row, j| {
        let sums = &sums[(j * groups + row / GROUP) * M..][..M];
        Expansion::sum(sums.iter().rev().map(|limb| limb[row % GROUP])).round()
    })
}

/// Lays out `−A` as `[group][column][limb][row]`, zeros in the missing rows of the last group.
fn pack<T: Scalar, const N: usize>(a: MatRef<'_, T>, packed: &mut Vec<f64>) {
    packed.clear();
    packed.resize(a.rows().div_ceil(GROUP) * a.cols() * N * GROUP, 0.0);
    for k in 0..a.cols() {
        for (group, rows) in a.col(k).chunks(GROUP).enumerate() {
            let planes = &mut packed[(group * a.cols() + k) * N * GROUP..][..N * GROUP];
            for (row, entry) in rows.iter().enumerate() {
                for i in 0..N {
                    planes[i * GROUP + row] = -entry.limb(i);
                }
            }
        }
    }
}

/// Adds the products of a group of rows with a part of a right-hand side to their accumulators.
struct Accumulate<'a, T, const N: usize, const M: usize> {
    a: &'a [f64],
    x: &'a [T],
    sums: &'a mut [[f64; GROUP]; M],
}

impl<T: Scalar, const N: usize, const M: usize> Kernel for Accumulate<'_, T, N, M> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(self) {
        for row in (0..GROUP).step_by(L::LANES) {
            let mut limbs: [L; M] = core::array::from_fn(|i| L::load(&self.sums[i][row..]));
            for (k, (planes, &x)) in self.a.chunks_exact(N * GROUP).zip(self.x).enumerate() {
                let a: [L; N] = core::array::from_fn(|i| L::load(&planes[i * GROUP + row..]));
                let x: [L; N] = core::array::from_fn(|i| L::splat(x.limb(i)));
                add_product(&mut limbs, a, x);
                if k % PERIOD == PERIOD - 1 {
                    renormalize(&mut limbs);
                }
            }
            for (sum, limb) in self.sums.iter_mut().zip(limbs) {
                limb.store(&mut sum[row..]);
            }
        }
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

/// Adds a number of the given order; only the addition to the last limb rounds.
#[inline(always)]
pub(super) fn add<L: Lane, const M: usize>(limbs: &mut [L; M], order: usize, term: L) {
    let mut term = term;
    for limb in &mut limbs[order..M - 1] {
        (*limb, term) = eft::two_sum(*limb, term);
    }
    limbs[M - 1] = limbs[M - 1] + term;
}

/// Carries what limbs have in common from the last to the first: exact.
#[inline(always)]
pub(super) fn renormalize<L: Lane, const M: usize>(limbs: &mut [L; M]) {
    for i in (0..M - 1).rev() {
        (limbs[i], limbs[i + 1]) = eft::two_sum(limbs[i], limbs[i + 1]);
    }
}
