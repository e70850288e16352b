//! Whole numbers next to a number, and remainders of whole quotients.
//!
//! All results are exact where the type holds them. An integer next to a number of `p` bits has at
//! most `p` bits. A remainder is a multiple of the last place of its operands and less than the
//! divisor, so that it has no more bits than the wider operand.
//!
//! **Methods.** The integers next to an [`Mp`] are its words without those behind the point. Its
//! remainders are those of integers: `x·2^k mod y` by `k` doublings, or for large `k` by repeated
//! squaring of two modulo `y`.

use core::cmp::Ordering;

use nonius_num::{Dd, Mp, Qd, Td};

use crate::Number;

/// Integers next to a number, and remainders.
///
/// Signs of zeros, infinities and NaN follow IEEE 754: the functions of the same names of `f64` say
/// which.
///
/// ```
/// use nonius::num::mp::Bits;
/// use nonius::{Mp, Whole};
///
/// let x = Mp::from_f64(Bits::new(100)?, -2.5);
/// assert_eq!([x.floor(), x.ceil(), x.trunc(), x.round_ties_even()].map(|x| x.to_f64()),
///            [-3.0, -2.0, -2.0, -2.0]);
/// assert_eq!(Whole::rem(x, Mp::ONE).to_f64(), -0.5);
/// # Ok::<(), nonius::num::mp::BitsError>(())
/// ```
pub trait Whole: Number {
    /// The largest integer that is not above.
    #[must_use]
    fn floor(self) -> Self;
    /// The smallest integer that is not below.
    #[must_use]
    fn ceil(self) -> Self;
    /// The next integer towards zero.
    #[must_use]
    fn trunc(self) -> Self;
    /// The nearest integer, of two equally near ones the even one.
    #[must_use]
    fn round_ties_even(self) -> Self;
    /// `self − trunc(self / y)·y`, exactly, with the sign of `self`.
    #[must_use]
    fn rem(self, y: Self) -> Self;
}

macro_rules! by_inherent_methods {
    ($($number:ident)*) => {$(
        impl Whole for $number {
            fn floor(self) -> Self {
                $number::floor(self)
            }

            fn ceil(self) -> Self {
                $number::ceil(self)
            }

            fn trunc(self) -> Self {
                $number::trunc(self)
            }

            fn round_ties_even(self) -> Self {
                $number::round_ties_even(self)
            }

            fn rem(self, y: Self) -> Self {
                self % y
            }
        }
    )*};
}

by_inherent_methods!(f64 Dd Td Qd);

impl Whole for Mp {
    fn floor(self) -> Self {
        match Parts::of(&self) {
            Some(parts) if self.head().is_negative() => parts.whole - Self::ONE,
            Some(parts) => parts.whole,
            None => self,
        }
    }

    fn ceil(self) -> Self {
        match Parts::of(&self) {
            Some(parts) if self.head().is_negative() => parts.whole,
            Some(parts) => parts.whole + Self::ONE,
            None => self,
        }
    }

    fn trunc(self) -> Self {
        Parts::of(&self).map_or(self, |parts| parts.whole)
    }

    fn round_ties_even(self) -> Self {
        match Parts::of(&self) {
            None => self,
            Some(parts) if !parts.is_past_middle() => parts.whole,
            Some(parts) if self.head().is_negative() => parts.whole - Self::ONE,
            Some(parts) => parts.whole + Self::ONE,
        }
    }

    fn rem(self, y: Self) -> Self {
        let bits = self.bits().max(y.bits());
        let (Some(e), Some(y_e)) = (self.head().exponent(), y.head().exponent()) else {
            let undefined = self.is_nan() || !self.is_finite() || y.is_nan() || y.is_zero();
            return if undefined { Self::nan(bits) } else { self.view().to_mp(bits) };
        };
        if self.view().compare_magnitudes(y.view()).is_lt() {
            return self.view().to_mp(bits);
        }
        let n = bits.words();
        let divisor = Divisor { words: high_words(y.words(), n) };
        let rest = divisor.rest_of_shifted(high_words(self.words(), n), e.abs_diff(y_e));
        let unit = i64::from(y_e) - 64 * n as i64;
        Self::rounded(bits, self.head().is_negative(), &rest, unit, false)
    }
}

