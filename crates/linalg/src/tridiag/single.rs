//! `f32`.

use core::ops::{Div, Mul, Neg};
use std::borrow::Cow;

use nonius_num::{Decimal, Lane, ParseDecimalError};

use super::number::{Group, Number, Parts};
use crate::Slice;

impl Number for f32 {
    const PARTS: Parts = Parts::Single;
    const LARGEST_EXPONENT: i32 = 127;
    const SMALLEST_EXPONENT: i32 = -149;
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;

    type Size = f64;

    type Group<L: Lane> = Singles;

    fn name((): ()) -> Cow<'static, str> {
        "f32".into()
    }

    #[inline(always)]
    fn unit_roundoff((): ()) -> f64 {
        f64::from(f32::EPSILON) / 2.0
    }

    #[inline(always)]
    fn span((): ()) -> i32 {
        f32::MANTISSA_DIGITS as i32
    }

    #[inline(always)]
    fn format(self) {}

    #[inline(always)]
    fn to_format(self, (): ()) -> Self {
        self
    }

    #[inline(always)]
    fn fused(self, y: Self, z: Self) -> Self {
        self.mul_add(y, z)
    }

    fn is_finite(self) -> bool {
        self.is_finite()
    }

    fn magnitude(self) -> f64 {
        f64::from(self.abs())
    }

    fn from_f64(x: f64) -> Self {
        x as f32
    }

    fn to_f64(self) -> f64 {
        f64::from(self)
    }

    fn scaled(self, k: i32) -> Self {
        // Exact in `f64` where the result is not zero, so that it is rounded once.
        nonius_num::Real::ldexp(f64::from(self), k) as f32
    }

    fn limb(self, _: usize) -> f64 {
        f64::from(self)
    }

    /// Rounded once: the standard parser reads every such text but for the exponent letter d.
    fn read_decimal((): (), text: &[u8]) -> Result<Self, ParseDecimalError> {
        let near = f64::from_decimal(text)?;
        let once = core::str::from_utf8(text)
            .ok()
            .and_then(|text| text.parse().or_else(|_| text.replace(['d', 'D'], "e").parse()).ok());
        Ok(once.unwrap_or(near as f32))
    }

    fn write_decimal(self, to: &mut Vec<u8>) {
        to.extend(format!("{self:e}").into_bytes());
    }
}

/// `f32`s, which the compiler keeps in registers of any width.
#[derive(Clone, Copy, Debug)]
pub struct Singles([f32; 16]);

macro_rules! operators {
    ($($name:ident $method:ident),*) => {$(
        impl $name for Singles {
            type Output = Self;

            #[inline(always)]
            fn $method(mut self, y: Self) -> Self {
                for lane in 0..16 {
                    self.0[lane] = self.0[lane].$method(y.0[lane]);
                }
                self
            }
        }
    )*};
}

operators!(Mul mul, Div div);

impl Neg for Singles {
    type Output = Self;

    #[inline(always)]
    fn neg(mut self) -> Self {
        for lane in 0..16 {
            self.0[lane] = -self.0[lane];
        }
        self
    }
}

impl Group for Singles {
    type Number = f32;
    const LANES: usize = 16;

    #[inline(always)]
    fn from_fn(number: impl Fn(usize) -> f32) -> Self {
        Self(core::array::from_fn(number))
    }

    #[inline(always)]
    fn load(from: Slice<'_, f32>) -> Self {
        let mut to = [0.0; 16];
        to.copy_from_slice(&from.cells()[..16]);
        Self(to)
    }

    #[inline(always)]
    fn number(self, lane: usize) -> f32 {
        self.0[lane]
    }

    #[inline(always)]
    fn fused(mut self, y: Self, z: Self) -> Self {
        for lane in 0..16 {
            self.0[lane] = self.0[lane].fused(y.0[lane], z.0[lane]);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::Number;

    /// A little above the middle between 1 and the next number, where `f64` has the middle.
    #[test]
    fn texts_are_rounded_once() {
        let next = 1.0 + f32::EPSILON;
        for exponent in ["", "e0", "E+0", "d0", "D-0"] {
            let read = |text: &str| f32::read_decimal((), format!("{text}{exponent}").as_bytes());
            assert_eq!(read("1.000000059604644775390626"), Ok(next), "{exponent}");
            assert_eq!(read("-1.000000059604644775390626"), Ok(-next), "{exponent}");
            assert_eq!(read("1.000000059604644775390625"), Ok(1.0), "{exponent}");
        }
        assert_eq!(f32::read_decimal((), b"-inf"), Ok(f32::NEG_INFINITY));
        assert!(f32::read_decimal((), b"-NaN").is_ok_and(f32::is_nan));
        assert!(f32::read_decimal((), b"1d").is_err() && f32::read_decimal((), b"d1").is_err());
    }
}
