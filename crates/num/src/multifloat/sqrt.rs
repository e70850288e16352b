//! Square roots: the root of the head, then one Newton step from the exact residual.
//!
//! With `u = 2^-53`, errors relative to `√x`, and terms of higher order left out:
//! - Two limbs, 11 operations: `SQRTDWtoDW` of Lefèvre, Louvet, Muller, Picot, Rideau, *Accurate calculation of Euclidean norms using
//!   double-word arithmetic* (2023), with a reciprocal in place of the final division. The root `s` of the first limb is off by `u`; the residual
//!   `x − s²` is at most `3u·x`. Rounding it costs `1.5u²`, the reciprocal `1.5u²`, the product `1.5u²`, the Newton step
//!   `(3u)² / 8`: `5.7u² < 2^-102`.
//! - Three limbs, 196 operations: the double-double root `r` of the head, then `r + (x − r²) / 2r` with the residual at full width. The
//!   product costs `6u³`, the sum `8u³`: below `2^-154 = 32u³`.
//! - Four limbs, 443 operations: as three, with the quotient's own remainder as in [`div`](super::div). The product costs `15u⁴`, the sum
//!   `16u⁴`, the Newton step `(11.4u²)² / 8 = 17u⁴`, rounding the quotient `u²` of `5.7u²`: below `2^-206 = 64u⁴`.

use super::MultiFloat;
use super::add::add_finite;
use super::div::{div_2, left_over, widen};
use super::mul::mul_finite;
use crate::Lane;
use crate::eft::{fast_two_sum, two_prod};

impl<const N: usize, T: Lane> MultiFloat<N, T> {
    /// Square root; relative error at most `2^-102`, `2^-154`, `2^-206` (2, 3, 4 limbs). `√−0 = −0`; NaN below zero.
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
    let first = x[0].sqrt();
    let half_reciprocal = T::splat(0.5) / first;
    let (p, e) = two_prod(first, first);
    let residual = ((x[0] - p) - e) + x[1];
    let root: [T; 2] = fast_two_sum(first, residual * half_reciprocal).into();
    if N == 2 {
        return widen(root);
    }
    let wide = widen(root);
    let residual = add_finite(x, mul_finite(wide, wide).map(|p| -p));
    let doubled = root.map(|r| r + r);
    let mut correction = div_2([residual[0], residual[1]], doubled, half_reciprocal);
    if N == 4 {
        let r = [residual[0], residual[1], residual[2]];
        let left = left_over(r, correction, [doubled[0], doubled[1], T::splat(0.0)]);
        correction = fast_two_sum(correction[0], correction[1] + left * half_reciprocal).into();
    }
    add_finite(wide, widen(correction))
}

/// `√x` for any operand, with the bits of [`sqrt_finite`] where that applies, otherwise by way of an even power of two.
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
