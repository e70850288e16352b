//! What algorithms ask of their numbers: [`Ring`] ⊂ [`Real`] ⊂ [`Elementary`].
//!
//! An algorithm names the weakest of the three that it needs and then runs at `f64`, [`Dd`](crate::Dd), [`Td`](crate::Td),
//! [`Qd`](crate::Qd) alike.

use core::fmt::Debug;
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use crate::MultiFloat;

/// Numbers that can be added, subtracted and multiplied.
pub trait Ring:
    Copy
    + Debug
    + Default
    + PartialEq
    + Send
    + Sync
    + 'static
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
{
    /// Additive identity.
    const ZERO: Self;
    /// Multiplicative identity.
    const ONE: Self;
}

/// Ordered numbers with division and square roots, rounded to a fixed number of bits.
pub trait Real: Ring + PartialOrd + Div<Output = Self> + DivAssign {
    /// The spelling of the precision everywhere: `f64`, `dd`, `td`, `qd`.
    const NAME: &'static str;
    /// Significand bits `p`.
    const PRECISION: u32;
    /// `u = 2^-p`: bounds are multiples of it.
    const UNIT_ROUNDOFF: f64;

    /// The number `x`, exactly.
    fn from_f64(x: f64) -> Self;
    /// The nearest `f64`.
    fn to_f64(self) -> f64;
    /// Absolute value.
    #[must_use]
    fn abs(self) -> Self;
    /// Square root; NaN below zero.
    #[must_use]
    fn sqrt(self) -> Self;
    /// `self · 2^k`, exact unless it overflows or underflows.
    #[must_use]
    fn ldexp(self, k: i32) -> Self;
    /// Whether this is neither infinite nor NaN.
    fn is_finite(self) -> bool;
    /// Whether this is NaN.
    fn is_nan(self) -> bool;
}

impl Ring for f64 {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;
}

impl Real for f64 {
    const NAME: &'static str = "f64";
    const PRECISION: u32 = 53;
    const UNIT_ROUNDOFF: f64 = f64::EPSILON / 2.0;

    #[inline(always)]
    fn from_f64(x: f64) -> f64 {
        x
    }

    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }

    #[inline(always)]
    fn abs(self) -> f64 {
        f64::abs(self)
    }

    #[inline(always)]
    fn sqrt(self) -> f64 {
        crate::Lane::sqrt(self)
    }

    #[inline]
    fn ldexp(self, k: i32) -> f64 {
        libm::ldexp(self, k)
    }

    #[inline(always)]
    fn is_finite(self) -> bool {
        f64::is_finite(self)
    }

    #[inline(always)]
    fn is_nan(self) -> bool {
        f64::is_nan(self)
    }
}

impl<const N: usize> Ring for MultiFloat<N> {
    const ZERO: Self = MultiFloat::ZERO;
    const ONE: Self = MultiFloat::ONE;
}

impl<const N: usize> Real for MultiFloat<N> {
    const NAME: &'static str = ["", "", "dd", "td", "qd"][N];
    const PRECISION: u32 = Self::MANTISSA_DIGITS;
    const UNIT_ROUNDOFF: f64 = Self::UNIT_ROUNDOFF;

    #[inline(always)]
    fn from_f64(x: f64) -> Self {
        Self::from(x)
    }

    #[inline(always)]
    fn to_f64(self) -> f64 {
        MultiFloat::to_f64(self)
    }

    #[inline(always)]
    fn abs(self) -> Self {
        MultiFloat::abs(self)
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        MultiFloat::sqrt(self)
    }

    #[inline]
    fn ldexp(self, k: i32) -> Self {
        MultiFloat::ldexp(self, k)
    }

    #[inline(always)]
    fn is_finite(self) -> bool {
        MultiFloat::is_finite(self)
    }

    #[inline(always)]
    fn is_nan(self) -> bool {
        MultiFloat::is_nan(self)
    }
}
