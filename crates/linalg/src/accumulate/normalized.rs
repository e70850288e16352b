//! Sums that normalise every term: what a program in the number's own operators computes, and the
//! double-double sums of the literature.
//!
//! Let `S = Σ|a||b|` over the `k` products of a sum, `u = 2^-53` and `u_N` the unit roundoff of `N`
//! limbs (`u_1 = u`, `u_N = 2^(-52 N)`, hence `u_2 = 4u²`). The first product meets an empty sum,
//! which is exact. To first order in `u`:
//!
//! **[`Ieee`].** A product errs by at most `p·|a||b|` and an addition by at most `s` of its result,
//! which is at most `S`. So the sum of `k` products is within `(p + (k − 1)·s)·S` of the exact one.
//! [`error`](Sum::error) is this in units of `u_N`:
//!
//! | limbs | `p` | `s` | `error(k)` |
//! |---|---|---|---|
//! | 1 | `u` | `u` | `k` |
//! | 2 | `5u²` ([`mul_accurate`]) | `3u²` ([`add_ieee`]) | `0.75 k + 0.5` |
//! | 3 | `21u³` | `u_3 = 8u³` | `k + 2`, of which 0.4 is spare |
//! | 4 | `35u⁴` | `u_4 = 16u⁴` | `k + 2`, of which 0.8 is spare |
//!
//! The bounds of products and sums are those of [`variants`](nonius_num::multifloat::variants) for
//! two limbs, else those of the operators `*` and `+`, whose modules in nonius-num derive them.
//!
//! **[`Cheap`].** Two limbs, with a cheaper addition, a cheaper product, or both. [`add_cray`] errs
//! by at most `3u²` of the sum of its operands' magnitudes: the running sum, at most `Σ|a||b|` over
//! the steps before, and the new product; together at most `S`. [`add_ieee`] errs by at most `3u²`
//! of its result, which is at most `S` too. So `k` products that err by `p·|a||b|` each add up to
//! within `(p + (k − 1)·3u²)·S` of the exact sum:
//!
//! | | addition | product | `p` | `error(k)` |
//! |---|---|---|---|---|
//! | [`Cray`] | [`add_cray`] | [`mul_accurate`] | `5u²` | `0.75 k + 0.5` |
//! | [`IeeeSloppy`] | [`add_ieee`] | [`mul_sloppy`] | `9u²` | `0.75 k + 1.5` |
//! | [`Sloppy`] | [`add_cray`] | [`mul_sloppy`] | `9u²` | `0.75 k + 1.5` |
//!
//! The bound on a step asks for operands in normal form. A product of [`mul_sloppy`] has a lower
//! limb of at most `(1/2 + O(u))` units in the last place of the higher, since the higher is one
//! rounding of all but its last bits. That changes terms of order `u³` only. It also keeps the sum
//! in normal form: where the first limbs cancel to a single unit of the smaller, what the lower
//! limbs add up to is at most `3/2 + O(u)` such units, so that the FastTwoSum that follows is
//! exact.
//!
//! Relative to the exact sum itself none of the bounds is small where terms cancel. They differ
//! where a whole partial sum cancels: [`add_ieee`] then errs relative to what is left, [`add_cray`]
//! relative to what was there.
//!
//! What the first order leaves out is a part of the order of `u + k·u_N` of the bound.
//!
//! **Preconditions.** As for [`Accumulator`](super::Accumulator): finite limbs in normal form and
//! no overflow. Products below `2^-969` lose bits to underflow, at most a few `2^-1074` each.

use nonius_num::multifloat::variants::{add_cray, add_ieee, mul_accurate, mul_sloppy};
use nonius_num::{Lane, MultiFloat};

use super::Sum;

/// Products and sums that are normalised one by one. See the [module documentation](self).
///
/// Two operations a term for one limb, 29, 108, 248 for 2, 3, 4.
#[derive(Clone, Copy, Debug)]
pub struct Ieee<const N: usize, L: Lane>([L; N]);

