//! Conversions from and to the primitive integers.
//!
//! Integers of up to 64 bits fit into two limbs; `i128` and `u128` are rounded to the nearest
//! number of two limbs where they do not fit. The way back truncates toward zero and saturates, as
//! `as` does, or is exact (`TryFrom`).

use core::fmt;

use super::MultiFloat;

/// Why a number is not an integer of the type asked for; each with the `f64` nearest to the number.
///
/// `TryFrom` converts only what the integer type holds exactly.
///
/// ```
/// use nonius_num::Dd;
/// use nonius_num::multifloat::ToIntegerError;
///
/// let x = Dd::from(9_007_199_254_740_993_u64);
/// assert_eq!(u64::try_from(x), Ok(9_007_199_254_740_993));
/// assert_eq!(u64::try_from(Dd::from(2.5)), Err(ToIntegerError::Fraction(2.5)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ToIntegerError {
    /// It is infinite or NaN.
    NotFinite(f64),
    /// It has a fraction.
    Fraction(f64),
    /// It is an integer beyond the limits of the type.
    OutOfRange(f64),
}

impl fmt::Display for ToIntegerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFinite(x) => write!(f, "{x} is not a finite number"),
            Self::Fraction(x) => write!(f, "a number near {x:?} is not an integer"),
            Self::OutOfRange(x) => write!(f, "an integer near {x:?} is outside the type's range"),
        }
    }
}

impl core::error::Error for ToIntegerError {}

/// `x` modulo 2^128, for an integer `x`.
fn wrap(x: f64) -> u128 {
    let bits = x.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i32 - 1075;
    let significand = u128::from(bits & ((1 << 52) - 1) | 1 << 52);
    let magnitude = match exponent {
        _ if x == 0.0 => 0,
        0..128 => significand << exponent,
        -52..0 => significand >> -exponent,
        _ => 0,
    };
    if x < 0.0 { magnitude.wrapping_neg() } else { magnitude }
}

/// The limbs of `first + (rest − first) mod 2^128`, where `first` is the nearest `f64` to an
/// integer that is `rest` modulo 2^128.
fn limbs_of<const N: usize>(first: f64, rest: u128) -> MultiFloat<N> {
    let mut limbs = [0.0; N];
    limbs[0] = first;
    // From here on what is left is below 2^75 in magnitude.
    let mut rest = rest.wrapping_sub(wrap(first)) as i128;
    for limb in &mut limbs[1..] {
        *limb = rest as f64;
        rest -= *limb as i128;
    }
    MultiFloat(limbs)
}

macro_rules! from_small {
    ($($integer:ty),*) => {$(
        impl<const N: usize> From<$integer> for MultiFloat<N> {
            #[inline(always)]
            fn from(x: $integer) -> Self {
                Self::from_lane(f64::from(x))
            }
        }
    )*};
}

macro_rules! from_large {
    ($($integer:ty),*) => {$(
        impl<const N: usize> From<$integer> for MultiFloat<N> {
            /// Exact, except that more than 106 bits are rounded to nearest where two limbs do not
            /// hold them.
            #[inline]
            fn from(x: $integer) -> Self {
                limbs_of(x as f64, x as u128)
            }
        }
    )*};
}

macro_rules! to_integer {
    ($($integer:ident $method:ident),*) => {
        impl<const N: usize> MultiFloat<N> {$(
            #[doc = concat!("`self` truncated toward zero, the nearest limit of `", stringify!($integer), "` beyond it, 0 for NaN: as `as` does.")]
            pub fn $method(self) -> $integer {
                if self.is_nan() {
                    0
                } else if self >= Self::from($integer::MAX) {
                    $integer::MAX
                } else if self <= Self::from($integer::MIN) {
                    $integer::MIN
                } else {
                    self.trunc().0.iter().fold(0_u128, |sum, &limb| sum.wrapping_add(wrap(limb))) as $integer
                }
            }
        )*}

        $(impl<const N: usize> TryFrom<MultiFloat<N>> for $integer {
            type Error = ToIntegerError;

            /// The integer that `x` is.
            fn try_from(x: MultiFloat<N>) -> Result<Self, ToIntegerError> {
                if !x.is_finite() {
                    Err(ToIntegerError::NotFinite(x.to_f64()))
                } else if !x.is_integer() {
                    Err(ToIntegerError::Fraction(x.to_f64()))
                } else if x > MultiFloat::from($integer::MAX) || x < MultiFloat::from($integer::MIN) {
                    Err(ToIntegerError::OutOfRange(x.to_f64()))
                } else {
                    Ok(x.$method())
                }
            }
        })*
    };
}

