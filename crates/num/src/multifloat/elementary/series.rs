//! Sums of power series with a width that grows towards the leading term.
//!
//! Where `|x·y|` is small against `c`, `c + x·y` needs neither a normalised product nor a full
//! addition: [`add_product`] collects exact products and their errors order by order, as
//! multiplication does, and separates the limbs once, at half the operations (2 limbs: 14; 3: 57;
//! 4: 137).
//!
//! Error, for `|x·y| <= |c| / 64` and `2^e <= |c| < 2^(e+1)`, with `u = 2^-53`: only the last order
//! is rounded, where every sum of magnitude `s` costs at most `u·s`, in units of `u^N·2^e`: two
//! limbs, sums up to 2 and 2.1: `3.2u²`; three limbs, a last order of up to 4.3 collected in eight
//! sums: `12u³`; four limbs, up to 12.5 in twelve sums: `40u⁴`. Relatively that is at most
//! `2^-104`, `2^-155`, `2^-206`.

use super::limbs::{resize, splat};
use super::tables::Polynomial;
use crate::Lane;
use crate::eft::{fast_two_sum, two_prod, two_sum};

/// `c + x·y` for `|x·y| <= |c| / 2`, or `c = 0`, or `x·y = 0`; almost in normal form.
#[inline(always)]
pub(super) fn add_product<const N: usize, T: Lane>(c: [T; N], x: [T; N], y: [T; N]) -> [T; N] {
    let mut z = c;
    match N {
        2 => [z[0], z[1]] = add_product_2([c[0], c[1]], [x[0], x[1]], [y[0], y[1]]),
        3 => {
            [z[0], z[1], z[2]] =
                add_product_3([c[0], c[1], c[2]], [x[0], x[1], x[2]], [y[0], y[1], y[2]]);
        }
        _ => {
            [z[0], z[1], z[2], z[3]] = add_product_4(
                [c[0], c[1], c[2], c[3]],
                [x[0], x[1], x[2], x[3]],
                [y[0], y[1], y[2], y[3]],
            );
        }
    }
    z
}

#[inline(always)]
fn add_product_2<T: Lane>(c: [T; 2], x: [T; 2], y: [T; 2]) -> [T; 2] {
    let (p, e) = two_prod(x[0], y[0]);
    let (s, s_error) = fast_two_sum(c[0], p);
    let low = (s_error + c[1]) + (e + (x[0] * y[1] + x[1] * y[0]));
    fast_two_sum(s, low).into()
}

#[inline(always)]
fn add_product_3<T: Lane>(c: [T; 3], x: [T; 3], y: [T; 3]) -> [T; 3] {
    let (p00, e00) = two_prod(x[0], y[0]);
    let (p01, e01) = two_prod(x[0], y[1]);
    let (p10, e10) = two_prod(x[1], y[0]);
    let (s0, a) = fast_two_sum(c[0], p00);
    let (b, b_error) = two_sum(p01, p10);
    let (a, a_error) = two_sum(a, c[1]);
    let (b, d_error) = two_sum(b, e00);
    let (s1, s_error) = two_sum(a, b);
    let products = (x[0] * y[2] + x[2] * y[0]) + x[1] * y[1];
    let errors = (a_error + s_error) + (b_error + d_error);
    let s2 = (c[2] + errors) + ((e01 + e10) + products);
    let (s0, s1) = fast_two_sum(s0, s1);
    let (s1, s2) = two_sum(s1, s2);
    let (s0, s1) = fast_two_sum(s0, s1);
    [s0, s1, s2]
}

#[inline(always)]
fn add_product_4<T: Lane>(c: [T; 4], x: [T; 4], y: [T; 4]) -> [T; 4] {
    let (p00, e00) = two_prod(x[0], y[0]);
    let (p01, e01) = two_prod(x[0], y[1]);
    let (p10, e10) = two_prod(x[1], y[0]);
    let (p02, e02) = two_prod(x[0], y[2]);
    let (p11, e11) = two_prod(x[1], y[1]);
    let (p20, e20) = two_prod(x[2], y[0]);
    let (s0, a) = fast_two_sum(c[0], p00);
    // Order 1.
    let (b, b_error) = two_sum(p01, p10);
    let (a, a_error) = two_sum(a, c[1]);
    let (b, d_error) = two_sum(b, e00);
    let (s1, s_error) = two_sum(a, b);
    // Order 2.
    let (f, f_error) = two_sum(e01, e10);
    let (g, g_error) = two_sum(p02, p20);
    let (h, h_error) = two_sum(p11, c[2]);
    let (i, i_error) = two_sum(b_error, d_error);
    let (j, j_error) = two_sum(a_error, s_error);
    let (f, k_error) = two_sum(f, g);
    let (i, l_error) = two_sum(i, j);
    let (f, m_error) = two_sum(f, i);
    let (s2, n_error) = two_sum(h, f);
    // Order 3.
    let products = (x[0] * y[3] + x[3] * y[0]) + (x[1] * y[2] + x[2] * y[1]);
    let errors = ((f_error + g_error) + (h_error + i_error))
        + ((j_error + k_error) + ((l_error + m_error) + n_error));
    let s3 = (c[3] + errors) + (((e02 + e20) + e11) + products);
    let (s0, s1) = fast_two_sum(s0, s1);
    let (s1, s2) = two_sum(s1, s2);
    let (s2, s3) = two_sum(s2, s3);
    let (s0, s1) = fast_two_sum(s0, s1);
    let (s1, s2) = fast_two_sum(s1, s2);
    let (s2, s3) = fast_two_sum(s2, s3);
    [s0, s1, s2, s3]
}

/// The polynomial at `x`, by Horner's rule, from one limb for the last terms to `N` for the first.
#[inline(always)]
pub(super) fn evaluate<const N: usize, T: Lane>(polynomial: &Polynomial, x: [T; N]) -> [T; N] {
    let c = polynomial.coefficients;
    let terms = polynomial.terms;
    // Terms of one limb are those from here on; of two from the entry before, and so on.
    let first = |limbs: usize| if limbs < N { terms[N - 1 - limbs] } else { 0 };
    let last = terms[N - 1] - 1;
    let mut s = T::splat(c[last][0]);
    for i in (first(1)..last).rev() {
        s = s * x[0] + T::splat(c[i][0]);
    }
    let mut s = [s, T::splat(0.0)];
    for i in (first(2)..first(1)).rev() {
        s = add_product_2(splat(&c[i]), s, [x[0], x[1]]);
    }
    if N == 2 {
        return resize(&s);
    }
    let mut s = resize(&s);
    for i in (first(3)..first(2)).rev() {
        s = add_product_3(splat(&c[i]), s, [x[0], x[1], x[2]]);
    }
    if N == 3 {
        return resize(&s);
    }
    let mut s = resize(&s);
    for i in (0..first(3)).rev() {
        s = add_product_4(splat(&c[i]), s, [x[0], x[1], x[2], x[3]]);
    }
    resize(&s)
}
