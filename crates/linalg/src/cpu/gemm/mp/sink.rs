//! Integers as entries of `C`.

// Threads write disjoint entries of one matrix.
#![allow(unsafe_code)]

use core::ops::Range;

use nonius_num::mp::{Bits, Head, Mp};

use super::Part;
use super::entries::{Scales, Scratch};
use crate::cpu::gemm::crt::{ROWS, Sink as Integers};
use crate::cpu::output::Output;
use crate::{MatMut, SliceMut};

/// Entries of `C`: integers times powers of two, rounded, then `α` and `β`.
pub(super) struct Sink<'a> {
    scales: &'a Scales,
    part: Part,
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
    integer: Vec<u64>,
    sum: Mp,
    scratch: Scratch,
}

impl<'a> Sink<'a> {
    pub(super) fn new(
        scales: &'a Scales,
        exponents: [&'a [i32]; 2],
        integer_bits: u32,
        part: Part,
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
        Room { integer: Vec::new(), sum: Mp::zero(self.bits), scratch: Scratch::new(self.bits) }
    }

    fn write(&self, room: &mut Room, digits: &mut [f64], rows: Range<usize>, column: usize) {
        let n = self.bits.words();
        let first = rows.start;
        let rows = self.part.of(rows, column);
        if rows.is_empty() {
            return;
        }
        // SAFETY: threads have disjoint entries, by the contract of the trait, and these are the only pieces of this thread that live now.
        let (heads, words) = unsafe {
            let words = rows.start * n..rows.end * n;
            (self.heads.column(column, rows.clone()), self.words.column(column, words))
        };
        let mut to = SliceMut::<Mp>::from_parts(self.bits, heads, words);
        let Room { integer, sum, scratch } = room;
        integer.resize((48 * digits.len() / ROWS).div_ceil(64) + 1, 0);
        let [row_exponents, column_exponents] = self.exponents;
        for (i, row) in rows.enumerate() {
            let negative = magnitude(digits[row - first..].iter().step_by(ROWS), integer);
            let exponent = i64::from(row_exponents[row]) + i64::from(column_exponents[column])
                - 2 * i64::from(self.integer_bits);
            sum.set_rounded(negative, integer, exponent, false);
            self.scales.write(sum.view(), &mut to, i, scratch);
        }
    }
}

/// The magnitude of `Σ digits[d]·2^(48d)`, for digits of magnitude up to `2^47`, and whether it is negative. Words suffice for all bits and a sign.
fn magnitude<'a>(digits: impl Iterator<Item = &'a f64>, words: &mut [u64]) -> bool {
    // 1.5·2^52: an integer below `2^51` in magnitude that is added to it stands in the lowest bits.
    const ANCHOR: f64 = 6_755_399_441_055_744.0;
    let (mut low, mut filled, mut carry) = (0_u64, 0, 0_i64);
    let mut to = words.iter_mut();
    for &digit in digits {
        let value = (digit + ANCHOR).to_bits() as i64 - ANCHOR.to_bits() as i64 + carry;
        carry = value >> 48;
        let bits = value as u64 & ((1 << 48) - 1);
        low |= bits << filled;
        filled += 48;
        if filled >= 64 {
            if let Some(to) = to.next() {
                *to = low;
            }
            filled -= 64;
            // Of the 48 bits so many are left; 0 to 32.
            low = bits >> (48 - filled);
        }
    }
    // Above the digits there are signs.
    let mut rest = low | (carry as u64) << filled;
    for to in to {
        *to = rest;
        rest = carry as u64;
    }
    if carry < 0 {
        let mut carry = true;
        for word in words {
            (*word, carry) = (!*word).overflowing_add(u64::from(carry));
        }
        return true;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let mut words = [7; 3];
            let negative = magnitude(digits.iter(), &mut words);
            let found = u128::from(words[0]) | u128::from(words[1]) << 64;
            assert_eq!((found, words[2]), (expected.unsigned_abs(), 0), "{digits:?}");
            assert_eq!(negative, expected < 0, "{digits:?}");
        }
        let mut words = [7; 5];
        assert!(magnitude([0.0, 0.0, 0.0, 0.0, -1.0].iter(), &mut words));
        assert_eq!(words, [0, 0, 0, 1, 0]);
    }
}
