//! Numbers with the significand of an `f64` and exponents far beyond its range.

use core::cmp::Ordering;
use core::fmt;
use core::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub};

/// A number as the host reads it: `significand · 2^exponent`, beyond the range of `f64` too.
///
/// ```
/// use nonius_linalg::backend::Reading;
///
/// let tiny = Reading::of(1e-300);
/// let square = tiny * tiny; // zero in `f64`
/// assert_eq!(format!("{square:.1e}"), "1.0e-600");
/// assert!((square.log10() + 600.0).abs() < 1e-9);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Reading {
    /// In `[1/2, 1)` in magnitude, or zero, infinite or NaN.
    pub significand: f64,
    /// The exponent.
    pub exponent: i64,
}

impl Reading {
    /// Zero.
    pub const ZERO: Self = Self { significand: 0.0, exponent: 0 };

    /// Beyond all numbers.
    pub const INFINITY: Self = Self { significand: f64::INFINITY, exponent: 0 };

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

    /// Absolute value.
    #[must_use]
    pub fn abs(self) -> Self {
        Self { significand: self.significand.abs(), ..self }
    }

    /// `self + other`
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let (large, small) =
            if self.exponent < other.exponent { (other, self) } else { (self, other) };
        if large.significand == 0.0 || !small.is_finite() {
            // A zero has no exponent of its own, nor has what is not finite.
            return Self::of(large.significand + small.significand).scaled(small.exponent);
        }
        let down = small.exponent.saturating_sub(large.exponent).max(-1000) as i32;
        Self::of(large.significand + small.significand * power(down)).scaled(large.exponent)
    }

    /// `self · 2^exponent`
    #[must_use]
    pub fn scaled(self, exponent: i64) -> Self {
        if self.significand == 0.0 || !self.is_finite() {
            return self;
        }
        Self { exponent: self.exponent.saturating_add(exponent), ..self }
    }

    /// `log10 |self|`
    #[must_use]
    pub fn log10(self) -> f64 {
        let near = self.to_f64();
        if near.is_normal() {
            return near.abs().log10();
        }
        self.significand.abs().log10() + self.exponent as f64 * core::f64::consts::LOG10_2
    }

    /// The larger one, or the one that is a number where the other is NaN.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        if other.significand.is_nan() || other.at_most(self) { self } else { other }
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
        // Two factors, so that only the last product leaves the range; each by halves again for the
        // widest exponents.
        let (quarter, rest) = (half / 2, e - half);
        let (rest_low, rest_high) = (rest / 2, rest - rest / 2);
        self.significand
            * power(rest_high)
            * power(quarter)
            * power(rest_low)
            * power(half - quarter)
    }

    /// `self / other`
    #[must_use]
    pub fn over(self, other: Self) -> Self {
        let quotient = Self::of(self.significand / other.significand);
        quotient.scaled(self.exponent.saturating_sub(other.exponent))
    }

    /// `self · other`
    #[must_use]
    pub fn times(self, other: Self) -> Self {
        let product = Self::of(self.significand * other.significand);
        product.scaled(self.exponent.saturating_add(other.exponent))
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

macro_rules! operators {
    ($($operator:ident $method:ident $assign:ident $assign_method:ident $function:ident;)*) => {$(
        impl $operator for Reading {
            type Output = Self;

            fn $method(self, other: Self) -> Self {
                Reading::$function(self, other)
            }
        }

        impl $assign for Reading {
            fn $assign_method(&mut self, other: Self) {
                *self = Reading::$function(*self, other);
            }
        }
    )*};
}

operators! {
    Add add AddAssign add_assign plus;
    Mul mul MulAssign mul_assign times;
}

impl Div for Reading {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        self.over(other)
    }
}

impl Neg for Reading {
    type Output = Self;

    fn neg(self) -> Self {
        Self { significand: -self.significand, ..self }
    }
}

impl Sub for Reading {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self.plus(-other)
    }
}

impl PartialEq for Reading {
    fn eq(&self, other: &Self) -> bool {
        let zero = self.significand == 0.0 || !self.is_finite();
        self.significand == other.significand && (zero || self.exponent == other.exponent)
    }
}

impl From<f64> for Reading {
    fn from(x: f64) -> Self {
        Self::of(x)
    }
}

impl PartialOrd for Reading {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match (self.at_most(*other), other.at_most(*self)) {
            (true, true) => Some(Ordering::Equal),
            (true, false) => Some(Ordering::Less),
            (false, true) => Some(Ordering::Greater),
            (false, false) => None,
        }
    }
}

impl PartialEq<f64> for Reading {
    fn eq(&self, other: &f64) -> bool {
        *self == Self::of(*other)
    }
}

impl PartialOrd<f64> for Reading {
    fn partial_cmp(&self, other: &f64) -> Option<Ordering> {
        self.partial_cmp(&Self::of(*other))
    }
}

/// `1.5e-620`
impl fmt::LowerExp for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let near = self.to_f64();
        if near.is_normal() || self.significand == 0.0 || !self.is_finite() {
            return fmt::LowerExp::fmt(&near, f);
        }
        let log = self.log10();
        let (mut decimal, mut digits) = (log.floor(), 10_f64.powf(log - log.floor()));
        let places = f.precision().unwrap_or(6);
        // What rounds up to ten has an exponent more.
        let rounded = format!("{digits:.places$}");
        if rounded.starts_with("10") {
            (decimal, digits) = (decimal + 1.0, digits / 10.0);
        }
        let sign = if self.significand < 0.0 { "-" } else { "" };
        let (text, width) = (format!("{sign}{digits:.places$}e{decimal}"), f.width().unwrap_or(0));
        write!(f, "{text:>width$}")
    }
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
    fn sums_and_the_larger() {
        let wide = |exponent| Reading { significand: 0.5, exponent };
        for (x, y) in [(1.5, 0.25), (1e300, 1e-300), (-3.0, 3.0), (0.0, -7.0), (2.0, 0.0)] {
            let (a, b) = (Reading::of(x), Reading::of(y));
            assert_eq!(a.plus(b).to_f64(), x + y);
            assert_eq!(b.plus(a).to_f64(), x + y);
            assert_eq!(a.max(b).to_f64(), f64::max(x, y));
        }
        assert_eq!(wide(100_000).plus(wide(100_000)), wide(100_001));
        assert_eq!(wide(100_000).plus(wide(-100_000)), wide(100_000));
        assert_eq!(Reading::ZERO.plus(wide(-100_000)), wide(-100_000));
        assert_eq!(Reading::of(f64::INFINITY).plus(wide(9)).to_f64(), f64::INFINITY);
        assert!(wide(9).plus(Reading::of(f64::NAN)).significand.is_nan());
        assert_eq!(Reading::of(f64::NAN).max(wide(9)), wide(9));
        assert_eq!(wide(9).max(Reading::of(f64::NAN)), wide(9));
        assert!(wide(100_001) > wide(100_000) && wide(100_000) > f64::MAX);
    }

    #[test]
    fn text_in_and_out_of_the_range() {
        let wide = |exponent| Reading { significand: 0.5, exponent };
        assert_eq!(format!("{:.3e}", Reading::of(1.5e-7)), "1.500e-7");
        assert_eq!(format!("{:.1e}", wide(-2047)), "3.1e-617");
        assert_eq!(format!("{:.2e}", wide(4097)), "1.04e1233");
        assert_eq!(format!("{:12.1e}", wide(-2047)), "    3.1e-617");
        assert_eq!(format!("{:e}", Reading::ZERO), "0e0");
        assert_eq!(format!("{:.1e}", Reading::of(f64::INFINITY)), "inf");
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
