//! `x^y` for real and integer `y`.
//!
//! Method: `e^(y·ln x)`. An error of `y·ln x` is a relative error of the result. The logarithm has
//! a word more than the result, since `|y·ln x|` reaches `2^30`. Small integer `y` go by repeated
//! squaring. Results with at most one bit more than the precision are [found first](super::exact).

use super::super::ball::Ball;
use super::super::ziv::round;
use super::BEYOND_EXPONENTIAL;
use super::exact::exact_power;
use super::exponential::{beyond, power_of_two};
use crate::mp::{Bits, Mp};

/// Integer exponents up to this go by repeated squaring: two products a bit are faster than a
/// logarithm.
const LARGEST_SQUARED: i64 = 1 << 10;

impl Mp {
    /// `self^y`, correctly rounded to the greater number of bits. Special cases as in C99.
    ///
    /// ```
    /// use nonius_num::Mp;
    /// use nonius_num::mp::Bits;
    ///
    /// let bits = Bits::new(200)?;
    /// let number = |x: f64| Mp::from_f64(bits, x);
    /// assert_eq!(number(2.25).pow(&number(1.5)), number(3.375));
    /// # Ok::<(), nonius_num::mp::BitsError>(())
    /// ```
    #[must_use]
    pub fn pow(&self, y: &Self) -> Self {
        let bits = self.bits.max(y.bits);
        let one = Self::one(bits);
        if y.is_zero() || *self == one {
            return one;
        }
        if self.is_nan() || y.is_nan() {
            return Self::nan(bits);
        }
        let size = self.abs();
        let odd = self.head.is_negative() && is_odd(y);
        let magnitude = if size == one && (y.head.is_infinite() || is_integer(y)) {
            one
        } else if self.head.exponent().is_none() || y.head.is_infinite() {
            // Infinite or zero, as the sign of y·ln x says.
            beyond(bits, (size > one) != y.head.is_negative())
        } else if self.head.is_negative() && !is_integer(y) {
            return Self::nan(bits);
        } else {
            power(bits, &Ball::exact(size.view()), &Ball::exact(y.view()))
        };
        if odd { -magnitude } else { magnitude }
    }

    /// `self^n`, correctly rounded. Special cases as in C99.
    #[must_use]
    pub fn powi(&self, n: i32) -> Self {
        self.pow(&Self::from_f64(Bits::FEWEST, f64::from(n)))
    }
}

/// Whether `y` is a finite integer other than zero.
fn is_integer(y: &Mp) -> bool {
    y.head.exponent().is_some() && lowest_bit(y) >= 0
}

/// Whether `y` is an odd integer.
fn is_odd(y: &Mp) -> bool {
    y.head.exponent().is_some() && lowest_bit(y) == 0
}

/// Exponent of the lowest bit set.
fn lowest_bit(y: &Mp) -> i64 {
    let zero_words = y.words().iter().take_while(|&&word| word == 0).count();
    let zeros = y.words().get(zero_words).map_or(0, |word| word.trailing_zeros());
    y.view().unit() + 64 * zero_words as i64 + i64::from(zeros)
}

/// `x^y` for exact finite `x > 0` and `y ≠ 0`.
fn power(bits: Bits, x: &Ball, y: &Ball) -> Mp {
    if let [0x8000_0000_0000_0000] = *x.words {
        return power_of_power_of_two(
            bits,
            &y.mul(&Ball::integer(x.exponent - 1), y.words.len() + 1),
        );
    }
    // The exponent of y·ln x, up to two.
    let size = x.exponent_of_ln() + y.exponent;
    if size > i64::from(BEYOND_EXPONENTIAL) {
        return beyond(bits, (x.exponent > 0) != y.negative);
    }
    if size <= -4 - i64::from(bits.get()) {
        return Mp::one(bits);
    }
    if let Some(exact) = exact_power(bits, x, y) {
        return exact;
    }
    if y.unit() + i64::from(y.words[0].trailing_zeros()) >= 0 && y.exponent < 12 {
        let n = y.estimate() as i64;
        if n.abs() <= LARGEST_SQUARED {
            return round(bits, |w| integer_power(x, n, w));
        }
    }
    round(bits, |n| x.ln(n + 1).mul(y, n + 1).exp(n))
}

/// `2^y`, for any exact `y`.
fn power_of_power_of_two(bits: Bits, y: &Ball) -> Mp {
    match y.exponent {
        e if e >= i64::from(BEYOND_EXPONENTIAL) => beyond(bits, !y.negative),
        e if e <= -2 - i64::from(bits.get()) => Mp::one(bits),
        _ => power_of_two(bits, y),
    }
}

/// `x^n` for `n ≠ 0` with `w` words: products have a word more, of which their errors take few
/// bits.
fn integer_power(x: &Ball, n: i64, w: usize) -> Ball {
    let mut power = x.clone();
    let size = n.unsigned_abs();
    for bit in (0..size.ilog2()).rev() {
        power = power.mul(&power, w + 1);
        if size >> bit & 1 == 1 {
            power = power.mul(x, w + 1);
        }
    }
    if n < 0 { Ball::integer(1).div(&power, w) } else { power }
}
