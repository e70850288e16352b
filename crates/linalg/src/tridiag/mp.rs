//! Numbers of any precision.

use core::ops::{Div, Mul, Neg};
use std::borrow::Cow;

use nonius_num::mp::{Bits, Head};
use nonius_num::{Decimal, Lane, Mp, ParseDecimalError, Precision, Real};

use super::number::{Group, Number, Parts};
use crate::Slice;
use crate::backend::Reading;

impl Number for Mp {
    const PARTS: Parts = Parts::Words;
    const LARGEST_EXPONENT: i32 = Head::GREATEST_EXPONENT - 1;
    const SMALLEST_EXPONENT: i32 = Head::LEAST_EXPONENT - 1;
    const ZERO: Self = Mp::ZERO;
    const ONE: Self = Mp::ONE;

    type Size = Reading;

    type Group<L: Lane> = Alone;

    fn name(bits: Bits) -> Cow<'static, str> {
        Precision::Mp(bits).name()
    }

    fn unit_roundoff(bits: Bits) -> Reading {
        <Self as crate::Number>::unit_roundoff(bits)
    }

    fn span(bits: Bits) -> i32 {
        bits.get() as i32
    }

    fn format(self) -> Bits {
        self.bits()
    }

    fn to_format(self, bits: Bits) -> Self {
        Real::to_format(self, bits)
    }

    fn fused(self, y: Self, z: Self) -> Self {
        self * y + z
    }

    fn is_finite(self) -> bool {
        Mp::is_finite(&self)
    }

    fn magnitude(self) -> Reading {
        crate::Number::size(self)
    }

    fn from_f64(x: f64) -> Self {
        Real::from_f64(x)
    }

    fn to_f64(self) -> f64 {
        Real::to_f64(self)
    }

    fn scaled(self, k: i32) -> Self {
        self.ldexp(k)
    }

    fn limb(self, i: usize) -> f64 {
        if i == 0 { Real::to_f64(self) } else { 0.0 }
    }

    fn read_decimal(format: Self::Format, text: &[u8]) -> Result<Self, ParseDecimalError> {
        Decimal::from_decimal_in(format, text)
    }

    fn write_decimal(self, to: &mut Vec<u8>) {
        self.append_decimal(to);
    }
}

/// One number: registers hold no more.
#[derive(Clone, Copy, Debug)]
pub struct Alone(Mp);

macro_rules! operators {
    ($($name:ident $method:ident),*) => {$(
        impl $name for Alone {
            type Output = Self;

            fn $method(self, y: Self) -> Self {
                Self(self.0.$method(y.0))
            }
        }
    )*};
}

operators!(Mul mul, Div div);

impl Neg for Alone {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Group for Alone {
    type Number = Mp;
    const LANES: usize = 1;

    fn from_fn(number: impl Fn(usize) -> Mp) -> Self {
        Self(number(0))
    }

    fn load(from: Slice<'_, Mp>) -> Self {
        Self(from.at(0))
    }

    fn number(self, _: usize) -> Mp {
        self.0
    }

    fn fused(self, y: Self, z: Self) -> Self {
        Self(Number::fused(self.0, y.0, z.0))
    }
}
