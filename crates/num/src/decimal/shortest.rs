//! The shortest decimal that reads back as the same number, and among those the one nearest to it.
//!
//! Texts read back as `v` when they lie in an interval about `v`, bounded by the midpoints to its
//! neighbours. With `10^k` the greatest power of ten not wider than the interval, at least one
//! multiple of `10^k` lies in it and at most one of `10^(k+1)`, so the digits sought are those of
//! `⌊v/10^k⌋` or an integer close by (Giulietti's Schubfach, 2020; Steele and White, *How to print
//! floating-point numbers accurately*, PLDI 1990, posed the problem).
//!
//! The quotient is computed from the limbs' sum and a 384-bit power of ten with 64 bits after the
//! point. Where a comparison with the interval's ends falls within the error, and for numbers with
//! wide gaps between their limbs, integers of any size take over.

use alloc::vec::Vec;
use core::cmp::Ordering;

use super::digits::{CHUNK, append_chunks, to_chunks};
use super::limbs::{LEAST_UNIT, Remainder, canonical, compose, decompose};
use super::powers::{self, GREATEST_EXACT, power_of_ten};
use crate::integers::big::Big;
use crate::integers::words::{bits_at, multiply};

/// Appends the shortest digits of a positive finite number, without zeros at either end, and
/// returns the decimal exponent of the first one.
#[inline]
pub(super) fn append_shortest<const N: usize>(limbs: [f64; N], out: &mut Vec<u8>) -> i64 {
    let mut chunks = [0; CHUNKS];
    match fast(limbs, &mut chunks) {
        Some((length, exponent)) => append_digits(&chunks[..length], exponent.into(), out),
        None => append_exactly(limbs, out),
    }
}

/// As [`append_shortest`], by integers of any size.
#[cold]
pub(super) fn append_exactly<const N: usize>(limbs: [f64; N], out: &mut Vec<u8>) -> i64 {
    let (chunks, exponent) = exact(limbs);
    append_digits(&chunks, exponent.into(), out)
}

/// Appends the digits of `chunks·10^exponent` without zeros at either end and returns the exponent
/// of the first.
#[inline]
pub(crate) fn append_digits(chunks: &[u64], exponent: i64, out: &mut Vec<u8>) -> i64 {
    let count = append_chunks(chunks, out);
    let start = out.len() - count;
    let zeros = out[start + 1..].iter().rev().take_while(|&&digit| digit == b'0').count();
    out.truncate(out.len() - zeros);
    count as i64 - 1 + exponent
}

/// The numbers that read back as a given one, in quarters of the unit of its last limb: `2^unit`.
struct Interval {
    unit: i32,
    ends: Neighbours,
}

/// How far the numbers reach that read back as a given one, in quarters of the unit of its last
/// bit.
pub(crate) struct Neighbours {
    pub(crate) below: u64,
    pub(crate) above: u64,
    /// Whether the ends belong to it: a tie goes to the even neighbour.
    pub(crate) closed: bool,
}

impl Interval {
    /// Of a positive number in canonical form.
    #[inline]
    fn about<const N: usize>(limbs: [f64; N]) -> Self {
        let last = limbs[last_nonzero(&limbs)];
        let (significand, exponent) = decompose(last);
        if limbs[N - 1] == 0.0 && exponent > LEAST_UNIT {
            // A further limb could be anything down to the smallest subnormal.
            let ends = Neighbours { below: 2, above: 2, closed: true };
            return Self { unit: LEAST_UNIT - 2, ends };
        }
        let mut ends = Neighbours { below: 2, above: 2, closed: significand.is_multiple_of(2) };
        if significand == 1 << 52 && exponent > LEAST_UNIT {
            // Below a power of two numbers are twice as dense; and likewise beyond it where it is
            // half a unit of the limb before, which then takes over.
            let beyond = last * (1.0 + f64::EPSILON);
            let turns = N >= 2 && limbs[N - 2] + beyond != limbs[N - 2];
            let (inner, outer) = (1, if turns { 1 } else { 2 });
            (ends.below, ends.above) = if last > 0.0 { (inner, outer) } else { (outer, inner) };
        }
        Self { unit: exponent - 2, ends }
    }

