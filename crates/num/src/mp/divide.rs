//! Quotients and square roots, rounded once, from integers.

use super::bits::Bits;
use super::head::Head;
use super::round::round;
use super::{Mp, MpRef};
use crate::decimal::big::Big;

impl Mp {
    /// `x / y`, rounded to the precision of `self`, which it replaces.
    pub fn set_quotient(&mut self, x: MpRef<'_>, y: MpRef<'_>) {
        let head = match quotient_of_specials(x.head(), y.head()) {
            Some(head) => head,
            None => quotient(self.bits, x, y, &mut self.words),
        };
        self.set_head(head);
    }

    /// `√x`, rounded to the precision of `self`, which it replaces; NaN below zero.
    pub fn set_root(&mut self, x: MpRef<'_>) {
        let head = match x.head() {
            head if head.is_zero() || head.is_nan() => head,
            head if head.is_negative() => Head::NAN,
            head if head.is_infinite() => head,
            _ => root(self.bits, x, &mut self.words),
        };
        self.set_head(head);
    }

    /// Square root; NaN below zero.
    #[must_use]
    pub fn sqrt(&self) -> Self {
        let mut root = Self::zero(self.bits);
        root.set_root(self.view());
        root
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

fn quotient(bits: Bits, x: MpRef<'_>, y: MpRef<'_>, to: &mut [u64]) -> Head {
    // Two bits more than the precision, and one that the quotient of the significands may lack.
    let shift =
        (64 * y.words().len() + bits.get() as usize + 3).saturating_sub(64 * x.words().len());
    let dividend = Big::from_words(x.words()).shl(shift);
    let (quotient, rest) = dividend.divide(&Big::from_words(y.words()));
    let negative = x.head().is_negative() != y.head().is_negative();
    let exponent = x.unit() - y.unit() - shift as i64;
    round(bits, negative, quotient.words(), exponent, !rest.is_zero(), to)
}

fn root(bits: Bits, x: MpRef<'_>, to: &mut [u64]) -> Head {
    let wanted = 2 * (bits.get() as usize + 2);
    let mut shift = wanted.saturating_sub(64 * x.words().len());
    // The exponent has to be even.
    shift += (x.unit() - shift as i64).rem_euclid(2) as usize;
    let square = Big::from_words(x.words()).shl(shift);
    let root = integer_root(&square);
    let inexact = root.mul(&root) != square;
    round(bits, false, root.words(), (x.unit() - shift as i64) / 2, inexact, to)
}

/// `⌊√n⌋` by Newton's iteration, which falls from above until it has arrived.
fn integer_root(n: &Big) -> Big {
    let mut root = Big::from_words(&[1]).shl(n.bit_length().div_ceil(2));
    loop {
        let next = root.add(&n.divide(&root).0).shr(1);
        if next >= root {
            return root;
        }
        root = next;
    }
}
