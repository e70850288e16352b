//! Between integers and limbs: a scaled integer taken apart into `f64` limbs greedily, and put
//! together again.
//!
//! **Greedy limbs** of a number `x`: `x[0] = RN(x)`, `x[1] = RN(x − x[0])`, …, ties to even. Among
//! all sums of `N` limbs in normal form they make the one nearest to `x`: a first limb other than
//! `RN(x)` is at least half a unit away from `x`, so the best sum that begins with it is `x[0]`
//! plus or minus half a unit, which `x[0]` begins as well; and so on down. Rounding the last limb
//! can complete a tie (`1 + 2^-52` and `2^-53` say the same as `1 + 2^-51` and `−2^-53`);
//! [`canonical`] resolves it, after which the limbs are the greedy ones of their own sum, and equal
//! values have equal limbs.

use crate::MultiFloat;
use crate::eft::fast_two_sum;
use crate::integers::words::{add_shifted, bit_length, bits_at, zero_below};

/// Exponent of the smallest subnormal number, the unit that every limb is a multiple of.
pub(crate) const LEAST_UNIT: i32 = -1074;

/// What is left of `±words · 2^exponent` while limbs are taken from it.
pub(super) struct Remainder<'a> {
    words: &'a mut [u64],
    exponent: i32,
    negative: bool,
    /// Position of the last limb's unit, and its significand in that unit.
    unit: usize,
    significand: u64,
}

impl<'a> Remainder<'a> {
    #[inline]
    pub(super) fn new(words: &'a mut [u64], exponent: i32, negative: bool) -> Self {
        Self { words, exponent, negative, unit: 0, significand: 0 }
    }

    /// The remainder rounded to nearest, ties to even, which is subtracted from it.
    #[inline]
    pub(super) fn take_limb(&mut self) -> f64 {
        let length = bit_length(self.words);
        let least = (LEAST_UNIT - self.exponent).max(0) as usize;
        let unit = length.saturating_sub(53).max(least);
        let negative = self.negative;
        let mut significand = if length > unit { bits_at(self.words, unit) } else { 0 };
        if unit > 0 {
            let half = bits_at(self.words, unit - 1) & 1 == 1;
            let up = half && (significand & 1 == 1 || !zero_below(self.words, unit - 1));
            keep_below(self.words, unit, up);
            significand += u64::from(up);
            self.negative ^= up;
        } else {
            self.words.fill(0);
        }
        (self.unit, self.significand) = (unit, significand);
        let magnitude = scaled(significand, self.exponent + unit as i32);
        if negative { -magnitude } else { magnitude }
    }

    /// `N` limbs, greedily; zeros below a limb are positive.
    #[inline]
    pub(super) fn take_limbs<const N: usize>(&mut self) -> [f64; N] {
        core::array::from_fn(|i| {
            let limb = self.take_limb();
            if i > 0 && limb == 0.0 { 0.0 } else { limb }
        })
    }

    /// Whether a number that exceeds `±words·2^exponent` in magnitude by at most
    /// `error·2^(64·place)` units would have had the same limbs, as far as that is plain to see.
    ///
    /// The sum of the limbs is the nearest number of the format while the remainder stays within
    /// half of the last limb's unit, or of half that unit below a power of two; such last limbs are
    /// left to the exact algorithm.
    #[inline]
    pub(super) fn is_safe(&mut self, error: u64, place: usize) -> bool {
        if self.unit == 0 || self.significand.is_power_of_two() {
            return false;
        }
        add_shifted(self.words, error, 64 * place, false);
        bit_length(self.words) < self.unit
    }
}

/// Replaces `words` by `words mod 2^k`, or by `2^k` minus that.
#[inline]
fn keep_below(words: &mut [u64], k: usize, complement: bool) {
    let (index, offset) = (k / 64, k % 64);
    let flip = if complement { u64::MAX } else { 0 };
    let mut carry = complement;
    for (i, word) in words.iter_mut().enumerate() {
        let (value, over) = (*word ^ flip).overflowing_add(u64::from(carry));
        carry = over;
        *word = match i {
            _ if i < index => value,
            _ if i == index => value & ((1 << offset) - 1),
            _ => 0,
        };
    }
}

/// `significand · 2^exponent` for `significand <= 2^53` and `exponent >= −1074`; infinite where it
/// overflows.
#[inline]
fn scaled(significand: u64, exponent: i32) -> f64 {
    let power = match exponent {
        ..-1022 => f64::from_bits(1 << (exponent - LEAST_UNIT)),
        -1022..1024 => f64::from_bits(((exponent + 1023) as u64) << 52),
        1024.. if significand == 0 => 0.0,
        1024.. => f64::INFINITY,
    };
    significand as f64 * power
}

/// The significand `m` and the exponent `e` of `|x| = m·2^e`, for finite `x`.
#[inline]
pub(crate) fn decompose(x: f64) -> (u64, i32) {
    let bits = x.to_bits();
    let fraction = bits & ((1 << 52) - 1);
    match (bits >> 52 & 0x7ff) as i32 {
        0 => (fraction, LEAST_UNIT),
        biased => (fraction | 1 << 52, biased - 1075),
    }
}

/// `Σ limbs / 2^exponent` modulo `2^(64·words.len())`, for finite limbs that are multiples of
/// `2^exponent`.
#[inline]
pub(crate) fn compose(limbs: &[f64], exponent: i32, words: &mut [u64]) {
    words.fill(0);
    for &limb in limbs.iter().filter(|&&limb| limb != 0.0) {
        let (significand, e) = decompose(limb);
        add_shifted(words, significand, (e - exponent) as usize, limb < 0.0);
    }
}

/// The greedy limbs of the sum of limbs that were taken greedily.
///
/// Rounding the last limb that is not zero can complete a tie of the one before it the wrong way. A
/// half unit further up is no tie: the limbs below it have decided.
#[inline]
pub(super) fn canonical<const N: usize>(mut limbs: [f64; N]) -> [f64; N] {
    let last = limbs.iter().rposition(|&x| x != 0.0).unwrap_or(0);
    if last > 0 {
        (limbs[last - 1], limbs[last]) = fast_two_sum(limbs[last - 1], limbs[last]);
    }
    limbs
}

/// One limb of the given sign followed by zeros.
pub(super) fn single<const N: usize>(first: f64, negative: bool) -> [f64; N] {
    let mut limbs = [0.0; N];
    limbs[0] = if negative { -first } else { first };
    limbs
}

/// The canonical form of greedy limbs, and infinity where they overflow.
#[inline]
pub(super) fn finish<const N: usize>(limbs: [f64; N]) -> [f64; N] {
    if limbs[0] == 0.0 {
        return limbs;
    }
    let limbs = canonical(limbs);
    let overflows = || MultiFloat(limbs).abs() > MultiFloat::MAX;
    if limbs[0].abs() < f64::MAX || (limbs[0].is_finite() && !overflows()) {
        return limbs;
    }
    single(f64::INFINITY, limbs[0] < 0.0)
}

/// The limbs nearest to `±words·2^exponent`; infinite beyond the greatest number of the format.
/// Overwrites the words.
pub(crate) fn nearest<const N: usize>(
    words: &mut [u64],
    exponent: i32,
    negative: bool,
) -> [f64; N] {
    finish(Remainder::new(words, exponent, negative).take_limbs())
}
