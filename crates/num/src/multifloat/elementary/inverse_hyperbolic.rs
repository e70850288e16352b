//! `asinh x`, `acosh x`, `atanh x`.
//!
//! Method: logarithms of 1 plus a sum of terms of one sign, so that nothing cancels near the zeros:
//! `asinh |x| = ln(1 + |x| + x²/(1 + √(x² + 1)))`; with `t = x − 1`,
//! `acosh x = ln(1 + t + √(t(t + 2)))`; `atanh |x| = ln(1 + 2|x|/(1 − |x|))/2`. For large arguments
//! the first two are `ln 2x`.
//!
//! Error: that of the argument `w` of `ln(1 + w)`, multiplied by `w/((1 + w)·ln(1 + w)) <= 1`, and
//! of that function. In `w` the quotient is smaller than the other term for `asinh`, half of `w`
//! comes from the root for `acosh`, and `atanh` has the quotient alone.

use super::super::MultiFloat;
use super::super::add::add_finite;
use super::super::mul::mul_finite;
use super::domain::{LEAST_MODERATE, is_moderate};
use super::hyperbolic::{add_integer, with_sign_of};
use super::logarithm::logarithm_scalar;
use super::quotient::quotient;
use crate::Lane;

/// From here on `ln 2x` has all limbs right.
const LOGARITHM_FROM: f64 = f64::from_bits((1023 + 240) << 52);

impl<const N: usize, T: Lane> MultiFloat<N, T> {
    /// Inverse hyperbolic sine, within 4 units of the last place.
    #[inline(always)]
    #[must_use]
    pub fn asinh(self) -> Self {
        if T::LANES > 1 && is_moderate(self.0[0], LOGARITHM_FROM) {
            asinh_core(self)
        } else {
            self.map_lanes(asinh_scalar)
        }
    }

    /// Inverse hyperbolic cosine, within 4 units of the last place; NaN below 1.
    #[inline(always)]
    #[must_use]
    pub fn acosh(self) -> Self {
        let above_one = T::all(T::less(T::splat(1.0), self.0[0]));
        if T::LANES > 1 && above_one && T::all(T::less(self.0[0], T::splat(LOGARITHM_FROM))) {
            acosh_core(self)
        } else {
            self.map_lanes(acosh_scalar)
        }
    }

    /// Inverse hyperbolic tangent, within 4 units of the last place; ±∞ at ±1, NaN beyond.
    #[inline(always)]
    #[must_use]
    pub fn atanh(self) -> Self {
        if T::LANES > 1 && is_moderate(self.0[0], 1.0) {
            atanh_core(self)
        } else {
            self.map_lanes(atanh_scalar)
        }
    }
}

#[inline(always)]
fn asinh_core<const N: usize, T: Lane>(x: MultiFloat<N, T>) -> MultiFloat<N, T> {
    let size = x.abs().0;
    let square = mul_finite(size, size);
    let root = MultiFloat(add_integer(square, 1.0)).sqrt().0;
    let w = add_finite(size, quotient(square, add_integer(root, 1.0)));
    with_sign_of(x, MultiFloat(w).ln_1p())
}

#[inline(always)]
fn acosh_core<const N: usize, T: Lane>(x: MultiFloat<N, T>) -> MultiFloat<N, T> {
    let t = add_integer(x.0, -1.0);
    let root = MultiFloat(mul_finite(t, add_integer(t, 2.0))).sqrt().0;
    MultiFloat(add_finite(t, root)).ln_1p()
}

#[inline(always)]
fn atanh_core<const N: usize, T: Lane>(x: MultiFloat<N, T>) -> MultiFloat<N, T> {
    let size = x.abs();
    let w = quotient(size.scale(T::splat(2.0)).0, add_integer((-size).0, 1.0));
    with_sign_of(x, MultiFloat(w).ln_1p().scale(T::splat(0.5)))
}

/// `ln 2x` for positive `x`.
fn ln_of_double<const N: usize>(x: MultiFloat<N>) -> MultiFloat<N> {
    if x.is_infinite() {
        return x;
    }
    let mut logarithm = logarithm_scalar(x);
    logarithm.exponent += 1.0;
    logarithm.ln()
}

fn asinh_scalar<const N: usize>(x: MultiFloat<N>) -> MultiFloat<N> {
    let size = x.0[0].abs();
    if size < LEAST_MODERATE || size.is_nan() {
        x
    } else if size < LOGARITHM_FROM {
        asinh_core(x)
    } else {
        ln_of_double(x.abs()).copysign(x)
    }
}

fn acosh_scalar<const N: usize>(x: MultiFloat<N>) -> MultiFloat<N> {
    if x.0[0] >= LOGARITHM_FROM {
        ln_of_double(x)
    } else if x > MultiFloat::ONE {
        acosh_core(x)
    } else if x == MultiFloat::ONE {
        MultiFloat::ZERO
    } else {
        MultiFloat::NAN
    }
}

fn atanh_scalar<const N: usize>(x: MultiFloat<N>) -> MultiFloat<N> {
    let size = x.0[0].abs();
    if size < LEAST_MODERATE || size.is_nan() {
        x
    } else if size < 1.0 {
        atanh_core(x)
    } else if x.abs() <= MultiFloat::ONE {
        // Next to ±1, where 1 − |x| is exact and the quotient could overflow.
        let size = x.abs();
        let doubled = (size + 1.0).ln() - (MultiFloat::ONE - size).ln();
        doubled.scale(0.5).copysign(x)
    } else {
        MultiFloat::NAN
    }
}
