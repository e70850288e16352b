//! Reduction modulo `π/2`, in integers (Payne and Hanek).
//!
//! Let `|x| = M·2^u`. Words of `2/π` above the place `2^(2−u)` contribute multiples of 4 to `x·2/π`
//! and are left out. Words far below are left out too, and the product is cut to the words of the
//! fraction. Where many first bits of the fraction are zero, it is computed again with more words,
//! until it has `n` words of relative accuracy.
//!
//! Error: the words of `2/π` are less than a unit off, and bits cut off below the window are less
//! than another. The product with `M` turns these into less than 2 units of the fraction's last
//! word. The words cut off the product are less than one more. So the fraction is less than 4 units
//! off.
//!
//! Source: Payne and Hanek, *Radian reduction for trigonometric functions*, SIGNUM 18 (1983).

use super::super::digits;
use super::super::words::{FEW, Words, shift};
use super::Ball;
use crate::integers::words::{bit_length, multiply, negate};

impl Ball {
    /// `(q, t)` with `|self| = q·π/2 + t` up to multiples of `2π`, `|t| <= π/4` up to the error,
    /// and `t` with `n` words; for an exact number.
    pub(in crate::mp::elementary) fn modulo_half_pi(&self, n: usize) -> (u64, Self) {
        if self.exponent < 0 {
            return (0, self.clone().abs());
        }
        let mut w = n + 1;
        loop {
            let (quadrant, negative, fraction) = self.quarter_turns(w);
            let lost = 64 * w - bit_length(&fraction);
            if lost < 64 * (w - n) - 2 {
                let unit = -64 * w as i64;
                let turns = Self::new(negative, &fraction, unit, unit + 2, n + 1);
                return (quadrant, turns.mul(&Self::pi(n + 1).ldexp(-1), n + 1));
            }
            w = n + 2 + lost / 64;
        }
    }

    /// `|self|·2/π` modulo 4 as the nearest integer and the rest with its sign, which is less than
    /// 4 units of the last of `w` words off.
    fn quarter_turns(&self, w: usize) -> (u64, bool, Words) {
        let (length, unit) = (self.words.len(), self.unit());
        // Places of 2/π after the binary point.
        let first = (unit - 2).max(0);
        let last = unit + 64 * (length + w) as i64;
        let whole = (last as usize).div_ceil(64);
        let digits = digits::TWO_OVER_PI.leading_from(whole, (first / 64) as usize);
        let mut window = Words::<FEW>::zeros(length + w + 1);
        shift(&digits, last - 64 * whole as i64, &mut window);
        // Bits above the window's are multiples of 4.
        let mut product = Words::<{ 3 * FEW }>::zeros(2 * length + w + 1);
        multiply(&self.words, &window, &mut product);
        let mut fraction = Words::from_slice(&product[length..length + w]);
        let mut quadrant = product[length + w] & 3;
        let negative = fraction[w - 1] >> 63 == 1;
        if negative {
            negate(&mut fraction);
            quadrant = (quadrant + 1) & 3;
        }
        (quadrant, negative, fraction)
    }
}
