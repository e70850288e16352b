//! Integers of any size.
//!
//! Products of long integers take less than quadratic time ([`karatsuba`](super::karatsuba)).
//! Divisions go by the schoolbook: their time grows with the words of the divisor times those of
//! the quotient.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

use super::karatsuba::multiply_long;
use super::words::{
    Divisor, add_with_carry, bit_length, bits_at, multiply_add, multiply_small, sub_with_borrow,
};

/// A nonnegative integer; the highest word is not zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Big(Vec<u64>);

impl Big {
    pub(crate) fn from_words(words: &[u64]) -> Self {
        Self(words.to_vec()).trimmed()
    }

    /// `5^n`.
    pub(crate) fn power_of_five(n: usize) -> Self {
        // 5^27 is the greatest power in a word.
        if n <= 27 {
            return Self::from_words(&[5_u64.pow(n as u32)]);
        }
        let root = Self::power_of_five(n / 2);
        let mut power = root.mul(&root);
        if n % 2 == 1 {
            power.multiply_add_small(5, 0);
        }
        power
    }

    /// The lowest word.
    pub(crate) fn low_word(&self) -> u64 {
        self.0.first().copied().unwrap_or(0)
    }

    /// Bits `24·i` to `24·i + 23` for each `i < count`.
    pub(crate) fn columns(&self, count: usize) -> impl Iterator<Item = f64> {
        (0..count).map(|i| (bits_at(&self.0, 24 * i) & 0xff_ffff) as f64)
    }

    /// The words, lowest first.
    pub(crate) fn words(&self) -> &[u64] {
        &self.0
    }

    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.0
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn bit_length(&self) -> usize {
        bit_length(&self.0)
    }

    /// Number of zero bits below the lowest set one; 0 for zero.
    pub(crate) fn trailing_zeros(&self) -> usize {
        match self.0.iter().position(|&w| w != 0) {
            Some(i) => 64 * i + self.0[i].trailing_zeros() as usize,
            None => 0,
        }
    }

    /// `self · factor + addend` in place.
    pub(crate) fn multiply_add_small(&mut self, factor: u64, addend: u64) {
        let carry = multiply_small(&mut self.0, factor, addend);
        if carry != 0 {
            self.0.push(carry);
        }
    }

    pub(crate) fn mul(&self, y: &Self) -> Self {
        let mut product = vec![0; self.0.len() + y.0.len()];
        multiply_long(&self.0, &y.0, &mut product);
        Self(product).trimmed()
    }

    /// `self · 2^k`.
    pub(crate) fn shl(&self, k: usize) -> Self {
        if self.is_zero() {
            return self.clone();
        }
        let (whole, offset) = (k / 64, k % 64);
        let mut words = vec![0; whole];
        words.reserve(self.0.len() + 1);
        let mut carry = 0;
        for &word in &self.0 {
            let wide = u128::from(word) << offset;
            words.push(wide as u64 | carry);
            carry = (wide >> 64) as u64;
        }
        words.push(carry);
        Self(words).trimmed()
    }

    /// `⌊self / 2^k⌋`.
    pub(crate) fn shr(&self, k: usize) -> Self {
        let length = self.bit_length().saturating_sub(k).div_ceil(64);
        Self((0..length).map(|i| bits_at(&self.0, k + 64 * i)).collect()).trimmed()
    }

    pub(crate) fn set_lowest_bit(&mut self) {
        match self.0.first_mut() {
            Some(word) => *word |= 1,
            None => self.0.push(1),
        }
    }

    pub(crate) fn add(&self, y: &Self) -> Self {
        let (long, short) = if self.0.len() < y.0.len() { (y, self) } else { (self, y) };
        let mut words = long.0.clone();
        let mut carry = false;
        for (i, word) in words.iter_mut().enumerate() {
            let part = short.0.get(i).copied().unwrap_or(0);
            (*word, carry) = add_with_carry(*word, part, carry);
        }
        words.push(u64::from(carry));
        Self(words).trimmed()
    }

    /// `self − y`, for `y <= self`.
    pub(crate) fn sub(&self, y: &Self) -> Self {
        debug_assert!(*y <= *self);
        let mut words = self.0.clone();
        let mut borrow = false;
        for (i, word) in words.iter_mut().enumerate() {
            let part = y.0.get(i).copied().unwrap_or(0);
            (*word, borrow) = sub_with_borrow(*word, part, borrow);
        }
        Self(words).trimmed()
    }

