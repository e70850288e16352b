//! `sinh x`, `cosh x`, `tanh x`.
//!
//! Method: with `m = e^|x| − 1`, which is relatively exact, `sinh |x| = (m + m/(m + 1))/2`; with
//! `E = e^|x|`, `cosh x = (E + 1/E)/2`; with `m = e^(2|x|) − 1`, `tanh |x| = m/(m + 2)`. Nothing
//! cancels. Beyond 300 the small term of sums does not count and `e^|x|/2` is scaled so that it
//! overflows only where the result does.
//!
//! Error: that of the exponential, that of the quotient (which for small sines is half the result)
//! and that of the sum.

use super::super::MultiFloat;
use super::super::add::add_finite;
use super::domain::{LEAST_MODERATE, is_moderate};
use super::exponential::{keep_zero, reduced_scalar};
use super::limbs::scale;
use super::quotient::quotient;
use crate::Lane;

/// From here on `e^-|x|` does not count against `e^|x|`.
const ONE_EXPONENTIAL_FROM: f64 = 300.0;
/// From here on the hyperbolic tangent is ±1 to all limbs.
const SATURATED: f64 = 80.0;
/// `e^|x|/2` overflows beyond.
const LARGEST_ARGUMENT: f64 = 712.0;

impl<const N: usize, T: Lane> MultiFloat<N, T> {
    /// Hyperbolic sine, within 4 units of the last place.
    ///
    /// ```
    /// use nonius_num::Dd;
    ///
    /// assert_eq!(format!("{:.27}", Dd::from(1).sinh()), "1.175201193643801456882381851");
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn sinh(self) -> Self {
        if T::LANES > 1 && is_moderate(self.0[0], ONE_EXPONENTIAL_FROM) {
            sinh_core(self)
        } else {
            self.map_lanes(sinh_scalar)
        }
    }

    /// Hyperbolic cosine, within 4 units of the last place.
    #[inline(always)]
    #[must_use]
    pub fn cosh(self) -> Self {
        if T::LANES > 1 && T::all(T::less(self.0[0].abs(), T::splat(ONE_EXPONENTIAL_FROM))) {
            cosh_core(self)
        } else {
            self.map_lanes(cosh_scalar)
        }
    }

    /// Hyperbolic tangent, within 4 units of the last place.
    #[inline(always)]
    #[must_use]
    pub fn tanh(self) -> Self {
        if T::LANES > 1 && is_moderate(self.0[0], SATURATED) {
            tanh_core(self)
        } else {
            self.map_lanes(tanh_scalar)
        }
    }
}

/// `x + n` for a small integer `n`.
#[inline(always)]
pub(super) fn add_integer<const N: usize, T: Lane>(x: [T; N], n: f64) -> [T; N] {
    add_finite(x, MultiFloat::from_lane(T::splat(n)).0)
}

#[inline(always)]
fn sinh_core<const N: usize, T: Lane>(x: MultiFloat<N, T>) -> MultiFloat<N, T> {
    let m = x.abs().exp_m1().0;
    let doubled = add_finite(m, quotient(m, add_integer(m, 1.0)));
    with_sign_of(x, MultiFloat(doubled).scale(T::splat(0.5)))
}

#[inline(always)]
fn cosh_core<const N: usize, T: Lane>(x: MultiFloat<N, T>) -> MultiFloat<N, T> {
    let e = x.abs().exp().0;
    let half = MultiFloat::from_lane(T::splat(0.5)).0;
    MultiFloat(add_finite(scale(e, T::splat(0.5)), quotient(half, e)))
}

#[inline(always)]
fn tanh_core<const N: usize, T: Lane>(x: MultiFloat<N, T>) -> MultiFloat<N, T> {
    let m = x.abs().scale(T::splat(2.0)).exp_m1().0;
    with_sign_of(x, MultiFloat(quotient(m, add_integer(m, 2.0))))
}

/// `z >= 0` with the sign of `x`, zeros included.
#[inline(always)]
pub(super) fn with_sign_of<const N: usize, T: Lane>(
    x: MultiFloat<N, T>,
    z: MultiFloat<N, T>,
) -> MultiFloat<N, T> {
    let one = T::splat(1.0);
    let sign = T::select(T::less(x.0[0], T::splat(0.0)), -one, one);
    keep_zero(x, z.scale(sign).0)
}

/// `e^|x|/2` for `|x| >= ONE_EXPONENTIAL_FROM`.
fn half_exponential<const N: usize>(x: MultiFloat<N>) -> MultiFloat<N> {
    if x.0[0].abs() > LARGEST_ARGUMENT {
        return MultiFloat::INFINITY;
    }
    let reduced = reduced_scalar(x.abs());
    reduced.significand().ldexp(reduced.m as i32 - 1)
}

fn sinh_scalar<const N: usize>(x: MultiFloat<N>) -> MultiFloat<N> {
    let size = x.0[0].abs();
    if size < LEAST_MODERATE || size.is_nan() {
        x
    } else if size < ONE_EXPONENTIAL_FROM {
        sinh_core(x)
    } else {
        half_exponential(x).copysign(x)
    }
}

fn cosh_scalar<const N: usize>(x: MultiFloat<N>) -> MultiFloat<N> {
    let size = x.0[0].abs();
    if size.is_nan() {
        x
    } else if size < ONE_EXPONENTIAL_FROM {
        cosh_core(x)
    } else {
        half_exponential(x)
    }
}

fn tanh_scalar<const N: usize>(x: MultiFloat<N>) -> MultiFloat<N> {
    let size = x.0[0].abs();
    if size < LEAST_MODERATE || size.is_nan() {
        x
    } else if size < SATURATED {
        tanh_core(x)
    } else {
        MultiFloat::ONE.copysign(x)
    }
}
