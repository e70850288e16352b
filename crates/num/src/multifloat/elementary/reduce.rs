//! Argument reduction: `r = x − k·C` for an integer `k` and a constant `C` (Cody and Waite).
//!
//! `C` is given by short limbs of 30 bits, so that `k·C[i]` is exact for `|k| < 2^23`.
//! `x[0] − k·C[0]` is exact (Sterbenz), all other terms go into a [`List`]. What is left out is
//! below `2^-30(n+1)·k·C` for `n` limbs of `C`: with the `n` below, less than `2^-(53N + 30)`, so
//! that `r` has a relative error below `2^-53N` as long as `|r| >= 2^-30`, and for `k = 0` none at
//! all.

use super::wide::List;
use crate::Lane;
use crate::eft::two_sum;

/// Largest `|k|` for which [`subtract_multiple`] is accurate.
pub(super) const LARGEST_MULTIPLE: f64 = 8_388_607.0; // 2^23 − 1

/// `x + tail − k·C`, for `k` next to `x / C` and `k·C[0]` as near to `x[0]`. Pass `None` where
/// there is no tail.
#[inline(always)]
pub(super) fn subtract_multiple<const N: usize, T: Lane>(
    x: [T; N],
    tail: Option<T>,
    k: T,
    constant: &[f64; 9],
) -> [T; N] {
    let product = |i: usize| -(k * T::splat(constant[i]));
    let (first, error) = two_sum(x[0] + product(0), product(1));
    // In falling order where k is large.
    let mut list = List::new();
    for term in [first, x[1], product(2), error, product(3)] {
        list.push(term);
    }
    if N > 2 {
        list.push(x[2]);
    }
    list.push(product(4));
    list.push(product(5));
    if N > 3 {
        list.push(x[3]);
    }
    if N > 2 {
        list.push(product(6));
    }
    if N > 3 {
        list.push(product(7));
    }
    if let Some(tail) = tail {
        list.push(tail);
    }
    if N > 3 {
        list.push(product(8));
    }
    list.condense()
}
