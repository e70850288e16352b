//! Inverse hyperbolic functions, as `ln(1 + z)` of numbers that have no cancellation.

use super::super::ball::Ball;
use super::super::ziv::round;
use super::is_tiny_for_odd;
use crate::mp::Mp;

impl Mp {
    /// Inverse hyperbolic sine, correctly rounded: `ln(1 + z)` of `z = x + x²/(1 + √(1 + x²))`.
    #[must_use]
    pub fn asinh(&self) -> Self {
        if self.head.exponent().is_none() || is_tiny_for_odd(self) {
            return *self;
        }
        let (x, one) = (Ball::exact(self.abs().view()), Ball::integer(1));
        let size = round(self.bits, |n| {
            let w = n + 1;
            let square = x.mul(&x, w);
            let root = one.add(&square, w).sqrt(w);
            x.add(&square.div(&one.add(&root, w), w), w).ln_1p(n)
        });
        if self.head.is_negative() { -size } else { size }
    }

    /// Inverse hyperbolic cosine, correctly rounded; NaN below 1: `ln(1 + z)` of `z = t + √(t·(t +
    /// 2))`, `t = x − 1`.
    #[must_use]
    pub fn acosh(&self) -> Self {
        if self.is_nan() || *self < Self::ONE {
            return Self::nan(self.bits);
        }
        if *self == Self::ONE {
            return Self::zero(self.bits);
        }
        if self.head.is_infinite() {
            return *self;
        }
        let x = Ball::exact(self.view());
        round(self.bits, |n| {
            let w = n + 1;
            let t = x.sub(&Ball::integer(1), w.max(x.words.len()) + 1);
            let root = t.mul(&t.add(&Ball::integer(2), w), w).sqrt(w);
            t.add(&root, w).ln_1p(n)
        })
    }

    /// Inverse hyperbolic tangent, correctly rounded; NaN beyond ±1: `½·ln(1 + z)` of `z = 2x/(1 −
    /// x)`.
    #[must_use]
    pub fn atanh(&self) -> Self {
        let negative = self.head.is_negative();
        if self.is_beyond_one() {
            return Self::nan(self.bits);
        }
        if self.abs() == Self::ONE {
            return Self::infinity(self.bits, negative);
        }
        if self.is_zero() || is_tiny_for_odd(self) {
            return *self;
        }
        let x = Ball::exact(self.abs().view());
        let size = round(self.bits, |n| {
            let rest = Ball::integer(1).sub(&x, n.max(x.words.len()) + 1);
            x.clone().ldexp(1).div(&rest, n + 1).ln_1p(n).ldexp(-1)
        });
        if negative { -size } else { size }
    }
}
