//! Products of very long integers, by a number-theoretic transform.
//!
//! The integers are polynomials in `2^16` with coefficients below that. A product's coefficients are sums of fewer than `2^32`
//! terms below `2^32`, and so below the prime `p = 2^64 − 2^32 + 1`, modulo which the transform is exact. `7` generates the
//! multiplicative group, whose order is a multiple of `2^32`.
//!
//! Source: Pollard, *The fast Fourier transform in a finite field*, Math. Comp. 25 (1971); the prime is Solinas's, *Generalized
//! Mersenne numbers* (1999).

use alloc::vec;
use alloc::vec::Vec;

const PRIME: u64 = 0xffff_ffff_0000_0001;
/// `2^64 mod p`.
const EXCESS: u64 = 0xffff_ffff;
const GENERATOR: u64 = 7;
/// Transforms are shorter than two to this power.
const GREATEST_ORDER: u32 = 32;

/// Whether there is a transform for a product of so many words.
pub(super) fn fits(words: usize) -> bool {
    (4 * words as u64) >> (GREATEST_ORDER - 1) == 0
}

/// `out = a · b`, for a product that [`fits`].
pub(super) fn multiply(a: &[u64], b: &[u64], out: &mut [u64]) {
    let length = (4 * out.len()).next_power_of_two();
    let roots = powers(root_of_unity(length), length / 2);
    let mut x = coefficients(a, length);
    forward(&mut x, &roots);
    if core::ptr::eq(a, b) {
        x.iter_mut().for_each(|x| *x = product(*x, *x));
    } else {
        let mut y = coefficients(b, length);
        forward(&mut y, &roots);
        x.iter_mut().zip(&y).for_each(|(x, &y)| *x = product(*x, y));
    }
    backward(&mut x, &roots);
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

/// Values at the powers of the root of unity, in the order of reversed bits (Gentleman and Sande).
fn forward(x: &mut [u64], roots: &[u64]) {
    let mut half = x.len() / 2;
    while half > 0 {
        let step = roots.len() / half;
        for block in x.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for ((low, high), &root) in low.iter_mut().zip(high).zip(roots.iter().step_by(step)) {
                (*low, *high) = (sum(*low, *high), product(difference(*low, *high), root));
            }
        }
        half /= 2;
    }
}

/// The inverse of [`forward`], times the length (Cooley and Tukey).
fn backward(x: &mut [u64], roots: &[u64]) {
    let mut half = 1;
    while half < x.len() {
        let step = roots.len() / half;
        for block in x.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            // The inverse of root^i is −root^(half − i).
            (low[0], high[0]) = (sum(low[0], high[0]), difference(low[0], high[0]));
            let turns = roots.iter().step_by(step).rev();
            for ((low, high), &root) in low.iter_mut().zip(high).skip(1).zip(turns) {
                let turned = product(*high, root);
                (*low, *high) = (difference(*low, turned), sum(*low, turned));
            }
        }
        half *= 2;
    }
}

fn root_of_unity(length: usize) -> u64 {
    power(GENERATOR, (PRIME - 1) / length as u64)
}

/// `1, x, …, x^(count − 1)`.
fn powers(x: u64, count: usize) -> Vec<u64> {
    core::iter::successors(Some(1), |&power| Some(product(power, x))).take(count).collect()
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
