//! Writing with a truncated power of ten and a check that it decides the digits.
//!
//! [`shortest`](crate::decimal::shortest) has the principle. The digits sought are those of
//! `⌊v/10^k⌋` or of an integer close by, where `10^k` is at most as wide as the interval of numbers
//! that read back as `v`. With `c` chunks of 19 digits that hold this integer,
//! `φ = v/10^(k + 19c) < 1`.
//!
//! With `−(k + 19c) = 27j + r` and `0 <= r < 27`, the integer `a = N·5^r` of the significand `N` is
//! exact. A [`Power`] gives `5^(27j) = (T + δ)·2^t` with `T` of `w = c + 1` words. So `φ` is about
//! `a·T` times a power of two. It is cut to `w` words after the point. Each multiplication by
//! `10^19` moves the next chunk before the point, and keeps one word less after it. Every step
//! truncates, so the value found is never too great.
//!
//! | part of the error of `φ` | less than, in units of `2^(−64w)` |
//! |---|---|
//! | products left out ([`multiply_from`]) | 68 |
//! | `a·δ`, where `δ < 2`, `T >= 2^(64w − 1)` and `φ < 1` | 4 |
//! | words cut off | 1 |
//!
//! An error of `x` units of the last word becomes one of less than `10^19/2^64·x + 1 < 0.55x + 1`
//! units of the word before it. So after at least one step the fraction of `v/10^k`, a single word,
//! is too small by less than `0.55·73 + 2.3 < 43` units of `2^-64`. [`Scaled::ERROR`] is larger. It
//! also covers the quarter unit `2^unit/10^k`, which three words of a power give. The check fails
//! on random numbers with a probability of about `2^-54`, and on ties. [`exact`](super::exact)
//! decides those.

use alloc::vec::Vec;

use super::exact;
use super::powers::{Power, STEP, Space};
use crate::decimal::digits::{CHUNK, CHUNK_DIGITS, to_chunks};
use crate::decimal::powers::POWERS_OF_FIVE;
use crate::decimal::shortest::{Neighbours, Scaled, add_to_chunks, append_digits};
use crate::integers::words::{bits_at, length, multiply, multiply_from, multiply_small};
use crate::mp::number::MpRef;
use crate::mp::round::shift_up;

/// Appends the shortest digits of a magnitude and returns the decimal exponent of the first one.
///
/// The number is finite and not zero. The digits have no zeros at either end.
pub(super) fn append_shortest<const W: usize>(x: MpRef<'_>, out: &mut Vec<u8>) -> i64 {
    let neighbours = neighbours(x);
    let k = neighbours.floor_log10(x.quarter_unit());
    let mut chunks = [0; W];
    if let Some((length, exponent)) = whole(x, k, &mut chunks) {
        return append_digits(&chunks[..length], exponent, out);
    }
    match decided(x, &neighbours, k, &mut chunks) {
        Some(length) => append_digits(&chunks[..length], k, out),
        None => exact::append_shortest(x, &neighbours, k, out),
    }
}

/// The interval of numbers that read back as this one.
pub(super) fn neighbours(x: MpRef<'_>) -> Neighbours {
    let (&last, others) = x.words().split_last().unwrap_or((&0, &[]));
    let power_of_two = last == 1 << 63 && others.iter().all(|&w| w == 0);
    Neighbours {
        below: if power_of_two { 1 } else { 2 },
        above: 2,
        closed: bits_at(x.words(), x.bits().padding() as usize) & 1 == 0,
    }
}

