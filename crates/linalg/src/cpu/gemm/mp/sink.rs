//! Integers as entries of `C`.

// Threads write disjoint entries of one matrix.
#![allow(unsafe_code)]

use core::ops::Range;

use nonius_num::mp::{Bits, Head, Mp};

use super::entries::{Factors, Scratch};
use crate::cpu::gemm::crt::{ROWS, Sink as Integers};
use crate::cpu::output::Output;
use crate::dense::MatMut;
use crate::mp::{Matrix, SliceMut};

/// Entries of `C`: integers times powers of two, rounded, then `α` and `β`.
pub(super) struct Sink<'a> {
    factors: &'a Factors<'a>,
    /// For each row of `C` and each column, the exponents of their lines.
    exponents: [&'a [i32]; 2],
    /// Bits of the integers whose products these are.
    integer_bits: u32,
    bits: Bits,
    heads: Output<'a, Head>,
    words: Output<'a, u64>,
}

impl<'a> Sink<'a> {
    pub(super) fn new(
        factors: &'a Factors<'a>,
        exponents: [&'a [i32]; 2],
        integer_bits: u32,
        c: &'a mut Matrix,
    ) -> Self {
        let ((rows, cols), bits) = (c.shape(), c.bits());
        let (heads, words) = c.numbers_mut().into_parts();
        let height = rows * bits.words();
        let heads = Output::new(MatMut::from_parts(heads, rows, cols, rows));
        let words = Output::new(MatMut::from_parts(words, height, cols, height));
        Self { factors, exponents, integer_bits, bits, heads, words }
    }
}

impl Integers for Sink<'_> {
    fn write(&self, digits: &mut [f64], rows: Range<usize>, column: usize) {
        let n = self.bits.words();
        // SAFETY: threads have disjoint entries, by the contract of the trait, and these are the only pieces of this thread that live now.
        let (heads, words) = unsafe {
            let words = rows.start * n..rows.end * n;
            (self.heads.column(column, rows.clone()), self.words.column(column, words))
        };
        let mut to = SliceMut::from_parts(self.bits, heads, words);
        let mut integer = vec![0; (48 * digits.len() / ROWS).div_ceil(64) + 1];
        let (mut sum, mut scratch) = (Mp::zero(self.bits), Scratch::new(self.bits));
        let [row_exponents, column_exponents] = self.exponents;
        for (i, row) in rows.enumerate() {
            let negative = magnitude(digits[i..].iter().step_by(ROWS), &mut integer);
            let exponent = i64::from(row_exponents[row]) + i64::from(column_exponents[column])
                - 2 * i64::from(self.integer_bits);
            sum.set_rounded(negative, &integer, exponent, false);
            self.factors.write(sum.view(), &mut to, i, &mut scratch);
        }
    }
}

/// The magnitude of `Σ digits[d]·2^(48d)`, for digits of magnitude up to `2^47`, and whether it is negative. Words suffice for all bits and a sign.
fn magnitude<'a>(digits: impl Iterator<Item = &'a f64>, words: &mut [u64]) -> bool {
    let (mut wide, mut filled, mut carry) = (0_u128, 0, 0_i64);
    let mut to = words.iter_mut();
    for &digit in digits {
        let value = digit as i64 + carry;
        carry = value >> 48;
        wide |= u128::from(value as u64 & ((1 << 48) - 1)) << filled;
        filled += 48;
        if filled >= 64 {
            if let Some(to) = to.next() {
                *to = wide as u64;
            }
            (wide, filled) = (wide >> 64, filled - 64);
        }
    }
    // Above the digits there are signs.
    wide |= (carry as i128 as u128) << filled;
    for to in to {
        *to = wide as u64;
        wide = (wide as i128 >> 64) as u128;
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
