//! Powers of ten as truncated binary significands of 384 bits.
//!
//! `10^e = (T + δ)·2^t` with `T` in `[2^383, 2^384)` and `0 <= δ < 1`; `δ = 0` where `10^e` is an
//! integer of at most 384 significant bits, `0 <= e <= 165`. The table is computed at compile time
//! with 512 bits a step, whose truncations lose less than `2^10` of `2^512` altogether; a test
//! compares every entry with exact integers.

/// Words of a significand.
pub(super) const WORDS: usize = 6;
/// Least exponent in the table: 77 digits times it are below every number of the formats.
pub(super) const LEAST: i32 = -402;
/// Greatest exponent in the table: printing a number whose unit is `2^-1074` asks for it.
pub(super) const GREATEST: i32 = 324;
/// Powers `10^e` with `0 <= e` up to this are exact in the table.
pub(super) const GREATEST_EXACT: i32 = 165;

/// The significand `T` and the exponent `t` of `10^e`, for `LEAST <= e <= GREATEST`.
#[inline]
pub(super) fn power_of_ten(e: i32) -> (&'static [u64; WORDS], i32) {
    debug_assert!((LEAST..=GREATEST).contains(&e));
    (&SIGNIFICANDS[(e - LEAST) as usize], floor_log2_of_power(e) - 383)
}

/// `⌊log2 10^e⌋`, for `|e| <= 1000`.
#[inline]
fn floor_log2_of_power(e: i32) -> i32 {
    (e * 1_741_647) >> 19
}

/// `5^n` for `n <= 27`: those that a word holds.
pub(crate) static POWERS_OF_FIVE: [u64; 28] = {
    let mut powers = [1; 28];
    let mut n = 1;
    while n < 28 {
        powers[n] = 5 * powers[n - 1];
        n += 1;
    }
    powers
};

const COUNT: usize = (GREATEST - LEAST + 1) as usize;
/// Words that the table is computed with.
const WORKING: usize = 8;
static SIGNIFICANDS: [[u64; WORDS]; COUNT] =
    significands::<WORKING, WORDS, COUNT>(5, -LEAST as usize);

/// The leading `W` words of powers of an odd factor below `2^63`, whose highest bit is set,
/// truncated: entry `zero + j` is that of `factor^j`. Each power is computed with `N` words from
/// the one before it.
pub(crate) const fn significands<const N: usize, const W: usize, const COUNT: usize>(
    factor: u64,
    zero: usize,
) -> [[u64; W]; COUNT] {
    let mut table = [[0; W]; COUNT];
    let mut one = [0; N];
    one[N - 1] = 1 << 63;
    let mut power = one;
    table[zero] = leading(&power);
    let mut i = zero + 1;
    while i < COUNT {
        power = multiplied(power, factor);
        table[i] = leading(&power);
        i += 1;
    }
    power = one;
    i = zero;
    while i > 0 {
        power = divided(power, factor);
        i -= 1;
        table[i] = leading(&power);
    }
    table
}

const fn leading<const N: usize, const W: usize>(power: &[u64; N]) -> [u64; W] {
    let mut top = [0; W];
    let mut i = 0;
    while i < W {
        top[i] = power[i + N - W];
        i += 1;
    }
    top
}

/// `factor·power`, shifted so that the highest bit is set again, truncated.
const fn multiplied<const N: usize>(power: [u64; N], factor: u64) -> [u64; N] {
    let mut product = [0; N];
    let mut carry = 0;
    let mut i = 0;
    while i < N {
        let wide = power[i] as u128 * factor as u128 + carry as u128;
        product[i] = wide as u64;
        carry = (wide >> 64) as u64;
        i += 1;
    }
    let shift = 64 - carry.leading_zeros();
    i = 0;
    while i < N {
        let above = if i + 1 < N { product[i + 1] } else { carry };
        product[i] = product[i] >> shift | above << (64 - shift);
        i += 1;
    }
    product
}

/// `power·2^s / factor`, truncated, for the `s` with which the highest bit is set.
const fn divided<const N: usize>(power: [u64; N], factor: u64) -> [u64; N] {
    // The factor has `length` bits. With `s = length` the quotient has a bit too many where the
    // power is not below the factor shifted up.
    let length = 64 - factor.leading_zeros();
    let fits = power[N - 1] < factor << (64 - length);
    let shift = if fits { length } else { length - 1 };
    let mut quotient = [0; N];
    let mut remainder = power[N - 1] >> (64 - shift);
    let mut i = N;
    while i > 0 {
        i -= 1;
        let below = if i > 0 { power[i - 1] >> (64 - shift) } else { 0 };
        let wide = (remainder as u128) << 64 | (power[i] << shift | below) as u128;
        quotient[i] = (wide / factor as u128) as u64;
        remainder = (wide % factor as u128) as u64;
    }
    quotient
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integers::big::Big;

    #[test]
    fn every_entry_is_the_truncated_power() {
        for e in LEAST..=GREATEST {
            let (significand, exponent) = power_of_ten(e);
            // 10^e / 2^t = 5^e·2^(e − t), or 2^(e − t) / 5^-e.
            let shift = e - exponent;
            let power_of_five = Big::power_of_five(e.unsigned_abs() as usize);
            let truncated = if e >= 0 {
                power_of_five.shl(383).shr((383 - shift) as usize)
            } else {
                Big::from_words(&[1]).shl(shift as usize).divide(&power_of_five).0
            };
            assert_eq!(Big::from_words(significand), truncated, "10^{e}");
            assert_eq!(truncated.bit_length(), 384);
        }
    }
}
