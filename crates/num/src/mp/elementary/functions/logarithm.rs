//! Logarithms.
//!
//! By Hermite and Lindemann `ln x` is irrational for rational `x ≠ 1`; `log2 x` and `log10 x` are
//! rational just for powers of 2 and 10, of which those that a precision has are found first.

use super::super::ball::Ball;
use super::super::ziv::round;
use super::is_tiny;
use crate::integers::big::Big;
use crate::mp::{Bits, Head, Mp};

impl Mp {
    /// Natural logarithm, correctly rounded; NaN below zero.
    ///
    /// ```
    /// use nonius_num::Mp;
    /// use nonius_num::mp::Bits;
    ///
    /// let bits = Bits::new(1000)?;
    /// assert_eq!(Mp::from_f64(bits, 2.0).ln(), Mp::ln_2(bits));
    /// # Ok::<(), nonius_num::mp::BitsError>(())
    /// ```
    #[must_use]
    pub fn ln(&self) -> Self {
        logarithm(self, |x| match *self == Self::ONE {
            true => Self::zero(self.bits),
            false => round(self.bits, |n| x.ln(n)),
        })
    }

    /// Logarithm to base 2, correctly rounded; NaN below zero.
    #[must_use]
    pub fn log2(&self) -> Self {
        logarithm(self, |x| match *x.words {
            [0x8000_0000_0000_0000] => integer(self.bits, x.exponent - 1),
            _ => round(self.bits, |n| x.ln(n + 1).div(&Ball::ln_2(n + 1), n)),
        })
    }

    /// Logarithm to base 10, correctly rounded; NaN below zero.
    #[must_use]
    pub fn log10(&self) -> Self {
        logarithm(self, |x| match power_of_ten(x) {
            Some(k) => integer(self.bits, k),
            None => round(self.bits, |n| x.ln(n + 1).div(&Ball::ln_10(n + 1), n)),
        })
    }

    /// `ln(1 + self)`, correctly rounded; NaN below −1.
    #[must_use]
    pub fn ln_1p(&self) -> Self {
        let negative = self.head.is_negative();
        if negative && *self <= -Self::ONE {
            let infinite = *self == -Self::ONE;
            let head = if infinite { Head::infinity(true) } else { Head::NAN };
            return Self::without_words(self.bits, head);
        }
        if self.head.exponent().is_none() || is_tiny(self) {
            return *self;
        }
        let x = Ball::exact(self.view());
        round(self.bits, |n| x.ln_1p(n))
    }
}

/// A logarithm: `of_positive` knows those of finite positive numbers.
fn logarithm(x: &Mp, of_positive: impl FnOnce(&Ball) -> Mp) -> Mp {
    let head = match x.head {
        head if head.is_nan() => head,
        head if head.is_zero() => Head::infinity(true),
        head if head.is_negative() => Head::NAN,
        head if head.is_infinite() => head,
        _ => return of_positive(&Ball::exact(x.view())),
    };
    Mp::without_words(x.bits, head)
}

fn integer(bits: Bits, x: i64) -> Mp {
    Mp::rounded(bits, x < 0, &[x.unsigned_abs()], 0, false)
}

/// `k` where `x = 10^k`.
fn power_of_ten(x: &Ball) -> Option<i64> {
    let zeros = x.words.first().map_or(0, |word| word.trailing_zeros());
    // The exponent of the lowest bit set is that of the factor 2^k.
    let k = x.unit() + i64::from(zeros);
    let odd_bits = x.exponent - k;
    // 5^k has about 2.32·k bits.
    if k < 0 || (odd_bits - k * 2_378_078 / 1_024_190).abs() > 2 {
        return None;
    }
    let odd = Big::from_words(&x.words).shr(zeros as usize);
    (odd == Big::power_of_five(k as usize)).then_some(k)
}
