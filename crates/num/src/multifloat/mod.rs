//! `MultiFloat<N>`: a number as the unevaluated sum of `N` `f64` limbs, `N` = 2, 3 or 4.
//!
//! **Normal form.** Limbs fall in magnitude and do not overlap: `|x[i+1]| <= ulp(x[i]) / 2`. A zero
//! limb is followed by zeros only. Every operation returns a number in this form.
//!
//! **Precision.** The formats are counted with `p = 52·N` bits (104, 156, 208); `u = 2^-p` is the
//! unit roundoff and `2^(1-p)` the unit in the last place of 1. A number whose limbs lie close
//! together carries up to `N−1` further bits, one with gaps between its limbs arbitrarily many.
//!
//! **Specials** are IEEE 754's. The first limb decides: NaN, ±∞ and ±0 are a first limb of that
//! kind followed by zeros.
//! - NaN where an operand is NaN, for ∞ − ∞, 0 · ∞, 0 / 0, ∞ / ∞, `x % 0`, `∞ % y`, roots and
//!   logarithms below zero; ±∞ for `x / 0` with `x ≠ 0`.
//! - An exact zero as a sum is +0, but (−0) + (−0) is −0; as a product or quotient it has the sign
//!   of these; √−0 is −0; as a remainder it has the sign of the dividend. −0 equals +0; NaN equals
//!   nothing.
//!
//! **Overflow.** A result beyond [`MAX`](MultiFloat::MAX) is infinite; up to there it is finite,
//! also where a step on the way overflows.
//!
//! **Underflow** is gradual: limbs below the smallest subnormal `2^-1074` are lost, so that a
//! number of magnitude under `2^(-1022 + p)` can have fewer than `p` bits. Sums, differences,
//! remainders, fused multiply-adds and rounding functions keep their bounds there; products,
//! quotients, roots and `ldexp` may be off by `4·2^-1074` on top of theirs. A result that is
//! rounded to zero keeps its sign.

mod add;
mod arithmetic;
mod cmp;
mod constants;
mod convert;
#[cfg(test)]
mod count;
mod div;
mod elementary;
mod exact;
mod float;
mod fma;
mod integer;
mod mul;
mod num_traits;
mod radix;
mod rem;
mod renormalize;
mod round;
mod scale;
mod sqrt;
pub mod variants;

#[doc(hidden)]
pub use elementary::tables::list as tables;
pub use integer::ToIntegerError;
pub use radix::ParseRadixError;

use crate::Lane;

/// The sum of `N` limbs, first limb the largest. See the [module documentation](self).
///
/// `T` is `f64` everywhere except inside vectorised kernels, where one value holds a SIMD register
/// of numbers.
///
/// ```
/// use nonius_num::{Dd, Qd};
///
/// // f64 loses the 1: its neighbours of 10¹⁶ are 2 apart.
/// assert_eq!((1e16 + 1.0) - 1e16, 0.0);
/// assert_eq!((Dd::from(1e16) + 1.0) - 1e16, 1.0);
/// // Four limbs carry about 62 digits.
/// assert_eq!(format!("{:.40}", Qd::from(2).sqrt()), "1.4142135623730950488016887242096980785697");
/// ```
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct MultiFloat<const N: usize, T: Lane = f64>(pub(crate) [T; N]);

/// Double-double: 104 bits, about 31 decimal digits.
///
/// ```
/// use nonius_num::Dd;
///
/// let tenth: Dd = "0.1".parse()?;
/// // The nearest double-double is far nearer to 1/10 than the nearest `f64` is.
/// assert!((tenth * 10.0 - 1.0).abs().to_f64() < 1e-31);
/// assert!((Dd::from(0.1) * 10.0 - 1.0).to_f64() > 1e-17);
/// # Ok::<(), nonius_num::ParseDecimalError>(())
/// ```
pub type Dd = MultiFloat<2>;
/// Triple-double: 156 bits, about 47 decimal digits.
///
/// ```
/// use nonius_num::Td;
///
/// assert_eq!(format!("{:.44}", Td::PI), "3.14159265358979323846264338327950288419716940");
/// assert_eq!(Td::MANTISSA_DIGITS, 156);
/// ```
pub type Td = MultiFloat<3>;
/// Quad-double: 208 bits, about 62 decimal digits.
///
/// ```
/// use nonius_num::Qd;
///
/// let third = Qd::from(1) / 3.0;
/// assert_eq!(format!("{third:.60}"), format!("0.{}", "3".repeat(60)));
/// assert!((third * 3.0 - 1.0).abs() <= 8.0 * Qd::EPSILON);
/// ```
pub type Qd = MultiFloat<4>;

