//! What iterative methods ask of the machine.

use core::cmp::Ordering;

use crate::Error;

/// Vectors, and single numbers that stay in the backend's memory: the coefficients of an iteration go from one operation to the next
/// without a way over the host, so that a device can queue many iterations.
///
/// Lengths are the algorithm's duty. As everywhere, operations do not fail; whoever [looks](Self::look) hears of the first failure.
pub trait Space {
    /// A vector.
    type Vector;
    /// A number, as the result of a sum over vectors.
    type Number;
    /// Rows of numbers that iterations leave for the host to read.
    type Log;

    /// Iterations after which the host looks at the log.
    const LOOK: usize;

    /// A vector of `n` zeros.
    ///
    /// # Errors
    /// [`Error::TooLarge`], and [`Error::Device`].
    fn vector(&self, n: usize) -> Result<Self::Vector, Error>;

    /// The number zero.
    fn number(&self) -> Self::Number;

    /// Entries of a vector.
    fn length(&self, x: &Self::Vector) -> usize;

    /// `to ← value`.
    fn set(&mut self, value: f64, to: &mut Self::Number);

    /// `y ← x`.
    fn copy(&mut self, x: &Self::Vector, y: &mut Self::Vector);

    /// `x ← 0`.
    fn clear(&mut self, x: &mut Self::Vector);

    /// `to ← Σ x[i]·y[i]`, in two stages: the blocks of a fixed number of entries, then the sums of these in a fixed order.
    fn dot(&mut self, x: &Self::Vector, y: &Self::Vector, to: &mut Self::Number);

    /// `y ← y + α·x`, or `y − α·x`.
    fn axpy(&mut self, sign: Sign, alpha: &Self::Number, x: &Self::Vector, y: &mut Self::Vector);

    /// `y ← x + β·y`, or `x − β·y`.
    fn xpay(&mut self, x: &Self::Vector, sign: Sign, beta: &Self::Number, y: &mut Self::Vector);

    /// `x ← α·x`.
    fn scale(&mut self, alpha: &Self::Number, x: &mut Self::Vector);

    /// `y[i] ← x[i]·y[i]`.
    fn multiply(&mut self, x: &Self::Vector, y: &mut Self::Vector);

    /// `to ← √Σ x[i]²`: the root of [`dot`](Self::dot), for vectors whose squares are in the range of the numbers.
    fn norm(&mut self, x: &Self::Vector, to: &mut Self::Number);

    /// `to ← a`.
    fn assign(&mut self, a: &Self::Number, to: &mut Self::Number);

    /// `to ← operation(a, b)`.
    fn compute(
        &mut self,
        operation: NumberOp,
        a: &Self::Number,
        b: &Self::Number,
        to: &mut Self::Number,
    );

    /// `to ← √a`; NaN below zero.
    fn root(&mut self, a: &Self::Number, to: &mut Self::Number);

    /// A log of rows of so many numbers that is met by a row whose first number is [at most](Reading::at_most) `limit`.
    fn log(&self, columns: usize, limit: Reading) -> Self::Log;

    /// Appends a row to the log, unless it is met.
    fn record<const K: usize>(&mut self, log: &mut Self::Log, row: [&Self::Number; K]);

    /// From here on nothing changes vectors or numbers once the log is met, until [`release`](Self::release): what an iteration queued beyond is not done. Nothing to do where
    /// the host looks after every iteration.
    fn hold(&mut self, log: &Self::Log);

    /// Ends what [`hold`](Self::hold) began.
    fn release(&mut self);

    /// The rows since the last look, one after the other, rounded to `f64` significands; when all that was queued before is done.
    ///
    /// # Errors
    /// [`Error::Device`]: the first failure of anything that this backend was asked to do.
    fn look<'a>(&mut self, log: &'a mut Self::Log) -> Result<&'a [Reading], Error>;
}

/// Whether a product is added or subtracted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// Added.
    Plus,
    /// Subtracted.
    Minus,
}

/// Operations on two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberOp {
    /// `a + b`.
    Add,
    /// `a − b`.
    Sub,
    /// `a · b`.
    Mul,
    /// `a / b`.
    Div,
}

/// A number as the host reads it: `significand · 2^exponent`, beyond the range of `f64` too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// In `[1/2, 1)` in magnitude, or zero, infinite or NaN.
    pub significand: f64,
    /// The exponent.
    pub exponent: i64,
}

impl Reading {
    /// Zero.
    pub const ZERO: Self = Self { significand: 0.0, exponent: 0 };

    /// The number as it is in `f64`.
    pub fn of(x: f64) -> Self {
        match crate::scalar::exponent(x) {
            // By two factors, each in range.
            Some(e) => {
                let half = (e + 1) / 2;
                let significand = x * power(-half) * power(half - e - 1);
                Self { significand, exponent: i64::from(e) + 1 }
            }
            None => Self { significand: x, exponent: 0 },
        }
    }