/// The number as a multiple of `10^exponent`: how many chunks that takes, and the exponent.
///
/// `None` where the number is no such multiple, or where another one may read back as it. The
/// integer is less than `v/10^k`, so it has no more chunks than that.
pub(super) fn whole<const W: usize>(
    x: MpRef<'_>,
    k: i64,
    chunks: &mut [u64; W],
) -> Option<(usize, i64)> {
    let zeros = x.words().iter().position(|&w| w != 0)?;
    let zeros = 64 * zeros + x.words()[zeros].trailing_zeros() as usize;
    // The number is an odd integer times 2^e.
    let e = x.unit() + zeros as i64;
    let q = -e.min(0);
    if k >= -q {
        return None;
    }
    let mut integer = [0; W];
    for (i, word) in integer.iter_mut().enumerate().take(x.words().len() - zeros / 64) {
        *word = bits_at(x.words(), zeros + 64 * i);
    }
    let mut n = length(&integer);
    let mut rest = q;
    while rest > 0 {
        let step = rest.min(STEP);
        let carry = multiply_small(&mut integer[..n], POWERS_OF_FIVE[step as usize], 0);
        if carry != 0 {
            integer[n] = carry;
            n += 1;
        }
        rest -= step;
    }
    if e > 0 {
        let odd = integer;
        shift_up(&odd[..n], e as usize, &mut integer);
        n = length(&integer);
    }
    let mut count = 0;
    to_chunks(&mut integer[..n], |chunk| {
        chunks[count] = chunk;
        count += 1;
    });
    Some((count, -q))
}

/// The digits sought, in chunks of which the number is returned, where a few words decide them.
pub(super) fn decided<const W: usize>(
    x: MpRef<'_>,
    neighbours: &Neighbours,
    k: i64,
    chunks: &mut [u64; W],
) -> Option<usize> {
    // v < 2^e < 10^(k + 19c).
    let e = i64::from(x.head().code());
    let c = (floor_log10_of_power(e) - k).div_euclid(CHUNK_DIGITS as i64) as usize + 1;
    let mut space = None;
    let mut fraction = fraction::<W>(x, -k - (CHUNK_DIGITS * c) as i64, c + 1, &mut space);
    for i in 0..c {
        chunks[c - 1 - i] = multiply_small(&mut fraction[i..=c], CHUNK, 0);
    }
    let scaled = Scaled {
        last_digit: chunks[0] % 10,
        fraction: fraction[c],
        unit: quarter_unit(x.quarter_unit(), k),
    };
    let change = scaled.nearest(neighbours)?;
    let count = length(&chunks[..c]);
    Some(add_to_chunks(chunks, count, change))
}

/// `w` words after the point of the magnitude times `10^exponent`, which is less than 1.
#[inline]
fn fraction<const W: usize>(
    x: MpRef<'_>,
    exponent: i64,
    w: usize,
    space: &mut Option<Space<W>>,
) -> [u64; W] {
    let (j, r) = (exponent.div_euclid(STEP), exponent.rem_euclid(STEP));
    let mut a = [0; W];
    let mut n = x.words().len();
    a[..n].copy_from_slice(x.words());
    let carry = multiply_small(&mut a[..n], POWERS_OF_FIVE[r as usize], 0);
    if carry != 0 {
        a[n] = carry;
        n += 1;
    }
    let power = Power::new(j, w, space);
    // Bits of the product after the point, and the position of the fraction's last bit among them.
    let places = -(x.unit() + power.exponent + exponent);
    let last = (places - 64 * w as i64) as usize;
    // The product is less than 1 and has at least 64(n + w − 1) bits, so this is not below n − 2:
    // w + 2 words are left.
    let from = (last / 64).saturating_sub(1);
    let mut product = [0; W];
    let product = &mut product[..n + w - from];
    multiply_from(&a[..n], power.words, from, product);
    let mut fraction = [0; W];
    for (i, word) in fraction[..w].iter_mut().enumerate() {
        *word = bits_at(product, last - 64 * from + 64 * i);
    }
    fraction
}

/// `2^unit / 10^k` in units of `2^-64`.
#[inline]
fn quarter_unit(unit: i64, k: i64) -> u128 {
    let (j, r) = ((-k).div_euclid(STEP), (-k).rem_euclid(STEP));
    let mut space = None;
    let power = Power::new::<5>(j, 3, &mut space);
    let mut product = [0; 4];
    multiply(power.words, &[POWERS_OF_FIVE[r as usize]], &mut product);
    // Less than 10·2^64, and the product has at least 192 bits.
    let position = -(power.exponent + unit - k + 64) as usize;
    u128::from(bits_at(&product, position)) | u128::from(bits_at(&product, position + 64)) << 64
}

/// `⌊log10 2^e⌋`.
pub(super) fn floor_log10_of_power(e: i64) -> i64 {
    Neighbours { below: 1, above: 1, closed: true }.floor_log10(e - 1)
}
