//! Addition: branch-free accumulation networks.
//!
//! The networks are those of Zhang and Aiken, *High-performance branch-free algorithms for
//! extended-precision floating-point arithmetic* (SC'25). Relative error at most `2^-105`,
//! `2^-156`, `2^-208` for 2, 3, 4 limbs, whatever the cancellation; results in normal form. We
//! state these bounds and test them against exact sums, random and adversarial; we have no proof of
//! our own. Operations: two limbs 20, three 63, four 124. Every sum of `f64` is exact below the
//! normal range, so the bounds hold there too. (The classical double-double additions:
//! [`variants`](super::variants).)

use crate::Lane;
use crate::eft::{fast_two_sum, two_sum};

/// `x + y` for finite numbers whose sum does not overflow; otherwise the limbs may be NaN.
#[inline(always)]
pub(super) fn add_finite<const N: usize, T: Lane>(x: [T; N], y: [T; N]) -> [T; N] {
    let mut z = x;
    match N {
        2 => [z[0], z[1]] = add_2([x[0], x[1]], [y[0], y[1]]),
        3 => [z[0], z[1], z[2]] = add_3([x[0], x[1], x[2]], [y[0], y[1], y[2]]),
        _ => [z[0], z[1], z[2], z[3]] = add_4([x[0], x[1], x[2], x[3]], [y[0], y[1], y[2], y[3]]),
    }
    z
}

#[inline(always)]
pub(super) fn add_2<T: Lane>(x: [T; 2], y: [T; 2]) -> [T; 2] {
    let (s0, e0) = two_sum(x[0], y[0]);
    let (s1, e1) = two_sum(x[1], y[1]);
    let (s0, s1) = fast_two_sum(s0, s1);
    let low = (e0 + e1) + s1;
    fast_two_sum(s0, low).into()
}

#[inline(always)]
fn add_3<T: Lane>(x: [T; 3], y: [T; 3]) -> [T; 3] {
    // Limb-wise sums and their errors.
    let (s0, e0) = two_sum(x[0], y[0]);
    let (s1, e1) = two_sum(x[1], y[1]);
    let (s2, e2) = two_sum(x[2], y[2]);
    // Carries travel one place down a layer.
    let (s0, s1) = fast_two_sum(s0, s1);
    let e0 = e0 + e2;
    let (e1, s2) = two_sum(e1, s2);
    let (s0, e1) = fast_two_sum(s0, e1);
    let (e0, s1) = two_sum(e0, s1);
    let s1 = s1 + s2;
    let (s1, e1) = two_sum(s1, e1);
    let (e0, s1) = two_sum(e0, s1);
    let (s0, e0) = fast_two_sum(s0, e0);
    let s1 = s1 + e1;
    // Three limbs are left; two passes separate them.
    let (e0, s1) = fast_two_sum(e0, s1);
    let (s0, e0) = fast_two_sum(s0, e0);
    let (e0, s1) = fast_two_sum(e0, s1);
    [s0, e0, s1]
}

#[inline(always)]
fn add_4<T: Lane>(x: [T; 4], y: [T; 4]) -> [T; 4] {
    // Limb-wise sums and their errors.
    let (s0, e0) = two_sum(x[0], y[0]);
    let (s1, e1) = two_sum(x[1], y[1]);
    let (s2, e2) = two_sum(x[2], y[2]);
    let (s3, e3) = two_sum(x[3], y[3]);
    // Carries travel one place down a layer.
    let (s0, s1) = fast_two_sum(s0, s1);
    let e0 = e0 + e3;
    let (e1, s2) = two_sum(e1, s2);
    let (e2, s3) = two_sum(e2, s3);
    let (e0, s3) = two_sum(e0, s3);
    let (s1, e1) = fast_two_sum(s1, e1);
    let (s2, e2) = two_sum(s2, e2);
    let (s0, s1) = fast_two_sum(s0, s1);
    let (e1, s2) = fast_two_sum(e1, s2);
    let (e0, e1) = two_sum(e0, e1);
    let (s1, s3) = fast_two_sum(s1, s3);
    let s2 = s2 + e2;
    let (e0, s1) = two_sum(e0, s1);
    let (e1, s2) = two_sum(e1, s2);
    let (s0, e0) = fast_two_sum(s0, e0);
    let (s1, e1) = two_sum(s1, e1);
    let s2 = s2 + s3;
    // Five limbs are left; four passes separate and shorten them.
    let (e0, s1) = fast_two_sum(e0, s1);
    let (e1, s2) = two_sum(e1, s2);
    let (s0, e0) = fast_two_sum(s0, e0);
    let (s1, e1) = fast_two_sum(s1, e1);
    let (e0, s1) = fast_two_sum(e0, s1);
    let e1 = e1 + s2;
    let (s0, e0) = fast_two_sum(s0, e0);
    let (s1, e1) = fast_two_sum(s1, e1);
    let (e0, s1) = fast_two_sum(e0, s1);
    let (s1, e1) = fast_two_sum(s1, e1);
    [s0, e0, s1, e1]
}
