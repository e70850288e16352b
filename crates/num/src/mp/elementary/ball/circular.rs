//! `sin t` and `cos t` for `0 <= t < 1`.
//!
//! Method: `v = 1 − cos(t/2^h)` by the cosine's series, then `h` times `v ← 2v·(2 − v) = 1 − cos`
//! of the double angle; `cos t = 1 − v` and `sin t = √(v·(2 − v))`. For small `t` both series.
//!
//! Error: a step multiplies the error of `v` by less than 4 and adds less than 8 units of the last
//! word: the series' `2^11` units, that of its argument included, become less than `2^(2h + 12)`.
//!
//! Source: Brent and Zimmermann, *Modern Computer Arithmetic*, 4.3.1 and 4.9.1.

use super::super::series::{ERROR_BITS, Powers, Series, count_terms};
use super::super::short::{BELOW, square_high};
use super::super::words::{FEW, Words, shift_down};
use super::{Ball, NONE, sum_of_errors};
use crate::decimal::words::sub_with_borrow;
use crate::mp::arithmetic::negate;

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
    /// `(sin self, cos self)` with `n` words, for midpoints in [0, 1); one that is not asked for is
    /// zero.
    pub(in crate::mp::elementary) fn sin_cos(&self, part: Part, n: usize) -> (Self, Self) {
        if self.is_zero() {
            return (self.clone(), Self::integer(1).widened(self.error));
        }
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
        let terms = count_terms(64 * w, 2 * (h + zeros), COSINE.denominator);
        let mut v = Powers::new(&room[BELOW..], 2 * (h + zeros), terms).sum(&COSINE);
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

    /// By series in `y = self²`, whose derivatives are below 1.
    fn sin_cos_of_small(&self, part: Part, n: usize) -> (Self, Self) {
        let w = n + 1;
        let square = self.mul(self, w + 1);
        let zeros = (-square.exponent).min(64 * w as i64) as usize;
        let terms = count_terms(64 * w, zeros, COSINE.denominator);
        let mut powers = Powers::new(&square.fixed(w)[..w], zeros, terms);
        let unit = -64 * w as i64;
        let error = sum_of_errors([unit + ERROR_BITS + 1, square.error, NONE, NONE]);
        let mut sum = |series, wanted| match wanted {
            true => Self::new(false, &powers.sum(series), unit, error, w),
            false => Self::zero(NONE),
        };
        let sine = sum(&SINE, part != Part::Cosine).mul(self, w);
        let cosine = sum(&COSINE, part != Part::Sine).widened(self.error);
        (sine, cosine)
    }
}
