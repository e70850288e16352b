//! Arithmetic of balls.

use core::cmp::Ordering;

use super::super::words::{FEW, Words, shift};
use super::{Ball, NONE, sum_of_errors};
use crate::integers::big::divide_words;
use crate::integers::karatsuba::multiply_long;
use crate::integers::words::{add_with_carry, negate, sub_with_borrow};
use crate::mp::square_root::integer_root;

impl Ball {
    /// `self + y` with `n` words: the errors of both, and one of the words cut off.
    pub(in crate::mp::elementary) fn add(&self, y: &Self, n: usize) -> Self {
        let (large, small) = if self.exponent < y.exponent { (y, self) } else { (self, y) };
        if small.is_zero() {
            return large.clone().widened(small.error);
        }
        // A word more than the result has, and one for the carry.
        let unit = large.exponent - 64 * (n as i64 + 1);
        let (mut sum, mut other) = (Words::<FEW>::zeros(n + 2), Words::<FEW>::zeros(n + 2));
        shift(&large.words, large.unit() - unit, &mut sum);
        shift(&small.words, small.unit() - unit, &mut other);
        let mut negative = large.negative;
        let mut carry = false;
        if large.negative == small.negative {
            for (sum, &y) in sum.iter_mut().zip(other.iter()) {
                (*sum, carry) = add_with_carry(*sum, y, carry);
            }
        } else {
            for (sum, &y) in sum.iter_mut().zip(other.iter()) {
                (*sum, carry) = sub_with_borrow(*sum, y, carry);
            }
            if carry {
                negate(&mut sum);
                negative = !negative;
            }
        }
        let cut = |x: &Self| if x.unit() < unit { unit } else { NONE };
        let error = sum_of_errors([large.error, small.error, cut(large), cut(small)]);
        Self::new(negative, &sum, unit, error, n)
    }

    /// `self − y` with `n` words: as for sums.
    pub(in crate::mp::elementary) fn sub(&self, y: &Self, n: usize) -> Self {
        self.add(&y.clone().negated(), n)
    }

    /// `self·y` with `n` words: `|x|·η + |y|·ξ + ξ·η` for errors `ξ` and `η`, and that of the words
    /// cut off.
    pub(in crate::mp::elementary) fn mul(&self, y: &Self, n: usize) -> Self {
        let errors = [self.exponent + y.error, y.exponent + self.error, self.error + y.error, NONE];
        let error = sum_of_errors(errors);
        if self.is_zero() || y.is_zero() {
            return Self::zero(error);
        }
        let mut product = Words::<{ 2 * FEW }>::zeros(self.words.len() + y.words.len());
        multiply_long(&self.words, &y.words, &mut product);
        Self::new(self.negative != y.negative, &product, self.unit() + y.unit(), error, n)
    }

    /// `self / y` with `n` words, for a `y` of an error below an eighth of its magnitude.
    ///
    /// The magnitude of `y` is at least `2^(e−1)`. The errors `ξ` and `η` add at most
    /// `(ξ + |x/y|·η) / 2^(e−2)`. The words cut off add a unit.
    pub(in crate::mp::elementary) fn div(&self, y: &Self, n: usize) -> Self {
        if !y.is_relative() {
            return Self::unknown();
        }
        if self.is_zero() {
            return Self::zero(self.error - y.exponent + 2);
        }
        let low = usize::from(y.words.len() == 1);
        let m = y.words.len() + low;
        // One word more than the result has, of which the quotient may lack a bit.
        let length = n + m + 1;
        let dropped = self.words.len().saturating_sub(length);
        let shifted = length + dropped - self.words.len();
        let (mut dividend, mut divisor, mut quotient) = (
            Words::<{ 2 * FEW }>::zeros(length + 1),
            Words::<FEW>::zeros(m),
            Words::<FEW>::zeros(length + 1 - m),
        );
        dividend[shifted..length].copy_from_slice(&self.words[dropped..]);
        divisor[low..].copy_from_slice(&y.words);
        divide_words(&mut dividend, &divisor, &mut quotient);
        let unit = self.unit() - y.unit() + 64 * (low as i64 + dropped as i64 - shifted as i64);
        let exact = dropped == 0 && dividend.iter().all(|&word| word == 0);
        let greatest = self.exponent - y.exponent + 1;
        let error = sum_of_errors([
            self.error - y.exponent + 2,
            greatest + y.error - y.exponent + 2,
            if exact { NONE } else { unit + 1 },
            NONE,
        ]);
        Self::new(self.negative != y.negative, &quotient, unit, error, n)
    }

    /// `√self` with `n` words, for a positive ball with an error below an eighth of its midpoint.
    ///
    /// The error is at most that of the operand over `√x`, which is at least `2^((e−1)/2)`, and a
    /// unit of the words cut off.
    pub(in crate::mp::elementary) fn sqrt(&self, n: usize) -> Self {
        if self.is_zero() && self.is_exact() {
            return self.clone();
        }
        if !self.is_relative() {
            return Self::unknown();
        }
        let n = n.max(2);
        let odd = self.exponent.rem_euclid(2);
        let mut square = Words::<{ 2 * FEW }>::zeros(2 * n);
        shift(&self.words, 64 * (2 * n as i64 - self.words.len() as i64) - odd, &mut square);
        let unit = self.exponent + odd - 128 * n as i64;
        let mut root = Words::<FEW>::zeros(n);
        let exact = integer_root(&square, &mut root) && self.unit() >= unit;
        let error = sum_of_errors([
            self.error - (self.exponent - 1).div_euclid(2),
            if exact { NONE } else { unit / 2 + 1 },
            NONE,
            NONE,
        ]);
        Self::new(false, &root, unit / 2, error, n)
    }

    /// How the midpoints compare in magnitude.
    pub(in crate::mp::elementary) fn compare_magnitudes(&self, y: &Self) -> Ordering {
        self.exponent.cmp(&y.exponent).then_with(|| {
            let longest = self.words.len().max(y.words.len());
            let word = |x: &Self, i: usize| {
                x.words.len().checked_sub(i).and_then(|i| x.words.get(i)).copied().unwrap_or(0)
            };
            let unequal = (1..=longest).map(|i| word(self, i).cmp(&word(y, i)));
            unequal.into_iter().find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        })
    }
}
