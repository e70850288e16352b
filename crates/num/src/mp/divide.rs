//! Quotients, rounded once, from integers.

use super::bits::{Bits, MOST_WORDS};
use super::head::Head;
use super::round::round;
use super::{Mp, MpRef};
use crate::integers::big::divide_words;

impl Mp {
    /// `x / y`, rounded to the precision of `self`, which it replaces.
    pub fn set_quotient(&mut self, x: MpRef<'_>, y: MpRef<'_>) {
        let head = match quotient_of_specials(x.head(), y.head()) {
            Some(head) => head,
            None => quotient(self.bits, x, y, self.words_mut()),
        };
        self.set_head(head);
    }
}

/// The quotient where one of the numbers is zero or not finite.
pub(crate) fn quotient_of_specials(x: Head, y: Head) -> Option<Head> {
    let negative = x.is_negative() != y.is_negative();
    match () {
        () if x.is_nan() || y.is_nan() => Some(Head::NAN),
        () if x.is_zero() && y.is_zero() || x.is_infinite() && y.is_infinite() => Some(Head::NAN),
        () if x.is_zero() || y.is_infinite() => Some(Head::zero(negative)),
        () if y.is_zero() || x.is_infinite() => Some(Head::infinity(negative)),
        () => None,
    }
}

/// Most words of a dividend: a precision and the words of a divisor above it, with two to spare.
const DIVIDEND: usize = 2 * MOST_WORDS + 2;

fn quotient(bits: Bits, x: MpRef<'_>, y: MpRef<'_>, to: &mut [u64]) -> Head {
    // A divisor has two words at least: one of zeros below, if need be.
    let low = usize::from(y.words().len() == 1);
    let n = y.words().len() + low;
    // Two bits more than the precision, and one that the quotient of the significands may lack.
    let shift =
        (64 * n + bits.get() as usize + 3).saturating_sub(64 * x.words().len()).div_ceil(64);
    let length = x.words().len() + shift;
    let (mut dividend, mut divisor) = ([0; DIVIDEND], [0; MOST_WORDS + 1]);
    // With a word of zeros above, so that the quotient fits.
    let dividend = &mut dividend[..=length];
    dividend[shift..length].copy_from_slice(x.words());
    let divisor = &mut divisor[..n];
    divisor[low..].copy_from_slice(y.words());
    let mut quotient = [0; DIVIDEND];
    let quotient = &mut quotient[..=length - n];
    divide_words(dividend, divisor, quotient);
    let negative = x.head().is_negative() != y.head().is_negative();
    let exponent = x.unit() - y.unit() + 64 * (low as i64 - shift as i64);
    let inexact = dividend.iter().any(|&word| word != 0);
    round(bits, negative, quotient, exponent, inexact, to)
}
