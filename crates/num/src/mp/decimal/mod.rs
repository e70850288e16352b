//! Decimal text, as for the other numbers: [`crate::decimal`] has the grammar and the conventions.
//!
//! Reading and writing multiply a number by a truncated power of ten in a few words of the stack,
//! and check that this decides the result. What remains undecided is left to integers of any size.

mod exact;
mod format;
mod powers;
mod read;
#[cfg(feature = "serde")]
mod serde;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_format;
mod write;

use alloc::vec::Vec;

use self::read::read;
use self::write::append_shortest;
use super::bits::Bits;
use super::head::Head;
use super::{Mp, MpRef};
use crate::decimal::format::append_text;
use crate::decimal::scan::{Scanned, Significand, Written, scan};
use crate::{Decimal, ParseDecimalError};

/// Precisions up to this one take buffers of few words.
const FEW_BITS: u32 = 1024;
/// Words of a buffer, and digits that one word less always holds.
const FEW_WORDS: usize = 20;
const FEW_DIGITS: usize = 365;
/// The same for precisions up to 4096 bits.
const MANY_WORDS: usize = 68;
const MANY_DIGITS: usize = 1290;

impl Mp {
    /// The number nearest to the one that the whole of `text` denotes; the grammar is that of
    /// [`Decimal::from_decimal`](crate::Decimal::from_decimal).
    ///
    /// ```
    /// use nonius_num::Mp;
    /// use nonius_num::mp::Bits;
    ///
    /// let bits = Bits::new(300)?;
    /// let x = Mp::from_decimal(bits, b"0.1")? + Mp::from_decimal(bits, b"0.2")?;
    /// assert!((x - Mp::from_decimal(bits, b"0.3")?).abs() <= Mp::one(bits).ldexp(-300));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// What is wrong with the text, and where.
    pub fn from_decimal(bits: Bits, text: &[u8]) -> Result<Self, ParseDecimalError> {
        Ok(Self::from_decimal_shifted(bits, text, 0)?.value)
    }

    /// [`from_decimal`](Self::from_decimal) of the number times `10^shift`, with what is known of
    /// the text.
    ///
    /// ```
    /// use nonius_num::Mp;
    /// use nonius_num::mp::Bits;
    ///
    /// let bits = Bits::new(64)?;
    /// let read = Mp::from_decimal_shifted(bits, b"0.125", 0)?;
    /// assert!(read.exact && read.places == 3);
    /// // 1/10 is rounded, ten times 1/10 is not.
    /// assert!(!Mp::from_decimal_shifted(bits, b"0.1", 0)?.exact);
    /// assert!(Mp::from_decimal_shifted(bits, b"0.1", 1)?.exact);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// What is wrong with the text, and where.
    pub fn from_decimal_shifted(
        bits: Bits,
        text: &[u8],
        shift: u32,
    ) -> Result<FromDecimal, ParseDecimalError> {
        let mut value = Self::zero(bits);
        let found = read_text(bits, text, shift, value.words_mut())?;
        value.head = found.head;
        Ok(FromDecimal { value, exact: found.exact, places: found.places })
    }

    /// Appends the shortest text that reads back as the same number: [`MpRef::append_decimal`].
    pub fn append_decimal(&self, out: &mut Vec<u8>) {
        self.view().append_decimal(out);
    }
}

/// From decimal text, with as many words as its digits need: they come back when the number is
/// printed. Text of more digits than [`Bits::MOST`] bits hold is rounded.
///
/// ```
/// use nonius_num::Mp;
///
/// let x: Mp = "0.1".parse()?;
/// assert_eq!((x.bits().get(), x.to_string().as_str()), (64, "0.1"));
/// let text = format!("3.{}", "14".repeat(50));
/// let long: Mp = text.parse()?;
/// assert_eq!((long.bits().get(), long.to_string()), (384, text));
/// # Ok::<(), nonius_num::ParseDecimalError>(())
/// ```
impl core::str::FromStr for Mp {
    type Err = ParseDecimalError;

    fn from_str(text: &str) -> Result<Self, ParseDecimalError> {
        let significand = text.split(['e', 'E', 'd', 'D']).next().unwrap_or_default();
        let digits = significand.bytes().filter(u8::is_ascii_digit);
        let digits = digits.skip_while(|&digit| digit == b'0').count();
        // log2 10 < 3.322, and one bit more tells all such decimals apart.
        let bits = (digits.min(Bits::MOST as usize) * 3322).div_ceil(1000) as u32 + 2;
        let bits = bits.next_multiple_of(64).clamp(Bits::LEAST, Bits::MOST);
        Self::from_decimal(Bits::new(bits).unwrap_or(Bits::FEWEST), text.as_bytes())
    }
}

