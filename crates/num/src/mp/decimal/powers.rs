//! Powers of five as truncated binary significands, long enough for every precision.
//!
//! `5^27` is the greatest power of five in a word. The table holds `5^(27j)` for `|j| <= 64`, each
//! as `(T + δ)·2^t`: the integer `T` has [`WORDS`] words, its highest bit is set, and `0 <= δ < 1`.
//! The leading `n` words of an entry are its significand of `n` words, likewise truncated. A test
//! compares every entry with exact integers.
//!
//! Powers beyond the table are products of entries, each truncated to `N = n + 1` words. A factor
//! has a relative error `ε₀ < 2^(1 − 64N)`, a truncation one of less than `λ = 4(N + 2)·2^(−64N)`.
//! A step squares the power and may multiply it by a factor. It turns the relative error `ε` into
//! less than `2ε + ε₀ + 3λ`. Decimal exponents are less than `2^28`, so there are at most 18 steps.
//! In the end the error is less than `2^(28 − 64N)`, or `2^-35` units of `n` words. The last
//! truncation makes it less than 2 units.

use crate::decimal::powers::significands;
use crate::integers::words::{bit_length, bits_at, multiply_from};

/// `log_5` of the ratio of entries that follow one another.
pub(super) const STEP: i64 = 27;
/// `5^27`.
const FIVE_TO_STEP: u64 = 5_u64.pow(STEP as u32);

/// Words of the table's significands: one more than are asked for at 4096 bits.
const WORDS: usize = 68;
/// Greatest `|j|` of the table.
const GREATEST: i64 = 64;
const COUNT: usize = 2 * GREATEST as usize + 1;

/// Words of a power beyond the table, and those of a product.
pub(super) type Space<const W: usize> = [[u64; W]; 2];

/// `5^n = (T + δ)·2^exponent` with the integer `T` of `words`, whose highest bit is set, and `0 <=
/// δ < 2`.
#[derive(Clone, Copy)]
pub(super) struct Power<'a> {
    pub(super) words: &'a [u64],
    pub(super) exponent: i64,
    /// Whether `δ = 0`.
    pub(super) exact: bool,
}

impl<'a> Power<'a> {
    /// `5^(27j)` with `n <= W − 2` words, for `|j| < 2^24`. Powers beyond the table make use of the
    /// space.
    #[inline]
    pub(super) fn new<const W: usize>(j: i64, n: usize, space: &'a mut Option<Space<W>>) -> Self {
        if j.abs() > GREATEST { Self::beyond(j, n, space) } else { Self::tabulated(j, n) }
    }

    #[inline]
    fn tabulated(j: i64, n: usize) -> Self {
        let words = &SIGNIFICANDS[(j + GREATEST) as usize][WORDS - n..];
        let floor_log2 = floor_log2_of_power(STEP * j);
        let exact = j >= 0 && floor_log2 < 64 * n as i64;
        Self { words, exponent: floor_log2 + 1 - 64 * n as i64, exact }
    }

    #[cold]
    fn beyond<const W: usize>(j: i64, n: usize, space: &'a mut Option<Space<W>>) -> Self {
        let longer = n + 1;
        let (turns, rest) = (j.abs() / GREATEST, j % GREATEST);
        let base = Self::tabulated(j.signum() * GREATEST, longer);
        let [words, product] = space.insert([[0; W]; 2]);
        words[..longer].copy_from_slice(base.words);
        let mut exponent = base.exponent;
        for step in (0..turns.ilog2()).rev() {
            let square = *words;
            exponent += multiply_to(words, &square[..longer], exponent, product);
            if turns >> step & 1 == 1 {
                exponent += multiply_to(words, base.words, base.exponent, product);
            }
        }
        if rest != 0 {
            let factor = Self::tabulated(rest, longer);
            exponent += multiply_to(words, factor.words, factor.exponent, product);
        }
        Self { words: &words[1..longer], exponent: exponent + 64, exact: false }
    }
}

/// Multiplies `words` by a factor and returns what the exponent grows by.
///
/// The product is truncated to as many words as the factor has.
fn multiply_to<const W: usize>(
    words: &mut [u64; W],
    factor: &[u64],
    exponent: i64,
    product: &mut [u64; W],
) -> i64 {
    let n = factor.len();
    // Word 0 of the product is the one below those that are kept.
    product.fill(0);
    multiply_from(&words[..n], factor, n - 1, &mut product[..n + 1]);
    let length = bit_length(&product[..n + 1]);
    let shift = length - 64 * n;
    for (i, word) in words[..n].iter_mut().enumerate() {
        *word = bits_at(product, shift + 64 * i);
    }
    exponent + 64 * (n as i64 - 1) + shift as i64
}

/// `⌊log2 5^n⌋`, for `|n| <= 1728`.
#[inline]
fn floor_log2_of_power(n: i64) -> i64 {
    /// `⌊2^40·log2 5⌋`.
    const LOG2_FIVE: i64 = 2_552_986_939_188;
    (n * LOG2_FIVE) >> 40
}

/// Words that the table is computed with: each of 64 steps loses less than two units of these.
const WORKING: usize = WORDS + 1;
static SIGNIFICANDS: [[u64; WORDS]; COUNT] =
    significands::<WORKING, WORDS, COUNT>(FIVE_TO_STEP, GREATEST as usize);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integers::big::Big;
    use crate::integers::words::add_shifted;

    /// `⌊5^n / 2^exponent⌋`.
    fn truncated(n: i64, exponent: i64) -> Big {
        let power = Big::power_of_five(n.unsigned_abs() as usize);
        if n >= 0 && exponent >= 0 {
            power.shr(exponent as usize)
        } else if n >= 0 {
            power.shl(-exponent as usize)
        } else {
            Big::from_words(&[1]).shl(-exponent as usize).divide(&power).0
        }
    }

    #[test]
    fn every_entry_is_the_truncated_power() {
        for j in -GREATEST..=GREATEST {
            for n in [1, 2, 9, 40, WORDS] {
                let power = Power::tabulated(j, n);
                let exactly = truncated(STEP * j, power.exponent);
                assert_eq!(power.words, exactly.words(), "5^(27·{j})");
                assert_eq!(power.words[n - 1] >> 63, 1);
                let back = exactly.shl(power.exponent.max(0) as usize);
                let whole = Big::power_of_five((STEP * j).unsigned_abs() as usize);
                let same = j >= 0 && back == whole.shl((-power.exponent).max(0) as usize);
                assert_eq!(power.exact, same);
            }
        }
    }

    #[test]
    fn powers_beyond_the_table_are_off_by_less_than_two_units() {
        for j in [65, 66, 127, 128, 129, 191, 200, 1023] {
            for (j, n) in [(j, 3), (-j, 3), (j, 17), (-j, 17)] {
                let mut space = None;
                let power = Power::new::<20>(j, n, &mut space);
                assert_eq!(power.words[n - 1] >> 63, 1);
                let exactly = truncated(STEP * j, power.exponent);
                let mut above = power.words.to_vec();
                add_shifted(&mut above, 1, 0, false);
                assert!(exactly.words() == power.words || exactly.words() == above, "{j}");
            }
        }
    }
}
