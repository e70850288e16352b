//! Division by short quotients: an approximate quotient, its exact remainder, the remainder's quotient.
//!
//! Two limbs: `DWDivDW2` of Joldes, Muller, Popescu 2017 (Alg. 17) with the reciprocal of the divisor's first limb in
//! place of two divisions. Three and four limbs: a double-double quotient `q`, the remainder `x − q·y` at full
//! width, its double-double quotient, and for four limbs one `f64` correction more, so that the error is that of
//! the remainder (a few `u`) alone.

use super::MultiFloat;
use super::add::{add_2, add_finite};
use super::mul::{mul_2, mul_finite};
use crate::Lane;
use crate::eft::{fast_two_sum, two_prod};

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
    let last = if N == 4 {
        let left = add_2(r_head, mul_2(q_low, y_head).map(|p| -p));
        left[0] * reciprocal
    } else {
        T::splat(0.0)
    };
    let low = fast_two_sum(q_low[0], q_low[1] + last);
    add_finite(widen(q), widen(low.into()))
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

/// `x / y` for any operands: specials as in IEEE 754, extreme exponents brought to the middle of the range and back.
#[cold]
pub(super) fn div_scaled<const N: usize>(x: MultiFloat<N>, y: MultiFloat<N>) -> MultiFloat<N> {
    let first = x.0[0] / y.0[0];
    if x.0[0] == 0.0 || y.0[0] == 0.0 || !x.0[0].is_finite() || !y.0[0].is_finite() {
        return MultiFloat::from_lane(first);
    }
    let (x, x_exponent) = x.frexp();
    let (y, y_exponent) = y.frexp();
    MultiFloat(div_finite(x.0, y.0)).ldexp(x_exponent - y_exponent)
}
