//! `eˣ`, `2ˣ`, `eˣ − 1`.
//!
//! Method: `x = (4096m + 64j + i)·ln2/4096 + r` with `|i|, |j| <= 32` and `|r| <= ln2/8192`, so
//! that `eˣ = 2^m · 2^(j/64) · (1 + q)` with `1 + q = 2^(i/4096)·eʳ` (two tables in the manner of
//! Tang, *Table-driven implementation of the exponential function*, ACM TOMS 15 (1989)); `eʳ − 1`
//! by its series, `q` from `2^(i/4096) − 1` so that it is small and relatively exact. For `2ˣ` the
//! reduction is exact and `r` is multiplied by `ln 2`.
//!
//! Error: `r` is off by less than `2^-(53N + 12)`, `q < 2^-6` by at most 3 units of its own last
//! place, so that the sum `2^(j/64) + 2^(j/64)·q` decides: with the bounds of
//! [`series`](super::series) at most 0.4, 0.8, 1.2 units of the last place (2, 3, 4 limbs), below 2
//! with the share of `q`. `eˣ − 1` with `m ≠ 0` is a sum of which the exact `2^m·2^(j/64) − 1`
//! cancels at most two bits; with `m = 0` it is `(2^(j/64) − 1) + 2^(j/64)·q`, the former from the
//! table's extra limb, of at least twice the size of the latter: 1 unit for the sum and half of 3
//! for `q`; without the former the 3 units of `q`.
//!
//! Results below `2^(-1022 + p)` lose the limbs that would fall below `2^-1074`.

use super::super::MultiFloat;
use super::super::add::add_finite;
use super::super::mul::mul_finite;
use super::limbs::{look_up, resize, scale};
use super::reduce::subtract_multiple;
use super::series::{add_product, evaluate};
use super::tables::exponential::{FINE_POWERS, POWERS, SERIES, STEP, STEPS_PER_UNIT};
use super::wide::{List, Wide};
use crate::Lane;
use crate::eft::two_sum;

/// Below this magnitude `eˣ` and its limbs' scaling stay inside the exponent range.
const LIMIT: f64 = 708.0;
/// The same for `2ˣ`.
const LIMIT_BASE_2: f64 = 1021.0;
/// Beyond this magnitude everything overflows or underflows.
const LARGEST_ARGUMENT: f64 = 746.0;
/// The same for `2ˣ`.
const BEYOND_BASE_2: f64 = 1076.0;

impl<const N: usize, T: Lane> MultiFloat<N, T> {
    /// `e^self`, within 2 units of the last place.
    ///
    /// ```
    /// use nonius_num::Qd;
    ///
    /// let x = Qd::PI.exp();
    /// assert_eq!(format!("{x:.50}"), "23.14069263277926900572908636794854738026610624260021");
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn exp(self) -> Self {
        if T::LANES > 1 && below(self, LIMIT) {
            Reduced::natural(self.0, None).exponential()
        } else {
            self.map_lanes(exp_scalar)
        }
    }

    /// `2^self`, within 2 units of the last place; exact for integers.
    #[inline(always)]
    #[must_use]
    pub fn exp2(self) -> Self {
        if T::LANES > 1 && below(self, LIMIT_BASE_2) {
            Reduced::binary(self.0).exponential()
        } else {
            self.map_lanes(exp2_scalar)
        }
    }

    /// `e^self − 1`, within 4 units of the last place, for small `self` too.
    ///
    /// ```
    /// use nonius_num::Dd;
    ///
    /// // The difference e^x − 1 keeps all its digits near zero.
    /// let x: Dd = "1e-20".parse()?;
    /// assert_eq!(format!("{:.24e}", x.exp_m1()), "1.000000000000000000005000e-20");
    /// # Ok::<(), nonius_num::ParseDecimalError>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn exp_m1(self) -> Self {
        if T::LANES > 1 && below(self, LIMIT) {
            exp_m1_core(self)
        } else {
            self.map_lanes(exp_m1_scalar)
        }
    }
}

#[inline(always)]
fn below<const N: usize, T: Lane>(x: MultiFloat<N, T>, limit: f64) -> bool {
    T::all(T::less(x.0[0].abs(), T::splat(limit)))
}

/// `e^x = 2^m · 2^(j/64) · (1 + q)`, with `j + 32` as an index and `|q| < 2^-6`.
pub(super) struct Reduced<const N: usize, T> {
    pub(super) m: T,
    index: T,
    q: [T; N],
}

impl<const N: usize, T: Lane> Reduced<N, T> {
    /// Of `x + tail` for `|x| <= 1000`.
    #[inline(always)]
    pub(super) fn natural(x: [T; N], tail: Option<T>) -> Self {
        let k = (x[0] * T::splat(STEPS_PER_UNIT)).round_small();
        Self::new(k, subtract_multiple(x, tail, k, &STEP))
    }