    /// Quotient and remainder by `divisor > 0` (Knuth, *The Art of Computer Programming* II, 4.3.1,
    /// Algorithm D).
    pub(crate) fn divide(&self, divisor: &Self) -> (Self, Self) {
        if self < divisor {
            return (Self(Vec::new()), self.clone());
        }
        // Scaled so that the divisor's highest bit is set: a digit estimated from its first two
        // words is then at most one too large.
        let scale = divisor.0[divisor.0.len() - 1].leading_zeros() as usize;
        let mut v = divisor.shl(scale).0;
        let mut u = self.shl(scale).0;
        if v.len() == 1 {
            v.insert(0, 0);
            u.insert(0, 0);
        }
        let n = v.len();
        u.resize(u.len().max(n) + 1, 0);
        let mut quotient = vec![0; u.len() - n];
        divide_words(&mut u, &v, &mut quotient);
        let scale = if divisor.0.len() == 1 { scale + 64 } else { scale };
        (Self(quotient).trimmed(), Self(u).trimmed().shr(scale))
    }

    fn trimmed(mut self) -> Self {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
        self
    }
}

/// Divides `u`, which the remainder replaces, by `v`, which has two words or more and whose highest
/// bit is set. The quotient has as many words as `u` has more than `v`; it has to fit: the highest
/// words of `u`, as many as `v` has, are below `v`.
pub(crate) fn divide_words(u: &mut [u64], v: &[u64], quotient: &mut [u64]) {
    let n = v.len();
    let highest = Divisor::new(v[n - 1]);
    for (j, digit) in quotient.iter_mut().enumerate().rev() {
        let leading = [u[j + n], u[j + n - 1], u[j + n - 2]];
        let estimate = estimate_digit(leading, [v[n - 1], v[n - 2]], highest);
        *digit = subtract_digit(&mut u[j..=j + n], v, estimate);
    }
}

/// The quotient digit of `u[0..3]` by `v[0..2]` (highest words first), too large by one at the
/// most; `highest` divides by `v[0]`.
fn estimate_digit(u: [u64; 3], v: [u64; 2], highest: Divisor) -> u64 {
    let (mut digit, mut rest) = if u[0] < v[0] {
        let (digit, rest) = highest.divide(u[0], u[1]);
        (digit, u128::from(rest))
    } else {
        (u64::MAX, u128::from(v[0]) + u128::from(u[1]))
    };
    let product = |digit: u64| u128::from(digit) * u128::from(v[1]);
    while rest >> 64 == 0 && product(digit) > (rest << 64 | u128::from(u[2])) {
        digit -= 1;
        rest += u128::from(v[0]);
    }
    digit
}

/// `u −= digit·v`, or one multiple less where that would be negative; returns the digit that was
/// right.
fn subtract_digit(u: &mut [u64], v: &[u64], digit: u64) -> u64 {
    let (mut carry, mut borrow) = (0, false);
    let (low_words, highest) = u.split_at_mut(v.len());
    for (word, &v) in low_words.iter_mut().zip(v) {
        let low;
        (low, carry) = multiply_add(v, digit, carry, 0);
        (*word, borrow) = sub_with_borrow(*word, low, borrow);
    }
    for word in highest {
        (*word, borrow) = sub_with_borrow(*word, carry, borrow);
        carry = 0;
    }
    if !borrow {
        return digit;
    }
    let mut carry = false;
    for (i, word) in u.iter_mut().enumerate() {
        (*word, carry) = add_with_carry(*word, v.get(i).copied().unwrap_or(0), carry);
    }
    digit - 1
}

impl PartialOrd for Big {
    fn partial_cmp(&self, y: &Self) -> Option<Ordering> {
        Some(self.cmp(y))
    }
}

impl Ord for Big {
    fn cmp(&self, y: &Self) -> Ordering {
        let by_length = self.0.len().cmp(&y.0.len());
        by_length.then_with(|| self.0.iter().rev().cmp(y.0.iter().rev()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decimal::testing::Random;

    fn random_big(random: &mut Random, longest: u64) -> Big {
        let length = random.below(longest + 1);
        // Words of all ones and zeros provoke the rare corrections of a quotient digit.
        let word = |random: &mut Random| match random.below(4) {
            0 => 0,
            1 => u64::MAX,
            2 => 1 << 63,
            _ => random.next(),
        };
        Big::from_words(&(0..length).map(|_| word(random)).collect::<Vec<_>>())
    }

    #[test]
    fn quotient_and_remainder_rebuild_the_dividend() {
        let mut random = Random::new(1);
        for _ in 0..20_000 {
            let (dividend, divisor) = (random_big(&mut random, 9), random_big(&mut random, 5));
            if divisor.is_zero() {
                continue;
            }
            let (quotient, remainder) = dividend.divide(&divisor);
            assert!(remainder < divisor);
            let sum = quotient.mul(&divisor).add(&remainder);
            assert_eq!(sum, dividend, "{dividend:?} / {divisor:?}");
            assert_eq!(sum.sub(&remainder), quotient.mul(&divisor));
        }
    }

    #[test]
    fn powers_of_five_and_shifts() {
        let mut power = Big::from_words(&[1]);
        for n in 0..400 {
            assert_eq!(Big::power_of_five(n), power);
            assert_eq!(power.shl(n).shr(n), power);
            power.multiply_add_small(5, 0);
        }
    }
}
