//! The numbers of tridiagonal systems, and registers full of them.

use core::fmt::Debug;
use core::ops::{Add, Div, Mul, Neg, Sub};

use nonius_num::Lane;

use crate::{Pack, Scalar};

/// `f32`, `f64`, or a sum of `f64` limbs.
pub trait Number:
    Copy
    + Debug
    + PartialEq
    + Send
    + Sync
    + 'static
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
{
    /// The spelling of the precision: `f32`, `f64`, `dd`, `td`, `qd`.
    const NAME: &'static str;
    /// `f64` limbs; 0 for `f32`.
    const LIMBS: usize;
    /// Exponent of the largest number.
    const LARGEST_EXPONENT: i32 = if Self::LIMBS == 0 { 127 } else { 1023 };
    /// Exponent of the smallest number other than zero.
    const SMALLEST_EXPONENT: i32 = if Self::LIMBS == 0 { -149 } else { -1074 };
    /// Relative error of a rounding.
    const UNIT_ROUNDOFF: f64;
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;

    /// As many of these as the registers have lanes.
    type Group<L: Lane>: Group<Number = Self>;

    /// `self·y + z`: rounded once by `f32` and `f64`, by limbs after the product too.
    #[must_use]
    fn fused(self, y: Self, z: Self) -> Self;
    /// Whether this is neither infinite nor NaN.
    fn is_finite(self) -> bool;
    /// The magnitude, by the first limb.
    fn magnitude(self) -> f64;
    /// The nearest such number.
    fn from_f64(x: f64) -> Self;
    /// The nearest `f64`.
    fn to_f64(self) -> f64;
    /// `self·2^k`, rounded once where it leaves the range.
    #[must_use]
    fn scaled(self, k: i32) -> Self;
}

/// Numbers of several systems, each in a lane.
pub trait Group: Copy + Neg<Output = Self> + Mul<Output = Self> + Div<Output = Self> {
    /// One of them.
    type Number: Number;
    /// How many.
    const LANES: usize;

    /// The numbers by lanes.
    fn from_fn(number: impl Fn(usize) -> Self::Number) -> Self;
    /// Numbers that lie one after the other.
    fn load(from: &[Self::Number]) -> Self;
    /// That of a lane.
    fn number(self, lane: usize) -> Self::Number;
    /// [`Number::fused`] in every lane.
    #[must_use]
    fn fused(self, y: Self, z: Self) -> Self;
}

impl<T: Scalar> Number for T {
    const NAME: &'static str = <T as nonius_num::Fixed>::NAME;
    const LIMBS: usize = <T as Scalar>::LIMBS;
    const UNIT_ROUNDOFF: f64 = <T as nonius_num::Fixed>::UNIT_ROUNDOFF;
    const ZERO: Self = <T as nonius_num::Ring>::ZERO;
    const ONE: Self = <T as nonius_num::Ring>::ONE;

    type Group<L: Lane> = Limbs<T, L>;

    #[inline(always)]
    fn fused(self, y: Self, z: Self) -> Self {
        if <T as Scalar>::LIMBS == 1 {
            let limb = Lane::mul_add(self.limb(0), y.limb(0), z.limb(0));
            T::from_limbs(|_| limb)
        } else {
            self * y + z
        }
    }

    fn is_finite(self) -> bool {
        nonius_num::Real::is_finite(self)
    }

    fn magnitude(self) -> f64 {
        self.limb(0).abs()
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
}

impl Number for f32 {
    const NAME: &'static str = "f32";
    const LIMBS: usize = 0;
    const UNIT_ROUNDOFF: f64 = f32::EPSILON as f64 / 2.0;
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;

    type Group<L: Lane> = Singles;

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

/// `f32`s, which the compiler keeps in registers of any width.
#[derive(Clone, Copy, Debug)]
pub struct Singles([f32; 16]);

macro_rules! operators {
    ($($name:ident $method:ident),*) => {$(
        impl<T: Scalar, L: Lane> $name for Limbs<T, L> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, y: Self) -> Self {
                Self(self.0.$method(y.0))
            }
        }

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

impl<T: Scalar, L: Lane> Neg for Limbs<T, L> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

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

impl<T: Scalar, L: Lane> Group for Limbs<T, L> {
    type Number = T;
    const LANES: usize = L::LANES;

    #[inline(always)]
    fn from_fn(number: impl Fn(usize) -> T) -> Self {
        Self(T::Pack::<L>::from_limbs(|limb| L::from_fn(|lane| number(lane).limb(limb))))
    }

    #[inline(always)]
    fn load(from: &[T]) -> Self {
        Self(T::Pack::<L>::load(crate::limbs_of(from)))
    }

    #[inline(always)]
    fn number(self, lane: usize) -> T {
        T::from_limbs(|limb| self.0.limb(limb).lane(lane))
    }

    #[inline(always)]
    fn fused(self, y: Self, z: Self) -> Self {
        if <T as Scalar>::LIMBS == 1 {
            let limb = self.0.limb(0).mul_add(y.0.limb(0), z.0.limb(0));
            Self(T::Pack::<L>::from_limbs(|_| limb))
        } else {
            Self(self.0 * y.0 + z.0)
        }
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
    fn load(from: &[f32]) -> Self {
        let mut to = [0.0; 16];
        to.copy_from_slice(&from[..16]);
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
