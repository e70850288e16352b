//! Quotients to the last place.
//!
//! The [division](super::super::div) of three and four limbs has an error of a few units roundoff
//! because its remainders keep all that counts. That of two limbs is sized for speed, `2^-101`;
//! here one more remainder corrects it. With `u = 2^-53`, relative to the quotient: the remainder's
//! large terms, of up to `4u`, are summed without error, those of order `u²` with errors of order
//! `u³`, and adding the correction to the second limb costs `u²`: below `2^-105`.

use super::super::div::div_finite;
use crate::Lane;
use crate::eft::{fast_two_sum, two_prod, two_sum};

/// `x / y` where the first limbs' magnitudes lie within `2^±500`, or `x` is zero.
#[inline(always)]
pub(super) fn quotient<const N: usize, T: Lane>(x: [T; N], y: [T; N]) -> [T; N] {
    let mut q = div_finite(x, y);
    if N == 2 {
        let (p, e) = two_prod(q[0], y[0]);
        let (p_low, e_low) = two_prod(q[1], y[0]);
        let (cross, cross_error) = two_prod(q[0], y[1]);
        // x − q·y: the first difference is exact, the next two nearly cancel, and their errors are
        // kept.
        let (high, high_error) = two_sum(x[0] - p, -e);
        let (low, low_error) = two_sum(x[1], -cross);
        let (sum, sum_error) = two_sum(high, low);
        let errors = (high_error + low_error) + sum_error;
        let remainder = (sum - p_low) + (errors - ((e_low + cross_error) + q[1] * y[1]));
        [q[0], q[1]] = fast_two_sum(q[0], q[1] + remainder / y[0]).into();
    }
    q
}
