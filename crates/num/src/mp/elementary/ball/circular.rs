//! `sin t` and `cos t` for `0 <= t < 1`.
//!
//! Method: `v = 1 − cos(t/2^h)` by the cosine's series, then `h` times `v ← 2v·(2 − v) = 1 − cos`
//! of the double angle; `cos t = 1 − v` and `sin t = √(v·(2 − v))`. For small `t` both series.
//!
//! Error: a step multiplies the error of `v` by less than 4 and adds less than 8 units of the last
//! word: the series' `2^11` units, that of its argument included, become less than `2^(2h + 12)`.
//!
//! Source: Brent and Zimmermann, *Modern Computer Arithmetic*, 4.3.1 and 4.9.1.

use super::super::series::{ERROR_BITS, Powers, Series};
use super::super::short::{BELOW, square_high};
use super::super::words::{FEW, Words, shift_down};
use super::{Ball, NONE};
use crate::integers::words::{negate, sub_with_borrow};

const COSINE: Series = Series { denominator: |k| 2 * k * (2 * k - 1), alternating: true };
const SINE: Series = Series { denominator: |k| 2 * k * (2 * k + 1), alternating: true };

/// Halvings of the argument that balance squarings and terms, measured.
fn halvings(n: usize) -> usize {
    2 + (64 * n).isqrt() / 3
}

/// Which of the two functions are asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::mp::elementary) enum Part {
    Sine,
    Cosine,
    Both,
}

impl Ball {
    /// `(sin self, cos self)` with `n` words, for midpoints in [0, 1), which a debug assertion
    /// checks; one that is not asked for is zero.
    pub(in crate::mp::elementary) fn sin_cos(&self, part: Part, n: usize) -> (Self, Self) {
        if self.is_zero() {
            return (self.clone(), Self::integer(1).widened(self.error));
        }
        debug_assert!(!self.negative && self.exponent <= 0);
        let h = halvings(n);
        let zeros = -self.exponent;
        if zeros >= h as i64 {
            return self.sin_cos_of_small(part, n);
        }
        let zeros = zeros.max(0) as usize;
        let w = n + (2 * (h + zeros) + ERROR_BITS as usize + 6).div_ceil(64);
        let mut t = self.fixed(w);
        shift_down(&mut t, h);
        let mut room = Words::<FEW>::zeros(w + BELOW);
        square_high(&t[..w], &mut room);
        let mut v = Powers::new(&room[BELOW..], 2 * (h + zeros), &COSINE).sum(&COSINE);
        // 1 − cos, modulo 1.
        v[w] = 0;
        negate(&mut v[..w]);
        for _ in 0..h {
            square_high(&v[..w], &mut room);
            let (mut above, mut borrow, mut top) = (0, false, 0);
            for (v, &square) in v[..w].iter_mut().zip(&room[BELOW..]) {
                // 2v − v², then twice that.
                let doubled = *v << 1 | above;
                above = *v >> 63;
                let difference;
                (difference, borrow) = sub_with_borrow(doubled, square, borrow);
                (*v, top) = (difference << 1 | top, difference >> 63);
            }
        }
        let unit = -64 * w as i64;
        let v = Self::new(false, &v[..w], unit, unit + 2 * h as i64 + ERROR_BITS + 2, w);
        let cosine = Self::integer(1).sub(&v, n + 1).widened(self.error);
        if part == Part::Cosine {
            return (Self::zero(NONE), cosine);
        }
        let square = v.mul(&Self::integer(2).sub(&v, w), n + 1);
        (square.sqrt(n + 1).widened(self.error), cosine)
    }

    /// By series in `self²`, whose derivatives are below 1.
    fn sin_cos_of_small(&self, part: Part, n: usize) -> (Self, Self) {
        let w = n + 1;
        let wanted =
            [(part != Part::Sine).then_some(&COSINE), (part != Part::Cosine).then_some(&SINE)];
        let [cosine, sine] = self.mul(self, w + 1).sums(wanted, w);
        (sine.mul(self, w), cosine.widened(self.error))
    }
}
