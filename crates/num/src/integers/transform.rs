//! Products of very long integers, by a number-theoretic transform.
//!
//! The integers are polynomials in `2^16` with coefficients below that. A product's coefficients
//! are sums of fewer than `2^32` terms below `2^32`, and so below the prime `p = 2^64 − 2^32 + 1`,
//! modulo which the transform is exact. `7` generates the multiplicative group, whose order is a
//! multiple of `2^32`.
//!
//! Source: Pollard, *The fast Fourier transform in a finite field*, Math. Comp. 25 (1971); the
//! prime is Solinas's, *Generalized Mersenne numbers* (1999).

use alloc::vec;
use alloc::vec::Vec;

const PRIME: u64 = 0xffff_ffff_0000_0001;
/// `2^64 mod p`.
const EXCESS: u64 = 0xffff_ffff;
const GENERATOR: u64 = 7;
/// Transforms are shorter than two to this power.
const GREATEST_ORDER: u32 = 32;

/// Whether there is a transform for a product of `words` words.
pub(super) fn fits(words: usize) -> bool {
    (4 * words as u64) >> (GREATEST_ORDER - 1) == 0
}

/// `out = a · b`, for a product that [`fits`].
pub(super) fn multiply(a: &[u64], b: &[u64], out: &mut [u64]) {
    let length = (4 * out.len()).next_power_of_two();
    let root = power(GENERATOR, (PRIME - 1) / length as u64);
    let forth = roots(root, length);
    let mut x = coefficients(a, length);
    forward(&mut x, &forth);
    if core::ptr::eq(a, b) {
        x.iter_mut().for_each(|x| *x = product(*x, *x));
    } else {
        let mut y = coefficients(b, length);
        forward(&mut y, &forth);
        x.iter_mut().zip(&y).for_each(|(x, &y)| *x = product(*x, y));
    }
    drop(forth);
    backward(&mut x, &roots(power(root, PRIME - 2), length));
    // 1/length is p − (p − 1)/length.
    let scale = PRIME - (PRIME - 1) / length as u64;
    let mut carry = 0_u128;
    for (word, x) in out.iter_mut().zip(x.chunks_exact(4)) {
        *word = 0;
        for (i, &x) in x.iter().enumerate() {
            carry += u128::from(product(x, scale));
            *word |= (carry as u64 & 0xffff) << (16 * i);
            carry >>= 16;
        }
    }
}

/// The pieces of 16 bits, and zeros.
fn coefficients(a: &[u64], length: usize) -> Vec<u64> {
    let mut pieces = vec![0; length];
    for (pieces, &word) in pieces.chunks_exact_mut(4).zip(a) {
        for (i, piece) in pieces.iter_mut().enumerate() {
            *piece = word >> (16 * i) & 0xffff;
        }
    }
    pieces
}

/// Shorter parts of a transform stay in a cache.
const CACHED: usize = 1 << 14;

/// Values at the powers of the root of unity, in the order of reversed bits (Gentleman and Sande).
fn forward(x: &mut [u64], roots: &[u64]) {
    let step = |x: &mut [u64]| {
        let half = x.len() / 2;
        let (low, high) = x.split_at_mut(half);
        for ((low, high), &root) in low.iter_mut().zip(high).zip(&roots[half..2 * half]) {
            (*low, *high) = (sum(*low, *high), product(difference(*low, *high), root));
        }
    };
    if x.len() > CACHED {
        step(x);
        return x.chunks_exact_mut(x.len() / 2).for_each(|half| forward(half, roots));
    }
    let mut length = x.len();
    while length > 1 {
        x.chunks_exact_mut(length).for_each(step);
        length /= 2;
    }
}

/// The inverse of [`forward`], times the length, with the inverses of its roots (Cooley and Tukey).
fn backward(x: &mut [u64], roots: &[u64]) {
    let step = |x: &mut [u64]| {
        let half = x.len() / 2;
        let (low, high) = x.split_at_mut(half);
        for ((low, high), &root) in low.iter_mut().zip(high).zip(&roots[half..2 * half]) {
            let turned = product(*high, root);
            (*low, *high) = (sum(*low, turned), difference(*low, turned));
        }
    };
    if x.len() > CACHED {
        x.chunks_exact_mut(x.len() / 2).for_each(|half| backward(half, roots));
        return step(x);
    }
    let mut length = 2;
    while length <= x.len() {
        x.chunks_exact_mut(length).for_each(step);
        length *= 2;
    }
}

/// For each power of two `h` below the length, from place `h` on, the powers `0` to `h − 1` of the
/// root of unity of order `2h` that the given one has among its powers.
fn roots(root: u64, length: usize) -> Vec<u64> {
    let mut roots = vec![1; length];
    let half = length / 2;
    for i in half + 1..length {
        roots[i] = product(roots[i - 1], root);
    }
    for i in (1..half).rev() {
        roots[i] = roots[2 * i];
    }
    roots
}

fn power(x: u64, exponent: u64) -> u64 {
    let mut power = 1;
    for bit in (0..64).rev() {
        power = product(power, power);
        if exponent >> bit & 1 == 1 {
            power = product(power, x);
        }
    }
    power
}

#[inline(always)]
fn sum(x: u64, y: u64) -> u64 {
    let (sum, over) = x.overflowing_add(y);
    if over || sum >= PRIME { sum.wrapping_sub(PRIME) } else { sum }
}

#[inline(always)]
fn difference(x: u64, y: u64) -> u64 {
    let (difference, under) = x.overflowing_sub(y);
    if under { difference.wrapping_add(PRIME) } else { difference }
}

/// With `2^64 = 2^32 − 1` and `2^96 = −1` modulo `p`.
#[inline(always)]
fn product(x: u64, y: u64) -> u64 {
    let wide = u128::from(x) * u128::from(y);
    let (low, high) = (wide as u64, (wide >> 64) as u64);
    let (mut value, under) = low.overflowing_sub(high >> 32);
    if under {
        value = value.wrapping_sub(EXCESS);
    }
    let (value, over) = value.overflowing_add((high & EXCESS) * EXCESS);
    let value = if over { value.wrapping_add(EXCESS) } else { value };
    if value >= PRIME { value - PRIME } else { value }
}
