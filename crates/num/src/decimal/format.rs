//! Text of a number: the shortest one that reads back, or one rounded to a number of digits.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::digits::{append_chunks, to_chunks};
use super::shortest::{append_shortest, exact_sum};
use crate::MultiFloat;
use crate::integers::big::Big;

/// Digits `d` of a positive number `0.d·10^point`, in ASCII; the first is not 0. None for zero.
pub(crate) struct Digits {
    digits: Vec<u8>,
    point: i64,
}

impl Digits {
    /// Those of `digits·10^exponent`.
    pub(crate) fn of_integer(digits: Vec<u8>, exponent: i64) -> Self {
        let point = digits.len() as i64 + exponent;
        Self { digits, point }
    }

    /// Whether there are more than `count`.
    pub(crate) fn exceed(&self, count: usize) -> bool {
        self.digits.len() > count
    }

    /// The fewest that read back as the same number.
    fn shortest<const N: usize>(limbs: [f64; N]) -> Self {
        let mut digits = Vec::with_capacity(80);
        let point = append_shortest(limbs, &mut digits) + 1;
        Self { digits, point }
    }

    /// All of them: sums of limbs are decimal fractions.
    fn all(limbs: &[f64]) -> Self {
        let (number, e) = exact_sum(limbs);
        let q = -e.min(0);
        let mut integer = number.mul(&Big::power_of_five(q as usize)).shl((e + q) as usize);
        let mut chunks = Vec::new();
        to_chunks(integer.words_mut(), |chunk| chunks.push(chunk));
        let mut digits = Vec::with_capacity(19 * chunks.len());
        append_chunks(&chunks, &mut digits);
        Self::of_integer(digits, i64::from(-q))
    }

    /// Rounded to `count` digits, to nearest, ties to even. The result may be one digit longer, all
    /// zeros after the first, or empty for zero.
    fn round(&mut self, count: usize) {
        if count >= self.digits.len() {
            return;
        }
        let rest = &self.digits[count..];
        let even = count == 0 || self.digits[count - 1].is_multiple_of(2);
        let tie = rest[0] == b'5' && rest[1..].iter().all(|&digit| digit == b'0');
        let up = rest[0] >= b'5' && !(tie && even);
        self.digits.truncate(count);
        if up {
            match self.digits.iter().rposition(|&digit| digit != b'9') {
                Some(i) => {
                    self.digits[i] += 1;
                    self.digits[i + 1..].fill(b'0');
                }
                None => {
                    self.digits.fill(b'0');
                    self.digits.insert(0, b'1');
                    self.point += 1;
                }
            }
        }
    }

    /// Without exponent, with `places` digits after the point or as many as there are.
    pub(crate) fn positional(mut self, places: Option<usize>) -> String {
        if let Some(places) = places {
            match usize::try_from(self.point + places as i64) {
                Ok(count) => self.round(count),
                Err(_) => self.digits.clear(),
            }
        }
        let Self { digits, point } = self;
        let whole = usize::try_from(point).unwrap_or(0);
        let mut text = String::new();
        push_digits(&mut text, &digits[..whole.min(digits.len())]);
        push_zeros(&mut text, whole.saturating_sub(digits.len()));
        if text.is_empty() {
            text.push('0');
        }
        let fraction = digits.get(whole..).unwrap_or(&[]);
        let zeros = if fraction.is_empty() { 0 } else { usize::try_from(-point).unwrap_or(0) };
        let length = places.unwrap_or(zeros + fraction.len());
        if length > 0 {
            text.push('.');
            push_zeros(&mut text, zeros);
            push_digits(&mut text, fraction);
            push_zeros(&mut text, length - zeros - fraction.len());
        }
        text
    }

    /// With an exponent, one digit before the point and `places` after it or as many as there are.
    pub(crate) fn scientific(mut self, places: Option<usize>, letter: char) -> String {
        if let Some(places) = places {
            self.round(places.saturating_add(1));
        }
        let Self { digits, point } = self;
        let mut text = String::new();
        push_digits(&mut text, &digits[..1]);
        let places = places.unwrap_or(digits.len() - 1);
        if places > 0 {
            text.push('.');
            let fraction = &digits[1..digits.len().min(1 + places)];
            push_digits(&mut text, fraction);
            push_zeros(&mut text, places - fraction.len());
        }
        text.push(letter);
        text.push_str(&alloc::format!("{}", point - 1));
        text
    }
}

