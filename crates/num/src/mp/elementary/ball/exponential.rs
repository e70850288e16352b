//! `e^x` and `e^x − 1`.
//!
//! Method: `x = k·ln 2 + t` with `0 <= t < ln 2`; `e^(t/2^h) − 1` by its series, then `h` times `v
//! ← 2v + v²`. For small `x` the series of `(e^x − 1)/x`.
//!
//! Error: `t` is less than `1 + |k|` units off. A step multiplies the error of `v` by `2 + 2v`, in
//! all by less than `2^(h+1)`, and adds less than 4 units: the series' `2^10` units become less
//! than `2^(h + 12)`.
//!
//! Source: Brent and Zimmermann, *Modern Computer Arithmetic*, 4.3.1 and 4.4.2.

use super::super::digits;
use super::super::series::{ERROR_BITS, Powers, Series};
use super::super::short::{BELOW, square_high};
use super::super::words::{FEW, Words, shift_down};
use super::{Ball, NONE, sum_of_errors};
use crate::integers::words::{add_multiple, add_with_carry, negate, subtract_multiple};

const EXPONENTIAL: Series = Series { denominator: |k| k, alternating: false };

/// Halvings of the argument that balance squarings and terms, measured.
fn halvings(n: usize) -> usize {
    4 + (64 * n).isqrt() * 3 / 10
}

impl Ball {
    /// `e^self` with `n` words, for magnitudes below `2^32`; unknown where the argument's error may
    /// exceed 1.
    ///
    /// An error `ξ <= 1` of the argument adds less than `2·(e^ξ − 1) < 4ξ` to the result, before
    /// the scaling by `2^k`.
    pub(in crate::mp::elementary) fn exp(&self, n: usize) -> Self {
        if self.error > 0 {
            return Self::unknown();
        }
        let h = halvings(n);
        let whole = self.exponent.clamp(0, 32) as usize;
        // The last words of `t` and of the result.
        let w = n + (h + ERROR_BITS as usize + 6 + whole).div_ceil(64);
        let (k, mut t) = self.modulo_ln_2(w);
        shift_down(&mut t, h);
        let mut v = Powers::new(&t[..w], h, &EXPONENTIAL).sum(&EXPONENTIAL);
        v[w] = 0;
        let mut room = Words::<FEW>::zeros(w + BELOW);
        for _ in 0..h {
            square_high(&v[..w], &mut room);
            let (mut above, mut carry) = (0, false);
            for (v, &square) in v.iter_mut().zip(&room[BELOW..]) {
                let doubled = *v << 1 | above;
                above = *v >> 63;
                (*v, carry) = add_with_carry(doubled, square, carry);
            }
            v[w] = above + u64::from(carry);
        }
        v[w] += 1;
        let unit = -64 * w as i64;
        let of_t = unit + whole as i64 + 4;
        let error = [unit + h as i64 + ERROR_BITS + 2, of_t, self.error + 2, NONE];
        Self::new(false, &v, unit, sum_of_errors(error), n + 1).ldexp(k)
    }

    /// `(k, t)` with `self = k·ln 2 + t` and `t` in [0, ln 2), `w` words and one for an integer
    /// part.
    fn modulo_ln_2(&self, w: usize) -> (i64, Words) {
        let ln_2 = digits::LN_2.leading(w);
        let mut t = self.fixed(w);
        let mut k = libm::floor(self.estimate() * core::f64::consts::LOG2_E) as i64;
        match self.negative {
            false => subtract_multiple(&mut t, &ln_2, k.unsigned_abs()),
            true => {
                negate(&mut t);
                add_multiple(&mut t, &ln_2, k.unsigned_abs());
            }
        }
        // The estimate may be one off.
        while t[w] >> 63 == 1 {
            add_multiple(&mut t, &ln_2, 1);
            k -= 1;
        }
        while t[w] > 0 || !t[..w].iter().rev().lt(ln_2.iter().rev()) {
            subtract_multiple(&mut t, &ln_2, 1);
            k += 1;
        }
        (k, t)
    }

    /// `e^self − 1` with `n` words, for magnitudes below `2^32`.
    pub(in crate::mp::elementary) fn exp_m1(&self, n: usize) -> Self {
        let one = Self::integer(1);
        if self.is_zero() {
            return self.clone().widened(self.error);
        }
        if self.exponent <= -(halvings(n) as i64) {
            return self.exp_m1_of_small(n);
        }
        let lost = (-self.exponent).max(0) as usize;
        self.exp(n + (lost + 2).div_ceil(64)).sub(&one, n)
    }

    /// By `self·Σ self^k/(k + 1)!`. The sum's derivative is below 1.
    fn exp_m1_of_small(&self, n: usize) -> Self {
        let series = Series { denominator: |k| k + 1, alternating: self.negative };
        let [sum] = self.sums([Some(&series)], n + 1);
        sum.mul(self, n)
    }

    /// `sinh self` with `n` words.
    ///
    /// By `(e^x − e^−x)/2`, of which small `x` lose twice as many bits as they have zeros, and for
    /// those by `x·Σ x^(2k)/(2k + 1)!`, whose derivative by `x²` is below 1.
    pub(in crate::mp::elementary) fn sinh(&self, n: usize) -> Self {
        if self.is_zero() {
            return self.clone();
        }
        if self.exponent > -(halvings(n) as i64) / 2 {
            let lost = (-self.exponent).max(0) as usize + 2;
            let w = n + lost.div_ceil(64);
            let power = self.exp(w);
            let inverse = Self::integer(1).div(&power, w);
            return power.sub(&inverse, n).ldexp(-1);
        }
        const SERIES: Series = Series { denominator: |k| 2 * k * (2 * k + 1), alternating: false };
        let [sum] = self.mul(self, n + 2).sums([Some(&SERIES)], n + 1);
        sum.mul(self, n)
    }

    /// `cosh self = (e^x + e^−x)/2` with `n` words.
    pub(in crate::mp::elementary) fn cosh(&self, n: usize) -> Self {
        let power = self.exp(n + 1);
        let inverse = Self::integer(1).div(&power, n + 1);
        power.add(&inverse, n).ldexp(-1)
    }

    /// `tanh self = e / (e + 2)` for `e = e^(2x) − 1`, with `n` words.
    pub(in crate::mp::elementary) fn tanh(&self, n: usize) -> Self {
        let e = self.clone().ldexp(1).exp_m1(n + 1);
        e.div(&e.add(&Self::integer(2), n + 1), n)
    }
}
