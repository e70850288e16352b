//! Hyperbolic functions.

use super::super::ball::Ball;
use super::super::ziv::round;
use super::{BEYOND_EXPONENTIAL, is_tiny_for_even, is_tiny_for_odd, signed_one};
use crate::mp::Mp;

/// Exponent of arguments from which on the hyperbolic tangent rounds to ±1: `2·e^−2x <
/// 2^−Bits::MOST − 2` for `x >= 2^12`.
const BEYOND_TANGENT: i32 = 13;

impl Mp {
    /// Hyperbolic sine, correctly rounded.
    #[must_use]
    pub fn sinh(&self) -> Self {
        match self.head.exponent() {
            None => *self,
            Some(e) if e >= BEYOND_EXPONENTIAL => {
                Self::infinity(self.bits, self.head.is_negative())
            }
            _ if is_tiny_for_odd(self) => *self,
            _ => {
                let x = Ball::exact(self.view());
                round(self.bits, |n| x.sinh(n))
            }
        }
    }

    /// Hyperbolic cosine, correctly rounded.
    #[must_use]
    pub fn cosh(&self) -> Self {
        match self.head.exponent() {
            None if self.is_zero() => Self::one(self.bits),
            None => self.abs(),
            Some(e) if e >= BEYOND_EXPONENTIAL => Self::infinity(self.bits, false),
            _ if is_tiny_for_even(self) => Self::one(self.bits),
            _ => {
                let x = Ball::exact(self.view());
                round(self.bits, |n| x.cosh(n))
            }
        }
    }

    /// Hyperbolic tangent, correctly rounded.
    #[must_use]
    pub fn tanh(&self) -> Self {
        match self.head.exponent() {
            None if self.head.is_infinite() => signed_one(self.bits, self.head.is_negative()),
            None => *self,
            Some(e) if e >= BEYOND_TANGENT => signed_one(self.bits, self.head.is_negative()),
            _ if is_tiny_for_odd(self) => *self,
            _ => {
                let x = Ball::exact(self.view());
                round(self.bits, |n| x.tanh(n))
            }
        }
    }
}
