//! Integers as entries of `C`.

// Threads write disjoint entries of one matrix.
#![allow(unsafe_code)]

use core::ops::Range;

use nonius_num::Lane;
use nonius_num::mp::{Bits, Head, Mp};

use super::Part;
use super::entries::{Scales, Scratch};
use crate::cpu::gemm::crt::{ROWS, Sink as Integers};
use crate::cpu::output::Output;
use crate::cpu::simd::{Kernel, dispatch};
use crate::{MatMut, SliceMut};

/// Entries of `C`: integers times powers of two, rounded, then `α` and `β`.
pub(super) struct Sink<'a> {
    scales: &'a Scales,
    part: Part<'a>,
    /// For each row of `C` and each column, the exponents of their lines.
    exponents: [&'a [i32]; 2],
    /// Bits of the integers whose products these are.
    integer_bits: u32,
    bits: Bits,
    heads: Output<'a, Head>,
    words: Output<'a, u64>,
}

/// Numbers on the way to an entry.
pub(super) struct Room {
    /// Word `w` of row `i` at `w·ROWS + i`.
    words: Vec<u64>,
    integer: Vec<u64>,
    sum: Mp,
    scratch: Scratch,
}

impl<'a> Sink<'a> {
    pub(super) fn new(
        scales: &'a Scales,
        exponents: [&'a [i32]; 2],
        integer_bits: u32,
        part: Part<'a>,
        c: MatMut<'a, Mp>,
    ) -> Self {
        let ((rows, cols), ld, bits) = (c.shape(), c.ld(), c.format());
        let (heads, words) = c.into_numbers().into_parts();
        let n = bits.words();
        let heads = Output::new(MatMut::from_parts(heads, rows, cols, ld));
        let words = Output::new(MatMut::from_parts(words, rows * n, cols, ld * n));
        Self { scales, part, exponents, integer_bits, bits, heads, words }
    }
}

impl Integers for Sink<'_> {
    type Room = Room;

    fn room(&self) -> Room {
        let (words, integer) = (Vec::new(), Vec::new());
        Room { words, integer, sum: Mp::zero(self.bits), scratch: Scratch::new(self.bits) }
    }

    fn write(&self, room: &mut Room, digits: &mut [f64], rows: Range<usize>, column: usize) {
        let n = self.bits.words();
        let first = rows.start;
        let rows = self.part.of(rows, column);
        if rows.is_empty() {
            return;
        }
        // SAFETY: threads have disjoint entries, by the contract of the trait, and these are the
        // only pieces of this thread that live now.
        let (heads, words) = unsafe {
            let words = rows.start * n..rows.end * n;
            (self.heads.column(column, rows.clone()), self.words.column(column, words))
        };
        let mut to = SliceMut::<Mp>::from_parts(self.bits, heads, words);
        let Room { words, integer, sum, scratch } = room;
        let count = (DIGIT_BITS * digits.len() / ROWS).div_ceil(64) + 1;
        words.resize(count * ROWS, 0);
        integer.resize(count, 0);
        dispatch(Words { digits, to: words });
        let [row_exponents, column_exponents] = self.exponents;
        for (i, row) in rows.enumerate() {
            let negative = magnitude(&words[row - first..], integer);
            let exponent = i64::from(row_exponents[row]) + i64::from(column_exponents[column])
                - 2 * i64::from(self.integer_bits);
            sum.set_rounded(negative, integer, exponent, false);
            self.scales.write(sum.view(), &mut to, i, scratch);
        }
    }
}

/// Bits from one digit to the next.
const DIGIT_BITS: usize = 48;
/// Rows whose words are made at a time, in registers.
const BATCH: usize = 16;

/// Integers `Σ digits[d·ROWS + i]·2^(48d)` in two's complement, for digits of magnitude up to
/// `2^47`. Words suffice for all bits and a sign.
struct Words<'a> {
    digits: &'a [f64],
    /// Word `w` of row `i` at `w·ROWS + i`.
    to: &'a mut [u64],
}

