//! Text of a number taken apart: sign, digits, exponent.
//!
//! `[+|-] digits [. digits] [e|E|d|D [+|-] digits]` with a digit on at least one side of the point,
//! or `[+|-] inf | infinity | nan` in any case. `d` is how Fortran writes the exponent of a double.

use super::ParseDecimalError;
use super::digits::CHUNK;
use crate::integers::words::multiply_small;

/// Words of the significand of a number that is read into limbs.
pub(super) const LIMB_WORDS: usize = 4;
/// Digits that four words always hold.
pub(super) const LIMB_DIGITS: usize = 77;

/// A text that follows the grammar. `W` words hold its first `D` digits.
pub(crate) enum Scanned<'a, const W: usize = LIMB_WORDS, const D: usize = LIMB_DIGITS> {
    Infinity { negative: bool },
    Nan { negative: bool },
    Finite(Number<'a, W, D>),
}

/// `±(significand + θ) · 10^exponent`, with `0 <= θ < 1`, and `θ = 0` unless `truncated`.
pub(crate) struct Number<'a, const W: usize = LIMB_WORDS, const D: usize = LIMB_DIGITS> {
    pub(crate) negative: bool,
    pub(crate) significand: &'a Significand<W, D>,
    /// Saturated far beyond the range of the formats.
    pub(crate) exponent: i64,
    /// The whole number as it is written, without its sign.
    pub(crate) written: Written<'a>,
}

/// All digits of a number and its exponent.
#[derive(Clone, Copy)]
pub(crate) struct Written<'a> {
    /// The digits before and after the point.
    pub(crate) integer: &'a [u8],
    pub(crate) fraction: &'a [u8],
    pub(crate) exponent: i64,
}

/// The leading digits as an integer, without leading zeros.
pub(crate) struct Significand<const W: usize, const D: usize> {
    pub(crate) words: [u64; W],
    /// Words to multiply, where not all are multiplied.
    used: usize,
    pub(crate) digits: usize,
    /// Whether a digit other than 0 was left out.
    pub(crate) truncated: bool,
}

const EXPONENT_LIMIT: i64 = 1 << 40;

/// Takes a text apart; `significand` is new. `D` digits must fit in `W` words.
pub(crate) fn scan<'a, const W: usize, const D: usize>(
    text: &'a [u8],
    significand: &'a mut Significand<W, D>,
) -> Result<Scanned<'a, W, D>, ParseDecimalError> {
    let negative = text.first() == Some(&b'-');
    let start = usize::from(negative || text.first() == Some(&b'+'));
    if !matches!(text.get(start), Some(b'0'..=b'9' | b'.')) {
        return scan_word(text, start, negative);
    }
    let mut dropped = 0;
    let point = significand.read(text, start, &mut dropped);
    let integer = &text[start..point];
    let mut end = point;
    let mut exponent = dropped as i64;
    let mut fraction: &[u8] = &[];
    if text.get(point) == Some(&b'.') {
        dropped = 0;
        end = significand.read(text, point + 1, &mut dropped);
        fraction = &text[point + 1..end];
        exponent += dropped as i64 - fraction.len() as i64;
        if integer.is_empty() && fraction.is_empty() {
            let found = text.get(end).copied();
            return Err(ParseDecimalError::ExpectedDigit { position: end, found });
        }
    }
    let mut written_exponent = 0;
    if let Some(b'e' | b'E' | b'd' | b'D') = text.get(end) {
        (written_exponent, end) = scan_exponent(text, end + 1)?;
    }
    expect_end(text, end)?;
    exponent += written_exponent;
    Ok(Scanned::Finite(Number {
        negative,
        significand,
        exponent,
        written: Written { integer, fraction, exponent: written_exponent },
    }))
}

fn scan_word<const W: usize, const D: usize>(
    text: &[u8],
    start: usize,
    negative: bool,
) -> Result<Scanned<'_, W, D>, ParseDecimalError> {
    let rest = &text[start..];
    let begins_with =
        |word: &[u8]| rest.get(..word.len()).is_some_and(|w| w.eq_ignore_ascii_case(word));
    let (scanned, length) = if begins_with(b"infinity") {
        (Scanned::Infinity { negative }, 8)
    } else if begins_with(b"inf") {
        (Scanned::Infinity { negative }, 3)
    } else if begins_with(b"nan") {
        (Scanned::Nan { negative }, 3)
    } else {
        let found = rest.first().copied();
        return Err(ParseDecimalError::ExpectedNumber { position: start, found });
    };
    expect_end(text, start + length)?;
    Ok(scanned)
}

