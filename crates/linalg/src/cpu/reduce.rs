//! Sums over vectors.
//!
//! A vector is cut into blocks of `B` entries, 4096 of single limbs, else 1024 ([`BLOCKS`]). In a
//! block, entry `i` goes to partial sum `i mod P`, each an [`Accumulator`] with its own carries;
//! the `P` are added pairwise, and so are the blocks: neighbours until one sum is left, where one
//! without a neighbour waits for the next round. `P` is 8, for single limbs 32, so that registers
//! need not wait for the only addition of a step. Registers take several partial sums in turn, and
//! threads take blocks: the bits are the same however the work is done, on devices too.
//!
//! **Error.** With `S` the sum of the terms' magnitudes: [`Accumulator::error`] of `B/P` steps for
//! a block's partial sums, then one addition for each of `log₂ P` levels of pairs and of
//! `⌈log₂⌈n/B⌉⌉` levels of blocks, see [`error`].
//!
//! Numbers of any precision have blocks of [`BLOCK_OF_MP`] entries. The sum of a block is rounded
//! once, so that the error is `(1 + 2^-61 + ⌈log₂⌈n/BLOCK_OF_MP⌉⌉)·u·S`.
//!
//! The sum of a block of limbs that comes out not finite is formed again term by term with the
//! operators, which know NaN and ∞, as do the additions of blocks.

use nonius_num::Lane;

use super::limbs::limbs_of;
/// Entries in a block of numbers of any precision, whose sum is rounded once.
pub use super::mp::reduce::BLOCK as BLOCK_OF_MP;
use super::simd::{Kernel, dispatch};
use crate::accumulate::{Accumulator, Sum};
use crate::dense::gemm::Arithmetic;
use crate::reference;
use crate::threads::{Grain, for_each, map};
use crate::{Number, Numbers, Scalar, Slice};

/// Entries in a block, by limbs.
pub const BLOCKS: [usize; 5] = [0, 4096, 1024, 1024, 1024];
/// Partial sums in a block, by limbs.
pub const PARTIALS: [usize; 5] = [0, 32, 8, 8, 8];
/// Entries that a thread searches for the largest.
const SEARCHED: usize = 4096;
/// Vectors with fewer entries than this are summed by one thread.
const PARALLEL: usize = 1 << 15;

/// The factor `c` in the bound `c·u·Σ|terms|` of a sum of `n` terms.
pub fn error<const N: usize>(n: usize) -> f64 {
    let levels = n.div_ceil(BLOCKS[N]).max(1).next_power_of_two().ilog2();
    let pairs = PARTIALS[N].ilog2();
    Accumulator::<N, f64>::error(BLOCKS[N] / PARTIALS[N]) + f64::from(pairs + levels)
}

/// What is summed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Terms<'a> {
    /// Products of the entries of two vectors, given by their limbs.
    Products(&'a [f64], &'a [f64]),
    /// The entries themselves.
    Entries(&'a [f64]),
    /// Their magnitudes.
    Magnitudes(&'a [f64]),
}

impl<'a> Terms<'a> {
    /// The terms of block `block`, for `limbs` limbs a number.
    fn block(self, block: usize, limbs: usize) -> Self {
        let cut = |x: &'a [f64]| {
            let size = BLOCKS[limbs] * limbs;
            &x[block * size..x.len().min((block + 1) * size)]
        };
        match self {
            Terms::Products(x, y) => Terms::Products(cut(x), cut(y)),
            Terms::Entries(x) => Terms::Entries(cut(x)),
            Terms::Magnitudes(x) => Terms::Magnitudes(cut(x)),
        }
    }

    fn limbs(self) -> &'a [f64] {
        match self {
            Terms::Products(x, _) | Terms::Entries(x) | Terms::Magnitudes(x) => x,
        }
    }

    /// The sum from the first term to the last, by the operators.
    fn in_order<T: Scalar>(self) -> T {
        let number = |x: &[f64], i: usize| T::from_limbs(|limb| x[i * T::LIMBS + limb]);
        let term = |i| match self {
            Terms::Products(x, y) => number(x, i) * number(y, i),
            Terms::Entries(x) => number(x, i),
            Terms::Magnitudes(x) => number(x, i).abs(),
        };
        (0..self.limbs().len() / T::LIMBS).fold(T::ZERO, |sum, i| sum + term(i))
    }
}

/// The partial sums of a block.
struct BlockSum<'a, const N: usize, const P: usize>(Terms<'a>);

impl<const N: usize, const P: usize> Kernel for BlockSum<'_, N, P> {
    type Output = [[f64; N]; P];

    #[inline(always)]
    fn run<L: Lane>(self) -> Self::Output {
        const { assert!(P == PARTIALS[N] && BLOCKS[N].is_multiple_of(P)) };
        let mut sums = [Accumulator::<N, L>::new(); P];
        let registers = P / L::LANES;
        let step = P * N;
        let length = self.0.limbs().len();
        for (index, at) in (0..length).step_by(step).enumerate() {
            for (r, sum) in sums.iter_mut().enumerate().take(registers) {
                add_terms(sum, self.0, at + r * L::LANES * N);
            }
            if N > 1 && (index + 1) % Accumulator::<N, f64>::PERIOD == 0 {
                sums.iter_mut().take(registers).for_each(Accumulator::carry);
            }
        }
        let mut partials = [[0.0; N]; P];
        for (r, sum) in sums.iter().enumerate().take(registers) {
            let limbs = if N == 1 { sum.limbs() } else { sum.normalized() };
            for lane in 0..L::LANES {
                partials[r * L::LANES + lane] = limbs.map(|limb| limb.lane(lane));
            }
        }
        partials
    }
}

