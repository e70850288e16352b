//! Long sums of products: [`Sum`], and [`Accumulator`], which puts the renormalisation off. Those
//! that normalise every term are in [`normalized`].
//!
//! The running sum has `N` limbs that may overlap: limb `i` collects the terms of order `u^i`, with
//! `u = 2^-53`. All but the last take their terms by TwoSum, whose errors go one limb down; the
//! last takes rounded sums. What one product contributes to a limb is summed before it meets the
//! limb, so that only one error a step is proportional to the running sum. Errors of order `u^N`
//! need not be exact: a product's error and what the sum lost of the product come from one fused
//! multiply-add. Instructions per multiply-add: 1, 10, 41, 106 for 1, 2, 3, 4 limbs; a normalised
//! product and sum would take 29, 108, 248. A sum without products: 1, 8, 21, 40.
//!
//! **Error.** Let `S = Σ|a||b|` over all `k` steps, `w` the `|a||b|` of one step, and let
//! [`carry`](Sum::carry) come after every `n =` [`PERIOD`](Sum::PERIOD) steps. What follows is to
//! first order in `u`. A carry leaves `|s1| <= u S`, `|s2| <= u² S`, `|s3| <= u³ S`, for it works
//! from the top and each TwoSum leaves at most `u` of its sum. In step `j` after it, what is
//! proportional to `S` is
//! - one carry into `s1`, hence `|s1| <= (1 + j) u S`;
//! - two carries into `s2`, of `u² S` and `(1 + j) u² S`, hence `|s2| <= σ₂(j) u² S` with
//!   `σ₂(j) = 1 + 2j + j(j+1)/2`;
//! - three into `s3`, of `u³ S`, `(2 + j) u³ S` and `σ₂(j) u³ S`, hence `|s3| <= σ₃(j) u³ S` with
//!   `σ₃(j) = 1 + Σ_{i<=j} (3 + i + σ₂(i))`.
//!
//! Only what goes to the last limb rounds. In the sum of two limbs that is three fused
//! multiply-adds and two sums: where `|s0|` is the larger, what the sum lost of the product is up
//! to `u S` and what it lost of `s0` is nothing; else both are of order `u w`. Adding up the
//! partial sums, a step errs by at most
//! - 2 limbs: `(4 + j) u² S`;
//! - 3 limbs: `(2(2 + j) + σ₂(j)) u³ S`;
//! - 4 limbs: `(8 + 2j + 2σ₂(j) + σ₃(j)) u⁴ S`;
//!
//! and by multiples of the `w` of this period's steps, which add up to at most `(3n + 23) u² S`,
//! `335 u³ S`, `961 u⁴ S` over all periods together. The averages over a period are 12.5, 38 and
//! 69.75. In units `u_N = 2^(-52 N)`, which are `4u²`, `8u³`, `16u⁴`, the sum is within
//! [`error`](Sum::error)`(k) · u_N · S` of the exact one: `3.2 k + 19`, `4.8 k + 43`, `4.4 k + 61`
//! for 2, 3, 4 limbs and `k` for one, `u_1 = 2^-53`. The signs of roundings never conspire like
//! that; typical sums stay a hundred times below.
//!
//! **Preconditions.** Finite limbs in normal form and no overflow: where the sum comes out not
//! finite its lower limbs carry no meaning and the caller turns to the operators. Products below
//! `2^-969` lose bits to underflow, at most a few `2^-1074` each.
//!
//! Source: the TwoSum cascades of Ogita, Rump, Oishi, *Accurate sum and dot product* (2005), `Dot2`
//! and `DotK`.

pub mod normalized;

use nonius_num::eft::{two_prod, two_sum};
use nonius_num::{Lane, MultiFloat};

/// A running sum of products of `N`-limb numbers, one in each lane.
///
/// Operands are finite and in normal form. Where the sum comes out not finite, the caller turns to
/// the operators.
pub trait Sum<const N: usize, L: Lane>: Copy {
    /// Steps after which the sum needs a [`carry`](Self::carry) for the bound
    /// [`error`](Self::error); `usize::MAX` where it never does.
    const PERIOD: usize;

    /// The factor `c` in the error bound `c · u_N · Σ|a||b|` of a sum of `steps` products; `u_N` is
    /// the [unit roundoff](nonius_num::Fixed::UNIT_ROUNDOFF) of numbers of `N` limbs.
    fn error(steps: usize) -> f64;

    /// The empty sum.
    fn new() -> Self;

    /// The sum whose limbs are given, as [`limbs`](Self::limbs) returned them.
    fn from_limbs(limbs: [L; N]) -> Self;

