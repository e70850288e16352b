//! Comparison by value, the IEEE total order, sign and class.
//!
//! Comparing limb by limb is not enough: where two first limbs are neighbours the tails can outweigh their
//! difference, and one value can have two limb sequences in normal form. The sign of the exact difference decides.

use core::cmp::Ordering;

use super::MultiFloat;
use crate::eft::two_sum;

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
        Some(sign_of_difference(self.0, y.0))
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

/// The sign of `Σx − Σy`, exactly, for finite limbs.
fn sign_of_difference<const N: usize>(x: [f64; N], y: [f64; N]) -> Ordering {
    if x == y {
        return Ordering::Equal;
    }
    // A nonoverlapping expansion grown term by term (Shewchuk 1997, Grow-Expansion): exact, and the sign of the
    // sum is that of its last nonzero component.
    let mut expansion = [0.0; 8];
    for (count, term) in (0..N).rev().flat_map(|i| [x[i], -y[i]]).enumerate() {
        let mut carry = term;
        for component in &mut expansion[..count] {
            (carry, *component) = two_sum(carry, *component);
        }
        expansion[count] = carry;
    }
    let sign = expansion[..2 * N].iter().rev().find(|&&c| c != 0.0).copied().unwrap_or(0.0);
    sign.partial_cmp(&0.0).unwrap_or(Ordering::Equal)
}

impl<const N: usize> MultiFloat<N> {
    /// IEEE 754 `totalOrder`, extended to limbs: `−NaN < −∞ < … < −0 < +0 < … < +∞ < +NaN`.
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
