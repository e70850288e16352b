//! Numbers as integers.

use core::ops::Range;

use nonius_num::mp::{Mp, MpRef};

use crate::cpu::gemm::Operand;
use crate::cpu::gemm::crt::{LINES, Source as Integers};

/// How many places ahead numbers are fetched.
const AHEAD: usize = 2;

/// Rows of an operand: an entry of one with exponent `e` becomes the integer nearest to its product
/// with `2^(bits − e)`.
pub(super) struct Source<'a> {
    operand: Operand<'a, Mp>,
    exponents: &'a [i32],
    bits: u32,
}

impl<'a> Source<'a> {
    pub(super) fn new(operand: Operand<'a, Mp>, exponents: &'a [i32], bits: u32) -> Self {
        Self { operand, exponents, bits }
    }
}

impl Integers for Source<'_> {
    fn shape(&self) -> (usize, usize) {
        self.operand.shape()
    }

    fn integers(&self, lines: Range<usize>, places: Range<usize>, to: &mut [u32]) {
        if places.is_empty() {
            return;
        }
        let words = to.len() / (places.len() * LINES);
        if lines.len() < LINES {
            to.fill(0);
        }
        for (place, to) in places.zip(to.chunks_exact_mut(words * LINES)) {
            self.operand.fetch(lines.clone(), place + AHEAD);
            for (i, line) in lines.clone().enumerate() {
                let up = i64::from(self.bits) - i64::from(self.exponents[line]);
                integer(self.operand.entry(line, place), up, &mut to[i..]);
            }
        }
    }
}

/// Writes the integer nearest to `x·2^up`, ties away from zero, in two's complement: word `w` to
/// `to[w·LINES]`.
fn integer(x: MpRef<'_>, up: i64, to: &mut [u32]) {
    let Some(e) = x.head().exponent() else {
        return to.iter_mut().step_by(LINES).for_each(|to| *to = 0);
    };
    // The lowest bit of the integer is bit `start` of the words; the one below it is half a unit.
    let words = x.words();
    let start = 64 * words.len() as i64 - i64::from(e) - up;
    let (index, offset) = (start.div_euclid(64), start.rem_euclid(64));
    let word = |i: i64| usize::try_from(i).ok().and_then(|i| words.get(i)).copied().unwrap_or(0);
    let first = word(index);
    let half = if offset == 0 { word(index - 1) >> 63 } else { first >> (offset - 1) & 1 };
    // −(n + half) = !n + 1 − half
    let negative = x.head().is_negative();
    let (flip, carry) = if negative { (u64::MAX, 1 - half) } else { (0, half) };
    let mut integer = Integer { offset: offset as u32, flip, carry, low: first };
    let mut to = to.chunks_mut(2 * LINES);
    match usize::try_from(index) {
        Ok(index) => {
            let above = words.get(index + 1..).unwrap_or(&[]);
            for (&high, to) in above.iter().zip(&mut to) {
                integer.write(high, to);
            }
        }
        Err(_) => {
            for (i, to) in (index + 1..words.len() as i64).zip(&mut to) {
                integer.write(word(i), to);
            }
        }
    }
    to.for_each(|to| integer.write(0, to));
}

/// What is left to write of an integer.
struct Integer {
    offset: u32,
    flip: u64,
    carry: u64,
    low: u64,
}

impl Integer {
    /// Writes the next word, for which `high` follows the word that has its lowest bit.
    #[inline(always)]
    fn write(&mut self, high: u64, to: &mut [u32]) {
        let bits = ((u128::from(high) << 64 | u128::from(self.low)) >> self.offset) as u64;
        let (sum, over) = (bits ^ self.flip).overflowing_add(self.carry);
        (self.low, self.carry) = (high, u64::from(over));
        to[0] = sum as u32;
        if let Some(to) = to.get_mut(LINES) {
            *to = (sum >> 32) as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use nonius_num::mp::{Bits, Mp};

    use super::*;

    /// The integer in a few words.
    fn found(x: f64, up: i64) -> i128 {
        let x = Mp::from_f64(Bits::new(100).unwrap(), x);
        let mut to = [u32::MAX; 4 * LINES];
        integer(x.view(), up, &mut to);
        let words: Vec<u32> = to.iter().step_by(LINES).copied().collect();
        words.iter().rev().fold(0, |sum, &w| sum << 32 | i128::from(w))
    }

    #[test]
    fn integers_are_the_nearest() {
        for x in [0.0, 1.0, -1.0, 0.5, -0.5, 0.49, -0.51, 2.5, -3.75, 1e15, -1e15, 7e-9, -1e-300] {
            let up = |k: i32| f64::round(x * 2.0_f64.powi(k)) as i128;
            for k in [-3, -1, 0, 1, 7, 40] {
                assert_eq!(found(x, k.into()), up(k), "{x} · 2^{k}");
            }
        }
        assert_eq!(found(-1.0, 96), -(1 << 96));
        assert_eq!(found(1.0, 126), 1 << 126);
        assert_eq!(found(3.0, -1_000_000), 0);
    }
}