    /// The limbs as they are; their sum is the value.
    fn limbs(self) -> [L; N];

    /// Adds `a · b`.
    fn add_product(&mut self, a: [L; N], b: [L; N]);

    /// Moves what the lower limbs have gathered into the limbs above; the value stays.
    fn carry(&mut self);

    /// The limbs in normal form.
    fn normalized(self) -> [L; N];
}

/// Running sums with the renormalisation put off. See the [module documentation](self).
#[derive(Clone, Copy, Debug)]
pub struct Accumulator<const N: usize, L: Lane>([L; N]);

impl<const N: usize, L: Lane> Sum<N, L> for Accumulator<N, L> {
    const PERIOD: usize = [0, usize::MAX, 16, 8, 4][N];

    fn error(steps: usize) -> f64 {
        let (each, once) = [(0.0, 0.0), (1.0, 0.0), (3.2, 19.0), (4.8, 43.0), (4.4, 61.0)][N];
        each * steps as f64 + once
    }

    #[inline(always)]
    fn new() -> Self {
        const { assert!(N >= 1 && N <= 4, "a number has 1, 2, 3 or 4 limbs") };
        Self([L::splat(0.0); N])
    }

    #[inline(always)]
    fn from_limbs(limbs: [L; N]) -> Self {
        Self(limbs)
    }

    #[inline(always)]
    fn limbs(self) -> [L; N] {
        self.0
    }

    #[inline(always)]
    fn add_product(&mut self, a: [L; N], b: [L; N]) {
        let s = &mut self.0;
        match N {
            1 => s[0] = a[0].mul_add(b[0], s[0]),
            2 => {
                let (s0, s_virtual, p_virtual) = sum_parts(s[0], a[0] * b[0]);
                let e = a[0].mul_add(b[0], -p_virtual);
                let e = a[1].mul_add(b[0], a[0].mul_add(b[1], e));
                s[1] = s[1] + (e + (s[0] - s_virtual));
                s[0] = s0;
            }
            3 => {
                let (p00, e00) = two_prod(a[0], b[0]);
                let (s0, t0) = two_sum(s[0], p00);
                // Order u, what is proportional to the sum last.
                let (x, v01, v10) = sum_parts(a[0] * b[1], a[1] * b[0]);
                let (e01, e10) = (a[0].mul_add(b[1], -v01), a[1].mul_add(b[0], -v10));
                let (x, c1) = two_sum(x, e00);
                let (x, c2) = two_sum(x, t0);
                let (s1, c3) = two_sum(s[1], x);
                // Order u², rounded.
                let low = a[1].mul_add(b[1], a[0].mul_add(b[2], e01)) + a[2].mul_add(b[0], e10);
                s[0] = s0;
                s[1] = s1;
                s[2] = s[2] + ((c1 + low) + (c2 + c3));
            }
            _ => {
                let (p00, e00) = two_prod(a[0], b[0]);
                let (p01, e01) = two_prod(a[0], b[1]);
                let (p10, e10) = two_prod(a[1], b[0]);
                let (s0, t0) = two_sum(s[0], p00);
                // Order u, what is proportional to the sum last.
                let (x, c0) = two_sum(p01, p10);
                let (x, c1) = two_sum(x, e00);
                let (x, c2) = two_sum(x, t0);
                let (s1, c3) = two_sum(s[1], x);
                // Order u², likewise.
                let (y, v02, v20) = sum_parts(a[0] * b[2], a[2] * b[0]);
                let (e02, e20) = (a[0].mul_add(b[2], -v02), a[2].mul_add(b[0], -v20));
                let (z, c0_virtual, v11) = sum_parts(c0, a[1] * b[1]);
                let d1 = a[1].mul_add(b[1], -v11) + (c0 - c0_virtual);
                let (w, d2) = two_sum(e01, e10);
                let (y, d3) = two_sum(y, z);
                let (w, d4) = two_sum(w, c1);
                let (y, d5) = two_sum(y, w);
                let (y, d6) = two_sum(y, c2);
                let (y, d7) = two_sum(y, c3);
                let (s2, d8) = two_sum(s[2], y);
                // Order u³, rounded.
                let left = a[1].mul_add(b[2], a[0].mul_add(b[3], e02));
                let right = a[2].mul_add(b[1], a[3].mul_add(b[0], e20));
                let low = (left + right) + d1;
                let errors = (d2 + d3) + ((d4 + d5) + d6);
                s[0] = s0;
                s[1] = s1;
                s[2] = s2;
                s[3] = s[3] + ((errors + low) + (d7 + d8));
            }
        }
    }