/// The exponent whose sign or first digit is at `start`, and where it ends.
fn scan_exponent(text: &[u8], start: usize) -> Result<(i64, usize), ParseDecimalError> {
    let negative = text.get(start) == Some(&b'-');
    let first = start + usize::from(negative || text.get(start) == Some(&b'+'));
    let mut position = first;
    let mut value: i64 = 0;
    while let Some(digit @ b'0'..=b'9') = text.get(position) {
        value = (10 * value + i64::from(digit - b'0')).min(EXPONENT_LIMIT);
        position += 1;
    }
    if position == first {
        let found = text.get(first).copied();
        return Err(ParseDecimalError::ExpectedExponent { position, found });
    }
    Ok((if negative { -value } else { value }, position))
}

fn expect_end(text: &[u8], position: usize) -> Result<(), ParseDecimalError> {
    match text.get(position) {
        None => Ok(()),
        Some(&found) => Err(ParseDecimalError::ExpectedEnd { position, found }),
    }
}

impl<const W: usize, const D: usize> Significand<W, D> {
    #[inline]
    pub(crate) fn new() -> Self {
        Self { words: [0; W], used: 0, digits: 0, truncated: false }
    }

    /// Multiplies by `scale` and adds `chunk`.
    #[inline(always)]
    fn append(&mut self, scale: u64, chunk: u64) {
        if W <= LIMB_WORDS {
            // A loop of fixed length is the fastest.
            multiply_small(&mut self.words, scale, chunk);
            return;
        }
        let carry = multiply_small(&mut self.words[..self.used], scale, chunk);
        if carry != 0 {
            self.words[self.used] = carry;
            self.used += 1;
        }
    }

    /// Reads digits from `position` on and returns where they end. Digits beyond the capacity are
    /// counted in `dropped`.
    #[inline]
    fn read(&mut self, text: &[u8], mut position: usize, dropped: &mut usize) -> usize {
        if self.digits == 0 {
            while text.get(position) == Some(&b'0') {
                position += 1;
            }
        }
        loop {
            let (mut chunk, mut scale) = (0, 1_u64);
            // Nineteen digits fit a word: sixteen are read eight at a time, the others singly.
            while scale < 10_000_000_000_000_000 && self.digits + 8 <= D {
                let Some(eight) = text[position..].first_chunk().and_then(eight_digits) else {
                    break;
                };
                chunk = chunk * 100_000_000 + eight;
                scale *= 100_000_000;
                self.digits += 8;
                position += 8;
            }
            // Few words are multiplied sooner than three digits are read.
            let more = W <= LIMB_WORDS && scale == 10_000_000_000_000_000;
            while !more && scale < CHUNK && self.digits < D {
                let Some(digit @ b'0'..=b'9') = text.get(position) else { break };
                chunk = chunk * 10 + u64::from(digit - b'0');
                scale *= 10;
                self.digits += 1;
                position += 1;
            }
            if scale == 1 {
                break;
            }
            self.append(scale, chunk);
        }
        while let Some(digit @ b'0'..=b'9') = text.get(position) {
            self.truncated |= *digit != b'0';
            *dropped += 1;
            position += 1;
        }
        position
    }
}

/// The value of eight ASCII digits; `None` where one of the bytes is none.
///
/// Neighbouring digits, then pairs, then quadruples are joined by three multiplications on the
/// whole word.
#[inline(always)]
fn eight_digits(bytes: &[u8; 8]) -> Option<u64> {
    const HIGH_BITS: u64 = 0x8080_8080_8080_8080;
    let text = u64::from_le_bytes(*bytes);
    let digits = text.wrapping_sub(0x3030_3030_3030_3030);
    let above_nine = text.wrapping_add(0x4646_4646_4646_4646);
    if (digits | above_nine) & HIGH_BITS != 0 {
        return None;
    }
    let pairs = (digits * 10 + (digits >> 8)) & 0x00ff_00ff_00ff_00ff;
    let quadruples = (pairs * 100 + (pairs >> 16)) & 0x0000_ffff_0000_ffff;
    Some((quadruples * 10_000 + (quadruples >> 32)) & 0xffff_ffff)
}
