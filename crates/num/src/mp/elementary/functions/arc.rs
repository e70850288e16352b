//! Inverse circular functions: angles of points.
//!
//! `asin x` is the angle of `(√((1 − x)(1 + x)), x)`, `acos x` that of the exchanged point. Angles
//! of such points and of points with rational coordinates are irrational, but for zero.

use super::super::ball::Ball;
use super::super::ziv::round;
use super::is_tiny_for_odd;
use crate::mp::{Bits, Head, Mp};

impl Mp {
    /// Arc tangent, correctly rounded.
    #[must_use]
    pub fn atan(&self) -> Self {
        match self.head.exponent() {
            None if self.head.is_infinite() => right_angles(self.bits, 2, self.head.is_negative()),
            None => *self,
            _ if is_tiny_for_odd(self) => *self,
            _ => {
                let (x, one) = (Ball::exact(self.view()), Ball::integer(1));
                round(self.bits, |n| x.angle(&one, n))
            }
        }
    }

    /// The angle of the point `(x, self)`, in [−π, π], correctly rounded to the greater number of
    /// bits. Special cases as in C99.
    #[must_use]
    pub fn atan2(&self, x: &Self) -> Self {
        let bits = self.bits.max(x.bits);
        if self.is_nan() || x.is_nan() {
            return Self::nan(bits);
        }
        let (below, left) = (self.head.is_negative(), x.head.is_negative());
        let eighths = match (self.head, x.head) {
            (y, x) if y.is_infinite() && x.is_infinite() => {
                if left {
                    3
                } else {
                    1
                }
            }
            (y, x) if y.is_zero() || x.is_infinite() => match left {
                true => 4,
                false => return Self::without_words(bits, Head::zero(below)),
            },
            (y, x) if x.is_zero() || y.is_infinite() => 2,
            _ => return angle(bits, &Ball::exact(self.view()), &Ball::exact(x.view())),
        };
        right_angles(bits, eighths, below)
    }

    /// Arc sine, correctly rounded; NaN beyond ±1.
    #[must_use]
    pub fn asin(&self) -> Self {
        match self.is_beyond_one() {
            true => Self::nan(self.bits),
            false if self.is_zero() || is_tiny_for_odd(self) => *self,
            false => {
                let x = Ball::exact(self.view());
                round(self.bits, |n| x.angle(&cathetus(&x, n), n))
            }
        }
    }

    /// Arc cosine, correctly rounded; NaN beyond ±1.
    #[must_use]
    pub fn acos(&self) -> Self {
        match self.is_beyond_one() {
            true => Self::nan(self.bits),
            false if *self == Self::ONE => Self::zero(self.bits),
            false => {
                let x = Ball::exact(self.view());
                round(self.bits, |n| cathetus(&x, n).angle(&x, n))
            }
        }
    }

    /// Whether this is NaN or beyond ±1.
    pub(super) fn is_beyond_one(&self) -> bool {
        self.abs().partial_cmp(&Self::ONE).is_none_or(|order| order.is_gt())
    }
}

/// `±k·π/4`.
fn right_angles(bits: Bits, k: i64, negative: bool) -> Mp {
    let factor = Ball::integer(if negative { -k } else { k });
    round(bits, |n| Ball::pi(n).ldexp(-2).mul(&factor, n + 1))
}

/// The angle of a point that is on no axis.
fn angle(bits: Bits, y: &Ball, x: &Ball) -> Mp {
    // θ = q·(1 − q²/3 + …) for q = y/x, which a precision may have: a quotient has no more bits
    // then than its dividend.
    let distance = x.exponent - y.exponent - 1;
    if !x.negative && 2 * distance > i64::from(bits.get()) {
        let quotient = y.div(x, y.words.len().max(2));
        if quotient.is_exact() {
            return Mp::rounded(bits, y.negative, &quotient.words, quotient.unit(), false);
        }
    }
    round(bits, |n| y.angle(x, n))
}

/// `√((1 − x)(1 + x))`.
fn cathetus(x: &Ball, n: usize) -> Ball {
    let (one, exact) = (Ball::integer(1), n.max(x.words.len()) + 1);
    one.sub(x, exact).mul(&one.add(x, exact), n + 1).sqrt(n + 1)
}
