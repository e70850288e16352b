//! Multiplication: exact products of limbs, summed by branch-free networks.
//!
//! The networks are those of Zhang and Aiken (SC'25; see [`add`](super::add)): commutative, results
//! in normal form. Operations, counting a fused multiply-add as one: two limbs 9, three 45,
//! four 124.
//!
//! Relative errors, with `u = 2^-53`:
//! - Two limbs: the algorithm is `DWTimesDW1` of Joldes, Muller, Popescu 2017, whose bound Muller
//!   and Rideau (2022) sharpened to `5u²`. It is attained: our search comes within a thousandth.
//! - Three limbs: below `2^-154`. `2^-156 = 8u³` would not hold: a search found products off by
//!   `9u³` (see the tests). With `|x[1]| <= u`, `|x[2]| <= u²/2` for `x[0]` in [1, 2), and half a
//!   unit in the last place for each rounding, the sums of order `u²` cost, as they stand below and
//!   in units of `u³`: `e01 + e10` 1, the three rounded products and their sums 4.5, `second` 4,
//!   the two errors 2, `second` again 8; the products left out 1. In all `20.5u³`, or `21u³` where
//!   a second limb is exactly half a unit; relatively less where the first limbs' product
//!   exceeds 2. Products by a number of two limbs, as in division: `12u³`.
//! - Four limbs: below `2^-206`. Counted the same way `35u⁴`: `d` 3, `third` 3.5, `fourth` 3,
//!   `tail` 12, then `third` 4 and `z3` 8; the products left out 1. Products by a number of two
//!   limbs: `30u⁴`. The worst found is `11u⁴`.
//!
//! Where the errors of products fall below the smallest subnormal they are rounded, to an absolute
//! error of at most 4·2^-1074.

use crate::Lane;
use crate::eft::{fast_two_sum, two_prod, two_sum};

/// `x · y` for finite numbers whose product does not overflow; otherwise the limbs may be NaN.
#[inline(always)]
pub(super) fn mul_finite<const N: usize, T: Lane>(x: [T; N], y: [T; N]) -> [T; N] {
    let mut z = x;
    match N {
        2 => [z[0], z[1]] = mul_2([x[0], x[1]], [y[0], y[1]]),
        3 => [z[0], z[1], z[2]] = mul_3([x[0], x[1], x[2]], [y[0], y[1], y[2]]),
        _ => [z[0], z[1], z[2], z[3]] = mul_4([x[0], x[1], x[2], x[3]], [y[0], y[1], y[2], y[3]]),
    }
    z
}

#[inline(always)]
pub(super) fn mul_2<T: Lane>(x: [T; 2], y: [T; 2]) -> [T; 2] {
    let (p, e) = two_prod(x[0], y[0]);
    let cross = x[0] * y[1] + x[1] * y[0];
    fast_two_sum(p, e + cross).into()
}

#[inline(always)]
fn mul_3<T: Lane>(x: [T; 3], y: [T; 3]) -> [T; 3] {
    let (p00, e00) = two_prod(x[0], y[0]);
    let (p01, e01) = two_prod(x[0], y[1]);
    let (p10, e10) = two_prod(x[1], y[0]);
    // Order u: e00, p01, p10. Order u²: the rest, where rounded sums suffice.
    let (cross, cross_error) = two_sum(p01, p10);
    let second = (e01 + e10) + ((x[0] * y[2] + x[2] * y[0]) + x[1] * y[1]);
    let (first, first_error) = two_sum(e00, cross);
    let (z0, first) = fast_two_sum(p00, first);
    let second = (first_error + cross_error) + second;
    let (z1, z2) = two_sum(first, second);
    let (z0, z1) = fast_two_sum(z0, z1);
    let (z1, z2) = fast_two_sum(z1, z2);
    let (z0, z1) = fast_two_sum(z0, z1);
    [z0, z1, z2]
}

#[inline(always)]
fn mul_4<T: Lane>(x: [T; 4], y: [T; 4]) -> [T; 4] {
    let (p00, e00) = two_prod(x[0], y[0]);
    let (p01, e01) = two_prod(x[0], y[1]);
    let (p10, e10) = two_prod(x[1], y[0]);
    let (p02, e02) = two_prod(x[0], y[2]);
    let (p11, e11) = two_prod(x[1], y[1]);
    let (p20, e20) = two_prod(x[2], y[0]);
    // Mirror products first, which makes the whole commutative: `a` is of order u, `b` and `c` of
    // u², `d` of u³.
    let (a, a_error) = two_sum(p01, p10);
    let (b, b_error) = two_sum(e01, e10);
    let (c, c_error) = two_sum(p02, p20);
    let d = (x[0] * y[3] + x[3] * y[0]) + (x[1] * y[2] + x[2] * y[1]);
    let (z1, carry) = two_sum(e00, a);
    let (b, middle) = two_sum(b, p11);
    let third = (b_error + (e02 + e20)) + d;
    let fourth = middle + (c_error + e11);
    let (z0, z1) = fast_two_sum(p00, z1);
    let (carry, a_error) = fast_two_sum(carry, a_error);
    let (b, c) = two_sum(b, c);
    let (z2, b) = two_sum(carry, b);
    let tail = (a_error + fourth) + b;
    let third = third + c;
    let (z2, z3) = two_sum(z2, tail);
    let (z1, z2) = two_sum(z1, z2);
    let z3 = z3 + third;
    // Four limbs are left; three passes separate them.
    let (z0, z1) = fast_two_sum(z0, z1);
    let (z2, z3) = two_sum(z2, z3);
    let (z1, z2) = two_sum(z1, z2);
    let (z0, z1) = fast_two_sum(z0, z1);
    let (z2, z3) = fast_two_sum(z2, z3);
    let (z1, z2) = fast_two_sum(z1, z2);
    let (z0, z1) = fast_two_sum(z0, z1);
    let (z2, z3) = fast_two_sum(z2, z3);
    let (z1, z2) = fast_two_sum(z1, z2);
    let (z2, z3) = fast_two_sum(z2, z3);
    [z0, z1, z2, z3]
}

#[cfg(test)]
mod tests {
    use crate::Td;

    /// The bound for three limbs could not be `2^-156`: inputs found by search.
    #[test]
    fn three_limbs_exceed_eight_units() {
        let x = Td::from_limbs([
            1.002_077_427_489_912_5,
            1.110_204_893_151_344_9e-16,
            1.335_548_311_367_434_5e-48,
        ]);
        let y = Td::from_limbs([
            1.000_000_007_450_581_3,
            1.110_223_024_625_156_5e-16,
            1.232_595_164_407_830_8e-32,
        ]);
        let p = x * y;
        let error = x.mul_add(y, -p).abs();
        assert!(error > p.ldexp(-156) && error < p.ldexp(-154), "{error:?}");
    }
}
