//! The one place where significands are rounded.

use super::bits::Bits;
use super::head::Head;
use crate::integers::words::{bit_length, bits_at, zero_below};

/// Rounds `(Σ words[i]·2^(64i) + θ)·2^exponent`, or its negative, to nearest, ties to even: writes
/// the significand to `to` and returns the head. `0 < θ < 1` where `inexact` says so, else `θ = 0`.
///
/// Panics unless `to` holds [`Bits::words`] words. Where `inexact`, `words` needs more than
/// `bits + 1` significant bits for the result to be right.
#[inline]
pub fn round(
    bits: Bits,
    negative: bool,
    words: &[u64],
    exponent: i64,
    inexact: bool,
    to: &mut [u64],
) -> Head {
    let n = bits.words();
    assert_eq!(to.len(), n, "words of a significand");
    let length = bit_length(words);
    debug_assert!(!inexact || length > bits.get() as usize + 1);
    if length == 0 {
        to.fill(0);
        return Head::zero(negative);
    }
    let mut e = exponent + length as i64;
    match length.checked_sub(64 * n) {
        Some(start) => {
            let (words, offset) = (&words[start / 64..], start % 64);
            // Twice, for shifts by 64 where there is no offset.
            let pair = |low: u64, high: u64| low >> offset | (high << 1) << (63 - offset);
            let (last, others) = to.split_last_mut().expect("a word");
            for (i, to) in others.iter_mut().enumerate() {
                *to = pair(words[i], words[i + 1]);
            }
            *last = pair(words[n - 1], words.get(n).copied().unwrap_or(0));
        }
        None => shift_up(words, 64 * n - length, to),
    }
    let padding = bits.padding();
    to[0] &= u64::MAX << padding;
    if let Some(half) = (length - 1).checked_sub(bits.get() as usize) {
        let odd = to[0] >> padding & 1 == 1;
        let up = bits_at(words, half) & 1 == 1 && (odd || inexact || !zero_below(words, half));
        if up && add_unit(to, padding) {
            to[n - 1] = 1 << 63;
            e += 1;
        }
    }
    let head = Head::finite(negative, e);
    if head.exponent().is_none() {
        to.fill(0);
    }
    head
}

/// `to = words · 2^k`, for a result that fits.
pub(super) fn shift_up(words: &[u64], k: usize, to: &mut [u64]) {
    let (whole, offset) = (k / 64, k % 64);
    for (i, to) in to.iter_mut().enumerate() {
        let at = |i: Option<usize>| i.and_then(|i| words.get(i)).copied().unwrap_or(0);
        let (word, below) = (at(i.checked_sub(whole)), at(i.checked_sub(whole + 1)));
        *to = if offset == 0 { word } else { word << offset | below >> (64 - offset) };
    }
}

/// Adds `2^position`; whether that carries out of the words, which then are zero.
fn add_unit(words: &mut [u64], position: u32) -> bool {
    let mut carry = 1 << position;
    for word in words {
        let over;
        (*word, over) = word.overflowing_add(carry);
        if !over {
            return false;
        }
        carry = 1;
    }
    true
}
