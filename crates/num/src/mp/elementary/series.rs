//! Power series `Σ ±x^k / (d(1)·d(2)···d(k))` of small fractions, by rectangular splitting.
//!
//! With the powers up to `x^m` at hand, each block of `m` terms takes one product of long numbers.
//! Coefficients of several terms share a denominator of a word: a term then is a multiple by a
//! word, and the sum is divided by a word where the denominator changes. Blocks far up have as many
//! words as they need.
//!
//! **Error**: less than `2^10` units of the last word, for up to 58 blocks. Powers of `x < ½`
//! are less than 4 units off, and the last unit of a block's words is cut off from each. The
//! coefficients `1/(d(1)···d(k))` of a block sum to less than `e`, relative to its first one. A
//! block adds less than `5e` units for its powers, 2 for its product and 2 for a division. Its
//! units count at most as much as those of the last word. The terms left out are less than 2 units.
//!
//! Source: Smith, *Efficient multiple-precision evaluation of elementary functions*, Math. Comp. 52
//! (1989); Johansson, *Efficient implementation of elementary functions in the medium-precision
//! range*, ARITH 22 (2015).

use super::short::{BELOW, multiply_high, square_high};
use super::words::Words;
use crate::integers::words::{add_multiple, divide_small, negate, subtract_multiple};

/// The error of a sum in units of the last word is below two to this power.
pub(super) const ERROR_BITS: i64 = 10;

/// Blocks for which the error of a sum is proved: `58·(5e + 4) + 2 < 2^10`.
const MOST_BLOCKS: usize = 58;

/// Denominators stay below this, so that sums have a sign bit and a bit to spare.
const GREATEST_DENOMINATOR: u64 = 1 << 61;

/// Powers of this many words all told need no allocation.
const FEW_POWERS: usize = 48;

/// A series.
pub(super) struct Series {
    /// `d(k)`, at least 1 and below `2^31`.
    pub(super) denominator: fn(u64) -> u64,
    /// Whether terms of odd `k` are subtracted.
    pub(super) alternating: bool,
}

/// Powers of a fraction below `2^-zeros`, for sums of series.
pub(super) struct Powers {
    n: usize,
    zeros: usize,
    powers: Words<FEW_POWERS>,
    count: usize,
    terms: usize,
    room: Words,
}

impl Powers {
    /// Those of `x < 2^-zeros`, `n >= 2` words and `zeros >= 1`, for sums of the series and of any
    /// with larger denominators.
    pub(super) fn new(x: &[u64], zeros: usize, series: &Series) -> Self {
        let n = x.len();
        let terms = count_terms(64 * n, zeros, series.denominator);
        // An even number: the first term of a block is added.
        let count = 2 * terms.isqrt().div_ceil(2).clamp(1, 16);
        debug_assert!(terms.div_ceil(count) <= MOST_BLOCKS);
        let mut powers = Words::zeros(count * n);
        let mut room = Words::zeros(n + BELOW);
        powers[..n].copy_from_slice(x);
        for k in 2..=count {
            let (known, next) = powers.split_at_mut((k - 1) * n);
            match k % 2 {
                0 => square_high(&known[(k / 2 - 1) * n..][..n], &mut room),
                _ => multiply_high(&known[(k - 2) * n..], x, &mut room),
            }
            next[..n].copy_from_slice(&room[BELOW..]);
        }
        Self { n, zeros, powers, count, terms, room }
    }

    /// The upper `words` of `x^k`.
    fn power(&self, k: usize, words: usize) -> &[u64] {
        &self.powers[k * self.n - words..k * self.n]
    }

    /// The sum of a series, with a word for its integer part; each sum has the sign plus.
    pub(super) fn sum(&mut self, series: &Series) -> Words {
        let (n, m, terms) = (self.n, self.count, self.terms);
        let mut sum = Words::zeros(n + 1);
        let mut coefficient = 1;
        // Words that the present block needs.
        let mut words = self.words_of_block((terms - 1) / m);
        for k in (0..terms).rev() {
            let part = &mut sum[n - words..];
            let step = match series.alternating && k % 2 == 1 {
                true => subtract_multiple,
                false => add_multiple,
            };
            match k % m {
                0 => {
                    part[words] = part[words].wrapping_add(coefficient);
                    if k > 0 {
                        words = self.words_of_block(k / m - 1);
                        self.times_highest_power(&mut sum, words);
                    }
                }
                j => step(part, &self.powers[j * n - words..j * n], coefficient),
            }
            if k > 0 {
                let denominator = (series.denominator)(k as u64);
                match coefficient.checked_mul(denominator) {
                    Some(product) if product < GREATEST_DENOMINATOR => coefficient = product,
                    _ => {
                        divide(&mut sum[n - words..], coefficient);
                        coefficient = denominator;
                    }
                }
            }
        }
        divide(&mut sum, coefficient);
        sum
    }

    /// Words of block `i`, of which every term is below `2^(−i·m·zeros)`.
    fn words_of_block(&self, i: usize) -> usize {
        (self.n - (self.zeros * self.count * i / 64).min(self.n)).max(2)
    }

    /// `sum ← sum·x^m` for a sum that is not negative.
    fn times_highest_power(&mut self, sum: &mut [u64], words: usize) {
        let n = self.n;
        let whole = sum[n];
        let fraction = &sum[n - words..n];
        let room = &mut self.room[..words + BELOW];
        multiply_high(fraction, &self.powers[self.count * n - words..self.count * n], room);
        sum[n - words..n].copy_from_slice(&room[BELOW..]);
        sum[n] = 0;
        add_multiple(&mut sum[n - words..], self.power(self.count, words), whole);
    }
}

/// How many terms are taken: the others are together below two units of the last of `bits` bits.
fn count_terms(bits: usize, zeros: usize, denominator: fn(u64) -> u64) -> usize {
    let (mut k, mut gained) = (0, 0);
    while gained < bits {
        k += 1;
        gained += zeros + denominator(k as u64).ilog2() as usize;
    }
    k.max(1)
}

/// `sum / divisor` for a sum with a sign bit.
fn divide(sum: &mut [u64], divisor: u64) {
    if divisor == 1 {
        return;
    }
    let negative = sum.last().is_some_and(|&word| word >> 63 == 1);
    if negative {
        negate(sum);
    }
    divide_small(sum, divisor);
    if negative {
        negate(sum);
    }
}