/// Adds the terms from limb `at` on, as many as `L` has lanes; beyond the end they are zero.
#[inline(always)]
fn add_terms<const N: usize, L: Lane>(sum: &mut Accumulator<N, L>, terms: Terms<'_>, at: usize) {
    match terms {
        Terms::Products(x, y) => sum.add_product(load(x, at), load(y, at)),
        Terms::Entries(x) => sum.add(load(x, at)),
        Terms::Magnitudes(x) => {
            let x: [L; N] = load(x, at);
            let negative = L::less(x[0], L::splat(0.0));
            sum.add(x.map(|limb| L::select(negative, -limb, limb)));
        }
    }
}

/// Registers of the numbers from limb `at` on, limbs of a number side by side; beyond the end they
/// are zero.
#[inline(always)]
pub fn load<const N: usize, L: Lane>(x: &[f64], at: usize) -> [L; N] {
    match x.get(at..at + N * L::LANES) {
        Some(x) => L::load_limbs(x),
        None => core::array::from_fn(|limb| {
            L::from_fn(|lane| x.get(at + lane * N + limb).copied().unwrap_or(0.0))
        }),
    }
}

/// The sum of all terms; `sums` is memory for those of blocks.
pub(super) fn total<T: Scalar>(terms: Terms<'_>, sums: &mut Vec<T>) -> T {
    match T::LIMBS {
        1 => total_of::<T, 1, 32>(terms, sums),
        2 => total_of::<T, 2, 8>(terms, sums),
        3 => total_of::<T, 3, 8>(terms, sums),
        _ => total_of::<T, 4, 8>(terms, sums),
    }
}

fn total_of<T: Scalar, const N: usize, const P: usize>(terms: Terms<'_>, sums: &mut Vec<T>) -> T {
    let count = terms.limbs().len() / N;
    let blocks = count.div_ceil(BLOCKS[N]);
    let block_sum = |block| {
        let partials = dispatch(BlockSum::<N, P>(terms.block(block, N)));
        let mut sums: [T; P] = partials.map(|limbs| T::from_limbs(|i| limbs[i]));
        let sum = pairwise(&mut sums);
        if sum.is_finite() { sum } else { terms.block(block, N).in_order() }
    };
    if count < PARALLEL {
        let mut sums = [T::ZERO; PARALLEL / BLOCKS[2]];
        (0..blocks).for_each(|block| sums[block] = block_sum(block));
        pairwise(&mut sums[..blocks])
    } else {
        sums.resize(blocks, T::ZERO);
        for_each(&mut sums[..], Grain::ANY, |block, sum| *sum = block_sum(block));
        pairwise(sums)
    }
}

/// The sum of all, neighbours first; the numbers are spoilt.
fn pairwise<T: Scalar>(sums: &mut [T]) -> T {
    let mut count = sums.len();
    while count > 1 {
        for i in 0..count / 2 {
            sums[i] = sums[2 * i] + sums[2 * i + 1];
        }
        if !count.is_multiple_of(2) {
            sums[count / 2] = sums[count - 1];
        }
        count = count.div_ceil(2);
    }
    sums.first().copied().unwrap_or(T::ZERO)
}

/// `Σ x[i]·y[i]`. Panics when the lengths differ.
pub fn dot<'a, 'b, T: Number>(x: impl Into<Slice<'a, T>>, y: impl Into<Slice<'b, T>>) -> T {
    T::dot(x.into(), y.into())
}

/// `Σ x[i]`.
pub fn sum<T: Number>(x: Slice<'_, T>) -> T {
    T::sum(x)
}

/// `Σ |x[i]|`.
pub fn asum<T: Number>(x: Slice<'_, T>) -> T {
    T::asum(x)
}

/// [`dot`] of limbs.
pub(super) fn dot_of<T: Scalar>(x: Slice<'_, T>, y: Slice<'_, T>) -> T {
    sum_products(Arithmetic::Delayed, x, y, &mut Numbers::new(()))
}

/// [`dot`] of limbs that takes its memory from the caller, who keeps it for the next. Sums are
/// delayed.
pub(super) fn sum_products<T: Scalar>(
    _: Arithmetic,
    x: Slice<'_, T>,
    y: Slice<'_, T>,
    sums: &mut Numbers<T>,
) -> T {
    assert_eq!(x.len(), y.len(), "lengths");
    let terms = Terms::Products(limbs_of(x.cells()), limbs_of(y.cells()));
    T::total(terms, sums.as_mut_vec())
}

/// [`sum`] of limbs.
pub(super) fn sum_of<T: Scalar>(x: Slice<'_, T>) -> T {
    T::total(Terms::Entries(limbs_of(x.cells())), &mut Vec::new())
}

/// [`asum`] of limbs.
pub(super) fn asum_of<T: Scalar>(x: Slice<'_, T>) -> T {
    T::total(Terms::Magnitudes(limbs_of(x.cells())), &mut Vec::new())
}

/// `√Σ x[i]²` without spurious overflow or underflow.
pub fn nrm2<'a, T: Number>(x: impl Into<Slice<'a, T>>) -> T {
    reference::reduce::scaled_norm(x.into(), |x| dot(x, x))
}

/// The first index of an entry of greatest magnitude; see [`reference::reduce::iamax`].
pub fn iamax<T: Number>(x: Slice<'_, T>) -> Option<usize> {
    if x.len() < PARALLEL {
        return reference::reduce::iamax(x);
    }
    let of_blocks = map(x.len().div_ceil(SEARCHED), Grain::ANY, |block| {
        let first = block * SEARCHED;
        let x = x.range(first..x.len().min(first + SEARCHED));
        Some(first + reference::reduce::iamax(x)?)
    });
    of_blocks
        .into_iter()
        .flatten()
        .reduce(|best, i| if reference::reduce::greater(x.at(i), x.at(best)) { i } else { best })
}
