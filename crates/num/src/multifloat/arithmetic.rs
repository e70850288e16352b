//! The operators `+ − × ÷` and negation, with IEEE 754 semantics for NaN, ∞ and signed zeros.
//!
//! The networks of [`add`](super::add), [`mul`](super::mul) and [`div`](super::div) do the work;
//! where they meet an infinity their lower limbs turn into NaN, so a result that is not finite is
//! formed anew from first limbs, one lane at a time.

use core::iter::{Product, Sum};
use core::ops::{
    Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign,
};

use super::MultiFloat;
use super::add::add_finite;
use super::div::{div_finite, div_scaled};
use super::mul::mul_finite;
use crate::Lane;

impl<const N: usize, T: Lane> Neg for MultiFloat<N, T> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        let mut limbs = self.0;
        for limb in &mut limbs {
            *limb = -*limb;
        }
        Self(limbs)
    }
}

impl<const N: usize, T: Lane> Add for MultiFloat<N, T> {
    type Output = Self;

    /// Relative error at most `2^-105`, `2^-156`, `2^-208` (2, 3, 4 limbs).
    #[inline(always)]
    fn add(self, y: Self) -> Self {
        let mut z = add_finite(self.0, y.0);
        if !z[0].all_ordinary() {
            if !z[0].all_finite() {
                return lane_by_lane(self, y, add_special);
            }
            z[0] = sum_with_sign(z[0], self.0[0] + y.0[0]);
        }
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

    /// Relative error at most `5·2^-106`, `2^-154`, `2^-206` (2, 3, 4 limbs); commutative.
    #[inline(always)]
    fn mul(self, y: Self) -> Self {
        let mut z = mul_finite(self.0, y.0);
        if !z[0].all_ordinary() {
            if !z[0].all_finite() {
                return lane_by_lane(self, y, mul_special);
            }
            z[0] = product_with_sign(z[0], self.0[0] * y.0[0]);
        }
        Self(z)
    }
}

impl<const N: usize, T: Lane> Div for MultiFloat<N, T> {
    type Output = Self;

    /// Relative error at most `2^-101`, `2^-154`, `2^-206` (2, 3, 4 limbs).
    #[inline(always)]
    fn div(self, y: Self) -> Self {
        let (x0, y0, zero) = (self.0[0], y.0[0], T::splat(0.0));
        if x0.all_moderate() && y0.all_moderate() {
            return Self(div_finite(self.0, y.0));
        }
        // Zeros are common among the entries of matrices.
        let is_zero = T::equal(x0, zero);
        if y0.all_moderate() && T::select(is_zero, y0, x0).all_moderate() {
            let z = div_finite(self.0, y.0);
            let quotient = |i| T::select(is_zero, if i == 0 { x0 / y0 } else { zero }, z[i]);
            return Self(core::array::from_fn(quotient));
        }
        lane_by_lane(self, y, div_scaled)
    }
}

/// Applies a scalar operation to each lane.
///
/// The call receives copies that are made here, in the branch that is seldom taken: otherwise the
/// fast path would write its operands to memory, for the sake of a call that it does not make.
#[inline(always)]
fn lane_by_lane<const N: usize, T: Lane>(
    x: MultiFloat<N, T>,
    y: MultiFloat<N, T>,
    f: fn(MultiFloat<N>, MultiFloat<N>) -> MultiFloat<N>,
) -> MultiFloat<N, T> {
    #[cold]
    #[inline(never)]
    fn call<const N: usize, T: Lane>(
        operands: &[[T; 2]; N],
        f: fn(MultiFloat<N>, MultiFloat<N>) -> MultiFloat<N>,
    ) -> MultiFloat<N, T> {
        let operand = |k: usize, i| MultiFloat(operands.map(|limbs| limbs[k].lane(i)));
        MultiFloat::from_fn(|i| f(operand(0, i), operand(1, i)))
    }
    let mut operands = [[T::splat(0.0); 2]; N];
    for (i, limbs) in operands.iter_mut().enumerate() {
        *limbs = [x.0[i], y.0[i]];
    }
    call(&operands, f)
}

impl<const N: usize, T: Lane> MultiFloat<N, T> {
    /// The network of `self + y` alone, for those who look after specials themselves: where an
    /// operand or the sum is not finite, the first limb is not and the others may be NaN; a zero
    /// may have either sign.
    #[inline(always)]
    #[must_use]
    pub fn add_finite(self, y: Self) -> Self {
        Self(add_finite(self.0, y.0))
    }

