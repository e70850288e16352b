//! Balls: numbers with a bound of their error.
//!
//! A ball is a midpoint `±0.1… · 2^exponent` in words and a power of two above its distance from
//! the number that it stands for. Every operation returns a ball that contains the exact result for
//! all numbers in its operands. The bounds are stated at the operations; sums of up to four powers
//! of two are at most four times the greatest.
//!
//! Source: van der Hoeven, *Ball arithmetic* (2009); Johansson, *Arb: efficient arbitrary-precision
//! midpoint-radius interval arithmetic*, IEEE Trans. Comput. 66 (2017).

mod arc;
mod circular;
mod constants;
mod exponential;
mod logarithm;
mod operations;
mod reduction;
mod small;

pub(super) use circular::Part;

use super::super::bits::Bits;
use super::super::{Mp, MpRef};
use super::words::{Words, shift};
use crate::integers::words::{bit_length, bits_at, zero_below};

/// The exponent of an error that is zero, and of a zero midpoint. Sums of a few stay far below all
/// others.
pub(super) const NONE: i64 = i64::MIN / 64;

/// A number with a bound of its error.
#[derive(Clone)]
pub(super) struct Ball {
    pub(super) negative: bool,
    /// The significand, highest bit set; empty for zero. The lowest word is not zero, unless
    /// others were cut off below it.
    pub(super) words: Words,
    /// `e` of a midpoint with a magnitude in `[2^(e−1), 2^e)`.
    pub(super) exponent: i64,
    /// The number differs by less than `2^error` from the midpoint; not at all where it is
    /// [`NONE`].
    pub(super) error: i64,
}

/// A power of two above the sum of up to four below the given ones, as exponents.
pub(super) fn sum_of_errors(errors: [i64; 4]) -> i64 {
    let greatest = errors.into_iter().max().unwrap_or(NONE);
    match errors.iter().filter(|&&error| error > NONE / 2).count() {
        0 => NONE,
        1 => greatest,
        2 => greatest + 1,
        _ => greatest + 2,
    }
}

impl Ball {
    /// Zero, up to an error.
    pub(super) fn zero(error: i64) -> Self {
        Self { negative: false, words: Words::zeros(0), exponent: NONE, error }
    }

    /// `±words·2^unit` with an error below `2^error`, cut to `n` words at most.
    pub(super) fn new(negative: bool, words: &[u64], unit: i64, error: i64, n: usize) -> Self {
        let length = bit_length(words);
        if length == 0 {
            return Self::zero(error);
        }
        let exponent = unit + length as i64;
        let low = words.iter().position(|&word| word != 0).unwrap_or(0);
        let low = 64 * low + words[low].trailing_zeros() as usize;
        let kept = (length - low).div_ceil(64).min(n);
        let start = length as i64 - 64 * kept as i64;
        let cut = start > 0 && !zero_below(words, start as usize);
        let mut to = Words::zeros(kept);
        shift(words, -start, &mut to);
        let cut = if cut { unit + start } else { NONE };
        Self { negative, words: to, exponent, error: sum_of_errors([error, cut, NONE, NONE]) }
    }

    /// A finite number, exactly.
    pub(super) fn exact(x: MpRef<'_>) -> Self {
        if x.head().is_zero() {
            return Self::zero(NONE);
        }
        Self::new(x.head().is_negative(), x.words(), x.unit(), NONE, x.words().len())
    }

    /// Nothing known: what operations return whose operands are not known well enough.
    fn unknown() -> Self {
        Self::zero(-NONE)
    }

    /// Whether the midpoint is the number.
    pub(super) fn is_exact(&self) -> bool {
        self.error <= NONE / 2
    }

    /// Whether the error is below an eighth of the midpoint.
    fn is_relative(&self) -> bool {
        !self.is_zero() && self.error < self.exponent - 3
    }

    /// An integer, exactly.
    pub(super) fn integer(x: i64) -> Self {
        Self::new(x < 0, &[x.unsigned_abs()], 0, NONE, 1)
    }

    /// The midpoint of a finite `f64`.
    pub(super) fn from_f64(x: f64) -> Self {
        Self::exact(Mp::from_f64(Bits::FEWEST, x).view())
    }

