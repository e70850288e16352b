//! The operators `+ − × ÷` and negation, with IEEE 754 semantics for NaN, ∞ and signed zeros.
//!
//! The networks of [`add`](super::add), [`mul`](super::mul) and [`div`](super::div) do the work; where they meet an infinity their
//! lower limbs turn into NaN, so a result that is not finite is formed anew from first limbs, one lane at a time.

use core::iter::{Product, Sum};
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use super::MultiFloat;
use super::add::add_finite;
use super::div::{div_finite, div_scaled};
use super::mul::mul_finite;
use crate::Lane;

impl<const N: usize, T: Lane> Neg for MultiFloat<N, T> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.map(|x| -x))
    }
}

impl<const N: usize, T: Lane> Add for MultiFloat<N, T> {
    type Output = Self;

    /// Relative error at most `2^-105`, `2^-156`, `2^-208` (2, 3, 4 limbs).
    #[inline(always)]
    fn add(self, y: Self) -> Self {
        let mut z = add_finite(self.0, y.0);
        if !z[0].all_finite() {
            return Self::from_fn(|i| add_special(self.lane(i), y.lane(i)));
        }
        // Of all zeros only (−0) + (−0) is negative.
        let zero = T::splat(0.0);
        let first = self.0[0] + y.0[0];
        let sign = T::select(T::equal(first, zero), first, zero);
        z[0] = T::select(T::equal(z[0], zero), sign, z[0]);
        Self(z)
    }
}

impl<const N: usize, T: Lane> Sub for MultiFloat<N, T> {
    type Output = Self;

    /// As addition: relative error at most `2^-105`, `2^-156`, `2^-208` (2, 3, 4 limbs).
    #[inline(always)]
    fn sub(self, y: Self) -> Self {
        self + -y
    }
}

impl<const N: usize, T: Lane> Mul for MultiFloat<N, T> {
    type Output = Self;

    /// Relative error at most `5·2^-106`, `2^-156`, `2^-208` (2, 3, 4 limbs); commutative.
    #[inline(always)]
    fn mul(self, y: Self) -> Self {
        let mut z = mul_finite(self.0, y.0);
        if !z[0].all_finite() {
            return Self::from_fn(|i| mul_special(self.lane(i), y.lane(i)));
        }
        z[0] = T::select(T::equal(z[0], T::splat(0.0)), self.0[0] * y.0[0], z[0]);
        Self(z)
    }
}

impl<const N: usize, T: Lane> Div for MultiFloat<N, T> {
    type Output = Self;

    /// Relative error at most `2^-101`, `2^-154`, `2^-206` (2, 3, 4 limbs).
    #[inline(always)]
    fn div(self, y: Self) -> Self {
        if self.0[0].all_moderate() && y.0[0].all_moderate() {
            Self(div_finite(self.0, y.0))
        } else {
            Self::from_fn(|i| div_scaled(self.lane(i), y.lane(i)))
        }
    }
}

/// The sum where the network's is not finite: an operand is not, or the sum overflows.
#[cold]
fn add_special<const N: usize>(x: MultiFloat<N>, y: MultiFloat<N>) -> MultiFloat<N> {
    let z = add_finite(x.0, y.0);
    if z[0].is_finite() { MultiFloat(z) } else { overflow_unless_special(x.0[0] + y.0[0]) }
}

/// The product where the network's is not finite: an operand is not, or the product overflows.
#[cold]
fn mul_special<const N: usize>(x: MultiFloat<N>, y: MultiFloat<N>) -> MultiFloat<N> {
    let z = mul_finite(x.0, y.0);
    if z[0].is_finite() { MultiFloat(z) } else { overflow_unless_special(x.0[0] * y.0[0]) }
}

/// ∞ or NaN as `first` is; ∞ of its sign where only rounding with the lower limbs overflowed.
fn overflow_unless_special<const N: usize>(first: f64) -> MultiFloat<N> {
    MultiFloat::from_lane(if first.is_finite() { f64::INFINITY.copysign(first) } else { first })
}

macro_rules! with_f64_and_assign {
    ($($operator:ident $method:ident $assign:ident $assign_method:ident;)*) => {$(
        impl<const N: usize> $operator<f64> for MultiFloat<N> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, y: f64) -> Self {
                self.$method(Self::from(y))
            }
        }

        impl<const N: usize> $operator<MultiFloat<N>> for f64 {
            type Output = MultiFloat<N>;

            #[inline(always)]
            fn $method(self, y: MultiFloat<N>) -> MultiFloat<N> {
                MultiFloat::from(self).$method(y)
            }
        }

        impl<const N: usize> $assign for MultiFloat<N> {
            #[inline(always)]
            fn $assign_method(&mut self, y: Self) {
                *self = self.$method(y);
            }
        }

        impl<const N: usize> $assign<f64> for MultiFloat<N> {
            #[inline(always)]
            fn $assign_method(&mut self, y: f64) {
                *self = self.$method(y);
            }
        }
    )*};
}

with_f64_and_assign! {
    Add add AddAssign add_assign;
    Sub sub SubAssign sub_assign;
    Mul mul MulAssign mul_assign;
    Div div DivAssign div_assign;
}

impl<const N: usize> Sum for MultiFloat<N> {
    fn sum<I: Iterator<Item = Self>>(terms: I) -> Self {
        terms.fold(Self::from(0.0), Add::add)
    }
}

impl<'a, const N: usize> Sum<&'a Self> for MultiFloat<N> {
    fn sum<I: Iterator<Item = &'a Self>>(terms: I) -> Self {
        terms.copied().sum()
    }
}

impl<const N: usize> Product for MultiFloat<N> {
    fn product<I: Iterator<Item = Self>>(factors: I) -> Self {
        factors.fold(Self::from(1.0), Mul::mul)
    }
}

impl<'a, const N: usize> Product<&'a Self> for MultiFloat<N> {
    fn product<I: Iterator<Item = &'a Self>>(factors: I) -> Self {
        factors.copied().product()
    }
}