impl Kernel for Words<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(self) {
        // 1.5·2^52: an integer below `2^51` in magnitude that is added to it stands in the lowest
        // bits.
        const ANCHOR: f64 = 6_755_399_441_055_744.0;
        let Self { digits, to } = self;
        for first in (0..ROWS).step_by(BATCH) {
            let (mut low, mut filled, mut carries) = ([0_u64; BATCH], 0, [0_i64; BATCH]);
            let mut to = to.chunks_exact_mut(ROWS);
            for digits in digits.chunks_exact(ROWS) {
                let mut bits = [0_u64; BATCH];
                for (i, digit) in digits[first..first + BATCH].iter().enumerate() {
                    let value = (digit + ANCHOR).to_bits() as i64 - ANCHOR.to_bits() as i64;
                    let value = value + carries[i];
                    carries[i] = value >> DIGIT_BITS;
                    bits[i] = value as u64 & ((1 << DIGIT_BITS) - 1);
                    low[i] |= bits[i] << filled;
                }
                filled += DIGIT_BITS;
                if filled >= 64 {
                    if let Some(to) = to.next() {
                        to[first..first + BATCH].copy_from_slice(&low);
                    }
                    filled -= 64;
                    // `filled` bits of the digit are left, 0 to 32.
                    for (low, bits) in low.iter_mut().zip(bits) {
                        *low = bits >> (DIGIT_BITS - filled);
                    }
                }
            }
            // Above the digits there are signs.
            for (low, carry) in low.iter_mut().zip(carries) {
                *low |= (carry as u64) << filled;
            }
            for to in to {
                to[first..first + BATCH].copy_from_slice(&low);
                low = carries.map(|carry| carry as u64);
            }
        }
    }
}

/// The magnitude of an integer of which word `w` is `words[w·ROWS]`, and whether it is negative.
fn magnitude(words: &[u64], to: &mut [u64]) -> bool {
    let negative = words[(to.len() - 1) * ROWS] >> 63 == 1;
    let (flip, mut carry) = if negative { (u64::MAX, true) } else { (0, false) };
    for (to, &word) in to.iter_mut().zip(words.iter().step_by(ROWS)) {
        (*to, carry) = (word ^ flip).overflowing_add(u64::from(carry));
    }
    negative
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The magnitude of the integer in every third row, and whether it is negative.
    fn found(digits: &[f64], count: usize) -> (Vec<u64>, bool) {
        let mut rows = vec![1e10; digits.len() * ROWS];
        for (row, digit) in rows.chunks_exact_mut(ROWS).zip(digits) {
            row.iter_mut().step_by(3).for_each(|to| *to = *digit);
        }
        let mut words = vec![7; count * ROWS];
        dispatch(Words { digits: &rows, to: &mut words });
        let all = (0..ROWS).step_by(3).map(|i| {
            let mut to = vec![9; count];
            let negative = magnitude(&words[i..], &mut to);
            (to, negative)
        });
        let all: Vec<_> = all.collect();
        assert!(all.iter().all(|found| *found == all[0]));
        all[0].clone()
    }

    #[test]
    fn digits_become_words() {
        let most = 2.0_f64.powi(47);
        for digits in [
            vec![0.0],
            vec![-1.0],
            vec![most, -most],
            vec![-most, most],
            vec![5.0, -7.0],
            vec![-most + 1.0, 0.0],
            vec![-123.0, 456.0],
        ] {
            let expected =
                digits.iter().rev().fold(0_i128, |sum, &d| sum * (1 << 48) + i128::from(d as i64));
            let (words, negative) = found(&digits, 3);
            let magnitude = u128::from(words[0]) | u128::from(words[1]) << 64;
            assert_eq!((magnitude, words[2]), (expected.unsigned_abs(), 0), "{digits:?}");
            assert_eq!(negative, expected < 0, "{digits:?}");
        }
        let (words, negative) = found(&[0.0, 0.0, 0.0, 0.0, -1.0], 5);
        assert!(negative);
        assert_eq!(words, [0, 0, 0, 1, 0]);
    }
}
