//! Sums of limbs, and vectors of lanes of them.

use core::ops::{Div, Mul, Neg};
use std::borrow::Cow;

use nonius_num::{Decimal, Lane, ParseDecimalError};

use super::number::{Group, Number, Parts};
use crate::{Pack, Scalar, Slice};

impl<T: Scalar> Number for T {
    const PARTS: Parts = Parts::Limbs(T::LIMBS);
    const LARGEST_EXPONENT: i32 = 1023;
    const SMALLEST_EXPONENT: i32 = -1074;
    const ZERO: Self = <T as nonius_num::Ring>::ZERO;
    const ONE: Self = <T as nonius_num::Ring>::ONE;

    type Size = f64;

    type Group<L: Lane> = Limbs<T, L>;

    fn name((): ()) -> Cow<'static, str> {
        <T as nonius_num::Fixed>::NAME.into()
    }

    #[inline(always)]
    fn unit_roundoff((): ()) -> f64 {
        <T as nonius_num::Fixed>::UNIT_ROUNDOFF
    }

    #[inline(always)]
    fn span((): ()) -> i32 {
        53 * T::LIMBS as i32
    }

    #[inline(always)]
    fn format(self) {}

    #[inline(always)]
    fn to_format(self, (): ()) -> Self {
        self
    }

    #[inline(always)]
    fn fused(self, y: Self, z: Self) -> Self {
        if T::LIMBS == 1 {
            let limb = Lane::mul_add(Scalar::limb(self, 0), Scalar::limb(y, 0), Scalar::limb(z, 0));
            T::from_limbs(|_| limb)
        } else {
            self * y + z
        }
    }

    fn is_finite(self) -> bool {
        nonius_num::Real::is_finite(self)
    }

    fn magnitude(self) -> f64 {
        Scalar::limb(self, 0).abs()
    }

    fn from_f64(x: f64) -> Self {
        nonius_num::Real::from_f64(x)
    }

    fn to_f64(self) -> f64 {
        nonius_num::Real::to_f64(self)
    }

    fn scaled(self, k: i32) -> Self {
        nonius_num::Real::ldexp(self, k)
    }

    fn limb(self, i: usize) -> f64 {
        Scalar::limb(self, i)
    }

    fn read_decimal(format: Self::Format, text: &[u8]) -> Result<Self, ParseDecimalError> {
        Decimal::from_decimal_in(format, text)
    }

    fn write_decimal(self, to: &mut Vec<u8>) {
        self.append_decimal(to);
    }
}

/// Numbers of limbs in registers.
#[derive(Debug)]
pub struct Limbs<T: Scalar, L: Lane>(T::Pack<L>);

impl<T: Scalar, L: Lane> Clone for Limbs<T, L> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Scalar, L: Lane> Copy for Limbs<T, L> {}

macro_rules! operators {
    ($($name:ident $method:ident),*) => {$(
        impl<T: Scalar, L: Lane> $name for Limbs<T, L> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, y: Self) -> Self {
                Self(self.0.$method(y.0))
            }
        }
    )*};
}

operators!(Mul mul, Div div);

impl<T: Scalar, L: Lane> Neg for Limbs<T, L> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl<T: Scalar, L: Lane> Group for Limbs<T, L> {
    type Number = T;
    const LANES: usize = L::LANES;

    #[inline(always)]
    fn from_fn(number: impl Fn(usize) -> T) -> Self {
        Self(T::Pack::<L>::from_limbs(|limb| L::from_fn(|lane| Scalar::limb(number(lane), limb))))
    }

    #[inline(always)]
    fn load(from: Slice<'_, T>) -> Self {
        Self(T::Pack::<L>::load(crate::limbs_of(from.cells())))
    }

    #[inline(always)]
    fn number(self, lane: usize) -> T {
        T::from_limbs(|limb| self.0.limb(limb).lane(lane))
    }

    #[inline(always)]
    fn fused(self, y: Self, z: Self) -> Self {
        if T::LIMBS == 1 {
            let limb = self.0.limb(0).mul_add(y.0.limb(0), z.0.limb(0));
            Self(T::Pack::<L>::from_limbs(|_| limb))
        } else {
            Self(self.0 * y.0 + z.0)
        }
    }
}
