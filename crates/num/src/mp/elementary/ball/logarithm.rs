//! Logarithms.
//!
//! Method: `x = 2^e·(1 + z)` with `1 + z` in about [√½, √2]. With `y` an approximation of `ln(1 +
//! z)`, found in the same way with an eighth of the words, `r = (1 + z)·e^−y − 1` is small, and
//! `ln(1 + z) = y + ln(1 + r)`, by `2·atanh(r / (2 + r))`. Small `z` need no `y`.
//!
//! Error: that of the balls, for any `y` that leaves `r / (2 + r)` below ¼. A debug assertion
//! checks it.
//!
//! Source: Brent and Zimmermann, *Modern Computer Arithmetic*, 4.2.2 and 4.8, of which this is a
//! Newton step of higher order.

use super::super::short::{BELOW, multiply_high};
use super::super::words::{FEW, Words};
use super::{Ball, NONE, sum_of_errors};
use crate::integers::words::{add_with_carry, divide_small, sub_with_borrow};

/// An argument below `2^(−n·SMALL)` has a short series.
pub(super) const SMALL: i64 = 4;

impl Ball {
    /// `ln self` with `n` words, for a positive ball with an error below an eighth of its midpoint.
    pub(in crate::mp::elementary) fn ln(&self, n: usize) -> Self {
        let (m, mut e) = self.leading();
        if m < core::f64::consts::FRAC_1_SQRT_2 {
            e -= 1;
        }
        let one = Self::integer(1);
        let z = self.clone().ldexp(-e).sub(&one, n.max(self.words.len()) + 1);
        if e == 0 {
            return z.ln_1p_of_small(n);
        }
        let n = n + 1;
        z.ln_1p_of_small(n).add(&Self::ln_2(n).mul(&Self::integer(e), n), n)
    }

    /// The exponent of `ln self`, up to one, for an exact positive number but 1.
    pub(in crate::mp::elementary) fn exponent_of_ln(&self) -> i64 {
        let (m, e) = self.leading();
        let estimate = match e {
            0 | 1 => {
                let z = self.sub(&Self::integer(1), self.words.len() + 1);
                if z.exponent < -20 {
                    return z.exponent;
                }
                libm::log1p(z.estimate())
            }
            _ => libm::log(m) + e as f64 * core::f64::consts::LN_2,
        };
        i64::from(libm::ilogb(estimate)) + 1
    }

    /// `ln(1 + self)` with `n` words, for midpoints above −1.
    pub(in crate::mp::elementary) fn ln_1p(&self, n: usize) -> Self {
        if self.exponent <= -2 {
            return self.ln_1p_of_small(n);
        }
        self.add(&Self::integer(1), n.max(self.words.len()) + 1).ln(n)
    }

    /// For magnitudes below ½: the error of `z` at most doubles by `1/(1 + z)`.
    fn ln_1p_of_small(&self, n: usize) -> Self {
        let z = self.clone().midpoint();
        if z.is_zero() {
            return Self::zero(self.error + 2);
        }
        if -z.exponent >= SMALL * n as i64 {
            return z.ln_1p_by_series(n).widened(self.error + 2);
        }
        let w = n + ((2 - z.exponent).max(0) as usize).div_ceil(64);
        let y = match w / 8 {
            0 | 1 => Self::from_f64(libm::log1p(z.estimate())),
            few => z.truncated(few + 1).ln_1p_of_small(few).midpoint(),
        };
        let one = Self::integer(1);
        let x = z.add(&one, w.max(z.words.len()) + 1);
        let r = x.mul(&y.clone().negated().exp(w), w + 1).sub(&one, w);
        let further = (-r.exponent / 64).clamp(0, w as i64 - 2) as usize;
        y.add(&r.ln_1p_by_series(w - further), w).widened(self.error + 2)
    }

    /// `2·atanh(r / (2 + r))`.
    fn ln_1p_by_series(&self, n: usize) -> Self {
        if self.is_zero() {
            return Self::zero(self.error + 2);
        }
        let n = n + 1;
        let ratio = self.div(&self.add(&Self::integer(2), n), n);
        ratio.odd_series(false, n).ldexp(1)
    }

    /// `Σ (±1)^k x^(2k+1)/(2k + 1)` for `|x| < ¼`: atanh, or atan where it alternates.
    ///
    /// Horner's rule with `y = x²`: a step adds less than 4 units of the last word, and a later one
    /// divides by more than two, in all less than 8. The sum's derivative by `y` is below 1.
    pub(super) fn odd_series(&self, alternating: bool, n: usize) -> Self {
        if self.is_zero() {
            return Self::zero(self.error + 1);
        }
        debug_assert!(self.exponent <= -2);
        let n = n.max(2);
        let square = self.mul(self, n + 1);
        let zeros = (-square.exponent).clamp(1, 64 * n as i64) as usize;
        let y = square.fixed(n);
        let mut room = Words::<FEW>::zeros(n + BELOW);
        let mut sum = Words::<FEW>::zeros(n + 1);
        for k in (0..(64 * n).div_ceil(zeros)).rev() {
            // A sum before the last is below ½.
            multiply_high(&y[..n], &sum[..n], &mut room);
            sum.fill(0);
            sum[n] = 1;
            divide_small(&mut sum, 2 * k as u64 + 1);
            let mut carry = false;
            let step = if alternating { sub_with_borrow } else { add_with_carry };
            for (sum, &part) in sum.iter_mut().zip(&room[BELOW..]) {
                (*sum, carry) = step(*sum, part, carry);
            }
            if carry {
                let up = if alternating { u64::MAX } else { 1 };
                sum[n] = sum[n].wrapping_add(up);
            }
        }
        let unit = -64 * n as i64;
        let error = sum_of_errors([unit + 3, square.error, NONE, NONE]);
        Self::new(false, &sum, unit, error, n).mul(self, n)
    }
}
