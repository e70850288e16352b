//! Division digit by digit, as on paper: a digit is a limb.
//!
//! The first limb of a remainder, divided by the divisor's first limb, gives a digit within half a
//! unit and a little. What the digit leaves of that limb is exact in one limb; the rest of the new
//! remainder is summed by branch-free networks, exactly as far as it counts.
//!
//! Errors relative to `x / y`, with `u = 2^-53` and terms of higher order left out; limbs as in
//! [`mul`](super::mul), each rounding half a unit in the last place:
//! - Two limbs, 9 operations: `DWDivDW2` of Joldes, Muller, Popescu 2017 (Alg. 17) with the
//!   reciprocal of the divisor's first limb in place of two divisions, and fused multiply-adds. The
//!   first quotient `q` is off by `2u`, so the remainder is at most `4u`; its roundings cost
//!   `2u² + 2u² + 4u²`, the reciprocal's deviation from `1 / y` (`2u` of `4u`) `8u²`, the last
//!   product `4u²`: `20u² < 2^-101`.
//! - Three limbs, 55 operations: below `19u³ < 2^-154 = 32u³`. Where all first limbs are just above
//!   1, the first remainder's terms of order `u` (`high`, `x[1]`, `p`) are at most 1 each, in units
//!   of `u`. Their sum is exact but for two errors, of at most 1 and 2 in units of `u²`, which go
//!   to `low`; summing that costs 0.5, 1, 2, 4 in units of `u³`. The second remainder's terms are
//!   at most 2 (`high`), 2 (`low`), 3 (the product) in units of `u²` and its sums cost 2 and 4;
//!   adding the last digit's correction 2. In all 15.5; but a sum that just passes a power of two
//!   costs twice as much: over all first limbs it is 19 at the most.
//! - Four limbs, 126 operations: below `58u⁴ < 2^-206 = 64u⁴`. As above; the first remainder costs
//!   0.25, 0.5, 2, 2, 4, 8, the second 2, 4, 4, 8, the third 8, 8, adding the correction 4, in
//!   units of `u⁴`: 54.75, over all first limbs 57.5 at the most.

use super::MultiFloat;
use crate::Lane;
use crate::eft::{fast_two_sum, two_prod, two_sum};

/// `x / y` where the first limbs' magnitudes lie within `2^±500`, or `x` is zero.
#[inline(always)]
pub(super) fn div_finite<const N: usize, T: Lane>(x: [T; N], y: [T; N]) -> [T; N] {
    let reciprocal = T::splat(1.0) / y[0];
    let mut z = x;
    match N {
        2 => [z[0], z[1]] = div_2([x[0], x[1]], [y[0], y[1]], reciprocal),
        3 => [z[0], z[1], z[2]] = div_3([x[0], x[1], x[2]], [y[0], y[1], y[2]], reciprocal),
        _ => {
            let (x, y) = ([x[0], x[1], x[2], x[3]], [y[0], y[1], y[2], y[3]]);
            [z[0], z[1], z[2], z[3]] = div_4(x, y, reciprocal);
        }
    }
    z
}

#[inline(always)]
fn div_2<T: Lane>(x: [T; 2], y: [T; 2], reciprocal: T) -> [T; 2] {
    let q = x[0] * reciprocal;
    let remainder = (-q).mul_add(y[0], x[0]) + (-q).mul_add(y[1], x[1]);
    fast_two_sum(q, remainder * reciprocal).into()
}

#[inline(always)]
fn div_3<T: Lane>(x: [T; 3], y: [T; 3], reciprocal: T) -> [T; 3] {
    let (q0, high) = digit(x[0], y[0], reciprocal);
    // Order u: high, x[1], p. Order u²: the rest, where rounded sums suffice.
    let (p, e) = two_prod(q0, y[1]);
    let (high, sum_error) = two_sum(high, x[1]);
    let (high, difference_error) = two_sum(high, -p);
    let low = ((-q0).mul_add(y[2], x[2]) - e) + (sum_error + difference_error);
    let (high, low) = two_sum(high, low);
    let (q1, high) = digit(high, y[0], reciprocal);
    let rest = (-q1).mul_add(y[1], high + low);
    normalize([q0, q1], last_digits(rest, [y[0], y[1]], reciprocal))
}

