//! Sums of products of `f64`, exact whatever their exponents: a fixed-point number as wide as the
//! range.
//!
//! The operations that round once ([`fma`](super::fma), [`rem`](super::rem), conversions at ties)
//! and the comparison of close numbers rest on it. A long accumulator in the sense of Kulisch,
//! *Computer Arithmetic and Validity* (2008).
//!
//! It holds integers times `2^-2176` of magnitude below `2^2175`, which is every sum of up to
//! `2^100` products of finite `f64`.

use core::cmp::Ordering;

use super::MultiFloat;

/// The weight of the lowest bit is `2^LOWEST`; no bit of a product lies below `2^-2148`.
const LOWEST: i32 = -64 * 34;
const WORDS: usize = 68;

/// A fixed-point number in two's complement, lowest word first.
///
/// Only the words from `low` to `high` are looked at: those below are zero, those above repeat the
/// sign, of which the word below `high` has at least two bits. Numbers of ordinary exponents take a
/// tenth of the whole.
#[derive(Clone)]
pub(super) struct Exact {
    words: [u64; WORDS],
    low: usize,
    high: usize,
}

/// `x = ±significand · 2^exponent` for finite `x`.
fn decompose(x: f64) -> (bool, u64, i32) {
    let bits = x.to_bits();
    let field = ((bits >> 52) & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    let significand = if field == 0 { fraction } else { fraction | (1 << 52) };
    (x.is_sign_negative(), significand, field.max(1) - 1075)
}

/// `±significand · 2^exponent`, which must be exact or overflow.
fn compose(negative: bool, significand: u64, exponent: i32) -> f64 {
    let magnitude = super::scale::ldexp_f64(significand as f64, exponent);
    if negative { -magnitude } else { magnitude }
}

fn add_with_carry(x: u64, y: u64, carry: bool) -> (u64, bool) {
    let (sum, over) = x.overflowing_add(y);
    let (sum, over_again) = sum.overflowing_add(u64::from(carry));
    (sum, over | over_again)
}

fn subtract_with_borrow(x: u64, y: u64, borrow: bool) -> (u64, bool) {
    let (difference, under) = x.overflowing_sub(y);
    let (difference, under_again) = difference.overflowing_sub(u64::from(borrow));
    (difference, under | under_again)
}

impl Exact {
    pub(super) fn zero() -> Self {
        Self { words: [0; WORDS], low: WORDS, high: 0 }
    }

    /// The sum of the limbs, which are finite.
    pub(super) fn new<const N: usize>(x: MultiFloat<N>) -> Self {
        let mut sum = Self::zero();
        for limb in x.0 {
            sum.add(limb, 0);
        }
        sum
    }

    /// Adds `x · 2^shift`, whose bits must lie in the range.
    pub(super) fn add(&mut self, x: f64, shift: i32) {
        let (negative, significand, exponent) = decompose(x);
        self.add_integer(negative, u128::from(significand), exponent + shift);
    }

    /// Adds another such number.
    pub(super) fn add_exact(&mut self, y: &Self) {
        self.widen(0, WORDS);
        let mut carry = false;
        for (word, &part) in self.words.iter_mut().zip(&y.all_words()) {
            (*word, carry) = add_with_carry(*word, part, carry);
        }
    }

    /// Makes room for words `low` to `high`.
    fn widen(&mut self, low: usize, high: usize) {
        self.low = self.low.min(low);
        let high = high.min(WORDS);
        if self.high < high {
            let sign = if self.is_negative() { u64::MAX } else { 0 };
            self.words[self.high..high].fill(sign);
            self.high = high;
        }
    }

    fn all_words(&self) -> [u64; WORDS] {
        let mut copy = self.clone();
        copy.widen(0, WORDS);
        copy.words
    }

    /// The words that are looked at.
    fn window(&mut self) -> &mut [u64] {
        &mut self.words[self.low.min(self.high)..self.high]
    }

    /// Adds `x · y · 2^shift`, whose bits must lie in the range.
    pub(super) fn add_product(&mut self, x: f64, y: f64, shift: i32) {
        let (x_negative, x, x_exponent) = decompose(x);
        let (y_negative, y, y_exponent) = decompose(y);
        let product = u128::from(x) * u128::from(y);
        self.add_integer(x_negative != y_negative, product, x_exponent + y_exponent + shift);
    }

    /// Adds `±significand · 2^exponent` for `significand < 2^106`.
    fn add_integer(&mut self, negative: bool, significand: u128, exponent: i32) {
        if significand == 0 {
            return;
        }
        // Trailing zeros may hang below the range.
        let below = (LOWEST - exponent).max(0);
        let (significand, position) = (significand >> below, (exponent - LOWEST + below) as usize);
        let (word, bit) = (position / 64, position % 64);
        // Three words of the number, then one for the carries of 2^62 additions.
        self.widen(word, word + 4);
        let low = significand << bit;
        let high = if bit == 0 { 0 } else { (significand >> (128 - bit)) as u64 };
        let parts = [low as u64, (low >> 64) as u64, high];
        let mut carry = false;
        for (i, place) in self.words[word..self.high].iter_mut().enumerate() {
            let part = parts.get(i).copied().unwrap_or(0);
            if i >= parts.len() && !carry {
                break;
            }
            (*place, carry) = if negative {
                subtract_with_borrow(*place, part, carry)
            } else {
                add_with_carry(*place, part, carry)
            };
        }
    }

    pub(super) fn is_negative(&self) -> bool {
        self.high > 0 && self.words[self.high - 1] >> 63 == 1
    }

    pub(super) fn is_zero(&self) -> bool {
        self.words[self.low.min(self.high)..self.high].iter().all(|&word| word == 0)
    }

    /// `self · factor + digit` for a nonnegative number that stays in the range.
    pub(super) fn multiply_add_small(&mut self, factor: u32, digit: u32) {
        self.widen(0, WORDS);
        let mut carry = 0;
        for word in &mut self.words {
            let wide = u128::from(*word) * u128::from(factor) + carry;
            *word = wide as u64;
            carry = wide >> 64;
        }
        self.add_integer(false, u128::from(digit), 0);
    }

    /// `(self + digit) / divisor` for a nonnegative number, rounded to odd: truncated, the lowest
    /// bit set where that is inexact.
    pub(super) fn add_divide_small(&mut self, digit: u32, divisor: u32) {
        self.add_integer(false, u128::from(digit), 0);
        self.widen(0, WORDS);
        let mut rest = 0;
        for word in self.words.iter_mut().rev() {
            let wide = rest << 64 | u128::from(*word);
            *word = (wide / u128::from(divisor)) as u64;
            rest = wide % u128::from(divisor);
        }
        self.words[0] |= u64::from(rest != 0);
    }

    /// Whether a nonnegative number is `2^exponent` or more.
    pub(super) fn reaches(&self, exponent: i32) -> bool {
        self.highest_bit().is_some_and(|top| top as i32 + LOWEST >= exponent)
    }

    /// The order of the number relative to zero.
    pub(super) fn sign(&self) -> Ordering {
        match (self.is_negative(), self.is_zero()) {
            (true, _) => Ordering::Less,
            (_, true) => Ordering::Equal,
            _ => Ordering::Greater,
        }
    }

    pub(super) fn negate(&mut self) {
        let mut carry = true;
        for word in self.window() {
            (*word, carry) = (!*word).overflowing_add(u64::from(carry));
        }
    }

    /// The position of the highest bit, for a positive number.
    fn highest_bit(&self) -> Option<usize> {
        let word = self.words[..self.high].iter().rposition(|&word| word != 0)?;
        Some(64 * word + 63 - self.words[word].leading_zeros() as usize)
    }

    /// `(m, e)` with the number about `m · 2^e`, `0.5 <= |m| <= 1`, relative error at most
    /// `2^-52`; zero for zero.
    pub(super) fn leading(&self) -> (f64, i32) {
        let negative = self.is_negative();
        let mut magnitude = self.clone();
        if negative {
            magnitude.negate();
        }
        let Some(top) = magnitude.highest_bit() else { return (0.0, 0) };
        // 64 bits from the highest on, then rounded by the conversion.
        let significand = magnitude.bits(top as i64 - 63, 64);
        (compose(negative, significand, -64), top as i32 + 1 + LOWEST)
    }

    /// `count <= 64` bits from position `from` on; those below the range are zero.
    fn bits(&self, from: i64, count: u32) -> u64 {
        let word = |i: i64| {
            if i < 0 { 0 } else { self.words[..self.high].get(i as usize).copied().unwrap_or(0) }
        };
        let (index, bit) = (from.div_euclid(64), from.rem_euclid(64) as u32);
        let low = word(index) >> bit;
        let high = if bit == 0 { 0 } else { word(index + 1) << (64 - bit) };
        (low | high) & (u64::MAX >> (64 - count))
    }

    /// Whether any bit below position `end` is set.
    fn any_below(&self, end: usize) -> bool {
        let (word, bit) = (end / 64, end % 64);
        let lowest = self.low.min(word);
        self.words[lowest..word].iter().any(|&word| word != 0)
            || self.words[word] & ((1 << bit) - 1) != 0
    }

    /// Clears the bits from position `start` on.
    fn keep_below(&mut self, start: usize) {
        let (word, bit) = (start / 64, start % 64);
        self.words[word] &= (1 << bit) - 1;
        self.words[word + 1..self.high].fill(0);
        self.high = self.high.min(word + 2);
    }

    /// The nearest number of `N` limbs: each limb is what is left, rounded to nearest, ties to
    /// even. Overflows to ∞; an underflow to zero keeps the sign; zero is +0.
    pub(super) fn round<const N: usize>(mut self) -> MultiFloat<N> {
        /// The position of the lowest bit of an `f64`.
        const FLOOR: usize = (-1074 - LOWEST) as usize;
        let mut limbs = [0.0; N];
        let mut negative = self.is_negative();
        if negative {
            self.negate();
        }
        for (i, place) in limbs.iter_mut().enumerate() {
            let Some(top) = self.highest_bit() else { break };
            let last = top.saturating_sub(52).max(FLOOR);
            let kept = if top < last { 0 } else { self.bits(last as i64, (top - last + 1) as u32) };
            let half = self.bits(last as i64 - 1, 1) == 1;
            let up = half && (kept & 1 == 1 || self.any_below(last - 1));
            let limb = compose(negative, kept + u64::from(up), last as i32 + LOWEST);
            if i == 0 || limb != 0.0 {
                *place = limb;
            }
            if !limb.is_finite() || limb == 0.0 {
                break;
            }
            self.keep_below(last);
            if up {
                // The limb is too large by what is missing to the next.
                self.negate();
                self.add_integer(false, 1, last as i32 + LOWEST);
                negative = !negative;
            }
        }
        MultiFloat(limbs)
    }
}
