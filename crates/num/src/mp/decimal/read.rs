//! Reading with a truncated power of ten and a check that it decides the rounding.
//!
//! The text is `(d + θ)·10^e`: the integer `d` is made of its first `D` digits, and `0 <= θ < 1`.
//! With `e = 27j + r` and `0 <= r < 27`, the integer `a = d·5^r` of `n` words is exact. A [`Power`]
//! gives `5^(27j) = (T + δ)·2^t` with `T` of `w` words. So the number is about `a·T·2^(t + e)`. The
//! words of `a·T` from word `n` up make an integer `H`, and the number lies in
//! `[H, H + ERROR)·2^(64n + t + e)`:
//!
//! | part of the error | less than, in units of `2^(64n)` |
//! |---|---|
//! | products left out ([`multiply_from`]): `min(n, w) <= 68` | 68 |
//! | `a·δ`, where `δ < 2` and `a < 2^(64n)` | 2 |
//! | words below word `n` that were computed | 1 |
//! | digits left out: `θ·5^r·(T + δ)` | 1 |
//!
//! The last line holds because `5^r <= a·10^(1 − D)` where digits are left out, and `10^(D − 1)`
//! exceeds `2^(64w)`.
//!
//! The boundaries of rounding are the multiples of half a unit in the last place. In units of `H`
//! they are the multiples of `2^cell` with `cell >= 49`. The check demands that `H` is no multiple
//! and that the next one is at least `ERROR` away. Then all numbers of the interval round alike,
//! none is a tie, and none has only `p` bits. The check fails on random text with a probability
//! below `2^-42`.
//!
//! Most texts that fail it are exact: integers, and decimal fractions that are dyadic. One exact
//! product or an exact division decides those. [`exact`](super::exact) decides the others.
//!
//! Source: Lemire, *Number parsing at a gigabyte per second*, Softw. Pract. Exper. 51 (2021), has
//! the product with a truncated power of ten and its check for numbers of one word.

use super::exact;
use super::powers::{Power, STEP};
use crate::decimal::powers::POWERS_OF_FIVE;
use crate::decimal::scan::{Number, Significand};
use crate::integers::words::{
    bit_length, bits_at, divide_small, length, multiply_from, multiply_small,
};
use crate::mp::bits::Bits;
use crate::mp::head::Head;
use crate::mp::round::round;

/// Units that `H` is too small by, less than.
pub(super) const ERROR: u128 = 72;
/// Bits of `H` beyond the precision.
const SPARE_BITS: u32 = 52;

/// Decimal exponents beyond which every number is infinite or zero: `log10 2^(2^28)` is less than
/// `2^27`.
const LARGEST_EXPONENT: i64 = 1 << 27;

/// Rounds a number to `to`; returns the head and whether nothing was rounded off.
#[inline]
pub(super) fn read<const W: usize, const D: usize>(
    bits: Bits,
    number: &Number<'_, W, D>,
    to: &mut [u64],
) -> (Head, bool) {
    let digits = number.significand.digits as i64;
    // The number lies in [10^(magnitude − 1), 10^magnitude).
    let magnitude = digits + number.exponent;
    if digits == 0 || magnitude < -LARGEST_EXPONENT {
        to.fill(0);
        return (Head::zero(number.negative), digits == 0);
    }
    if magnitude > LARGEST_EXPONENT {
        to.fill(0);
        return (Head::infinity(number.negative), false);
    }
    decided(bits, number, to)
        .unwrap_or_else(|| exact::read(bits, number.negative, number.written, to))
}

/// The same where a few words decide it.
pub(super) fn decided<const W: usize, const D: usize>(
    bits: Bits,
    number: &Number<'_, W, D>,
    to: &mut [u64],
) -> Option<(Head, bool)> {
    let Number { negative, exponent: e, .. } = *number;
    let Significand { words, truncated, .. } = number.significand;
    let (j, r) = (e.div_euclid(STEP), e.rem_euclid(STEP));
    let n = length(words);
    if n == 1 && !*truncated && (1 - STEP..0).contains(&e) {
        // Short dyadic fractions, like 0.5 or 1.25.
        let power = POWERS_OF_FIVE[e.unsigned_abs() as usize];
        if words[0] % power == 0 {
            return Some(exactly(bits, negative, &[words[0] / power], e, to));
        }
    }
    let mut a = *words;
    let n = n + append_carry(&mut a, n, POWERS_OF_FIVE[r as usize]);
    let a = &a[..n];
    if j == 0 && !*truncated {
        return Some(exactly(bits, negative, a, e, to));
    }
    let w = (bits.get() + SPARE_BITS + a[n - 1].leading_zeros()).div_ceil(64) as usize;
    let mut space = None;
    let power = Power::new::<W>(j, w, &mut space);
    let mut product = [[0; W]; 2];
    let product = product.as_flattened_mut();
    multiply_from(a, power.words, n - 1, &mut product[..w + 1]);
    let high = &product[1..=w];
    let exponent = 64 * n as i64 + power.exponent + e;
    if decides(bits, high) {
        return Some((round(bits, negative, high, exponent, true, to), false));
    }
    if *truncated {
        return None;
    }
    if e < 0 {
        let mut quotient = *words;
        let n = divide_by_power_of_five(&mut quotient, e.unsigned_abs())?;
        return Some(exactly(bits, negative, &quotient[..n], e, to));
    }
    if !power.exact {
        return None;
    }
    product.fill(0);
    multiply_from(a, power.words, 0, &mut product[..n + w]);
    Some(exactly(bits, negative, &product[..n + w], power.exponent + e, to))
}

/// Rounds `±words·2^exponent`, which are not zero.
fn exactly(
    bits: Bits,
    negative: bool,
    words: &[u64],
    exponent: i64,
    to: &mut [u64],
) -> (Head, bool) {
    let head = round(bits, negative, words, exponent, false, to);
    let zeros = words.iter().position(|&w| w != 0).unwrap_or(0);
    let zeros = 64 * zeros + words[zeros].trailing_zeros() as usize;
    let fits = bit_length(words) - zeros <= bits.get() as usize;
    (head, fits && head.exponent().is_some())
}

/// Whether all numbers of `[high, high + ERROR)` round alike, and none is a boundary.
#[inline]
pub(super) fn decides(bits: Bits, high: &[u64]) -> bool {
    // From 49 to 114 bits.
    let cell = bit_length(high) - bits.get() as usize - 1;
    let low = u128::from(high[0]) | u128::from(bits_at(high, 64)) << 64;
    let size = 1_u128 << cell;
    let low = low & (size - 1);
    low != 0 && size - low >= ERROR
}

/// Multiplies the first `n` words, and returns how many words that appends.
#[inline]
fn append_carry<const W: usize>(words: &mut [u64; W], n: usize, factor: u64) -> usize {
    let carry = multiply_small(&mut words[..n], factor, 0);
    if carry != 0 {
        words[n] = carry;
    }
    usize::from(carry != 0)
}

/// Divides by `5^q` and returns the number of words left; `None` where that leaves a rest.
fn divide_by_power_of_five(words: &mut [u64], mut q: u64) -> Option<usize> {
    let mut n = length(words);
    while q > 0 {
        let step = q.min(STEP as u64);
        if divide_small(&mut words[..n], POWERS_OF_FIVE[step as usize]) != 0 {
            return None;
        }
        n = length(&words[..n]);
        q -= step;
    }
    Some(n)
}