    /// `k` with `10^k <= (below + above)·2^unit < 10^(k+1)`.
    #[inline]
    fn floor_log10(&self) -> i32 {
        self.ends.floor_log10(i64::from(self.unit)) as i32
    }
}

/// Words of a sum of limbs that the fast path takes.
const SUM_WORDS: usize = 5;
const PRODUCT_WORDS: usize = SUM_WORDS + powers::WORDS;
/// Digits to the base `10^19` of a product.
const CHUNKS: usize = PRODUCT_WORDS + 2;

/// The integer whose digits are sought, as the chunks of it, least significant first, and their
/// number; and the decimal exponent of its last digit. `None` where a few words do not decide it.
#[inline]
fn fast<const N: usize>(limbs: [f64; N], chunks: &mut [u64; CHUNKS]) -> Option<(usize, i32)> {
    let last = last_nonzero(&limbs);
    if !is_plainly_canonical(&limbs[..=last]) {
        return None;
    }
    // The number is M·2^e.
    let (significand, e) = decompose(limbs[last]);
    let bits = decompose(limbs[0]).1 - e + 53;
    if bits > 64 * SUM_WORDS as i32 {
        return None;
    }
    let mut sum = [0; SUM_WORDS];
    let sum = &mut sum[..(bits as usize).div_ceil(64)];
    compose(&limbs, e, sum);

    let interval = Interval::about(limbs);
    let k = interval.floor_log10();
    // The number is a multiple of 2^-q, so of 10^-q. If no other of those lies in the interval, its
    // digits are sought.
    let q = -(e + significand.trailing_zeros() as i32).min(0);
    let whole = k < -q;
    let exponent = if whole { -q } else { k };
    let decidable = if whole { q <= GREATEST_EXACT } else { interval.unit == e - 2 };
    if !decidable {
        return None;
    }
    // M·T·2^-shift is the number divided by 10^exponent.
    let (power, power_exponent) = power_of_ten(-exponent);
    let shift = usize::try_from(-(e + power_exponent)).ok()?;
    let mut product = [0; PRODUCT_WORDS];
    let product = &mut product[..sum.len() + powers::WORDS];
    multiply(sum, power, product);
    let mut integer = [0; PRODUCT_WORDS];
    for (i, word) in integer.iter_mut().enumerate().take(product.len() - shift / 64) {
        *word = bits_at(product, shift + 64 * i);
    }
    let mut length = 0;
    to_chunks(&mut integer, |chunk| {
        chunks[length] = chunk;
        length += 1;
    });
    if whole {
        return Some((length, exponent));
    }
    // The unit is wider than 10^k/20, so the shift exceeds 378.
    let scaled = Scaled {
        last_digit: chunks[0] % 10,
        fraction: bits_at(product, shift - 64),
        unit: u128::from(bits_at(power, shift - 62)) | u128::from(bits_at(power, shift + 2)) << 64,
    };
    let change = scaled.nearest(&interval.ends)?;
    Some((add_to_chunks(chunks, length, change), exponent))
}

/// Index of the last limb other than zero, 0 if there is none.
#[inline]
fn last_nonzero(limbs: &[f64]) -> usize {
    limbs.iter().rposition(|&x| x != 0.0).unwrap_or(0)
}

/// Whether limbs are known to be the greedy ones of their sum by the first test at hand, leaving
/// out half units that lower limbs must decide.
#[inline]
fn is_plainly_canonical(limbs: &[f64]) -> bool {
    let ends = limbs.len() - 1;
    (0..ends).all(|i| {
        let next = limbs[i + 1];
        limbs[i] + next == limbs[i] && (i + 1 == ends || next.to_bits() << 12 != 0)
    })
}

/// Adds a small number to one given in chunks; returns the new number of chunks.
#[inline]
pub(crate) fn add_to_chunks(chunks: &mut [u64], mut length: usize, change: i64) -> usize {
    if change <= 0 {
        // Takes away no more than the last digit.
        chunks[0] -= change.unsigned_abs();
        return length;
    }
    let mut carry = change.unsigned_abs();
    for (i, chunk) in chunks.iter_mut().enumerate() {
        *chunk += carry;
        if *chunk < CHUNK {
            length = length.max(i + 1);
            break;
        }
        *chunk -= CHUNK;
        carry = 1;
    }
    length
}

