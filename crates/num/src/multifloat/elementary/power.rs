//! `x^y` for real and integer `y`.
//!
//! Method: `e^(y·ln x)`. The exponential multiplies the relative error of `y·ln x` by
//! `|y·ln x| <= 745`, so the logarithm, the product and the reduction work with one limb more than
//! the format: `ln x` is off by `2^-(53N + 12)`, relatively, the result by less than `2^-(53N + 2)`
//! from that source, and by that of the exponential. The result is then rounded to `p + 1` bits, at
//! most a quarter unit of the last place, which makes every result exact that has no more bits:
//! `3⁴ = 81` and `(9/4)^(3/2) = 27/8`. The bound is that of the exponential and a quarter more: 2
//! units of the last place.
//!
//! Integer exponents up to 511 go by repeated squaring of the significand in [√½, √2], also with
//! one limb more: the error of `|n|` products of relative error `2^-(53N + 40)` stays far below the
//! last place, so that only the final rounding and, for negative `n`, the quotient count: at most 1
//! unit.

use super::super::MultiFloat;
use super::exponential::Reduced;
use super::logarithm::{Logarithm, in_range, logarithm_scalar};
use super::quotient::quotient;
use super::wide::Wide;
use crate::Lane;

/// Exponents of the exponential for which scaling stays in range.
const LIMIT: f64 = 708.0;
/// Beyond this everything overflows or underflows.
const LARGEST_ARGUMENT: f64 = 746.0;
/// Larger integer exponents go by logarithms.
const LARGEST_SQUARED: u32 = 511;

impl<const N: usize, T: Lane> MultiFloat<N, T> {
    /// `self^y`, within 2 units of the last place; exact where the result has at most `52·N + 1`
    /// bits. Special cases as in C99.
    ///
    /// ```
    /// use nonius_num::Qd;
    ///
    /// let x = Qd::from(2.25).pow(Qd::from(1.5));
    /// assert_eq!(x, 3.375); // (9/4)^(3/2) = 27/8, exactly
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn pow(self, y: Self) -> Self {
        if T::LANES > 1
            && let Some(z) = pow_core(self, y)
        {
            return z;
        }
        Self::from_fn(|i| pow_scalar(self.lane(i), y.lane(i)))
    }

    /// `self^n`, within 2 units of the last place, for `|n| <= 511` within 1; exact where the
    /// format holds the result and `0 <= n <= 511`.
    ///
    /// ```
    /// use nonius_num::Dd;
    ///
    /// let x = Dd::from(3).powi(60);
    /// assert_eq!(x.to_string(), "42391158275216203514294433201");
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn powi(self, n: i32) -> Self {
        if T::LANES > 1
            && let Some(z) = powi_core(self, n)
        {
            return z;
        }
        self.map_lanes(|x| powi_scalar(x, n))
    }
}

/// `x^y` for usual `x` and results in all lanes.
#[inline(always)]
fn pow_core<const N: usize, T: Lane>(
    x: MultiFloat<N, T>,
    y: MultiFloat<N, T>,
) -> Option<MultiFloat<N, T>> {
    if !in_range(x.0[0]) {
        return None;
    }
    let z = exponent(Logarithm::new(Wide::exact(x.0), T::splat(0.0)), y);
    if !T::all(T::less(z.limbs[0].abs(), T::splat(LIMIT))) {
        return None;
    }
    let reduced = Reduced::natural(z.limbs, Some(z.tail));
    Some(round(reduced.significand()).scale(T::exp2_integer(reduced.m)))
}

/// `x^n` for usual `x` and results in all lanes and `|n| <= 511`.
#[inline(always)]
fn powi_core<const N: usize, T: Lane>(x: MultiFloat<N, T>, n: i32) -> Option<MultiFloat<N, T>> {
    if n.unsigned_abs() > LARGEST_SQUARED || !in_range(x.0[0].abs()) {
        return None;
    }
    let (significand, e) = split(x);
    let scale = e * T::splat(f64::from(n));
    // The significand's power adds up to 256.
    let usual = T::all(T::less(scale.abs(), T::splat(700.0)));
    usual.then(|| powi_of_significand(significand, n).scale(T::exp2_integer(scale)))
}

/// `y·ln x`.
#[inline(always)]
fn exponent<const N: usize, T: Lane>(
    logarithm: Logarithm<N, T>,
    y: MultiFloat<N, T>,
) -> Wide<N, T> {
    logarithm.natural().multiply(Wide::exact(y.0))
}

