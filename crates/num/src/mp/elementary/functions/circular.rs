//! Sine, cosine and tangent.
//!
//! By Hermite and Lindemann the values at numbers but zero are irrational. An argument of exponent
//! `e` is reduced with `e` bits of `2/π` more than the result has.

use super::super::ball::{Ball, Part};
use super::super::ziv::round;
use super::{is_tiny_for_even, is_tiny_for_odd};
use crate::mp::Mp;

impl Mp {
    /// Sine, correctly rounded; NaN where infinite.
    ///
    /// **Huge arguments.** An argument of exponent `e` takes `e` bits of `2/π` more than the
    /// precision has. Up to about `2^8000` they stand in a table. Beyond it the first argument of a
    /// size computes them, and nothing limits the time and the memory:
    ///
    /// | argument | time | memory |
    /// |---|---|---|
    /// | `2^(2^20)`, about `10^315653` | 0.7 s | 13 MB |
    /// | `2^(2^22)`, about `10^1262611` | 5 s | 70 MB |
    /// | `2^(2^24)`, about `10^5050445` | 45 s | 280 MB |
    /// | `2^(2^28)`, the largest exponent | an hour | 4.5 GB |
    ///
    /// With the standard library the bits are kept for the process, so later arguments up to that
    /// size take microseconds. A program that takes arguments from others checks their
    /// [exponents](crate::mp::Head::exponent) first.
    ///
    /// ```
    /// use nonius_num::Mp;
    /// use nonius_num::mp::Bits;
    ///
    /// let x = Mp::from_f64(Bits::new(128)?, 1e22).sin();
    /// assert!(x.to_string().starts_with("-0.852200849767188801772705893753029368"));
    /// # Ok::<(), nonius_num::mp::BitsError>(())
    /// ```
    #[must_use]
    pub fn sin(&self) -> Self {
        match self.head.exponent() {
            None => self.zero_or_nan(*self),
            _ if is_tiny_for_odd(self) => *self,
            _ => {
                let x = Ball::exact(self.view());
                round(self.bits, |n| sine(&x, n))
            }
        }
    }

    /// Cosine, correctly rounded; NaN where infinite. Huge arguments take the time and the memory
    /// that they take for the [sine](Self::sin).
    #[must_use]
    pub fn cos(&self) -> Self {
        match self.head.exponent() {
            None => self.zero_or_nan(Self::one(self.bits)),
            _ if is_tiny_for_even(self) => Self::one(self.bits),
            _ => {
                let x = Ball::exact(self.view());
                round(self.bits, |n| cosine(&x, n))
            }
        }
    }

    /// Sine and cosine, each correctly rounded; the argument is reduced once for both. Huge
    /// arguments take the time and the memory that they take for the [sine](Self::sin).
    #[must_use]
    pub fn sin_cos(&self) -> (Self, Self) {
        if self.head.exponent().is_none() || is_tiny_for_odd(self) {
            return (self.sin(), self.cos());
        }
        let x = Ball::exact(self.view());
        let mut known = None;
        // The first attempt serves both.
        let mut both = |n: usize, which: usize| -> Ball {
            match &known {
                Some((words, pair)) if *words == n => {
                    let pair: &(Ball, Ball) = pair;
                    if which == 0 { pair.0.clone() } else { pair.1.clone() }
                }
                _ => {
                    let pair = values(&x, Part::Both, n);
                    let value = if which == 0 { pair.0.clone() } else { pair.1.clone() };
                    known.get_or_insert((n, pair));
                    value
                }
            }
        };
        let sine = round(self.bits, |n| both(n, 0));
        (sine, round(self.bits, |n| both(n, 1)))
    }

    /// Tangent, correctly rounded; NaN where infinite. Huge arguments take the time and the memory
    /// that they take for the [sine](Self::sin).
    #[must_use]
    pub fn tan(&self) -> Self {
        match self.head.exponent() {
            None => self.zero_or_nan(*self),
            _ if is_tiny_for_odd(self) => *self,
            _ => {
                let x = Ball::exact(self.view());
                round(self.bits, |n| {
                    let (sine, cosine) = values(&x, Part::Both, n + 1);
                    sine.div(&cosine, n)
                })
            }
        }
    }

    /// The value of a function at zero, and NaN for NaN and infinities.
    fn zero_or_nan(&self, at_zero: Self) -> Self {
        if self.is_zero() { at_zero } else { Self::nan(self.bits) }
    }
}

fn sine(x: &Ball, n: usize) -> Ball {
    values(x, Part::Sine, n).0
}

fn cosine(x: &Ball, n: usize) -> Ball {
    values(x, Part::Cosine, n).1
}

/// `(sin x, cos x)` with `n` words, at least what is asked for.
fn values(x: &Ball, part: Part, n: usize) -> (Ball, Ball) {
    let (quadrant, t) = x.modulo_half_pi(n);
    let negative = t.negative;
    let of_rest = match (part, quadrant % 2) {
        (Part::Sine, 1) => Part::Cosine,
        (Part::Cosine, 1) => Part::Sine,
        _ => part,
    };
    let (sine, cosine) = t.abs().sin_cos(of_rest, n);
    let sine = if negative { sine.negated() } else { sine };
    let (sine, cosine) = match quadrant {
        0 => (sine, cosine),
        1 => (cosine, sine.negated()),
        2 => (sine.negated(), cosine.negated()),
        _ => (cosine.negated(), sine),
    };
    (if x.negative { sine.negated() } else { sine }, cosine)
}