#[inline(always)]
fn div_4<T: Lane>(x: [T; 4], y: [T; 4], reciprocal: T) -> [T; 4] {
    let (q0, high) = digit(x[0], y[0], reciprocal);
    let (p1, e1) = two_prod(q0, y[1]);
    let (p2, e2) = two_prod(q0, y[2]);
    // Order u: high, x[1], p1. Order u²: their errors, e1, x[2], p2. Order u³: the rest, where
    // rounded sums suffice.
    let (high, sum_error) = two_sum(high, x[1]);
    let (high, difference_error) = two_sum(high, -p1);
    let (middle, a) = two_sum(x[2], -p2);
    let (errors, b) = two_sum(sum_error, -e1);
    let (middle, c) = two_sum(middle, errors);
    let (middle, d) = two_sum(middle, difference_error);
    let low = (((-q0).mul_add(y[3], x[3]) - e2) + (a + b)) + (c + d);
    let (middle, low) = two_sum(middle, low);
    let (high, middle) = two_sum(high, middle);

    let (q1, high) = digit(high, y[0], reciprocal);
    let (p, e) = two_prod(q1, y[1]);
    let (high, sum_error) = two_sum(high, middle);
    let (high, difference_error) = two_sum(high, -p);
    let low = (low + (-q1).mul_add(y[2], -e)) + (sum_error + difference_error);
    let (high, low) = two_sum(high, low);

    let (q2, high) = digit(high, y[0], reciprocal);
    let rest = (-q2).mul_add(y[1], high + low);
    normalize([q0, q1, q2], last_digits(rest, [y[0], y[1]], reciprocal))
}

/// `q = r / y` to half a unit and a little, and `r − q·y`.
///
/// The product by the reciprocal can be off by two units; its remainder corrects it. That of `q` is
/// a multiple of the product of the units of `q` and `y`, and less than `2^53` of them: it has no
/// rounding error.
#[inline(always)]
pub(super) fn digit<T: Lane>(r: T, y: T, reciprocal: T) -> (T, T) {
    let q = r * reciprocal;
    let q = (-q).mul_add(y, r).mul_add(reciprocal, q);
    (q, (-q).mul_add(y, r))
}

/// `r / y` in two limbs, off by some `u²`.
#[inline(always)]
pub(super) fn last_digits<T: Lane>(r: T, y: [T; 2], reciprocal: T) -> [T; 2] {
    let q = r * reciprocal;
    let remainder = (-q).mul_add(y[1], (-q).mul_add(y[0], r));
    [q, remainder * reciprocal]
}

/// The sum of digits, of which each is zero or larger than the next, and of the last two, in normal
/// form.
#[inline(always)]
pub(super) fn normalize<const M: usize, const N: usize, T: Lane>(
    digits: [T; M],
    last: [T; 2],
) -> [T; N] {
    const { assert!(N == M + 1) };
    let mut z: [T; N] = core::array::from_fn(|i| if i < M { digits[i] } else { last[0] });
    (z[N - 2], z[N - 1]) = fast_two_sum(z[N - 2], z[N - 1]);
    z[N - 1] = z[N - 1] + last[1];
    for i in (0..N - 2).rev() {
        (z[i], z[i + 1]) = fast_two_sum(z[i], z[i + 1]);
    }
    for start in [1, 0] {
        for i in start..N - 1 {
            (z[i], z[i + 1]) = fast_two_sum(z[i], z[i + 1]);
        }
    }
    z
}

/// `x / y` for any operands, with the bits of [`div_finite`] where that applies: specials as in
/// IEEE 754, extreme exponents brought to the middle of the range and back.
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
