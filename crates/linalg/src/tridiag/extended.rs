//! Numbers whose exponents have no limit in practice.

use core::ops::{Mul, Neg};

use super::number::Number;
use crate::Size;
use crate::backend::Reading;
use crate::reference::band::Element;

/// `significand · 2^exponent`, with the first limb of the significand in [1, 2) in magnitude, or
/// zero.
///
/// Operations round as those of `T` do, and neither overflow nor underflow.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extended<T> {
    significand: T,
    exponent: i64,
}

impl<T: Number> Extended<T> {
    /// The same number; `x` is finite.
    pub(super) fn of(x: T) -> Self {
        Self { significand: x, exponent: 0 }.normal()
    }

    /// The nearest `T`: infinite where its exponent is too large.
    pub(super) fn rounded(self) -> T {
        // Beyond all exponents, whatever the significand.
        let most = 2 * i64::from(T::LARGEST_EXPONENT) - 2 * i64::from(T::SMALLEST_EXPONENT);
        self.significand.scaled(self.exponent.clamp(-most, most) as i32)
    }

    fn normal(self) -> Self {
        match self.significand.magnitude().exponent() {
            Some(0) => self,
            Some(e) => Self {
                significand: self.significand.scaled(-e),
                exponent: self.exponent + i64::from(e),
            },
            None => Self { significand: self.significand, exponent: 0 },
        }
    }

    fn is_zero(self) -> bool {
        self.significand == T::ZERO
    }

    pub(super) fn plus(self, y: Self) -> Self {
        if self.is_zero() {
            return y;
        }
        if y.is_zero() {
            return self;
        }
        let (large, small) = if self.exponent >= y.exponent { (self, y) } else { (y, self) };
        let apart = large.exponent - small.exponent;
        // Below half a unit of the last place of all numbers; further scaling would lose limbs.
        let most = 64 + i64::from(T::span(large.significand.format()));
        if apart > most {
            return large;
        }
        let sum = large.significand + small.significand.scaled(-(apart as i32));
        Self { significand: sum, exponent: large.exponent }.normal()
    }
}

impl<T: Number> Neg for Extended<T> {
    type Output = Self;

    fn neg(self) -> Self {
        Self { significand: -self.significand, ..self }
    }
}

impl<T: Number> Mul for Extended<T> {
    type Output = Self;

    fn mul(self, y: Self) -> Self {
        let product = self.significand * y.significand;
        Self { significand: product, exponent: self.exponent + y.exponent }.normal()
    }
}

impl<T: Number> Element for Extended<T> {
    type Size = Reading;

    fn zero() -> Self {
        Self { significand: T::ZERO, exponent: 0 }
    }

    fn fused(self, y: Self, z: Self) -> Self {
        (self * y).plus(z)
    }

    fn inverse(self) -> Self {
        let inverse = T::ONE / self.significand;
        Self { significand: inverse, exponent: -self.exponent }.normal()
    }

    fn is_finite(self) -> bool {
        self.significand.is_finite()
    }

    fn size(self) -> Reading {
        let size: Reading = self.significand.magnitude().into();
        Reading { exponent: size.exponent + self.exponent, ..size }
    }

    fn ratio(x: Reading, y: Reading) -> Reading {
        if y.significand == 0.0 { Reading::ZERO } else { x.over(y) }
    }

    fn is_larger(x: Reading, y: Reading) -> bool {
        !x.at_most(y)
    }
}
