//! Conversions from and to [`Mp`], `f64` and sums of limbs.

use super::bounds::{Bounds, UNIT};
use super::format::{CAPACITY, Format, GROUP, Tables};
use super::{RnsFloat, RnsRef};
use crate::MultiFloat;
use crate::integers::words::{bit_length, bits_at, zero_below};
use crate::mp::{Bits, Mp, MpRef};

/// Words of the longest significand.
pub(super) const WORDS: usize = (Format::MOST_BITS as usize).div_ceil(64);

impl Tables {
    /// Residues of the integer `0 < X < 2^p` and, where it is a significand, its bounds.
    pub(super) fn encode(&self, words: &[u64], to: &mut [u32]) -> Bounds {
        let mut buffer = [0; CAPACITY];
        let digits = &mut buffer[..self.bits.div_ceil(self.digit)];
        for (l, digit) in digits.iter_mut().enumerate() {
            *digit = (bits_at(words, l * self.digit) & ((1 << self.digit) - 1)) as u32;
        }
        // −(0 − X)
        to.fill(0);
        self.less_digits(digits, 0, to);
        self.negate(to);
        match self.bits.checked_sub(62) {
            Some(start) => {
                let top = bits_at(words, start) & (UNIT - 1);
                Bounds::new(top, top + u64::from(!zero_below(words, start)))
            }
            None => {
                let top = words[0] << (62 - self.bits);
                Bounds::new(top, top)
            }
        }
    }

    /// The integer `0 <= X < 2^p` of these residues.
    pub(super) fn decode(&self, y: &[u32], words: &mut [u64]) {
        let mut buffer = [0; CAPACITY];
        let count = self.bits.div_ceil(self.digit);
        let digits = &mut buffer[..count.next_multiple_of(GROUP)];
        self.digits(y, digits);
        words.fill(0);
        for (l, &digit) in digits[..count].iter().enumerate() {
            let digit = u64::from(digit);
            let (index, offset) = (l * self.digit / 64, l * self.digit % 64);
            words[index] |= digit << offset;
            if offset + self.digit > 64
                && let Some(word) = words.get_mut(index + 1)
            {
                *word |= digit >> (64 - offset);
            }
        }
    }
}

impl RnsFloat {
    /// The number nearest to `x`.
    pub fn from_mp(format: &Format, x: MpRef<'_>) -> Self {
        let mut to = Self::zero(format);
        to.set_mp(x);
        to
    }

    /// The number nearest to `x`, in the format of `self`, which it replaces.
    pub fn set_mp(&mut self, x: MpRef<'_>) {
        let tables = self.format.tables();
        let bits = Bits::internal(tables.bits as u32);
        let mut buffer = [0; WORDS];
        let words = &mut buffer[..bits.words()];
        self.head = x.write(bits, words);
        self.bounds = Bounds::HALF;
        if self.head.exponent().is_none() {
            self.residues.fill(0);
            return;
        }
        // From the top of the words to their bottom.
        let padding = 64 * words.len() - tables.bits;
        for i in 0..words.len() {
            words[i] = bits_at(words, 64 * i + padding);
        }
        self.bounds = tables.encode(words, &mut self.residues);
    }

    /// The number nearest to `x`.
    pub fn from_f64(format: &Format, x: f64) -> Self {
        Self::from_limbs(format, &[x])
    }

    /// The number nearest to a sum of limbs.
    pub fn from_multifloat<const N: usize>(format: &Format, x: MultiFloat<N>) -> Self {
        Self::from_limbs(format, &x.limbs())
    }

    fn from_limbs(format: &Format, limbs: &[f64]) -> Self {
        // A sum of limbs of which not even one bit is lost.
        let exact = Mp::from_limbs(Bits::internal(2200), limbs);
        Self::from_mp(format, exact.view())
    }

    /// The same number in binary.
    ///
    /// ```
    /// use nonius_num::mp::Bits;
    /// use nonius_num::rns::float::Format;
    /// use nonius_num::{Mp, RnsFloat};
    ///
    /// // The square root has the bits of the positional one.
    /// let x = RnsFloat::from_f64(&Format::with_bits(424)?, 2.0).sqrt();
    /// assert_eq!(x.to_mp(), Mp::sqrt_2(Bits::new(424)?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_mp(&self) -> Mp {
        self.view().to_mp()
    }

    /// The nearest `f64`; infinite beyond its range, gradually zero below.
    pub fn to_f64(&self) -> f64 {
        self.to_mp().to_f64()
    }

    /// The nearest sum of `N` limbs.
    pub fn to_multifloat<const N: usize>(&self) -> MultiFloat<N> {
        self.to_mp().to_multifloat()
    }
}

impl RnsRef<'_> {
    /// The same number in binary, with as many bits, or 64 where these are fewer.
    pub fn to_mp(self) -> Mp {
        self.to_mp_of(Bits::internal(self.format.bits().max(Bits::LEAST)))
    }

    /// The number rounded to a precision.
    pub(super) fn to_mp_of(self, bits: Bits) -> Mp {
        let tables = self.format.tables();
        let Some(e) = self.head.exponent() else {
            return Mp::without_words(bits, self.head);
        };
        let mut buffer = [0; WORDS];
        let words = &mut buffer[..tables.bits.div_ceil(64)];
        tables.decode(self.residues, words);
        debug_assert_eq!(bit_length(words), tables.bits);
        let unit = i64::from(e) - tables.bits as i64;
        Mp::rounded(bits, self.head.is_negative(), words, unit, false)
    }

    /// The number nearest to it, of another format.
    pub fn to_format(self, format: &Format) -> RnsFloat {
        RnsFloat::from_mp(format, self.to_mp().view())
    }
}