/// The exact value of a positive sum of limbs in scientific form, without zeros at the end.
#[cfg(test)]
pub(super) fn all_digits(limbs: &[f64]) -> String {
    let mut all = Digits::all(limbs);
    let count = all.digits.iter().rposition(|&digit| digit != b'0').map_or(0, |i| i + 1);
    all.digits.truncate(count);
    // A point is always there, so that digits can be appended.
    let mut text = all.scientific(None, 'e');
    if !text.contains('.') {
        text.insert(1, '.');
    }
    text
}

fn push_digits(text: &mut String, digits: &[u8]) {
    text.extend(digits.iter().map(|&digit| char::from(digit)));
}

fn push_zeros(text: &mut String, count: usize) {
    text.extend(core::iter::repeat_n('0', count));
}

/// Formats a number: the text of its magnitude comes from `text`; sign, width, fill and alignment
/// are the formatter's, as for `f64`. Zeros, infinities and NaN are left to `f64` itself.
fn format<const N: usize>(
    limbs: [f64; N],
    f: &mut fmt::Formatter<'_>,
    special: fn(&f64, &mut fmt::Formatter<'_>) -> fmt::Result,
    text: impl FnOnce(Digits) -> String,
) -> fmt::Result {
    if limbs[0] == 0.0 || !limbs[0].is_finite() {
        return special(&limbs[0], f);
    }
    let negative = limbs[0] < 0.0;
    let magnitude = if negative { limbs.map(|x| -x) } else { limbs };
    let digits = match f.precision() {
        None => Digits::shortest(magnitude),
        Some(_) => Digits::all(&magnitude),
    };
    f.pad_integral(!negative, "", &text(digits))
}

/// Without exponent. `{}` gives the fewest digits that read back as the same number, `{:.30}`
/// thirty after the point, correctly rounded (ties to even).
impl<const N: usize> fmt::Display for MultiFloat<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places = f.precision();
        format(self.limbs(), f, fmt::Display::fmt, |digits| digits.positional(places))
    }
}

/// With exponent. `{:e}` gives the fewest digits that read back as the same number, `{:.30e}`
/// thirty after the point, correctly rounded (ties to even).
impl<const N: usize> fmt::LowerExp for MultiFloat<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places = f.precision();
        format(self.limbs(), f, fmt::LowerExp::fmt, |digits| digits.scientific(places, 'e'))
    }
}

/// As [`LowerExp`](fmt::LowerExp) with the letter `E`.
impl<const N: usize> fmt::UpperExp for MultiFloat<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places = f.precision();
        format(self.limbs(), f, fmt::UpperExp::fmt, |digits| digits.scientific(places, 'E'))
    }
}

/// Decimal exponents of the first digit with which numbers are appended without exponent, as
/// `f64`'s `Debug` does.
const POSITIONAL: core::ops::Range<i64> = -4..16;

/// Appends the shortest text that reads back as the same number.
#[inline]
pub(super) fn append<const N: usize>(limbs: [f64; N], out: &mut Vec<u8>) {
    let first = limbs[0];
    if first.is_nan() {
        return out.extend_from_slice(b"NaN");
    }
    let negative = first.is_sign_negative();
    if negative {
        out.push(b'-');
    }
    if first == 0.0 || first.is_infinite() {
        return out.extend_from_slice(if first == 0.0 { b"0" } else { b"inf" });
    }
    let magnitude = if negative { limbs.map(|x| -x) } else { limbs };
    append_text(out, |out| append_shortest(magnitude, out));
}

/// Appends a number by its digits, which `append_digits` appends, without zeros at either end; it
/// returns the decimal exponent of the first.
#[inline]
pub(crate) fn append_text(out: &mut Vec<u8>, append_digits: impl FnOnce(&mut Vec<u8>) -> i64) {
    let start = out.len();
    let exponent = append_digits(out);
    let count = out.len() - start;
    if !POSITIONAL.contains(&exponent) {
        if count > 1 {
            out.insert(start + 1, b'.');
        }
        out.push(b'e');
        append_exponent(exponent, out);
    } else if exponent < 0 {
        let prefix = &b"0.000"[..1 + exponent.unsigned_abs() as usize];
        out.extend_from_slice(prefix);
        out[start..].rotate_right(prefix.len());
    } else {
        let whole = exponent as usize + 1;
        if count > whole {
            out.insert(start + whole, b'.');
        } else {
            out.resize(start + whole, b'0');
        }
    }
}

fn append_exponent(exponent: i64, out: &mut Vec<u8>) {
    if exponent < 0 {
        out.push(b'-');
    }
    let start = out.len();
    let mut magnitude = exponent.unsigned_abs();
    loop {
        out.push(b'0' + (magnitude % 10) as u8);
        magnitude /= 10;
        if magnitude == 0 {
            return out[start..].reverse();
        }
    }
}