    /// Of `x·ln 2` for `|x| <= 1100`.
    #[inline(always)]
    fn binary(x: [T; N]) -> Self {
        let k = (x[0] * T::splat(4096.0)).round_small();
        let mut list = List::new();
        list.push(x[0] - k * T::splat(1.0 / 4096.0));
        for &limb in &x[1..] {
            list.push(limb);
        }
        let ln_2 = Wide::<N, T>::constant(&super::tables::constants::LN_2).limbs;
        Self::new(k, mul_finite(list.condense(), ln_2))
    }

    #[inline(always)]
    fn new(k: T, r: [T; N]) -> Self {
        let high = (k * T::splat(1.0 / 64.0)).round_small();
        let fine = (k - high * T::splat(64.0)) + T::splat(32.0);
        let m = (high * T::splat(1.0 / 64.0)).round_small();
        let index = (high - m * T::splat(64.0)) + T::splat(32.0);
        let h = mul_finite(r, evaluate(&SERIES, r));
        let p = add_product(r, r, h);
        let t = look_up(&FINE_POWERS, fine);
        Self { m, index, q: add_product(add_finite(t, p), t, p) }
    }

    /// `2^(j/64) · (1 + q)`, in [0.7, 1.42].
    #[inline(always)]
    pub(super) fn significand(&self) -> MultiFloat<N, T> {
        let t = look_up(&POWERS, self.index);
        MultiFloat::renormalize(add_product(t, t, self.q))
    }

    /// `2^m` times the significand, for `m` in [-1022, 1023].
    #[inline(always)]
    pub(super) fn exponential(&self) -> MultiFloat<N, T> {
        self.significand().scale(T::exp2_integer(self.m))
    }
}

/// `e^x − 1` for `|x| <` [`LIMIT`].
#[inline(always)]
fn exp_m1_core<const N: usize, T: Lane>(x: MultiFloat<N, T>) -> MultiFloat<N, T> {
    let reduced = Reduced::natural(x.0, None);
    let power = T::exp2_integer(reduced.m);
    let t: [T; 5] = scale(look_up(&POWERS[..=N], reduced.index), power);
    // 2^m·2^(j/64) − 1: zero for m = j = 0.
    let (first, error) = two_sum(t[0], T::splat(-1.0));
    let mut list = List::new();
    list.push(first);
    list.push(error);
    for &limb in &t[1..=N] {
        list.push(limb);
    }
    let z = add_finite(list.condense(), mul_finite(resize(&t), reduced.q));
    keep_zero(x, z)
}

/// `z` with the zeros of `x`, signs included.
#[inline(always)]
pub(super) fn keep_zero<const N: usize, T: Lane>(
    x: MultiFloat<N, T>,
    mut z: [T; N],
) -> MultiFloat<N, T> {
    z[0] = T::select(T::equal(x.0[0], T::splat(0.0)), x.0[0], z[0]);
    MultiFloat(z)
}

fn exp_scalar<const N: usize>(x: MultiFloat<N>) -> MultiFloat<N> {
    let first = x.0[0];
    if first.abs() > LARGEST_ARGUMENT || first.is_nan() {
        return beyond(first);
    }
    let reduced = reduced_scalar(x);
    if first.abs() < LIMIT {
        reduced.exponential()
    } else {
        reduced.significand().ldexp(reduced.m as i32)
    }
}

fn exp2_scalar<const N: usize>(x: MultiFloat<N>) -> MultiFloat<N> {
    let first = x.0[0];
    if first.abs() > BEYOND_BASE_2 || first.is_nan() {
        return beyond(first);
    }
    let reduced = Reduced::binary(x.0);
    if first.abs() < LIMIT_BASE_2 {
        reduced.exponential()
    } else {
        reduced.significand().ldexp(reduced.m as i32)
    }
}

/// The exponential of a number that is too large, too small, or NaN.
fn beyond<const N: usize>(first: f64) -> MultiFloat<N> {
    MultiFloat::from(if first > 0.0 {
        f64::INFINITY
    } else if first < 0.0 {
        0.0
    } else {
        f64::NAN
    })
}

/// [`Reduced::natural`] of single numbers up to 1000, compiled once.
pub(super) fn reduced_scalar<const N: usize>(x: MultiFloat<N>) -> Reduced<N, f64> {
    Reduced::natural(x.0, None)
}

fn exp_m1_scalar<const N: usize>(x: MultiFloat<N>) -> MultiFloat<N> {
    let first = x.0[0];
    if first.abs() < LIMIT {
        exp_m1_core(x)
    } else if first < 0.0 {
        // e^x is below the last place of −1.
        -MultiFloat::ONE
    } else {
        exp_scalar(x)
    }
}
