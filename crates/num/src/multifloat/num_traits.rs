//! The traits of the crate `num-traits`.
//!
//! Inherent methods of the same names come first in code that names the type: `x.to_i64()`
//! saturates, while `ToPrimitive::to_i64(&x)` is `None` where the integer does not fit.

use num_traits::{
    Bounded, ConstOne, ConstZero, Euclid, FloatConst, FromPrimitive, Inv, MulAdd, MulAddAssign,
    Num, NumCast, One, Signed, ToPrimitive, Zero,
};

use super::{MultiFloat, ParseRadixError};

impl<const N: usize> Zero for MultiFloat<N> {
    fn zero() -> Self {
        Self::ZERO
    }

    fn is_zero(&self) -> bool {
        self.0[0] == 0.0
    }
}

impl<const N: usize> One for MultiFloat<N> {
    fn one() -> Self {
        Self::ONE
    }
}

impl<const N: usize> ConstZero for MultiFloat<N> {
    const ZERO: Self = Self::ZERO;
}

impl<const N: usize> ConstOne for MultiFloat<N> {
    const ONE: Self = Self::ONE;
}

impl<const N: usize> Num for MultiFloat<N> {
    type FromStrRadixErr = ParseRadixError;

    fn from_str_radix(text: &str, radix: u32) -> Result<Self, ParseRadixError> {
        Self::from_str_radix(text, radix)
    }
}

impl<const N: usize> Signed for MultiFloat<N> {
    fn abs(&self) -> Self {
        Self::abs(*self)
    }

    fn abs_sub(&self, y: &Self) -> Self {
        if self <= y { Self::ZERO } else { *self - *y }
    }

    fn signum(&self) -> Self {
        Self::signum(*self)
    }

    fn is_positive(&self) -> bool {
        self.is_sign_positive()
    }

    fn is_negative(&self) -> bool {
        self.is_sign_negative()
    }
}

impl<const N: usize> Bounded for MultiFloat<N> {
    fn min_value() -> Self {
        Self::MIN
    }

    fn max_value() -> Self {
        Self::MAX
    }
}

impl<const N: usize> Inv for MultiFloat<N> {
    type Output = Self;

    fn inv(self) -> Self {
        self.recip()
    }
}

impl<const N: usize> MulAdd for MultiFloat<N> {
    type Output = Self;

    fn mul_add(self, a: Self, b: Self) -> Self {
        Self::mul_add(self, a, b)
    }
}

impl<const N: usize> MulAddAssign for MultiFloat<N> {
    fn mul_add_assign(&mut self, a: Self, b: Self) {
        *self = Self::mul_add(*self, a, b);
    }
}

impl<const N: usize> Euclid for MultiFloat<N> {
    fn div_euclid(&self, y: &Self) -> Self {
        Self::div_euclid(*self, *y)
    }

    fn rem_euclid(&self, y: &Self) -> Self {
        Self::rem_euclid(*self, *y)
    }
}

macro_rules! primitives {
    ($($integer:ident $to:ident $from:ident),*) => {
        impl<const N: usize> ToPrimitive for MultiFloat<N> {
            $(
                /// `self` truncated toward zero, where that fits.
                fn $to(&self) -> Option<$integer> {
                    $integer::try_from(self.trunc()).ok()
                }
            )*

            /// The nearest `f32`, infinite beyond its range.
            fn to_f32(&self) -> Option<f32> {
                Some(Self::to_f32(*self))
            }

            /// The nearest `f64`.
            fn to_f64(&self) -> Option<f64> {
                Some(Self::to_f64(*self))
            }
        }

        impl<const N: usize> FromPrimitive for MultiFloat<N> {
            $(
                fn $from(x: $integer) -> Option<Self> {
                    Some(x.into())
                }
            )*

            fn from_f32(x: f32) -> Option<Self> {
                Some(x.into())
            }

            fn from_f64(x: f64) -> Option<Self> {
                Some(x.into())
            }
        }
    };
}

primitives! {
    i8 to_i8 from_i8, i16 to_i16 from_i16, i32 to_i32 from_i32, i64 to_i64 from_i64, i128 to_i128 from_i128,
    isize to_isize from_isize, u8 to_u8 from_u8, u16 to_u16 from_u16, u32 to_u32 from_u32, u64 to_u64 from_u64,
    u128 to_u128 from_u128, usize to_usize from_usize
}

impl<const N: usize> NumCast for MultiFloat<N> {
    /// Integers of up to 128 bits as `From` does; all else through `f64`, so another `MultiFloat`
    /// is better [converted](MultiFloat::convert).
    fn from<X: ToPrimitive>(x: X) -> Option<Self> {
        let near = x.to_f64()?;
        if libm::trunc(near) == near {
            // An integer, or at least near one: exact only if it rounds to the same f64.
            if let Some(integer) = x.to_i128().filter(|&i| i as f64 == near) {
                return Some(integer.into());
            }
            if let Some(integer) = x.to_u128().filter(|&i| i as f64 == near) {
                return Some(integer.into());
            }
        }
        Some(near.into())
    }
}

macro_rules! constants {
    ($($name:ident)*) => {
        impl<const N: usize> FloatConst for MultiFloat<N> {
            $(
                fn $name() -> Self {
                    Self::$name
                }
            )*
        }
    };
}

constants! {
    E FRAC_1_PI FRAC_1_SQRT_2 FRAC_2_PI FRAC_2_SQRT_PI FRAC_PI_2 FRAC_PI_3 FRAC_PI_4 FRAC_PI_6 FRAC_PI_8
    LN_10 LN_2 LOG10_E LOG2_E PI SQRT_2 TAU LOG10_2 LOG2_10
}

#[cfg(test)]
mod tests {
    use num_traits::{FromPrimitive, Num, Signed, ToPrimitive, Zero, cast};

    use crate::{Dd, Td};

    fn polynomial<T: Num + Copy>(x: T) -> T {
        x * x + x + T::one()
    }

    #[test]
    fn generic_code_runs() {
        assert_eq!(polynomial(Dd::from(3.0)), 13.0);
        assert!(Dd::zero().is_zero() && (-Dd::ZERO).is_zero() && !Dd::NAN.is_zero());
        assert_eq!(Td::from(-3.0).abs_sub(&Td::ONE), 0.0);
        assert!(Signed::is_negative(&-Td::ONE));
    }

    #[test]
    fn primitives_fit_or_not() {
        let x = Td::from(i64::MAX);
        assert_eq!(ToPrimitive::to_i64(&x), Some(i64::MAX));
        assert_eq!(ToPrimitive::to_i64(&(x + 0.5)), Some(i64::MAX));
        assert_eq!(ToPrimitive::to_i64(&(x + 1.0)), None);
        assert_eq!(ToPrimitive::to_u8(&Td::from(-0.5)), Some(0));
        assert_eq!(ToPrimitive::to_u8(&Td::from(-1.0)), None);
        assert_eq!(ToPrimitive::to_i32(&Td::NAN), None);
        assert_eq!(Dd::from_u128(u128::MAX), Some(Dd::from(u128::MAX)));
    }

    #[test]
    fn casts_keep_integers() {
        assert_eq!(cast::<_, Dd>(i64::MAX), Some(Dd::from(i64::MAX)));
        assert_eq!(cast::<_, Td>(u128::MAX), Some(Td::from(u128::MAX)));
        assert_eq!(cast::<_, Dd>(0.1), Some(Dd::from(0.1)));
        assert_eq!(cast::<_, Dd>(1e300), Some(Dd::from(1e300)));
        assert!(cast::<_, Dd>(f64::NAN).is_some_and(|x| x.is_nan()));
    }
}
