//! Sums and products, rounded once.

use super::bits::{Bits, MOST_WORDS};
use super::head::Head;
use super::round::round;
use super::{Mp, MpRef};
use crate::integers::karatsuba::multiply_long;
pub(super) use crate::integers::words::negate;
use crate::integers::words::{add_with_carry, bits_at, sub_with_borrow, zero_below};

/// Words below those of the operands and the result in which a sum is computed.
pub(super) const GUARD: usize = 2;

impl Mp {
    /// `x + y`, rounded to the precision of `self`, which it replaces.
    pub fn set_sum(&mut self, x: MpRef<'_>, y: MpRef<'_>) {
        self.head = sum_of::<{ MOST_WORDS + GUARD + 1 }>(self.bits, x, y, self.words_mut());
    }

    /// `x · y`, rounded to the precision of `self`, which it replaces.
    pub fn set_product(&mut self, x: MpRef<'_>, y: MpRef<'_>) {
        self.head = product(self.bits, x, y, self.words_mut());
    }
}

/// A result that is no rounded number.
fn special(head: Head, to: &mut [u64]) -> Head {
    to.fill(0);
    head
}

/// `x + y`, rounded; the significand goes to `to`. `ROOM` words are three more than the longest of
/// the operands and the result has.
pub(super) fn sum_of<const ROOM: usize>(
    bits: Bits,
    x: MpRef<'_>,
    y: MpRef<'_>,
    to: &mut [u64],
) -> Head {
    let (large, small) = if x.head().code() < y.head().code() { (y, x) } else { (x, y) };
    let (head, other) = (large.head(), small.head());
    if other.exponent().is_none() || head.exponent().is_none() {
        let opposite = head.is_negative() != other.is_negative();
        return match () {
            () if head.is_nan() => special(Head::NAN, to),
            () if other.is_infinite() && opposite => special(Head::NAN, to),
            () if head.is_zero() && opposite => special(Head::zero(false), to),
            () => large.write(bits, to),
        };
    }
    let distance = (i64::from(head.code()) - i64::from(other.code())) as usize;
    let width = large.words().len().max(small.words().len()).max(bits.words()) + GUARD;
    let mut buffer = [0; ROOM];
    // Above `width` words there is one for the carry.
    let sum = &mut buffer[..=width];
    sum[width - large.words().len()..width].copy_from_slice(large.words());
    // Where words of the smaller number are cut off, it lies so far below the larger one that no
    // more than a bit cancels.
    let words = small.words();
    let place = 64 * (width - words.len());
    let cut = distance.saturating_sub(place);
    let inexact = cut > 0 && !zero_below(words, cut);
    let shifted = |i: usize| match (64 * i + distance).checked_sub(place) {
        Some(start) => bits_at(words, start),
        None => {
            let below = place - distance - 64 * i;
            if below < 64 { words[0] << below } else { 0 }
        }
    };
    if head.is_negative() == other.is_negative() {
        let mut carry = false;
        for (i, word) in sum.iter_mut().enumerate() {
            (*word, carry) = add_with_carry(*word, shifted(i), carry);
        }
    } else {
        // x − (y + θ) = (x − y − 1) + (1 − θ).
        let mut borrow = inexact;
        for (i, word) in sum.iter_mut().enumerate() {
            (*word, borrow) = sub_with_borrow(*word, shifted(i), borrow);
        }
        if borrow {
            negate(sum);
            return round(bits, other.is_negative(), sum, lowest(head, width), false, to);
        }
        if sum.iter().all(|&word| word == 0) {
            return special(Head::zero(false), to);
        }
    }
    round(bits, head.is_negative(), sum, lowest(head, width), inexact, to)
}

/// Exponent of the lowest bit of `width` words of a number.
fn lowest(head: Head, width: usize) -> i64 {
    i64::from(head.code()) - 64 * width as i64
}

/// `x · y`, rounded; the significand goes to `to`.
pub(super) fn product(bits: Bits, x: MpRef<'_>, y: MpRef<'_>, to: &mut [u64]) -> Head {
    let negative = x.head().is_negative() != y.head().is_negative();
    if x.head().exponent().is_none() || y.head().exponent().is_none() {
        return special(product_of_specials(x.head(), y.head()), to);
    }
    let mut buffer = [0; 2 * MOST_WORDS];
    let words = &mut buffer[..x.words().len() + y.words().len()];
    multiply_long(x.words(), y.words(), words);
    round(bits, negative, words, x.unit() + y.unit(), false, to)
}

/// The product of two numbers of which one is zero or not finite.
pub(crate) fn product_of_specials(x: Head, y: Head) -> Head {
    let negative = x.is_negative() != y.is_negative();
    match () {
        () if x.is_nan() || y.is_nan() => Head::NAN,
        () if x.is_zero() && y.is_infinite() || x.is_infinite() && y.is_zero() => Head::NAN,
        () if x.is_zero() || y.is_zero() => Head::zero(negative),
        () => Head::infinity(negative),
    }
}
