//! From text to limbs, correctly rounded.
//!
//! The first 77 digits `D` and the tabulated significand `T` of a power of ten give a product whose
//! leading 384 bits are within two units of the number's. Limbs are taken from them; unless a
//! rounding boundary lies within that error of what remains, they are the limbs of the number. What
//! is left undecided (about one in `2^100` of random texts, dyadic fractions of many digits,
//! numbers with wide gaps between their limbs) is decided with integers of any size.
//!
//! Sources: Clinger, *How to read floating point numbers accurately*, PLDI 1990; Lemire, *Number
//! parsing at a gigabyte per second*, Softw. Pract. Exper. 51 (2021): the product with a truncated
//! power of ten and its check, carried here from one limb to several.

use super::digits::from_digits;
use super::limbs::{Remainder, finish, single};
use super::powers::{self, GREATEST_EXACT, POWERS_OF_FIVE, power_of_ten};
use super::scan::{Number, Significand};
use crate::integers::big::Big;
use crate::integers::words::{length, multiply};

/// The number as limbs: the greedy limbs of the exact value, in canonical form; infinite where that
/// would exceed the greatest number of the format.
pub(super) fn limbs_of<const N: usize>(number: &Number<'_>) -> [f64; N] {
    let digits = number.significand.digits as i64;
    // The number lies in [10^(magnitude − 1), 10^magnitude).
    let magnitude = digits + number.exponent;
    if digits == 0 || magnitude < -323 {
        return single(0.0, number.negative);
    }
    if magnitude > 309 {
        return single(f64::INFINITY, number.negative);
    }
    let limbs = match fast_limbs(number) {
        Some(limbs) => limbs,
        None => exact_limbs(number),
    };
    finish(limbs)
}

/// The limbs where a few words decide them.
#[inline]
fn fast_limbs<const N: usize>(number: &Number<'_>) -> Option<[f64; N]> {
    let Significand { words, truncated, .. } = number.significand;
    let truncated = *truncated;
    let exponent = number.exponent as i32;
    let length = length(words);
    if length == 1 && !truncated && (-27..0).contains(&exponent) {
        // Short dyadic fractions, like 0.5 or 1.25: D·10^-q = (D/5^q)·2^-q.
        let power = POWERS_OF_FIVE[exponent.unsigned_abs() as usize];
        if words[0] % power == 0 {
            return Some(
                Remainder::new(&mut [words[0] / power], exponent, number.negative).take_limbs(),
            );
        }
    }
    let (power, power_exponent) = power_of_ten(exponent);
    let mut product = [0; 4 + powers::WORDS];
    let product = &mut product[..length + powers::WORDS];
    multiply(&words[..length], power, product);
    let (low, leading) = product.split_at_mut(length);
    let exact =
        !truncated && (0..=GREATEST_EXACT).contains(&exponent) && low.iter().all(|&w| w == 0);
    let mut remainder =
        Remainder::new(leading, power_exponent + 64 * length as i32, number.negative);
    let limbs = remainder.take_limbs();
    // D·δ and the words cut off are less than a unit each. Digits left out amount to less than T,
    // which is less than 2^(384 − 256) units of the product of four words.
    let (error, place) = if truncated { (2, 2) } else { (2, 0) };
    (exact || remainder.is_safe(error, place)).then_some(limbs)
}

/// Significant digits that can matter: rounding boundaries lie below `10^309` and are multiples of
/// `2^-1075`, so have no more than 309 + 1075.
const RELEVANT_DIGITS: usize = 1400;

/// The limbs by integers of any size.
#[cold]
pub(super) fn exact_limbs<const N: usize>(number: &Number<'_>) -> [f64; N] {
    let (digits, exponent) = relevant_digits(number);
    let (mut integer, exponent) = if exponent >= 0 {
        (digits.mul(&Big::power_of_five(exponent as usize)), exponent)
    } else {
        // Boundaries are multiples of four units, so a fraction of a unit is as good as a whole
        // one.
        let q = exponent.unsigned_abs() as usize;
        let shift = 1077_usize.saturating_sub(q);
        let (mut quotient, rest) = digits.shl(shift).divide(&Big::power_of_five(q));
        if !rest.is_zero() {
            quotient.set_lowest_bit();
        }
        (quotient, exponent - shift as i32)
    };
    Remainder::new(integer.words_mut(), exponent, number.negative).take_limbs()
}

/// An integer and an exponent of ten with the same rounding as the number.
fn relevant_digits(number: &Number<'_>) -> (Big, i32) {
    let all = number.written.integer.iter().chain(number.written.fraction);
    let digits = all.skip_while(|&&digit| digit == b'0');
    let total = digits.clone().count();
    let mut integer = from_digits(digits.clone().take(RELEVANT_DIGITS));
    let mut dropped = total.saturating_sub(RELEVANT_DIGITS) as i64;
    if digits.skip(RELEVANT_DIGITS).any(|&digit| digit != b'0') {
        integer.multiply_add_small(10, 1);
        dropped -= 1;
    }
    let exponent = number.written.exponent - number.written.fraction.len() as i64 + dropped;
    (integer, exponent as i32)
}
