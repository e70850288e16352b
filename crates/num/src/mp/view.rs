//! Numbers that borrow their words.

use super::Mp;
use super::bits::Bits;
use super::head::Head;
use super::round::round;

/// A number that borrows its words. See the [module documentation](super).
#[derive(Clone, Copy, Debug)]
pub struct MpRef<'a> {
    bits: Bits,
    head: Head,
    words: &'a [u64],
}

impl<'a> MpRef<'a> {
    /// The number made of these parts, which must be in the [format](super).
    ///
    /// Panics unless there are as many words as the precision takes.
    #[inline]
    pub fn new(bits: Bits, head: Head, words: &'a [u64]) -> Self {
        assert_eq!(words.len(), bits.words(), "words of a significand");
        debug_assert!(head.exponent().is_none() || words[words.len() - 1] >> 63 == 1);
        debug_assert!(words[0] & ((1 << bits.padding()) - 1) == 0);
        Self { bits, head, words }
    }

    /// The precision.
    pub fn bits(self) -> Bits {
        self.bits
    }

    /// Sign, class and exponent.
    #[inline(always)]
    pub fn head(self) -> Head {
        self.head
    }

    /// The words of the significand, lowest first; zeros where the number is zero or not finite.
    #[inline(always)]
    pub fn words(self) -> &'a [u64] {
        self.words
    }

    /// Exponent of the lowest bit of the words: the number is `±Σ words[i]·2^(64i)` times that power of two.
    pub(super) fn unit(self) -> i64 {
        i64::from(self.head.code()) - 64 * self.words.len() as i64
    }

    /// The negative.
    #[must_use]
    pub fn negated(self) -> Self {
        Self { head: self.head.negated(), ..self }
    }

    /// The number rounded to a precision, which may be its own.
    pub fn to_mp(self, bits: Bits) -> Mp {
        let mut x = Mp::zero(bits);
        x.head = self.write(bits, &mut x.words);
        x
    }

    /// Writes the number, rounded to a precision, which may be its own, to the words of another; returns the head.
    ///
    /// Panics unless `to` holds [`Bits::words`] words.
    pub fn write(self, bits: Bits, to: &mut [u64]) -> Head {
        if self.bits == bits {
            to.copy_from_slice(self.words);
            return self.head;
        }
        if self.head.exponent().is_none() {
            to.fill(0);
            return self.head;
        }
        round(bits, self.head.is_negative(), self.words, self.unit(), false, to)
    }
}
