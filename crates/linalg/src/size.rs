//! Magnitudes as `f64`, or as what has its significand and a wider range.

use core::fmt::{Debug, LowerExp};
use core::ops::{Add, AddAssign, Div, Mul, MulAssign, Sub};

use nonius_num::Real;

use crate::backend::Reading;

/// Magnitudes of numbers of a kind, rounded to the significand of an `f64`: norms, errors and
/// condition numbers are computed with them. `f64` itself for limbs, [`Reading`] for numbers whose
/// exponents exceed its range.
pub trait Size:
    Copy
    + Debug
    + Default
    + LowerExp
    + PartialEq
    + PartialOrd
    + Add<Output = Self>
    + AddAssign
    + Sub<Output = Self>
    + Mul<Output = Self>
    + MulAssign
    + Div<Output = Self>
    + From<f64>
    + From<Reading>
    + Into<Reading>
    + Send
    + Sync
    + 'static
{
    /// Zero.
    const ZERO: Self;
    /// Beyond all.
    const INFINITY: Self;

    /// The larger one, or the one that is a number where the other is NaN.
    #[must_use]
    fn max(self, other: Self) -> Self;

    /// Square root.
    #[must_use]
    fn sqrt(self) -> Self;

    /// `self · 2^k`
    #[must_use]
    fn ldexp(self, k: i32) -> Self;

    /// The `e` with `2^e <= x < 2^(e+1)`; `None` for zero, infinity and NaN.
    fn exponent(self) -> Option<i32>;

    /// Whether this is neither infinite nor NaN.
    fn is_finite(self) -> bool;

    /// Whether this is NaN.
    fn is_nan(self) -> bool;

    /// The nearest `f64`.
    fn to_f64(self) -> f64;
}

/// The nearest `f64`.
impl From<Reading> for f64 {
    fn from(x: Reading) -> f64 {
        x.to_f64()
    }
}

impl Size for f64 {
    const ZERO: f64 = 0.0;
    const INFINITY: f64 = f64::INFINITY;

    #[inline(always)]
    fn max(self, other: f64) -> f64 {
        f64::max(self, other)
    }

    #[inline(always)]
    fn sqrt(self) -> f64 {
        f64::sqrt(self)
    }

    #[inline]
    fn ldexp(self, k: i32) -> f64 {
        Real::ldexp(self, k)
    }

    #[inline]
    fn exponent(self) -> Option<i32> {
        crate::scalar::exponent(self)
    }

    #[inline(always)]
    fn is_finite(self) -> bool {
        f64::is_finite(self)
    }

    #[inline(always)]
    fn is_nan(self) -> bool {
        f64::is_nan(self)
    }

    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }
}

impl Size for Reading {
    const ZERO: Self = Reading::ZERO;
    const INFINITY: Self = Reading::INFINITY;

    fn max(self, other: Self) -> Self {
        Reading::max(self, other)
    }

    fn sqrt(self) -> Self {
        Reading::sqrt(self)
    }

    fn ldexp(self, k: i32) -> Self {
        self.scaled(i64::from(k))
    }

    fn exponent(self) -> Option<i32> {
        let ordinary = Reading::is_finite(self) && self.significand != 0.0;
        ordinary.then(|| (self.exponent - 1) as i32)
    }

    fn is_finite(self) -> bool {
        Reading::is_finite(self)
    }

    fn is_nan(self) -> bool {
        self.significand.is_nan()
    }

    fn to_f64(self) -> f64 {
        Reading::to_f64(self)
    }
}