    /// Exponent of the lowest bit of the words.
    pub(super) fn unit(&self) -> i64 {
        self.exponent - 64 * self.words.len() as i64
    }

    pub(super) fn is_zero(&self) -> bool {
        self.words.is_empty()
    }

    /// The magnitude of the midpoint as `(m, e)` with `m·2^e`, `½ <= m <= 1`, to 53 bits.
    pub(super) fn leading(&self) -> (f64, i64) {
        let top = self.words.last().copied().unwrap_or(0);
        (top as f64 / 18_446_744_073_709_551_616.0, self.exponent)
    }

    /// The midpoint as an `f64`, roughly, for magnitudes below `2^1000`.
    pub(super) fn estimate(&self) -> f64 {
        let (m, e) = self.leading();
        let magnitude = libm::ldexp(m, e.clamp(-2000, 2000) as i32);
        if self.negative { -magnitude } else { magnitude }
    }

    #[must_use]
    pub(super) fn negated(mut self) -> Self {
        self.negative = !self.negative && !self.is_zero();
        self
    }

    #[must_use]
    pub(super) fn abs(mut self) -> Self {
        self.negative = false;
        self
    }

    /// The midpoint, cut to `n` words, alone.
    pub(super) fn truncated(&self, n: usize) -> Self {
        Self::new(self.negative, &self.words, self.unit(), NONE, n).midpoint()
    }

    /// The midpoint alone.
    #[must_use]
    pub(super) fn midpoint(mut self) -> Self {
        self.error = NONE;
        self
    }

    /// The same with an error larger by up to `2^error`.
    #[must_use]
    pub(super) fn widened(mut self, error: i64) -> Self {
        self.error = sum_of_errors([self.error, error, NONE, NONE]);
        self
    }

    /// The number times `2^k`.
    #[must_use]
    pub(super) fn ldexp(mut self, k: i64) -> Self {
        if !self.is_zero() {
            self.exponent += k;
        }
        if !self.is_exact() {
            self.error += k;
        }
        self
    }

    /// `⌊|midpoint|·2^(64n)⌋`, with a word for the integer part, of a magnitude below `2^64`.
    pub(super) fn fixed(&self, n: usize) -> Words {
        let mut to = Words::zeros(n + 1);
        if !self.is_zero() {
            shift(&self.words, self.unit() + 64 * n as i64, &mut to);
        }
        to
    }

    /// The words of an integer's magnitude.
    pub(super) fn integer_words(&self) -> Words {
        let mut to = Words::zeros((self.exponent.max(0) as usize).div_ceil(64));
        shift(&self.words, self.unit(), &mut to);
        to
    }

    /// The number rounded to nearest, ties to even, where all numbers in the ball round alike.
    ///
    /// They do unless a midpoint between two neighbours lies within the error. The bits from that
    /// half a unit of the last place down to the error tell: those are `10…0` or `01…1`.
    pub(super) fn rounded(&self, bits: Bits) -> Option<Mp> {
        if !self.is_exact() && (self.is_zero() || !self.is_decided(i64::from(bits.get()))) {
            return None;
        }
        Some(Mp::rounded(bits, self.negative, &self.words, self.unit(), false))
    }

    fn is_decided(&self, bits: i64) -> bool {
        let half = self.exponent - bits - 1;
        // Bits from the half down to the error.
        let mut count = half - self.error + 1;
        if count < 3 {
            return false;
        }
        // The 64 bits from `weight` down, of which the words may have none.
        let unit = self.unit();
        let below = |weight: i64| match weight - 63 - unit {
            start @ 0.. => bits_at(&self.words, start as usize),
            start @ -63..0 => bits_at(&self.words, 0) << -start,
            _ => 0,
        };
        let ones = below(half) >> 63 == 0;
        let flip = if ones { u64::MAX } else { 0 };
        let (mut weight, mut first) = (half, 1 << 63);
        while count > 0 {
            let others = (below(weight) ^ flip ^ first) >> (64 - count.min(64));
            if others != 0 {
                return true;
            }
            (weight, count, first) = (weight - 64, count - 64, 0);
        }
        false
    }
}
