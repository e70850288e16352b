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
static SIGNIFICANDS: [[u64; WORDS]; COUNT] = significands();

/// Words of the significands that the table is computed with.
const WORKING: usize = 8;

const fn significands() -> [[u64; WORDS]; COUNT] {
    let mut table = [[0; WORDS]; COUNT];
    let zero = (-LEAST) as usize;
    let mut power = [0; WORKING];
    power[WORKING - 1] = 1 << 63;
    let mut i = zero;
    loop {
        table[i] = leading(&power);
        i += 1;
        if i == COUNT {
            break;
        }
        power = times_five(power);
    }
    power = [0; WORKING];
    power[WORKING - 1] = 1 << 63;
    i = zero;
    while i > 0 {
        power = divided_by_five(power);
        i -= 1;
        table[i] = leading(&power);
    }
    table
}

const fn leading(power: &[u64; WORKING]) -> [u64; WORDS] {
    let mut top = [0; WORDS];
    let mut i = 0;
    while i < WORDS {
        top[i] = power[i + WORKING - WORDS];
        i += 1;
    }
    top
}

/// `5·power`, shifted so that the highest bit is set again, truncated.
const fn times_five(power: [u64; WORKING]) -> [u64; WORKING] {
    let mut product = [0; WORKING];
    let mut carry = 0;
    let mut i = 0;
    while i < WORKING {
        let wide = power[i] as u128 * 5 + carry as u128;
        product[i] = wide as u64;
        carry = (wide >> 64) as u64;
        i += 1;
    }
    let shift = 64 - carry.leading_zeros();
    i = 0;
    while i < WORKING {
        let above = if i + 1 < WORKING { product[i + 1] } else { carry };
        product[i] = (product[i] >> shift) | (above << (64 - shift));
        i += 1;
    }
    product
}

/// `power·2^s / 5` with `s` = 2 or 3 such that the highest bit is set, truncated.
const fn divided_by_five(power: [u64; WORKING]) -> [u64; WORKING] {
    // Above 0.625·2^512 the eightfold would give a quotient of 513 bits.
    let shift = if power[WORKING - 1] >= 5 << 61 { 2 } else { 3 };
    let mut quotient = [0; WORKING];
    let mut remainder = power[WORKING - 1] >> (64 - shift);
    let mut i = WORKING;
    while i > 0 {
        i -= 1;
        let below = if i > 0 { power[i - 1] >> (64 - shift) } else { 0 };
        let wide = ((remainder as u128) << 64) | ((power[i] << shift) | below) as u128;
        quotient[i] = (wide / 5) as u64;
        remainder = (wide % 5) as u64;
    }
    quotient
}

#[cfg(test)]
mod tests {
    use super::super::big::Big;
    use super::*;

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
