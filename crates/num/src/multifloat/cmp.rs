//! Comparison by value, the IEEE total order, sign and class.
//!
//! Comparing limb by limb is not enough: where two first limbs are neighbours the tails can
//! outweigh their difference, and one value can have two limb sequences in normal form. The sign of
//! the exact difference decides.

use core::cmp::Ordering;
use core::num::FpCategory;

use super::MultiFloat;
use super::exact::Exact;

impl<const N: usize> PartialEq for MultiFloat<N> {
    /// Equality of values: `−0 == +0`, NaN equals nothing.
    #[inline]
    fn eq(&self, y: &Self) -> bool {
        self.partial_cmp(y) == Some(Ordering::Equal)
    }
}

impl<const N: usize> PartialOrd for MultiFloat<N> {
    /// The order of the values; `None` where either is NaN.
    #[inline]
    fn partial_cmp(&self, y: &Self) -> Option<Ordering> {
        let (x0, y0) = (self.0[0], y.0[0]);
        let difference = x0 - y0;
        // First limbs further apart than this cannot be overtaken by tails of half a unit each.
        let decisive = difference.abs() > (x0.abs() + y0.abs()) * (2.0 * f64::EPSILON);
        if decisive || !difference.is_finite() {
            return x0.partial_cmp(&y0);
        }
        Some(if self.0 == y.0 { Ordering::Equal } else { sign_of_difference(*self, *y) })
    }
}

impl<const N: usize> PartialEq<f64> for MultiFloat<N> {
    #[inline]
    fn eq(&self, y: &f64) -> bool {
        *self == Self::from(*y)
    }
}

impl<const N: usize> PartialOrd<f64> for MultiFloat<N> {
    #[inline]
    fn partial_cmp(&self, y: &f64) -> Option<Ordering> {
        self.partial_cmp(&Self::from(*y))
    }
}

/// The sign of `x − y`, for finite numbers.
#[cold]
fn sign_of_difference<const N: usize>(x: MultiFloat<N>, y: MultiFloat<N>) -> Ordering {
    let mut difference = Exact::new(x);
    for limb in y.0 {
        difference.add(-limb, 0);
    }
    difference.sign()
}

impl<const N: usize> MultiFloat<N> {
    /// IEEE 754 `totalOrder`, extended to limbs: `−NaN < −∞ < … < −0 < +0 < … < +∞ < +NaN`.
    ///
    /// ```
    /// use nonius_num::Dd;
    ///
    /// let mut numbers = [Dd::NAN, Dd::ONE, Dd::NEG_INFINITY, Dd::PI];
    /// numbers.sort_by(Dd::total_cmp);
    /// assert_eq!(numbers[..3], [Dd::NEG_INFINITY, Dd::ONE, Dd::PI]);
    /// assert!(numbers[3].is_nan());
    /// ```
    #[inline]
    #[must_use]
    pub fn total_cmp(&self, y: &Self) -> Ordering {
        let by_value = if self.0[0] == 0.0 && y.0[0] == 0.0 { None } else { self.partial_cmp(y) };
        by_value.unwrap_or_else(|| self.0[0].total_cmp(&y.0[0]))
    }

    /// The smaller of two numbers; the other one where one is NaN.
    #[inline]
    #[must_use]
    pub fn min(self, y: Self) -> Self {
        if self <= y || y.is_nan() { self } else { y }
    }

    /// The larger of two numbers; the other one where one is NaN.
    #[inline]
    #[must_use]
    pub fn max(self, y: Self) -> Self {
        if self >= y || y.is_nan() { self } else { y }
    }

    /// The nearest number in [`low`, `high`]; NaN stays NaN, and where `low > high` the result is
    /// one of them.
    #[inline]
    #[must_use]
    pub fn clamp(self, low: Self, high: Self) -> Self {
        if self < low {
            low
        } else if self > high {
            high
        } else {
            self
        }
    }

    /// Whether this is not a number.
    #[inline(always)]
    pub const fn is_nan(self) -> bool {
        self.0[0].is_nan()
    }

    /// Whether this is neither infinite nor NaN.
    #[inline(always)]
    pub const fn is_finite(self) -> bool {
        self.0[0].is_finite()
    }

    /// Whether this is +∞ or −∞.
    #[inline(always)]
    pub const fn is_infinite(self) -> bool {
        self.0[0].is_infinite()
    }

    /// Whether the sign bit is set, of −0 and NaN too.
    #[inline(always)]
    pub const fn is_sign_negative(self) -> bool {
        self.0[0].is_sign_negative()
    }

    /// Whether the sign bit is clear.
    #[inline(always)]
    pub const fn is_sign_positive(self) -> bool {
        self.0[0].is_sign_positive()
    }

    /// The class of the first limb.
    #[inline]
    pub const fn classify(self) -> FpCategory {
        self.0[0].classify()
    }

    /// `self` with the sign of `sign`.
    #[inline]
    #[must_use]
    pub fn copysign(self, sign: Self) -> Self {
        if self.is_sign_negative() == sign.is_sign_negative() { self } else { -self }
    }

    /// +1 or −1 with the sign of `self` (of zeros too); NaN for NaN.
    #[inline]
    #[must_use]
    pub fn signum(self) -> Self {
        if self.is_nan() { self } else { Self::ONE.copysign(self) }
    }
}

#[cfg(test)]
mod tests {
    use core::cmp::Ordering;

    use crate::{Dd, Qd};

    #[test]
    fn values_not_limbs_are_compared() {
        let half_ulp = 2_f64.powi(-53);
        // One value, two limb sequences.
        let above = Dd::from_limbs([1.0, half_ulp]);
        let below = Dd::from_limbs([1.0 + f64::EPSILON, -half_ulp]);
        assert_eq!(above, below);
        assert_eq!(above.partial_cmp(&below), Some(Ordering::Equal));
        // The larger first limb belongs to the smaller number.
        let tiny = 2_f64.powi(-1074);
        let x = Qd::from_limbs([1.0, half_ulp, tiny, 0.0]);
        let y = Qd::from_limbs([1.0 + f64::EPSILON, -half_ulp, -tiny, 0.0]);
        assert_eq!(x.partial_cmp(&y), Some(Ordering::Greater));
        assert_eq!(y.max(x).limbs(), x.limbs());
    }

    #[test]
    fn neighbours_at_the_end_of_the_range() {
        let half_ulp = 2_f64.powi(970);
        let x = Dd::from_limbs([f64::MAX, -half_ulp]);
        let y = Dd::from_limbs([f64::MAX.next_down(), half_ulp]);
        assert_eq!(x, y);
        assert!(Dd::MAX > x && Dd::MIN < -x && Dd::MAX < Dd::INFINITY);
    }

    #[test]
    fn total_order() {
        let ordered = [
            -Dd::NAN,
            Dd::NEG_INFINITY,
            Dd::MIN,
            -Dd::ONE,
            -Dd::ZERO,
            Dd::ZERO,
            Dd::ONE,
            Dd::MAX,
            Dd::INFINITY,
            Dd::NAN,
        ];
        for (i, x) in ordered.iter().enumerate() {
            for (j, y) in ordered.iter().enumerate() {
                assert_eq!(x.total_cmp(y), i.cmp(&j), "{x:?} {y:?}");
            }
        }
    }
}