impl<const N: usize, L: Lane> Sum<N, L> for Ieee<N, L> {
    const PERIOD: usize = usize::MAX;

    fn error(steps: usize) -> f64 {
        let (each, once) = [(0.0, 0.0), (1.0, 0.0), (0.75, 0.5), (1.0, 2.0), (1.0, 2.0)][N];
        each * steps as f64 + once
    }

    #[inline(always)]
    fn new() -> Self {
        const { assert!(N >= 1 && N <= 4, "a number has 1, 2, 3 or 4 limbs") };
        Self([L::splat(0.0); N])
    }

    #[inline(always)]
    fn from_limbs(limbs: [L; N]) -> Self {
        Self(limbs)
    }

    #[inline(always)]
    fn limbs(self) -> [L; N] {
        self.0
    }

    #[inline(always)]
    fn add_product(&mut self, a: [L; N], b: [L; N]) {
        let s = self.0;
        self.0 = match N {
            1 => core::array::from_fn(|i| s[i] + a[i] * b[i]),
            2 => limbs(add_ieee(number(s), mul_accurate(number(a), number(b)))),
            3 => limbs(number::<3, N, L>(s).add_finite(number(a).mul_finite(number(b)))),
            _ => limbs(number::<4, N, L>(s).add_finite(number(a).mul_finite(number(b)))),
        };
    }

    #[inline(always)]
    fn carry(&mut self) {}

    #[inline(always)]
    fn normalized(self) -> [L; N] {
        self.0
    }
}

/// Double-double sums that save operations at the cost of accuracy: in the addition, the product,
/// or both. See the [module documentation](self).
#[derive(Clone, Copy, Debug)]
pub struct Cheap<L: Lane, const CRAY: bool, const SLOPPY: bool>([L; 2]);

/// The cheaper addition: 20 operations a term.
pub type Cray<L> = Cheap<L, true, false>;
/// The cheaper product: 26 operations a term.
pub type IeeeSloppy<L> = Cheap<L, false, true>;
/// Both: 17 operations a term.
pub type Sloppy<L> = Cheap<L, true, true>;

impl<L: Lane, const CRAY: bool, const SLOPPY: bool> Sum<2, L> for Cheap<L, CRAY, SLOPPY> {
    const PERIOD: usize = usize::MAX;

    fn error(steps: usize) -> f64 {
        0.75 * steps as f64 + if SLOPPY { 1.5 } else { 0.5 }
    }

    #[inline(always)]
    fn new() -> Self {
        Self([L::splat(0.0); 2])
    }

    #[inline(always)]
    fn from_limbs(limbs: [L; 2]) -> Self {
        Self(limbs)
    }

    #[inline(always)]
    fn limbs(self) -> [L; 2] {
        self.0
    }

    #[inline(always)]
    fn add_product(&mut self, a: [L; 2], b: [L; 2]) {
        let [sum, a, b] = [self.0, a, b].map(MultiFloat::from_limbs);
        let product = if SLOPPY { mul_sloppy(a, b) } else { mul_accurate(a, b) };
        let sum = if CRAY { add_cray(sum, product) } else { add_ieee(sum, product) };
        self.0 = sum.limbs();
    }

    #[inline(always)]
    fn carry(&mut self) {}

    #[inline(always)]
    fn normalized(self) -> [L; 2] {
        self.0
    }
}

/// The number of these limbs, for `M = N`.
#[inline(always)]
fn number<const M: usize, const N: usize, L: Lane>(limbs: [L; N]) -> MultiFloat<M, L> {
    MultiFloat::from_limbs(core::array::from_fn(|i| limbs[i]))
}

/// The limbs of this number, for `M = N`.
#[inline(always)]
fn limbs<const M: usize, const N: usize, L: Lane>(number: MultiFloat<M, L>) -> [L; N] {
    let limbs = number.limbs();
    core::array::from_fn(|i| limbs[i])
}