impl<const N: usize, T: Lane> MultiFloat<N, T> {
    /// The number whose limbs are given, which must be in the [normal form](self).
    ///
    /// Limbs that may overlap go through [`renormalize`](Self::renormalize).
    ///
    /// ```
    /// use nonius_num::Dd;
    ///
    /// let x = Dd::from_limbs([1.0, 2.0_f64.powi(-80)]);
    /// assert_eq!((x - 1.0).to_f64(), 2.0_f64.powi(-80));
    /// ```
    #[inline(always)]
    pub const fn from_limbs(limbs: [T; N]) -> Self {
        const { assert!(N >= 2 && N <= 4, "MultiFloat has 2, 3 or 4 limbs") };
        Self(limbs)
    }

    /// The limbs, first the largest.
    ///
    /// ```
    /// use nonius_num::Dd;
    ///
    /// // The second limb is what the first leaves of π.
    /// assert_eq!(Dd::PI.limbs(), [std::f64::consts::PI, 1.2246467991473532e-16]);
    /// ```
    #[inline(always)]
    pub const fn limbs(self) -> [T; N] {
        self.0
    }

    /// A single limb followed by zeros.
    #[inline(always)]
    pub fn from_lane(first: T) -> Self {
        let mut limbs = [T::splat(0.0); N];
        limbs[0] = first;
        Self::from_limbs(limbs)
    }

    /// The first limb: the number rounded to `f64`, but for ties that lower limbs would break.
    #[inline(always)]
    pub const fn first(self) -> T {
        self.0[0]
    }

    /// The same number in every lane.
    #[inline(always)]
    pub fn splat(x: MultiFloat<N>) -> Self {
        Self(core::array::from_fn(|i| T::splat(x.0[i])))
    }

    /// The number in lane `i`.
    #[inline(always)]
    pub fn lane(self, i: usize) -> MultiFloat<N> {
        MultiFloat(core::array::from_fn(|j| self.0[j].lane(i)))
    }

    /// Builds a value from the number of each lane.
    #[inline]
    pub fn from_fn(mut f: impl FnMut(usize) -> MultiFloat<N>) -> Self {
        const { assert!(T::LANES <= 8) };
        let mut lanes = [MultiFloat([0.0; N]); 8];
        for (i, lane) in lanes.iter_mut().enumerate().take(T::LANES) {
            *lane = f(i);
        }
        Self(core::array::from_fn(|j| T::from_fn(|i| lanes[i].0[j])))
    }

    /// Applies a scalar function to each lane.
    #[inline]
    #[must_use]
    pub fn map_lanes(self, mut f: impl FnMut(MultiFloat<N>) -> MultiFloat<N>) -> Self {
        Self::from_fn(|i| f(self.lane(i)))
    }

    /// Absolute value.
    #[inline(always)]
    #[must_use]
    pub fn abs(self) -> Self {
        let negative = T::less(self.0[0], T::splat(0.0));
        let mut limbs = self.0;
        limbs[0] = limbs[0].abs();
        for limb in &mut limbs[1..] {
            *limb = T::select(negative, -*limb, *limb);
        }
        Self(limbs)
    }

    /// Multiplies by a power of two given as a number. Exact, unless limbs overflow or underflow:
    /// limbs that underflow are rounded one by one and may leave the normal form, which
    /// [`ldexp`](MultiFloat::ldexp) restores.
    #[inline(always)]
    #[must_use]
    pub fn scale(self, power: T) -> Self {
        let mut limbs = self.0;
        for limb in &mut limbs {
            *limb = *limb * power;
        }
        Self(limbs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const N: usize>() {
        let third = MultiFloat::<N>::ONE / 3.0;
        let back = third * 3.0 - 1.0;
        assert!(back.abs().to_f64() <= 8.0 * MultiFloat::<N>::UNIT_ROUNDOFF, "{third:?} {back:?}");
        let two = MultiFloat::<N>::from(2.0);
        let residual = two.sqrt() * two.sqrt() - two;
        assert!(residual.abs().to_f64() <= 16.0 * MultiFloat::<N>::UNIT_ROUNDOFF, "{residual:?}");
        let negative_zero = -MultiFloat::<N>::ZERO;
        assert!((negative_zero + negative_zero).is_sign_negative());
        assert!((MultiFloat::<N>::INFINITY + MultiFloat::<N>::NEG_INFINITY).is_nan());
        assert_eq!(MultiFloat::<N>::INFINITY + two, MultiFloat::INFINITY);
        assert_eq!(MultiFloat::<N>::MAX * two, MultiFloat::INFINITY);
        assert!(MultiFloat::<N>::MAX.is_finite());
    }

    #[test]
    fn division_roots_and_specials() {
        check::<2>();
        check::<3>();
        check::<4>();
    }
}