    #[inline(always)]
    fn carry(&mut self) {
        // `6 (N − 1)` operations.
        let s = &mut self.0;
        for i in 0..N - 1 {
            (s[i], s[i + 1]) = two_sum(s[i], s[i + 1]);
        }
    }

    #[inline(always)]
    fn normalized(self) -> [L; N] {
        let mut s = self.0;
        // Where the first limbs cancelled, this moves the rest to the front.
        for i in (0..N - 1).rev() {
            (s[i], s[i + 1]) = two_sum(s[i], s[i + 1]);
        }
        MultiFloat::renormalize(s).limbs()
    }
}

impl<const N: usize, L: Lane> Accumulator<N, L> {
    /// Adds `a · b` for one limb `a`: the steps of [`add_product`](Sum::add_product) without those
    /// that would add zeros, and its bits. 9, 27 and 55 instructions for 2, 3, 4 limbs.
    #[inline(always)]
    pub fn add_scaled(&mut self, a: L, b: [L; N]) {
        let s = &mut self.0;
        match N {
            1 => s[0] = a.mul_add(b[0], s[0]),
            2 => {
                let (s0, s_virtual, p_virtual) = sum_parts(s[0], a * b[0]);
                let e = a.mul_add(b[1], a.mul_add(b[0], -p_virtual));
                s[1] = s[1] + (e + (s[0] - s_virtual));
                s[0] = s0;
            }
            3 => {
                let (p0, e0) = two_prod(a, b[0]);
                let (s0, t0) = two_sum(s[0], p0);
                let (x, e1) = two_prod(a, b[1]);
                let (x, c1) = two_sum(x, e0);
                let (x, c2) = two_sum(x, t0);
                let (s1, c3) = two_sum(s[1], x);
                let low = a.mul_add(b[2], e1);
                s[0] = s0;
                s[1] = s1;
                s[2] = s[2] + ((c1 + low) + (c2 + c3));
            }
            _ => {
                let (p0, e0) = two_prod(a, b[0]);
                let (p1, e1) = two_prod(a, b[1]);
                let (s0, t0) = two_sum(s[0], p0);
                let (x, c1) = two_sum(p1, e0);
                let (x, c2) = two_sum(x, t0);
                let (s1, c3) = two_sum(s[1], x);
                let (y, e2) = two_prod(a, b[2]);
                let (w, d4) = two_sum(e1, c1);
                let (y, d5) = two_sum(y, w);
                let (y, d6) = two_sum(y, c2);
                let (y, d7) = two_sum(y, c3);
                let (s2, d8) = two_sum(s[2], y);
                let low = a.mul_add(b[3], e2);
                s[0] = s0;
                s[1] = s1;
                s[2] = s2;
                s[3] = s[3] + (((d4 + d5) + d6 + low) + (d7 + d8));
            }
        }
    }

    /// Adds `x`.
    #[inline(always)]
    pub fn add(&mut self, x: [L; N]) {
        let s = &mut self.0;
        if N == 1 {
            s[0] = s[0] + x[0];
            return;
        }
        let (s0, t0) = two_sum(s[0], x[0]);
        s[0] = s0;
        match N {
            2 => s[1] = s[1] + (t0 + x[1]),
            3 => {
                let (y, c0) = two_sum(x[1], t0);
                let (s1, c1) = two_sum(s[1], y);
                s[1] = s1;
                s[2] = s[2] + ((c0 + x[2]) + c1);
            }
            _ => {
                let (y, c0) = two_sum(x[1], t0);
                let (s1, c1) = two_sum(s[1], y);
                let (z, d0) = two_sum(x[2], c0);
                let (z, d1) = two_sum(z, c1);
                let (s2, d2) = two_sum(s[2], z);
                s[1] = s1;
                s[2] = s2;
                s[3] = s[3] + ((d0 + x[3]) + (d1 + d2));
            }
        }
    }
}

/// `(s, a′, b′)`: the rounded sum `s` of `a` and `b` and the parts of it that come from either:
/// `s + (a − a′) + (b − b′)` is `a + b`, and both differences are `f64`s (Knuth). 3 operations.
///
/// Where `b` is the rounded product `x·y`, one fused multiply-add `x·y − b′` yields `b − b′` and
/// the error of the product.
#[inline(always)]
fn sum_parts<L: Lane>(a: L, b: L) -> (L, L, L) {
    let s = a + b;
    let b_virtual = s - a;
    (s, s - b_virtual, b_virtual)
}