/// `x` of magnitude around 1 to the nearest multiple of half a unit of the last place.
#[inline(always)]
pub(super) fn round<const N: usize, T: Lane>(x: MultiFloat<N, T>) -> MultiFloat<N, T> {
    // Adding and subtracting 3/2·2^52 units rounds numbers of less than 2^51 units; larger limbs
    // have no such bits.
    let unit = T::exp2_integer(x.0[0].exponent() - T::splat(52.0 * N as f64));
    let anchor = unit * T::splat(6_755_399_441_055_744.0);
    let small = unit * T::splat(2_251_799_813_685_248.0);
    let mut limbs = x.0;
    for limb in &mut limbs[1..] {
        let rounded = (*limb + anchor) - anchor;
        *limb = T::select(T::less(small, limb.abs()), *limb, rounded);
    }
    MultiFloat::renormalize(limbs)
}

/// `(m, e)` with `x = m·2^e` and `|m|` in [√½, √2], for a first limb of which the magnitude is [in
/// range](in_range).
#[inline(always)]
fn split<const N: usize, T: Lane>(x: MultiFloat<N, T>) -> (MultiFloat<N, T>, T) {
    let e = x.0[0].exponent();
    let power = T::exp2_integer(-e);
    let above = T::less(T::splat(core::f64::consts::SQRT_2), x.0[0].abs() * power);
    let one = T::splat(1.0);
    let e = T::select(above, e + one, e);
    (x.scale(T::select(above, power * T::splat(0.5), power)), e)
}

/// `x^n` for `|x|` in [√½, √2] and `|n| <= 511`: by the binary digits of `n`, highest first.
#[inline(always)]
fn powi_of_significand<const N: usize, T: Lane>(x: MultiFloat<N, T>, n: i32) -> MultiFloat<N, T> {
    let magnitude = n.unsigned_abs();
    let one = MultiFloat::from_lane(T::splat(1.0)).0;
    if magnitude == 0 {
        return MultiFloat(one);
    }
    let base = Wide::exact(x.0);
    let mut z = base;
    for bit in (0..magnitude.ilog2()).rev() {
        z = z.multiply(z);
        if magnitude >> bit & 1 == 1 {
            z = z.multiply(base);
        }
    }
    MultiFloat(if n < 0 { quotient(one, z.limbs) } else { z.limbs })
}

fn pow_scalar<const N: usize>(x: MultiFloat<N>, y: MultiFloat<N>) -> MultiFloat<N> {
    if let Some(z) = pow_core(x, y) {
        return z;
    }
    let one = MultiFloat::ONE;
    if y.0[0] == 0.0 || x == one {
        return one;
    }
    if x.is_nan() || y.is_nan() {
        return MultiFloat::NAN;
    }
    let size = x.abs();
    let odd = x.is_sign_negative() && is_odd(y);
    let magnitude = if y.is_infinite() && size == one {
        one
    } else if size.0[0] == 0.0 || size.is_infinite() || y.is_infinite() {
        // Infinite or zero, as the sign of y·ln x says.
        if (size > one) == (y.0[0] > 0.0) { MultiFloat::INFINITY } else { MultiFloat::ZERO }
    } else if x.0[0] < 0.0 && !y.is_integer() {
        return MultiFloat::NAN;
    } else {
        pow_positive(size, y)
    };
    if odd { -magnitude } else { magnitude }
}

/// `x^y` for positive `x`, both finite.
fn pow_positive<const N: usize>(x: MultiFloat<N>, y: MultiFloat<N>) -> MultiFloat<N> {
    let logarithm = logarithm_scalar(x);
    let estimate = logarithm.natural().limbs[0] * y.0[0];
    if estimate.abs() > LARGEST_ARGUMENT {
        return if estimate > 0.0 { MultiFloat::INFINITY } else { MultiFloat::ZERO };
    }
    let z = exponent(logarithm, y);
    let reduced = Reduced::natural(z.limbs, Some(z.tail));
    round(reduced.significand()).ldexp(reduced.m as i32)
}

/// Whether `y` is an odd integer.
fn is_odd<const N: usize>(y: MultiFloat<N>) -> bool {
    // Limbs of an integer are integers; from 2^53 on they are even.
    let odd_limbs = y.0.iter().filter(|&&limb| limb % 2.0 != 0.0).count();
    y.is_integer() && odd_limbs % 2 == 1
}

fn powi_scalar<const N: usize>(x: MultiFloat<N>, n: i32) -> MultiFloat<N> {
    if let Some(z) = powi_core(x, n) {
        return z;
    }
    let usual = x.0[0] != 0.0 && x.is_finite() && n.unsigned_abs() <= LARGEST_SQUARED;
    if !usual {
        return pow_scalar(x, MultiFloat::from(n));
    }
    let (x, exponent) = x.frexp();
    let (significand, e) = split(x);
    powi_of_significand(significand, n).ldexp((exponent + e as i32) * n)
}
