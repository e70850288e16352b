//! Numbers that own or borrow their words.

use core::fmt;

use super::bits::{Bits, MOST_WORDS};
use super::head::Head;
use super::round::round;

/// A number that borrows its words. See the [module documentation](super).
///
/// ```
/// use nonius_num::Mp;
/// use nonius_num::mp::{Bits, MpRef};
///
/// let bits = Bits::new(128)?;
/// let x = Mp::from_f64(bits, 1.5);
/// // A number in storage of one's own: a head, and words.
/// let words = x.words().to_vec();
/// let view = MpRef::new(bits, x.head(), &words);
/// assert_eq!(view + view, Mp::from_f64(bits, 3.0));
/// # Ok::<(), nonius_num::mp::BitsError>(())
/// ```
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

    /// Exponent of the lowest bit of the words: the number is `±Σ words[i]·2^(64i)` times that
    /// power of two.
    pub(super) fn unit(self) -> i64 {
        i64::from(self.head.code()) - 64 * self.words.len() as i64
    }

    /// The negative.
    #[must_use]
    pub fn negated(self) -> Self {
        Self { head: self.head.negated(), ..self }
    }

    /// The number rounded to a precision, which may be its own.
    ///
    /// ```
    /// use nonius_num::Mp;
    /// use nonius_num::mp::Bits;
    ///
    /// let pi = Mp::pi(Bits::new(1000)?);
    /// let rounded = pi.view().to_mp(Bits::new(200)?);
    /// assert_eq!(rounded, Mp::pi(Bits::new(200)?));
    /// # Ok::<(), nonius_num::mp::BitsError>(())
    /// ```
    pub fn to_mp(self, bits: Bits) -> Mp {
        let mut x = Mp::zero(bits);
        x.head = self.write(bits, x.words_mut());
        x
    }

    /// Writes the number, rounded to a precision, which may be its own, to the words of another;
    /// returns the head.
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

/// A number that owns its words. See the [module documentation](super).
///
/// A value takes half a kilobyte, room for the most words there are, so that it is a plain value
/// without an allocation. Copying it takes less time than a product of numbers. Arrays of numbers
/// store only the words that their precision needs.
///
/// ```
/// use nonius_num::Mp;
/// use nonius_num::mp::Bits;
///
/// let (narrow, wide) = (Bits::new(64)?, Bits::new(1000)?);
/// // A result has the greater number of bits of its operands.
/// let third = Mp::one(narrow) / Mp::from_f64(wide, 3.0);
/// assert_eq!(third.bits(), wide);
/// assert!(third.to_string().starts_with(&format!("0.{}", "3".repeat(300))));
/// # Ok::<(), nonius_num::mp::BitsError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Mp {
    pub(super) bits: Bits,
    pub(super) head: Head,
    /// Zeros beyond those that the precision takes.
    words: [u64; MOST_WORDS],
}

impl Mp {
    /// Zero, at the lowest precision: an exact operand beside any other number.
    pub const ZERO: Self = Self::without_words(Bits::FEWEST, Head::zero(false));

    /// One, at the lowest precision: an exact operand beside any other number.
    pub const ONE: Self = {
        let mut one = Self::without_words(Bits::FEWEST, Head::within(false, 1));
        one.words[0] = 1 << 63;
        one
    };

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
    ///
    /// ```
    /// use nonius_num::Mp;
    /// use nonius_num::mp::Bits;
    ///
    /// // 5 · 2⁻¹, from an integer of one word.
    /// let x = Mp::rounded(Bits::new(64)?, false, &[5], -1, false);
    /// assert_eq!(x.to_f64(), 2.5);
    /// # Ok::<(), nonius_num::mp::BitsError>(())
    /// ```
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
        self.head = round(self.bits, negative, words, exponent, inexact, self.words_mut());
    }

    /// Replaces `self` by the number whose words `write` leaves behind, and whose head it returns.
    pub fn set_parts(&mut self, write: impl FnOnce(Bits, &mut [u64]) -> Head) {
        self.head = write(self.bits, self.words_mut());
    }

    /// Replaces `self` by `x`, rounded to the precision of `self`.
    pub fn set_value(&mut self, x: MpRef<'_>) {
        self.head = x.write(self.bits, self.words_mut());
    }

    /// The number, borrowed.
    #[inline]
    pub fn view(&self) -> MpRef<'_> {
        MpRef::new(self.bits, self.head, self.words())
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
    #[inline]
    pub fn words(&self) -> &[u64] {
        &self.words[..self.bits.words()]
    }

    /// The same, to be changed.
    #[inline]
    pub(super) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words[..self.bits.words()]
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
    pub(super) fn set_head(&mut self, head: Head) {
        self.head = head;
        if head.exponent().is_none() {
            self.words_mut().fill(0);
        }
    }

    /// A number that is zero or not finite.
    pub(crate) const fn without_words(bits: Bits, head: Head) -> Self {
        Self { bits, head, words: [0; MOST_WORDS] }
    }
}

/// [`ZERO`](Mp::ZERO).
impl Default for Mp {
    fn default() -> Self {
        Self::ZERO
    }
}

impl fmt::Debug for Mp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.view().fmt(f)
    }
}
