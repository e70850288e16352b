//! Square roots digit by digit, as on paper: a digit is a limb.
//!
//! The root of the first limb leaves a remainder that is exact in one limb. From there on it is a
//! [division](super::div) by twice the root, of which each remainder also loses the product of the
//! digits found.
//!
//! With `u = 2^-53`, errors relative to `√x`, and terms of higher order left out:
//! - Two limbs, 8 operations: `SQRTDWtoDW` of Lefèvre, Louvet, Muller, Picot, Rideau, *Accurate
//!   calculation of Euclidean norms using double-word arithmetic* (2023), with a reciprocal in
//!   place of the final division. The root `s` of the first limb is off by `u`; the residual
//!   `x − s²` is at most `3u·x`. Rounding it costs `1.5u²`, the reciprocal `1.5u²`, the product
//!   `1.5u²`, the Newton step `(3u)² / 8`: `5.7u² < 2^-102`.
//! - Three limbs, 44 operations: `6u³ < 2^-154 = 32u³`. Counted as for the quotient, in units of
//!   `x·u³`, which are half units of the root: the first remainder costs 2, the second 4 and 4,
//!   adding the last digit's correction 2.
//! - Four limbs, 92 operations: `25u⁴ < 2^-206 = 64u⁴`. The first remainder costs 2, the second 4,
//!   8, 8, the third 8, 16, adding the correction 4.

use super::MultiFloat;
use super::div::{digit, last_digits, normalize};
use crate::Lane;
use crate::eft::{fast_two_sum, two_prod, two_sum};

impl<const N: usize, T: Lane> MultiFloat<N, T> {
    /// Square root; relative error at most `2^-102`, `2^-154`, `2^-206` (2, 3, 4 limbs).
    /// `√−0 = −0`; NaN below zero.
    ///
    /// ```
    /// use nonius_num::Qd;
    ///
    /// let root = Qd::from(2).sqrt();
    /// assert_eq!(format!("{root:.50}"), "1.41421356237309504880168872420969807856967187537695");
    /// assert!(Qd::from(-1).sqrt().is_nan());
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn sqrt(self) -> Self {
        let positive = T::all(T::less(T::splat(0.0), self.0[0]));
        if positive && self.0[0].all_moderate() {
            Self(sqrt_finite(self.0))
        } else {
            self.map_lanes(sqrt_scaled)
        }
    }
}

/// `√x` where `x[0]` lies within `2^±500`.
#[inline(always)]
pub(super) fn sqrt_finite<const N: usize, T: Lane>(x: [T; N]) -> [T; N] {
    let root = x[0].sqrt();
    let half_reciprocal = T::splat(0.5) / root;
    let high = (-root).mul_add(root, x[0]);
    let mut z = x;
    match N {
        2 => [z[0], z[1]] = fast_two_sum(root, (high + x[1]) * half_reciprocal).into(),
        3 => [z[0], z[1], z[2]] = sqrt_3([x[1], x[2]], root, high, half_reciprocal),
        _ => [z[0], z[1], z[2], z[3]] = sqrt_4([x[1], x[2], x[3]], root, high, half_reciprocal),
    }
    z
}

#[inline(always)]
fn sqrt_3<T: Lane>(x: [T; 2], root: T, high: T, half_reciprocal: T) -> [T; 3] {
    let doubled = root + root;
    let (high, error) = two_sum(high, x[0]);
    let (high, low) = two_sum(high, x[1] + error);
    let (q1, high) = digit(high, doubled, half_reciprocal);
    let rest = (-q1).mul_add(q1, high + low);
    normalize([root, q1], last_digits(rest, [doubled, q1 + q1], half_reciprocal))
}

#[inline(always)]
fn sqrt_4<T: Lane>(x: [T; 3], root: T, high: T, half_reciprocal: T) -> [T; 4] {
    let doubled = root + root;
    let (high, error) = two_sum(high, x[0]);
    let (middle, error) = two_sum(x[1], error);
    let (middle, low) = two_sum(middle, x[2] + error);
    let (high, middle) = two_sum(high, middle);

    let (q1, high) = digit(high, doubled, half_reciprocal);
    let (p, e) = two_prod(q1, q1);
    let (high, sum_error) = two_sum(high, middle);
    let (high, difference_error) = two_sum(high, -p);
    let low = low + ((sum_error + difference_error) - e);
    let (high, low) = two_sum(high, low);

    let (q2, high) = digit(high, doubled, half_reciprocal);
    let second = q1 + q1;
    let rest = (-q2).mul_add(second, high + low);
    normalize([root, q1, q2], last_digits(rest, [doubled, second], half_reciprocal))
}

/// `√x` for any operand, with the bits of [`sqrt_finite`] where that applies, otherwise by way of
/// an even power of two.
#[cold]
fn sqrt_scaled<const N: usize>(x: MultiFloat<N>) -> MultiFloat<N> {
    let first = x.0[0];
    if first == 0.0 || first == f64::INFINITY || first.is_nan() {
        return MultiFloat::from_lane(first);
    }
    if first < 0.0 {
        return MultiFloat::NAN;
    }
    if first.all_moderate() {
        return MultiFloat(sqrt_finite(x.0));
    }
    let (mantissa, exponent) = x.frexp();
    let odd = exponent.rem_euclid(2);
    MultiFloat(sqrt_finite(mantissa.ldexp(odd).0)).ldexp((exponent - odd) / 2)
}
