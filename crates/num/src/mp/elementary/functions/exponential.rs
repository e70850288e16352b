//! `e^x`, `2^x`, `e^x − 1`.

use super::super::ball::Ball;
use super::super::ziv::round;
use super::{BEYOND_EXPONENTIAL, is_tiny};
use crate::mp::{Bits, Head, Mp};

impl Mp {
    /// `e^self`, correctly rounded.
    ///
    /// ```
    /// use nonius_num::Mp;
    /// use nonius_num::mp::Bits;
    ///
    /// let bits = Bits::new(256)?;
    /// // Ramanujan's constant e^(π·√163) is within 10⁻¹² of an integer.
    /// let x = (Mp::pi(bits) * Mp::from_f64(bits, 163.0).sqrt()).exp();
    /// assert!(x.to_string().starts_with("2.6253741264076874399999999999925007"));
    /// # Ok::<(), nonius_num::mp::BitsError>(())
    /// ```
    #[must_use]
    pub fn exp(&self) -> Self {
        exponential(self, |x| round(self.bits, |n| x.exp(n)))
    }

    /// `2^self`, correctly rounded.
    #[must_use]
    pub fn exp2(&self) -> Self {
        exponential(self, |x| power_of_two(self.bits, x))
    }

    /// `e^self − 1`, correctly rounded.
    #[must_use]
    pub fn exp_m1(&self) -> Self {
        let negative = self.head.is_negative();
        match self.head.exponent() {
            Some(e) if e >= BEYOND_EXPONENTIAL && negative => -Self::one(self.bits),
            Some(e) if e >= BEYOND_EXPONENTIAL => Self::infinity(self.bits, false),
            None if self.head.is_infinite() && negative => -Self::one(self.bits),
            None => *self,
            _ if is_tiny(self) => *self,
            _ => {
                let x = Ball::exact(self.view());
                round(self.bits, |n| x.exp_m1(n))
            }
        }
    }
}

/// An exponential function: `of_finite` knows the numbers of which it is neither 1 nor beyond the
/// range.
fn exponential(x: &Mp, of_finite: impl FnOnce(&Ball) -> Mp) -> Mp {
    let bits = x.bits;
    match x.head.exponent() {
        None if x.head.is_nan() => *x,
        None if x.head.is_zero() => Mp::one(bits),
        Some(e) if e < BEYOND_EXPONENTIAL => match is_tiny(x) {
            true => Mp::one(bits),
            false => of_finite(&Ball::exact(x.view())),
        },
        _ => beyond(bits, !x.head.is_negative()),
    }
}

/// What overflows or underflows.
pub(super) fn beyond(bits: Bits, overflows: bool) -> Mp {
    Mp::without_words(bits, if overflows { Head::infinity(false) } else { Head::zero(false) })
}

/// `2^x` for an exact `|x| < 2^30`, which is a power of two of the precision just for integers.
pub(super) fn power_of_two(bits: Bits, x: &Ball) -> Mp {
    let k = libm::rint(x.estimate()) as i64;
    let rest = x.sub(&Ball::integer(k), x.words.len() + 1);
    if rest.is_zero() {
        return Mp::rounded(bits, false, &[1], k, false);
    }
    round(bits, |n| rest.mul(&Ball::ln_2(n), n + 1).exp(n).ldexp(k))
}