    /// The network of `self * y` alone, like [`add_finite`](Self::add_finite).
    #[inline(always)]
    #[must_use]
    pub fn mul_finite(self, y: Self) -> Self {
        Self(mul_finite(self.0, y.0))
    }

    /// `1 / self`, with the error of a division.
    ///
    /// ```
    /// use nonius_num::Qd;
    ///
    /// let x = Qd::from(7).recip();
    /// assert_eq!(format!("{x:.54}"), format!("0.{}", "142857".repeat(9)));
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn recip(self) -> Self {
        Self::from_lane(T::splat(1.0)) / self
    }
}

/// The first limb of a sum, of which `first` is the sum of first limbs: of all zeros only (−0) +
/// (−0) is negative.
#[inline(always)]
fn sum_with_sign<T: Lane>(z: T, first: T) -> T {
    let zero = T::splat(0.0);
    T::select(T::equal(z, zero), T::select(T::equal(first, zero), first, zero), z)
}

/// The first limb of a product, of which `first` is the product of first limbs: zeros keep their
/// sign.
#[inline(always)]
fn product_with_sign<T: Lane>(z: T, first: T) -> T {
    T::select(T::equal(z, T::splat(0.0)), first, z)
}

/// The sum of one lane of a register in which the network's is somewhere not finite: an operand is
/// not, or the sum or a step on the way to it overflows.
#[cold]
fn add_special<const N: usize>(x: MultiFloat<N>, y: MultiFloat<N>) -> MultiFloat<N> {
    let mut z = add_finite(x.0, y.0);
    if z[0].is_finite() {
        z[0] = sum_with_sign(z[0], x.0[0] + y.0[0]);
        return MultiFloat(z);
    }
    if !x.is_finite() || !y.is_finite() {
        return MultiFloat::from_lane(x.0[0] + y.0[0]);
    }
    // Far from cancellation, so that the bits lost at the lower end of the range do not count.
    MultiFloat(add_finite(x.scale(0.25).0, y.scale(0.25).0)).ldexp(2)
}

/// The product of one lane of a register in which the network's is somewhere not finite: an operand
/// is not, or the product or a step on the way overflows.
#[cold]
fn mul_special<const N: usize>(x: MultiFloat<N>, y: MultiFloat<N>) -> MultiFloat<N> {
    let mut z = mul_finite(x.0, y.0);
    if z[0].is_finite() {
        z[0] = product_with_sign(z[0], x.0[0] * y.0[0]);
        return MultiFloat(z);
    }
    if !x.is_finite() || !y.is_finite() {
        return MultiFloat::from_lane(x.0[0] * y.0[0]);
    }
    let (x, x_exponent) = x.frexp();
    let (y, y_exponent) = y.frexp();
    MultiFloat(mul_finite(x.0, y.0)).ldexp(x_exponent + y_exponent)
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
    Rem rem RemAssign rem_assign;
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

#[cfg(test)]
mod tests {
    use crate::{Dd, MultiFloat, Qd, Td};

    /// On specials the operators are those of `f64`, bit for bit but for NaN.
    fn specials<const N: usize>() {
        let values = [
            0.0,
            1.0,
            2.5,
            f64::MAX,
            f64::MIN_POSITIVE,
            f64::from_bits(1),
            f64::INFINITY,
            f64::NAN,
        ];
        let values = values.into_iter().flat_map(|x| [x, -x]);
        let same = |ours: MultiFloat<N>, theirs: f64, what: &str, x: f64, y: f64| {
            let exact = theirs.is_finite() && theirs != 0.0; // lower limbs may hold more
            let equal = ours.first().to_bits() == theirs.to_bits();
            assert!(
                equal || exact || (ours.is_nan() && theirs.is_nan()),
                "{x} {what} {y}: {ours:?}"
            );
            assert!(exact || ours.limbs()[1..].iter().all(|&limb| limb == 0.0));
        };
        for x in values.clone() {
            for y in values.clone() {
                let (a, b) = (MultiFloat::<N>::from(x), MultiFloat::<N>::from(y));
                same(a + b, x + y, "+", x, y);
                same(a - b, x - y, "-", x, y);
                same(a * b, x * y, "*", x, y);
                same(a / b, x / y, "/", x, y);
                same(a % b, x % y, "%", x, y);
            }
            same(MultiFloat::from(x).sqrt(), x.sqrt(), "root", x, x);
        }
    }

    #[test]
    fn specials_as_ieee() {
        specials::<2>();
        specials::<3>();
        specials::<4>();
    }

    /// Products, quotients and roots whose lower limbs fall off the end of the range.
    fn underflow<const N: usize>() {
        let least = f64::from_bits(1);
        let within = |z: MultiFloat<N>, nearest: MultiFloat<N>, units: f64| {
            let bound = nearest.abs() * (4.0 * MultiFloat::<N>::UNIT_ROUNDOFF) + units * least;
            assert!((z - nearest).abs() <= bound, "{z:?} {nearest:?}");
            let normal = z
                .limbs()
                .windows(2)
                .all(|w| w[1] == 0.0 || w[1].abs() < w[0].abs() * 2_f64.powi(-52));
            assert!(normal, "{z:?}");
        };
        let third = MultiFloat::<N>::ONE / 3.0;
        for k in (800..1074).step_by(7) {
            let x = third.ldexp(-(k / 2));
            let y = MultiFloat::<N>::from(2.0).sqrt().ldexp(-(k - k / 2));
            within(x * y, x.mul_add(y, MultiFloat::ZERO), 4.0);
            let small = third.ldexp(-k);
            within(small, x.mul_add(MultiFloat::ONE.ldexp(k / 2 - k), MultiFloat::ZERO), 1.0);
            within((small * 4.0) / 4.0, small, 4.0);
            assert_eq!((small * small).first(), 0.0);
            assert!((small * -small).is_sign_negative());
        }
    }

    #[test]
    fn low_limbs_at_the_lower_end() {
        underflow::<2>();
        underflow::<3>();
        underflow::<4>();
    }

    /// Steps inside the networks overflow although the results do not.
    #[test]
    fn results_next_to_the_largest() {
        let tie = f64::MAX * 2_f64.powi(-54) + 2_f64.powi(917); // 2^970
        let x = Td::from_limbs([f64::MAX, tie, -(2_f64.powi(917))]);
        assert_eq!((x + 1.5).limbs(), [f64::MAX, tie.next_down(), 0.0]);
        assert_eq!((x - x).limbs(), [0.0; 3]);

        let below = 2_f64.powi(1023).next_down();
        let x = Dd::from_limbs([2_f64.powi(1023), 0.0]);
        let y = Dd::from_limbs([below, -0.5 * tie]);
        assert_eq!((x + y).limbs(), [f64::MAX, 0.5 * tie]);

        let x = Dd::from_limbs([-4.0, 2_f64.powi(-51)]);
        let y = Dd::from_limbs([-(2_f64.powi(1022)), 2_f64.powi(969)]);
        assert_eq!((x * y).limbs(), [f64::MAX.next_down(), 0.0]);

        assert_eq!(Qd::MAX + Qd::MAX, Qd::INFINITY);
        assert_eq!(Qd::MAX * Qd::MIN, Qd::NEG_INFINITY);
        assert_eq!((Qd::MAX + 0.0).limbs(), Qd::MAX.limbs());
        assert_eq!((Qd::MAX * 1.0).limbs(), Qd::MAX.limbs());
        assert_eq!((Qd::MAX / 1.0).limbs(), Qd::MAX.limbs());
    }
}
