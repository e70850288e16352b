//! The element types of matrices, and registers full of them.

use core::ops::{Add, Div, Mul, Neg, Sub};

use nonius_num::{Decimal, Elementary, Fixed, Lane, MultiFloat, Plain};

use crate::cpu::kernels::LimbKernels;

/// A real number made of `LIMBS` `f64` limbs, as kernels see it when they lay the limbs out in
/// planes.
///
/// Implemented for `f64` and `MultiFloat<2 | 3 | 4>`.
pub trait Scalar: Elementary + Decimal + Fixed + Plain + LimbKernels {
    /// Number of limbs.
    const LIMBS: usize;

    /// Registers `L` with one such number in each lane.
    type Pack<L: Lane>: Pack<Lane = L>;

    /// Limb `i < LIMBS`, the largest first.
    fn limb(self, i: usize) -> f64;

    /// The number with the given limbs, which must be in normal form.
    fn from_limbs(limb: impl FnMut(usize) -> f64) -> Self;
}

/// The methods of [`Elementary`] for [`Pack`].
macro_rules! functions {
    (declared) => {
        functions!(declare exp exp2 exp_m1 ln log2 log10 ln_1p cbrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh; pow hypot atan2);
    };
    (lanes together) => {
        functions!(forward exp exp2 exp_m1 ln log2 log10 ln_1p cbrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh; pow hypot atan2);
    };
    (lane by lane) => {
        functions!(single exp exp2 exp_m1 ln log2 log10 ln_1p cbrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh; pow hypot atan2);
    };
    (declare $($unary:ident)*; $($binary:ident)*) => {
        $(
            /// As the method of [`Elementary`] of that name.
            #[must_use]
            fn $unary(self) -> Self;
        )*
        $(
            /// As the method of [`Elementary`] of that name.
            #[must_use]
            fn $binary(self, y: Self) -> Self;
        )*
    };
    (forward $($unary:ident)*; $($binary:ident)*) => {
        $(
            #[inline(always)]
            fn $unary(self) -> Self {
                MultiFloat::$unary(self)
            }
        )*
        $(
            #[inline(always)]
            fn $binary(self, y: Self) -> Self {
                MultiFloat::$binary(self, y)
            }
        )*
    };
    (single $($unary:ident)*; $($binary:ident)*) => {
        $(
            #[inline(always)]
            fn $unary(self) -> Self {
                Self(L::from_fn(|i| Elementary::$unary(self.0.lane(i))))
            }
        )*
        $(
            #[inline(always)]
            fn $binary(self, y: Self) -> Self {
                Self(L::from_fn(|i| Elementary::$binary(self.0.lane(i), y.0.lane(i))))
            }
        )*
    };
}

/// One number in each lane of registers, with the arithmetic of [`Scalar`]: the same bits in every
/// lane.
pub trait Pack:
    Copy
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
{
    /// The registers.
    type Lane: Lane;
    /// Number of limbs.
    const LIMBS: usize;

    /// Limb `i < LIMBS` of every number.
    fn limb(self, i: usize) -> Self::Lane;

    /// The numbers with the given limbs.
    fn from_limbs(limb: impl FnMut(usize) -> Self::Lane) -> Self;

    /// Numbers that lie one after the other, limb by limb.
    fn load(from: &[f64]) -> Self;

    /// Writes the numbers one after the other, limb by limb.
    fn store(self, to: &mut [f64]);

    /// Absolute value.
    #[must_use]
    fn abs(self) -> Self;

    /// Square root; NaN below zero.
    #[must_use]
    fn sqrt(self) -> Self;

    /// Integer power.
    #[must_use]
    fn powi(self, n: i32) -> Self;

    /// Sine and cosine.
    #[must_use]
    fn sin_cos(self) -> (Self, Self);

    functions!(declared);
}

impl Scalar for f64 {
    const LIMBS: usize = 1;
    type Pack<L: Lane> = Single<L>;

    #[inline(always)]
    fn limb(self, _: usize) -> f64 {
        self
    }

    #[inline(always)]
    fn from_limbs(mut limb: impl FnMut(usize) -> f64) -> f64 {
        limb(0)
    }
}