    /// Whether this is neither infinite nor NaN.
    pub fn is_finite(self) -> bool {
        self.significand.is_finite()
    }

    /// Whether this is at most `limit`; false where either is NaN.
    pub fn at_most(self, limit: Self) -> bool {
        let (x, y) = (self.significand, limit.significand);
        let ordinary = |x: f64| x.is_finite() && x != 0.0;
        if !(ordinary(x) && ordinary(y)) || x.is_sign_negative() != y.is_sign_negative() {
            return x <= y;
        }
        match self.exponent.cmp(&limit.exponent) {
            Ordering::Equal => x <= y,
            order => order.is_lt() != x.is_sign_negative(),
        }
    }

    /// The nearest `f64`.
    pub fn to_f64(self) -> f64 {
        let e = self.exponent.clamp(-4000, 4000) as i32;
        let half = e / 2;
        // Two factors, so that only the last product leaves the range; each by halves again for the widest exponents.
        let (quarter, rest) = (half / 2, e - half);
        let (rest_low, rest_high) = (rest / 2, rest - rest / 2);
        self.significand
            * power(rest_high)
            * power(quarter)
            * power(rest_low)
            * power(half - quarter)
    }

    /// `self / other`, for `other` other than zero.
    #[must_use]
    pub fn over(self, other: Self) -> Self {
        let quotient = Self::of(self.significand / other.significand);
        Self { exponent: quotient.exponent + self.exponent - other.exponent, ..quotient }
    }

    /// `self · other`.
    #[must_use]
    pub fn times(self, other: Self) -> Self {
        let product = Self::of(self.significand * other.significand);
        Self { exponent: product.exponent + self.exponent + other.exponent, ..product }
    }

    /// Square root.
    #[must_use]
    pub fn sqrt(self) -> Self {
        let odd = self.exponent.rem_euclid(2);
        let root = Self::of((self.significand * power(odd as i32)).sqrt());
        Self { exponent: root.exponent + (self.exponent - odd) / 2, ..root }
    }
}

/// `2^k`, for normal results.
fn power(k: i32) -> f64 {
    f64::from_bits(((k + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_of_all_magnitudes() {
        for x in [1.0, -1.5, 0.75, 1e300, -1e-300, f64::MAX, f64::MIN_POSITIVE, 5e-324, 0.0] {
            let reading = Reading::of(x);
            assert_eq!(reading.to_f64(), x);
            assert!(x == 0.0 || (0.5..1.0).contains(&reading.significand.abs()), "{x}");
        }
        assert_eq!(Reading::of(f64::INFINITY).to_f64(), f64::INFINITY);
        assert!(Reading::of(f64::NAN).to_f64().is_nan());
    }

    #[test]
    fn order_of_readings() {
        let ascending =
            [f64::NEG_INFINITY, -3.0, -2.0, -1e-300, 0.0, 1e-300, 2.0, 3.0, 1e300, f64::INFINITY];
        for (i, &x) in ascending.iter().enumerate() {
            for (j, &y) in ascending.iter().enumerate() {
                assert_eq!(Reading::of(x).at_most(Reading::of(y)), i <= j, "{x} {y}");
            }
            assert!(!Reading::of(x).at_most(Reading::of(f64::NAN)));
            assert!(!Reading::of(f64::NAN).at_most(Reading::of(x)));
        }
    }

    #[test]
    fn quotients_and_roots_beyond_the_range() {
        let wide = |exponent| Reading { significand: 0.5, exponent };
        assert_eq!(wide(100_001).over(wide(100_000)).to_f64(), 2.0);
        assert_eq!(wide(100_001).to_f64(), f64::INFINITY);
        assert_eq!(wide(-100_001).to_f64(), 0.0);
        assert_eq!(wide(100_001).times(wide(-100_000)), Reading::of(0.5));
        assert!(wide(-100_001).at_most(wide(-100_000)) && !wide(100_001).at_most(wide(100_000)));
        assert_eq!(wide(100_001).sqrt(), Reading { significand: 0.5, exponent: 50_001 });
        assert_eq!(wide(-100_003).sqrt(), Reading { significand: 0.5, exponent: -50_001 });
        assert_eq!(Reading::of(2.0).sqrt().to_f64(), 2.0_f64.sqrt());
        assert_eq!(Reading::of(1e-200).over(Reading::of(1e200)).sqrt().to_f64(), 1e-200);
        assert!(Reading::of(-1.0).sqrt().to_f64().is_nan());
        assert_eq!(Reading::of(0.0).over(Reading::of(3.0)).to_f64(), 0.0);
    }
}