/// A number that is no integer: the part before the point, and what is behind.
struct Parts {
    whole: Mp,
    is_odd: bool,
    /// The part behind the point, compared with one half.
    rest: Ordering,
}

impl Parts {
    /// `None` for integers, infinities and NaN.
    fn of(x: &Mp) -> Option<Self> {
        let e = x.head().exponent()?;
        let count = 64 * x.words().len() as i64;
        // Bits behind the point, as many as there are words below one.
        let behind = count - i64::from(e);
        if behind <= 0 {
            return None;
        }
        let bit = |i: i64| match (0..count).contains(&i) {
            true => x.words()[(i / 64) as usize] >> (i % 64) & 1 == 1,
            false => false,
        };
        let mut words = x.words().to_vec();
        let is_empty = clear_below(&mut words, behind - 1);
        let is_half = bit(behind - 1);
        let rest = match (is_half, is_empty) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Greater,
            (false, false) => Ordering::Less,
            (false, true) => return None,
        };
        clear_below(&mut words, behind);
        let unit = i64::from(e) - count;
        let whole = Mp::rounded(x.bits(), x.head().is_negative(), &words, unit, false);
        Some(Self { whole, is_odd: bit(behind), rest })
    }

    /// Whether the even one of two equally near integers, or the nearer one, is away from zero.
    fn is_past_middle(&self) -> bool {
        self.rest.is_gt() || self.rest.is_eq() && self.is_odd
    }
}

/// Makes the `count` lowest bits zero; whether they were.
fn clear_below(words: &mut [u64], count: i64) -> bool {
    let mut is_zero = true;
    for (i, word) in words.iter_mut().enumerate() {
        let below = (count - 64 * i as i64).clamp(0, 64) as u32;
        let kept = if below == 64 { 0 } else { *word >> below << below };
        is_zero &= kept == *word;
        *word = kept;
    }
    is_zero
}

/// `n` words, of which the highest ones are given and the others zero.
fn high_words(words: &[u64], n: usize) -> Vec<u64> {
    let mut all = vec![0; n];
    all[n - words.len()..].copy_from_slice(words);
    all
}

/// An integer whose highest bit is set.
struct Divisor {
    words: Vec<u64>,
}

impl Divisor {
    /// `x·2^k mod self`, for `x < 2·self`.
    fn rest_of_shifted(&self, mut x: Vec<u64>, k: u32) -> Vec<u64> {
        /// Doublings of a word that take as long as the squarings for the largest `k`.
        const DOUBLINGS: u64 = 4096;
        let n = self.words.len();
        self.take_from(&mut x, false);
        if u64::from(k) <= DOUBLINGS * n as u64 {
            (0..k).for_each(|_| self.append(&mut x, false));
            return x;
        }
        let mut power = vec![0; n];
        power[0] = 1;
        for i in (0..32 - k.leading_zeros()).rev() {
            power = self.product(&power, &power);
            if k >> i & 1 == 1 {
                self.append(&mut power, false);
            }
        }
        self.product(&power, &x)
    }

    /// Replaces a rest `x` by that of `2x`, or of `2x + 1`.
    fn append(&self, x: &mut [u64], bit: bool) {
        let mut carry = u64::from(bit);
        for word in x.iter_mut() {
            (*word, carry) = (*word << 1 | carry, *word >> 63);
        }
        self.take_from(x, carry == 1);
    }

    /// Subtracts the divisor once where it is not larger. `carry` is the bit above the words.
    fn take_from(&self, x: &mut [u64], carry: bool) {
        if !carry && x.iter().rev().lt(self.words.iter().rev()) {
            return;
        }
        let mut borrow = false;
        for (word, &divisor) in x.iter_mut().zip(&self.words) {
            let (difference, under) = word.overflowing_sub(divisor);
            let (difference, more) = difference.overflowing_sub(borrow.into());
            (*word, borrow) = (difference, under | more);
        }
    }

