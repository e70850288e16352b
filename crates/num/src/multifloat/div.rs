//! Division by short quotients: an approximate quotient, its remainder, the remainder's quotient.
//!
//! With `u = 2^-53`, errors relative to `x / y`, and terms of higher order left out:
//! - Two limbs, 13 operations: `DWDivDW2` of Joldes, Muller, Popescu 2017 (Alg. 17) with the reciprocal of the divisor's first
//!   limb in place of two divisions. The first quotient `q` is off by `2u`, so the remainder is at most `4u`; its four roundings cost
//!   `2u² + u² + 2u² + 4u²`, the reciprocal's deviation from `1 / y` (`2u` of `4u`) `8u²`, the last product `4u²`: `21u² < 2^-101`.
//! - Three limbs, 196 operations: the double-double quotient `q`, the remainder `x − q·y` at full width, its double-double
//!   quotient. The product costs `12u³`, the last sum `8u³`, the second quotient `(21u²)²`: below `2^-154 = 32u³`.
//! - Four limbs, 451 operations: as three, but a second remainder, exact up to terms of order `u³`, corrects the second quotient, of
//!   which three limbs are kept. The product costs `30u⁴`, the last sum `16u⁴`: below `2^-206 = 64u⁴`.

use super::MultiFloat;
use super::add::add_finite;
use super::mul::mul_finite;
use crate::Lane;
use crate::eft::{fast_two_sum, two_prod, two_sum};

/// `x / y` where the first limbs' magnitudes lie within `2^±500`, or `x` is zero.
#[inline(always)]
pub(super) fn div_finite<const N: usize, T: Lane>(x: [T; N], y: [T; N]) -> [T; N] {
    let reciprocal = T::splat(1.0) / y[0];
    let y_head = [y[0], y[1]];
    let q = div_2([x[0], x[1]], y_head, reciprocal);
    if N == 2 {
        return widen(q);
    }
    let remainder = add_finite(x, mul_finite(widen(q), y).map(|p| -p));
    let r_head = [remainder[0], remainder[1]];
    let q_low = div_2(r_head, y_head, reciprocal);
    let mut low: [T; N] = widen(q_low);
    if N == 4 {
        let r = [remainder[0], remainder[1], remainder[2]];
        let last = left_over(r, q_low, [y[0], y[1], y[2]]) * reciprocal;
        let (second, third) = two_sum(q_low[1], last);
        let (first, second) = fast_two_sum(q_low[0], second);
        (low[0], (low[1], low[2])) = (first, fast_two_sum(second, third));
    }
    add_finite(widen(q), low)
}

/// `r − q·y` where `q` is within a few `u²` of `r / y`: three limbs but for those that do not count.
///
/// What is left is of order `u²`. The terms of order 1 and `u` cancel, so they are summed without error; those of order `u²`
/// may be rounded.
#[inline(always)]
pub(super) fn left_over<T: Lane>(r: [T; 3], q: [T; 2], y: [T; 3]) -> T {
    let (p00, e00) = two_prod(q[0], y[0]);
    let (p01, e01) = two_prod(q[0], y[1]);
    let (p10, e10) = two_prod(q[1], y[0]);
    let first = r[0] - p00; // exact: p00 is within a few u of r[0]
    let (cross, cross_error) = two_sum(p01, p10);
    let (s, s_error) = two_sum(first, -e00);
    let (t, t_error) = two_sum(r[1], -cross);
    let (high, high_error) = two_sum(s, t);
    let second = r[2] - q[0].mul_add(y[2], q[1] * y[1]);
    let errors = (s_error + t_error) + (high_error - cross_error);
    high + (errors + (second - (e01 + e10)))
}

/// `x / y` for two limbs, given `1 / y[0]`.
#[inline(always)]
pub(super) fn div_2<T: Lane>(x: [T; 2], y: [T; 2], reciprocal: T) -> [T; 2] {
    let q = x[0] * reciprocal;
    let (p, e) = two_prod(q, y[0]);
    let remainder = ((x[0] - p) - e) + (x[1] - q * y[1]);
    fast_two_sum(q, remainder * reciprocal).into()
}

/// Two limbs followed by zeros.
#[inline(always)]
pub(super) fn widen<const N: usize, T: Lane>(x: [T; 2]) -> [T; N] {
    core::array::from_fn(|i| if i < 2 { x[i] } else { T::splat(0.0) })
}

/// `x / y` for any operands, with the bits of [`div_finite`] where that applies: specials as in IEEE 754, extreme exponents
/// brought to the middle of the range and back.
#[cold]
pub(super) fn div_scaled<const N: usize>(x: MultiFloat<N>, y: MultiFloat<N>) -> MultiFloat<N> {
    let first = x.0[0] / y.0[0];
    if x.0[0] == 0.0 || y.0[0] == 0.0 || !x.0[0].is_finite() || !y.0[0].is_finite() {
        return MultiFloat::from_lane(first);
    }
    if x.0[0].all_moderate() && y.0[0].all_moderate() {
        return MultiFloat(div_finite(x.0, y.0));
    }
    let (x, x_exponent) = x.frexp();
    let (y, y_exponent) = y.frexp();
    MultiFloat(div_finite(x.0, y.0)).ldexp(x_exponent - y_exponent)
}