impl Decimal for Mp {
    fn from_decimal_in(bits: Bits, text: &[u8]) -> Result<Self, ParseDecimalError> {
        Self::from_decimal(bits, text)
    }

    fn store_decimal(
        bits: Bits,
        text: &[u8],
        words: &mut [u64],
    ) -> Result<Head, ParseDecimalError> {
        assert_eq!(words.len(), bits.words(), "words of a significand");
        Ok(read_text(bits, text, 0, words)?.head)
    }

    fn append_decimal(&self, out: &mut Vec<u8>) {
        self.view().append_decimal(out);
    }
}

/// A number that was read from decimal text.
#[derive(Clone, Debug, PartialEq)]
pub struct FromDecimal {
    /// The number.
    pub value: Mp,
    /// Whether nothing was rounded off.
    pub exact: bool,
    /// The least `s` with which the text's number is a multiple of `10^-s`.
    pub places: u32,
}

/// What [`FromDecimal`] says, without the significand.
struct Found {
    head: Head,
    exact: bool,
    places: u32,
}

fn read_text(
    bits: Bits,
    text: &[u8],
    shift: u32,
    to: &mut [u64],
) -> Result<Found, ParseDecimalError> {
    if bits.get() <= FEW_BITS {
        read_within::<FEW_WORDS, FEW_DIGITS>(bits, text, shift, to)
    } else {
        read_within::<MANY_WORDS, MANY_DIGITS>(bits, text, shift, to)
    }
}

fn read_within<const W: usize, const D: usize>(
    bits: Bits,
    text: &[u8],
    shift: u32,
    to: &mut [u64],
) -> Result<Found, ParseDecimalError> {
    let mut significand = Significand::<W, D>::new();
    let mut number = match scan(text, &mut significand)? {
        Scanned::Finite(number) => number,
        Scanned::Infinity { negative } => return Ok(special(Head::infinity(negative), to)),
        Scanned::Nan { .. } => return Ok(special(Head::NAN, to)),
    };
    let places = if number.significand.digits == 0 { 0 } else { places(number.written) };
    number.exponent += i64::from(shift);
    number.written.exponent += i64::from(shift);
    let (head, exact) = read(bits, &number, to);
    Ok(Found { head, exact, places })
}

fn special(head: Head, to: &mut [u64]) -> Found {
    to.fill(0);
    Found { head, exact: true, places: 0 }
}

/// The least number of digits after the point, for a number other than zero.
fn places(written: Written<'_>) -> u32 {
    let zeros =
        |digits: &[u8]| digits.iter().rev().take_while(|&&digit| digit == b'0').count() as i64;
    let places = match written.fraction.len() as i64 - zeros(written.fraction) {
        0 => -zeros(written.integer),
        kept => kept,
    };
    (places - written.exponent).clamp(0, i64::from(u32::MAX)) as u32
}

impl MpRef<'_> {
    /// Appends the shortest text that reads back as the same number, with an exponent where the
    /// magnitude is below `10^-4` or not below `10^16`.
    pub fn append_decimal(self, out: &mut Vec<u8>) {
        self.append_decimal_shifted(0, out);
    }

    /// [`append_decimal`](Self::append_decimal) with the same digits, of the number times
    /// `10^shift`.
    pub fn append_decimal_shifted(self, shift: i64, out: &mut Vec<u8>) {
        let head = self.head();
        if head.is_nan() {
            return out.extend_from_slice(b"NaN");
        }
        if head.is_negative() {
            out.push(b'-');
        }
        match head.exponent() {
            None if head.is_zero() => out.push(b'0'),
            None => out.extend_from_slice(b"inf"),
            Some(_) => append_text(out, |out| self.append_shortest(out) + shift),
        }
    }

    /// Appends the shortest digits of a finite magnitude that is not zero, without zeros at either
    /// end, and returns the decimal exponent of the first one.
    fn append_shortest(self, out: &mut Vec<u8>) -> i64 {
        if self.bits().get() <= FEW_BITS {
            append_shortest::<FEW_WORDS>(self, out)
        } else {
            append_shortest::<MANY_WORDS>(self, out)
        }
    }

    /// Exponent of a quarter of the last bit's worth.
    fn quarter_unit(self) -> i64 {
        i64::from(self.head().code()) - i64::from(self.bits().get()) - 2
    }
}