/// The number divided by `10^k`, in units of `2^-64`, each with an error of less than
/// [`Scaled::ERROR`] downwards.
pub(crate) struct Scaled {
    /// Last digit of the integer part.
    pub(crate) last_digit: u64,
    pub(crate) fraction: u64,
    /// Quarter of the unit of the number's last bit.
    pub(crate) unit: u128,
}

impl Scaled {
    /// For limbs the power of ten is truncated by less than `2^-383` of itself, so a quotient below
    /// `20·2^320` by less than `2^6` units; the words cut off below the fraction and the multiples
    /// of the unit are worth less than four more. For numbers of any precision the error is less
    /// than 43 units, as `mp/decimal/write.rs` argues.
    pub(crate) const ERROR: u128 = 1 << 7;

    /// What to add to the integer part; `None` if that cannot be told.
    #[inline]
    pub(crate) fn nearest(&self, ends: &Neighbours) -> Option<i64> {
        let (below, above) =
            (self.unit * u128::from(ends.below), self.unit * u128::from(ends.above));
        let fraction = u128::from(self.fraction);
        let down = u128::from(self.last_digit) << 64 | fraction;
        if reaches(below, down)? {
            return Some(-(self.last_digit as i64));
        }
        if reaches(above, (10 << 64) - down)? {
            return Some(10 - self.last_digit as i64);
        }
        let up = (1 << 64) - fraction;
        match (reaches(below, fraction)?, reaches(above, up)?) {
            (true, true) => Some(i64::from(!reaches(up, fraction)?)),
            (true, false) => Some(0),
            (false, true) => Some(1),
            (false, false) => None,
        }
    }
}

/// Whether `distance <= reach`, where errors leave no doubt.
#[inline]
fn reaches(reach: u128, distance: u128) -> Option<bool> {
    (reach.abs_diff(distance) > 2 * Scaled::ERROR).then_some(distance < reach)
}

/// As [`fast`], for every number.
fn exact<const N: usize>(limbs: [f64; N]) -> (Vec<u64>, i32) {
    let (number, e) = exact_sum(&limbs);
    let interval = Interval::about(canonical_limbs(&limbs));
    let k = interval.floor_log10();
    let q = -e.min(0);
    if k < -q {
        let digits = number.mul(&Big::power_of_five(q as usize)).shl((e + q) as usize);
        return (chunks_of(digits), -q);
    }
    // number·2^e / 10^k = numerator / denominator, and 2^unit / 10^k = unit / denominator.
    let base = e.min(interval.unit);
    let power = Big::power_of_five(k.unsigned_abs() as usize);
    let one = Big::from_words(&[1]);
    let (multiplier, divisor) = if k < 0 { (power, one) } else { (one, power) };
    let multiplier = multiplier.shl((base - k).max(0) as usize);
    let denominator = divisor.shl((k - base).max(0) as usize);
    let numerator = number.mul(&multiplier).shl((e - base) as usize);
    let unit = multiplier.shl((interval.unit - base) as usize);
    let exactly = Big::from_words(&[]);
    let chunks = interval.ends.nearest(&numerator, &denominator, &unit, &exactly);
    (chunks.unwrap_or_default(), k)
}