from_small!(i8, i16, i32, u8, u16, u32);
from_large!(i64, i128, isize, u64, u128, usize);
to_integer!(
    i8 to_i8, i16 to_i16, i32 to_i32, i64 to_i64, i128 to_i128, isize to_isize,
    u8 to_u8, u16 to_u16, u32 to_u32, u64 to_u64, u128 to_u128, usize to_usize
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dd, Qd, Td};

    #[test]
    fn integers_go_there_and_back() {
        for x in [
            0,
            1,
            -1,
            i64::MAX,
            i64::MIN,
            i64::MAX - 1,
            i64::MIN + 1,
            1 << 53,
            (1 << 53) + 1,
            -(1 << 62) - 1,
        ] {
            assert_eq!(Dd::from(x).to_i64(), x);
            assert_eq!(i64::try_from(Td::from(x)), Ok(x));
        }
        for x in [0, 1, u64::MAX, u64::MAX - 1, 1 << 63, (1 << 63) + 1] {
            assert_eq!(u64::try_from(Dd::from(x)), Ok(x));
        }
        for x in [u128::MAX, u128::MAX - 1, 1 << 127, (1 << 127) + 1, (1 << 127) - 1, u128::MAX / 3]
        {
            assert_eq!(u128::try_from(Td::from(x)), Ok(x));
            assert_eq!(Qd::from(x).to_u128(), x);
        }
        for x in [i128::MAX, i128::MIN, i128::MIN + 1, -1, i128::MAX / 3] {
            assert_eq!(i128::try_from(Td::from(x)), Ok(x));
        }
    }

    #[test]
    fn long_integers_are_rounded_to_two_limbs() {
        // 2^128 − 1 is 2^128 and −1.
        assert_eq!(Dd::from(u128::MAX).limbs(), [2_f64.powi(128), -1.0]);
        // 2^127 + 2^73 + 1: of 128 bits, 54 below the first limb.
        let x = Dd::from((1_u128 << 127) + (1 << 73) + 1);
        assert_eq!(x.limbs(), [2_f64.powi(127), 2_f64.powi(73)]);
        let x = Dd::from((1_u128 << 127) + (1 << 73) + 3 * (1 << 20) + 1);
        assert_eq!(x.limbs(), [2_f64.powi(127), 2_f64.powi(73) + 3.0 * 2_f64.powi(20)]);
    }

    #[test]
    fn truncation_and_saturation() {
        assert_eq!(Dd::from(-2.9).to_i32(), -2);
        assert_eq!(Dd::from_limbs([3.0, -1e-300]).to_u8(), 2);
        assert_eq!(Dd::from(1e10).to_i32(), i32::MAX);
        assert_eq!(Dd::NEG_INFINITY.to_i64(), i64::MIN);
        assert_eq!(Dd::from(-1.0).to_u64(), 0);
        assert_eq!(Dd::NAN.to_u128(), 0);
        // One above and one below the limit, which are one f64.
        let limit = Dd::from(i64::MAX);
        assert_eq!((limit + 1.0).to_i64(), i64::MAX);
        assert_eq!((limit - 1.0).to_i64(), i64::MAX - 1);
    }

    #[test]
    fn errors_say_why() {
        assert_eq!(u8::try_from(Dd::from(256.0)), Err(ToIntegerError::OutOfRange(256.0)));
        assert_eq!(u8::try_from(Dd::from(-1.0)), Err(ToIntegerError::OutOfRange(-1.0)));
        assert_eq!(u8::try_from(Dd::from_limbs([3.0, 1e-300])), Err(ToIntegerError::Fraction(3.0)));
        assert_eq!(u8::try_from(Dd::INFINITY), Err(ToIntegerError::NotFinite(f64::INFINITY)));
        assert!(i64::try_from(Dd::from(i64::MAX) + 1.0).is_err());
    }
}