    /// `x·y mod self` of two rests.
    fn product(&self, x: &[u64], y: &[u64]) -> Vec<u64> {
        let n = self.words.len();
        let mut product = vec![0; 2 * n];
        for (i, &x) in x.iter().enumerate() {
            let mut carry = 0;
            for (j, &y) in y.iter().enumerate() {
                let sum = u128::from(x) * u128::from(y) + u128::from(product[i + j]) + carry;
                (product[i + j], carry) = (sum as u64, sum >> 64);
            }
            product[i + n] = carry as u64;
        }
        let mut rest = vec![0; n];
        for word in product.into_iter().rev() {
            (0..64).rev().for_each(|i| self.append(&mut rest, word >> i & 1 == 1));
        }
        rest
    }
}

#[cfg(test)]
mod tests {
    use nonius_num::mp::Bits;

    use super::*;

    fn mp(bits: u32, x: f64) -> Mp {
        Mp::from_f64(Bits::new(bits).unwrap(), x)
    }

    /// Doubles of all kinds: integers, halves, and magnitudes from tiny to huge.
    fn doubles() -> Vec<f64> {
        let mut state = 1_u64;
        let mut next = move || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            state ^ state >> 29
        };
        let mut all = vec![0.0, -0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.5, 1e300, 5e-324];
        all.extend([f64::INFINITY, f64::NAN]);
        for _ in 0..60 {
            let exponent = (next() % 140) as i32 - 70;
            all.push((next() >> 11) as f64 * 2.0_f64.powi(exponent - 53));
            all.push((next() % 4096) as f64 / 2.0);
        }
        all.iter().flat_map(|&x| [x, -x]).collect()
    }

    fn same(x: Mp, y: f64) -> bool {
        x.to_f64() == y && x.head().is_negative() == y.is_sign_negative()
            || x.is_nan() && y.is_nan()
    }

    #[test]
    fn integers_are_those_of_doubles() {
        for bits in [64, 100, 128, 424, 4096] {
            for x in doubles() {
                let number = mp(bits, x);
                assert!(same(number.floor(), x.floor()), "{x}");
                assert!(same(number.ceil(), x.ceil()), "{x}");
                assert!(same(number.trunc(), x.trunc()), "{x}");
                assert!(same(number.round_ties_even(), x.round_ties_even()), "{x}");
            }
        }
    }

    #[test]
    fn remainders_are_those_of_doubles() {
        let all = doubles();
        for bits in [64, 100, 424] {
            for &x in &all {
                for &y in all.iter().step_by(7) {
                    assert!(same(Whole::rem(mp(bits, x), mp(bits, y)), x % y), "{x} {y}");
                }
            }
        }
    }

    #[test]
    fn remainders_of_huge_quotients() {
        // 2^k mod 3 is 1 or 2, and 2^k mod 7 is 1, 2 or 4.
        for bits in [64, 424, 1000] {
            for k in [200, 1001, 70_000, 1 << 20, (1 << 28) - 3, (1 << 28) - 2] {
                let x = mp(bits, 1.0).ldexp(k);
                assert_eq!(Whole::rem(x, mp(64, 3.0)).to_f64(), f64::from(1 + k % 2), "{k}");
                assert_eq!(Whole::rem(-x, mp(bits, 7.0)).to_f64(), -f64::from(1 << (k % 3)), "{k}");
            }
        }
        // A quotient q and a rest r give q·y + r.
        let bits = Bits::new(300).unwrap();
        let (q, y, r) =
            (mp(300, 12_345_678_901.0), Mp::pi(Bits::new(200).unwrap()), mp(300, 0.125));
        let x = q * y.view().to_mp(bits) + r;
        assert_eq!(Whole::rem(x, y.view().to_mp(bits)), r);
    }
}
