//! Argument reduction of any finite number modulo `π/2`, in integers (Payne and Hanek).
//!
//! Each limb is `±m·2^e` with a 53-bit `m`; the bits of `2/π` that matter for it are those from the
//! place `e` on, as all before contribute multiples of 4 to `m·2^e·2/π`. Products are summed modulo
//! 4 in fixed point with 638 bits after the binary point, of which truncation costs the last 57.
//!
//! How small can the fraction be? For one limb the smallest is `2^-61`, at `6381956970095103·2^797`
//! (Muller, *Elementary Functions*, on worst cases of range reduction); for four limbs without gaps
//! continued fractions give `2^-216`: about the reciprocal of the count of such numbers. There are
//! some `2^256` with gaps, so `2^-256` is to be expected. Relatively to that 581 bits leave more
//! than 320, of which the result needs 212.
//!
//! Source: Payne, Hanek, *Radian reduction for trigonometric functions*, SIGNUM 18 (1983).

use super::super::MultiFloat;
use super::tables::circular::{HALF_PI, TWO_OVER_PI};
use super::wide::{List, Wide};

/// Words of 64 bits in the fixed-point number: 2 bits before the binary point, 638 after.
const WORDS: usize = 10;
/// Bits of the fraction of a step of `π/256`: two bits of quadrant and seven of `j` come before.
const STEP_BITS: u32 = 64 * WORDS as u32 - 9;

/// Little-endian, two's complement.
type Fixed = [u64; WORDS];

/// `(q, j, r)` with `x = q·π/2 + j·π/256 + r` up to multiples of `2π`, for finite `x`: `q` in [−1,
/// 2], `|j| <= 64`, `|r| <= π/512` with a relative error below `2^-(53N + 20)` before its rounding
/// to `N` limbs.
#[cold]
pub(super) fn reduce_huge<const N: usize>(x: MultiFloat<N>) -> (f64, f64, [f64; N]) {
    let mut sum = [0; WORDS];
    for limb in x.0 {
        let turns = quarter_turns(limb.abs());
        sum = add(sum, if limb < 0.0 { negate(turns) } else { turns });
    }
    // To the nearest step: half a step up, then the nine bits before the step's binary point.
    let mut half = [0; WORDS];
    half[WORDS - 1] = 1 << (STEP_BITS - 1 - 64 * (WORDS as u32 - 1));
    let shifted = add(sum, half);
    let steps = shifted[WORDS - 1] >> (STEP_BITS - 64 * (WORDS as u32 - 1));
    let mut whole = [0; WORDS];
    whole[WORDS - 1] = steps << (STEP_BITS - 64 * (WORDS as u32 - 1));
    let fraction = add(sum, negate(whole));
    // steps = 128·quadrant + j, in [0, 512).
    let quadrant = ((steps + 64) >> 7) & 3;
    let j = ((steps + 64) & 127) as f64 - 64.0;
    let negative = fraction[WORDS - 1] >> 63 == 1;
    let magnitude = if negative { negate(fraction) } else { fraction };
    let quadrant = if quadrant == 3 { -1.0 } else { quadrant as f64 };
    (quadrant, j, to_radians(magnitude, if negative { -1.0 } else { 1.0 }))
}

/// `x·2/π` modulo 4, truncated, for `x >= 0`.
fn quarter_turns(x: f64) -> Fixed {
    let bits = x.to_bits();
    let field = (bits >> 52) as i32;
    let fraction = bits & ((1 << 52) - 1);
    let m = if field == 0 { fraction } else { fraction | 1 << 52 };
    let e = field.max(1) - 1075;
    // ⌊2/π · 2^(e + 638)⌋ modulo 2^640, word by word, times m.
    let last = e + 64 * WORDS as i32 - 2;
    let mut product = [0; WORDS];
    let mut carry = 0_u64;
    for (i, word) in product.iter_mut().enumerate() {
        let term = u128::from(word_ending_at(last - 64 * i as i32)) * u128::from(m);
        let sum = term + u128::from(carry);
        *word = sum as u64;
        carry = (sum >> 64) as u64;
    }
    product
}

/// The 64 bits of `2/π` up to the one of weight `2^-last`; bits before the binary point are zero.
fn word_ending_at(last: i32) -> u64 {
    if last <= 0 {
        return 0;
    }
    let word = |i: i32| -> u64 {
        usize::try_from(i).ok().and_then(|i| TWO_OVER_PI.get(i)).copied().unwrap_or(0)
    };
    // Bits of weight 2^-1 to 2^-64 stand in word 0.
    let (index, within) = ((last - 1).div_euclid(64), (last - 1).rem_euclid(64) + 1);
    if within == 64 {
        word(index)
    } else {
        (word(index) >> (64 - within)) | (word(index - 1) << within)
    }
}

/// `magnitude · 2^-638 · π/2` with the sign given.
fn to_radians<const N: usize>(magnitude: Fixed, sign: f64) -> [f64; N] {
    let mut list = List::new();
    let mut rest = magnitude;
    // Six pieces of 53 bits, the first starting with the highest bit set.
    for _ in 0..6 {
        let Some(top) = (0..WORDS).rev().find(|&i| rest[i] != 0) else { break };
        let high = 64 * top as u32 + 63 - rest[top].leading_zeros();
        let low = high.saturating_sub(52);
        let piece = extract(&rest, low, high);
        rest = remove(rest, low);
        let exponent = low as i32 - (64 * WORDS as i32 - 2);
        list.push(sign * (piece as f64 * power_of_two(exponent)));
    }
    while list.len() < N + 2 {
        list.push(0.0);
    }
    Wide::<N, f64>::condense(list).multiply(Wide::constant(&HALF_PI)).limbs
}

/// Bits `low..=high`, at most 53 of them.
fn extract(x: &Fixed, low: u32, high: u32) -> u64 {
    let (word, shift) = ((low / 64) as usize, low % 64);
    let above = if shift == 0 || word + 1 == WORDS { 0 } else { x[word + 1] << (64 - shift) };
    ((x[word] >> shift) | above) & (u64::MAX >> (63 - (high - low)))
}

/// `x` without the bits from `low` on.
fn remove(mut x: Fixed, low: u32) -> Fixed {
    for (i, word) in x.iter_mut().enumerate() {
        let from = 64 * i as u32;
        if low <= from {
            *word = 0;
        } else if low < from + 64 {
            *word &= (1 << (low - from)) - 1;
        }
    }
    x
}

/// `2^k` for normal numbers.
fn power_of_two(k: i32) -> f64 {
    f64::from_bits(((k + 1023) as u64) << 52)
}

fn add(x: Fixed, y: Fixed) -> Fixed {
    let mut sum = [0; WORDS];
    let mut carry = false;
    for i in 0..WORDS {
        let (partial, first) = x[i].overflowing_add(y[i]);
        let (total, second) = partial.overflowing_add(u64::from(carry));
        sum[i] = total;
        carry = first || second;
    }
    sum
}

fn negate(x: Fixed) -> Fixed {
    let mut one = [0; WORDS];
    one[0] = 1;
    add(x.map(|word| !word), one)
}