impl<const N: usize> Scalar for MultiFloat<N>
where
    Self: LimbKernels,
{
    const LIMBS: usize = N;
    type Pack<L: Lane> = MultiFloat<N, L>;

    #[inline(always)]
    fn limb(self, i: usize) -> f64 {
        self.limbs()[i]
    }

    #[inline(always)]
    fn from_limbs(limb: impl FnMut(usize) -> f64) -> Self {
        MultiFloat::from_limbs(core::array::from_fn(limb))
    }
}

impl<const N: usize, L: Lane> Pack for MultiFloat<N, L> {
    type Lane = L;
    const LIMBS: usize = N;

    #[inline(always)]
    fn limb(self, i: usize) -> L {
        self.limbs()[i]
    }

    #[inline(always)]
    fn from_limbs(mut limb: impl FnMut(usize) -> L) -> Self {
        // A plain loop: what `array::from_fn` wraps around a closure is not always inlined, and
        // what is not inlined is compiled without the level's instructions.
        let mut limbs = [L::splat(0.0); N];
        for (i, to) in limbs.iter_mut().enumerate() {
            *to = limb(i);
        }
        MultiFloat::from_limbs(limbs)
    }

    #[inline(always)]
    fn load(from: &[f64]) -> Self {
        MultiFloat::from_limbs(L::load_limbs(from))
    }

    #[inline(always)]
    fn store(self, to: &mut [f64]) {
        L::store_limbs(self.limbs(), to);
    }

    #[inline(always)]
    fn abs(self) -> Self {
        MultiFloat::abs(self)
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        MultiFloat::sqrt(self)
    }

    #[inline(always)]
    fn powi(self, n: i32) -> Self {
        MultiFloat::powi(self, n)
    }

    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        MultiFloat::sin_cos(self)
    }

    functions!(lanes together);
}

/// An `f64` in each lane.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Single<L: Lane>(pub L);

macro_rules! operators {
    ($($operator:ident $method:ident;)*) => {$(
        impl<L: Lane> $operator for Single<L> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, y: Self) -> Self {
                Self(self.0.$method(y.0))
            }
        }
    )*};
}

operators! {
    Add add;
    Sub sub;
    Mul mul;
    Div div;
}

impl<L: Lane> Neg for Single<L> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl<L: Lane> Pack for Single<L> {
    type Lane = L;
    const LIMBS: usize = 1;

    #[inline(always)]
    fn limb(self, _: usize) -> L {
        self.0
    }

    #[inline(always)]
    fn from_limbs(mut limb: impl FnMut(usize) -> L) -> Self {
        Self(limb(0))
    }

    #[inline(always)]
    fn load(from: &[f64]) -> Self {
        Self(L::load(from))
    }

    #[inline(always)]
    fn store(self, to: &mut [f64]) {
        self.0.store(to);
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.abs())
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.sqrt())
    }

    #[inline(always)]
    fn powi(self, n: i32) -> Self {
        Self(L::from_fn(|i| Elementary::powi(self.0.lane(i), n)))
    }

    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        let mut cosines = [0.0; 8];
        let sines = L::from_fn(|i| {
            let (sin, cos) = Elementary::sin_cos(self.0.lane(i));
            cosines[i] = cos;
            sin
        });
        (Self(sines), Self(L::from_fn(|i| cosines[i])))
    }

    functions!(lane by lane);
}

/// The `e` with `2^e <= |x| < 2^(e+1)`; `None` for zero, infinities and NaN.
pub(crate) fn exponent(x: f64) -> Option<i32> {
    let biased = |x: f64| ((x.to_bits() >> 52) & 0x7ff) as i32;
    match biased(x) {
        0x7ff => None,
        0 if x == 0.0 => None,
        // Subnormal: multiplied by 2^64 it is normal.
        0 => Some(biased(x * 18_446_744_073_709_551_616.0) - 1023 - 64),
        e => Some(e - 1023),
    }
}

#[cfg(test)]
mod tests {
    use super::exponent;

    #[test]
    fn exponents_of_all_classes() {
        for (x, e) in
            [(1.0, 0), (-1.5, 0), (0.75, -1), (f64::MIN_POSITIVE, -1022), (f64::MAX, 1023)]
        {
            assert_eq!(exponent(x), Some(e));
        }
        assert_eq!(exponent(f64::from_bits(1)), Some(-1074));
        assert_eq!(exponent(f64::MIN_POSITIVE / 2.0), Some(-1023));
        for x in [0.0, -0.0, f64::INFINITY, f64::NAN] {
            assert_eq!(exponent(x), None);
        }
    }
}
