//! `Mp`: binary floating-point numbers whose precision is chosen at run time.
//!
//! **Format.** A number is zero, infinite, NaN, or `±0.1… · 2^e` with a significand of [`Bits`] bits `p`, from 64 to 4096, in words of
//! 64 bits, lowest first: the highest bit of the last word is set, the bits of the first word below the precision are zero. A
//! [`Head`] holds sign, class and exponent. Zeros have signs, as in IEEE 754. There are no subnormal numbers.
//!
//! **Range.** `e` lies between [`Head::LEAST_EXPONENT`] and [`Head::GREATEST_EXPONENT`], `±2^28`: magnitudes from `10^-80807125` to
//! `10^80807124`. A result beyond is infinite; one below is zero. Both keep their sign.
//!
//! **Rounding.** Every operation, conversion, decimal input and output included, is rounded correctly: its result is the number of
//! the precision asked for that is nearest to the exact result, of two equally near ones that with an even last bit. So the relative error
//! is at most `u = 2^-p`.
//!
//! **Specials** follow IEEE 754: NaN where an operand is NaN, for ∞ − ∞, 0 · ∞, 0 / 0, ∞ / ∞ and roots below zero; `x / 0` is infinite
//! for `x ≠ 0`. An exact zero as a sum is +0, but (−0) + (−0) is −0; as a product or quotient it has the sign of these; √−0 is −0. −0 equals +0; NaN
//! equals nothing.
//!
//! [`Mp`] owns its words, [`MpRef`] borrows them from storage of many numbers. [`Dot`] sums products with one rounding.

mod arithmetic;
mod bits;
mod compare;
mod convert;
mod decimal;
mod divide;
mod dot;
mod fused;
mod gather;
mod head;
mod multiple;
mod operators;
mod root;
mod round;
mod rows;
pub mod stepwise;
#[cfg(test)]
mod tests;
mod view;

use alloc::vec;
use alloc::vec::Vec;

pub use bits::{Bits, BitsError};
pub use decimal::FromDecimal;
pub use dot::Dot;
pub use fused::{axpy, xpay};
pub use gather::gathered_dot;
pub use head::Head;
pub use round::round;
pub use view::MpRef;

pub(crate) use arithmetic::product_of_specials;
pub(crate) use divide::quotient_of_specials;

/// A number that owns its words. See the [module documentation](self).
#[derive(Clone, Debug)]
pub struct Mp {
    bits: Bits,
    head: Head,
    words: Vec<u64>,
}

impl Mp {
    /// Zero.
    pub fn zero(bits: Bits) -> Self {
        Self::without_words(bits, Head::zero(false))
    }

    /// One.
    pub fn one(bits: Bits) -> Self {
        Self::from_f64(bits, 1.0)
    }

    /// NaN.
    pub fn nan(bits: Bits) -> Self {
        Self::without_words(bits, Head::NAN)
    }

    /// `+∞` or `−∞`.
    pub fn infinity(bits: Bits, negative: bool) -> Self {
        Self::without_words(bits, Head::infinity(negative))
    }

    /// `(Σ words[i]·2^(64i) + θ)·2^exponent` or its negative, rounded: [`round`](fn@round).
    pub fn rounded(
        bits: Bits,
        negative: bool,
        words: &[u64],
        exponent: i64,
        inexact: bool,
    ) -> Self {
        let mut x = Self::zero(bits);
        x.set_rounded(negative, words, exponent, inexact);
        x
    }

    /// [`rounded`](Self::rounded) to the precision of `self`, which it replaces.
    pub fn set_rounded(&mut self, negative: bool, words: &[u64], exponent: i64, inexact: bool) {
        self.head = round(self.bits, negative, words, exponent, inexact, &mut self.words);
    }

    /// Replaces `self` by `x`, rounded to the precision of `self`.
    pub fn set_value(&mut self, x: MpRef<'_>) {
        self.head = x.write(self.bits, &mut self.words);
    }

    /// The number, borrowed.
    #[inline]
    pub fn view(&self) -> MpRef<'_> {
        MpRef::new(self.bits, self.head, &self.words)
    }

    /// The precision.
    pub fn bits(&self) -> Bits {
        self.bits
    }

    /// Sign, class and exponent.
    pub fn head(&self) -> Head {
        self.head
    }

    /// The words of the significand, lowest first; zeros where the number is zero or not finite.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Whether this is neither infinite nor NaN.
    pub fn is_finite(&self) -> bool {
        self.head.is_finite()
    }

    /// Whether this is NaN.
    pub fn is_nan(&self) -> bool {
        self.head.is_nan()
    }

    /// Whether this is zero, of either sign.
    pub fn is_zero(&self) -> bool {
        self.head.is_zero()
    }

    /// Absolute value.
    #[must_use]
    pub fn abs(mut self) -> Self {
        self.head = self.head.abs();
        self
    }

    /// `self · 2^k`: exact, or beyond the range infinite or zero.
    #[must_use]
    pub fn ldexp(mut self, k: i32) -> Self {
        let head = self.head.shifted(i64::from(k));
        self.set_head(head);
        self
    }

    /// Replaces the head of a number, whose words follow where it ceases to have any.
    fn set_head(&mut self, head: Head) {
        self.head = head;
        if head.exponent().is_none() {
            self.words.fill(0);
        }
    }

    /// A number that is zero or not finite.
    pub(crate) fn without_words(bits: Bits, head: Head) -> Self {
        Self { bits, head, words: vec![0; bits.words()] }
    }
}