impl Neighbours {
    /// The integer whose digits are sought for the number `numerator / denominator`, where a
    /// quarter of its last bit is worth `unit / denominator`. Both may be up to
    /// `error / denominator` too small. `None` where that leaves it undecided, which without error
    /// it never does.
    pub(crate) fn nearest(
        &self,
        numerator: &Big,
        denominator: &Big,
        unit: &Big,
        error: &Big,
    ) -> Option<Vec<u64>> {
        let (quotient, rest) = numerator.divide(denominator);
        let mut chunks = chunks_of(quotient);
        let last_digit = chunks.first().map_or(0, |chunk| chunk % 10);
        let times = |x: &Big, factor: u64| x.mul(&Big::from_words(&[factor]));
        // Distances and four units at the most: off by less than that.
        let margin = times(error, 4);
        let compare = |x: &Big, y: &Big| {
            let order = x.cmp(y);
            let (less, more) = if order.is_lt() { (x, y) } else { (y, x) };
            (error.is_zero() || more.sub(less) > margin).then_some(order)
        };
        let reaches = |count: u64, distance: &Big| {
            Some(match compare(distance, &times(unit, count))? {
                Ordering::Less => true,
                Ordering::Equal => self.closed,
                Ordering::Greater => false,
            })
        };
        let down = times(denominator, last_digit).add(&rest);
        let up = times(denominator, 10).sub(&down);
        let to_next = denominator.sub(&rest);
        let change = if reaches(self.below, &down)? {
            -(last_digit as i64)
        } else if reaches(self.above, &up)? {
            10 - last_digit as i64
        } else {
            let toward_even =
                if last_digit.is_multiple_of(2) { Ordering::Less } else { Ordering::Greater };
            let next = match (reaches(self.below, &rest)?, reaches(self.above, &to_next)?) {
                (true, true) => compare(&rest, &to_next)?.then(toward_even) == Ordering::Greater,
                (inside, _) => !inside,
            };
            i64::from(next)
        };
        chunks.push(0);
        let length = chunks.len() - 1;
        let length = add_to_chunks(&mut chunks, length, change);
        chunks.truncate(length);
        Some(chunks)
    }

    /// `k` with `10^k <= (below + above)·2^unit < 10^(k+1)`, for units between `−2^30` and `2^30`.
    #[inline]
    pub(crate) fn floor_log10(&self, unit: i64) -> i64 {
        /// `⌊2^92·log10 x⌋` for `x` = 2, 3, 4.
        const LOG10: [i128; 3] = [
            1_490_628_338_633_386_938_454_526_669,
            2_362_590_019_246_195_386_095_816_938,
            2_981_256_677_266_773_876_909_053_338,
        ];
        let width = (self.below + self.above) as usize;
        ((i128::from(unit) * LOG10[0] + LOG10[width - 2]) >> 92) as i64
    }
}

/// The digits of an integer to base `10^19`, lowest first.
pub(crate) fn chunks_of(mut integer: Big) -> Vec<u64> {
    let mut chunks = Vec::new();
    to_chunks(integer.words_mut(), |chunk| chunks.push(chunk));
    chunks
}

/// Words that hold the sum of any limbs in units of `2^-1076`.
const RANGE_WORDS: usize = 34;

/// The sum of finite limbs as an odd integer times a power of two.
pub(super) fn exact_sum(limbs: &[f64]) -> (Big, i32) {
    let mut words = [0; RANGE_WORDS];
    compose(limbs, LEAST_UNIT - 2, &mut words);
    let sum = Big::from_words(&words);
    let zeros = sum.trailing_zeros();
    (sum.shr(zeros), LEAST_UNIT - 2 + zeros as i32)
}

/// The greedy limbs of the sum; the limbs as they are where it is out of range.
fn canonical_limbs<const N: usize>(limbs: &[f64; N]) -> [f64; N] {
    let mut words = [0; RANGE_WORDS];
    compose(limbs, LEAST_UNIT - 2, &mut words);
    let greedy = canonical(Remainder::new(&mut words, LEAST_UNIT - 2, false).take_limbs());
    if greedy[0].is_finite() { greedy } else { *limbs }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_of_every_width() {
        // Powers and widths times 2^1100·10^330, so that they are integers.
        let powers: Vec<Big> = (0..660).map(|k| Big::power_of_five(k).shl(k + 1100)).collect();
        let power = |k: i32| &powers[(k + 330) as usize];
        let ten_to_330 = Big::power_of_five(330).shl(330);
        for unit in LEAST_UNIT - 2..1024 {
            for (below, above) in [(1, 1), (1, 2), (2, 2)] {
                let k =
                    Neighbours { below, above, closed: true }.floor_log10(i64::from(unit)) as i32;
                let mut width = ten_to_330.shl((unit + 1100) as usize);
                width.multiply_add_small(below + above, 0);
                assert!(*power(k) <= width && width < *power(k + 1), "{unit} {k}");
            }
        }
    }
}
