//! Upper bounds of magnitudes, of any exponent.
//!
//! **Bound.** Every operation returns a number that is not below the exact result for operands that
//! are not below theirs: the result in `f64` is multiplied by `1 + 2^-51`, which is more than the
//! two roundings of the operation and of that product take away. After FLINT's `mag_t` (F.
//! Johansson, *Arb: efficient arbitrary-precision midpoint-radius interval arithmetic*, IEEE Trans.
//! Comput. 66, 2017).

use core::cmp::Ordering;

use nonius_num::Real;
use nonius_num::mp::{Head, MpRef};

use crate::mp::Slice;

/// `1 + 2^-51`
const UP: f64 = 1.0 + 2.0 * f64::EPSILON;

/// A bound `m·2^e` with `1/2 <= m < 1`, or 0, or infinity.
///
/// ```
/// use nonius_linalg::certified::Magnitude;
///
/// // Bounds never round down, and never leave their range.
/// let tiny = Magnitude::power(-1_000_000);
/// assert!(!tiny.is_zero() && tiny.times(tiny).exponent() == Some(-1_999_999));
/// let sum = Magnitude::new(0.1, 0).plus(Magnitude::new(0.2, 0));
/// assert!(sum.to_f64() >= 0.1 + 0.2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Magnitude {
    m: f64,
    e: i64,
}

impl Magnitude {
    /// 0.
    pub const ZERO: Self = Self { m: 0.0, e: 0 };
    /// No bound.
    pub const INFINITE: Self = Self { m: f64::INFINITY, e: 0 };

    /// `2^e`
    pub fn power(e: i64) -> Self {
        Self { m: 0.5, e: e + 1 }
    }

    /// `x·2^e` for an `x` that is not negative; infinite for NaN.
    pub fn new(x: f64, e: i64) -> Self {
        if x == 0.0 {
            return Self::ZERO;
        }
        match crate::scalar::exponent(x) {
            Some(k) => Self { m: x.ldexp(-1 - k), e: e + i64::from(k) + 1 },
            None => Self::INFINITE,
        }
    }

    /// `(m, e)` of `m·2^e` with `1/2 <= m < 1`, or 0 or infinity for `m`.
    pub fn parts(self) -> (f64, i64) {
        (self.m, self.e)
    }

    /// An upper bound of `|x|`.
    pub fn above(x: MpRef<'_>) -> Self {
        match (leading(x), x.head().is_zero()) {
            (Some((m, e)), _) => Self::new(m * UP, e),
            (None, true) => Self::ZERO,
            (None, false) => Self::INFINITE,
        }
    }

    /// A lower bound of `|x|` for a finite number.
    pub fn below(x: MpRef<'_>) -> Self {
        leading(x).map_or(Self::ZERO, |(m, e)| Self::new(m * (1.0 - 2.0 * f64::EPSILON), e))
    }

    /// Whether this is 0.
    pub fn is_zero(self) -> bool {
        self.m == 0.0
    }

    /// Whether there is a bound.
    pub fn is_finite(self) -> bool {
        self.m.is_finite()
    }

    /// The `e` with `2^(e−1) <= x < 2^e`; `None` for 0 and infinity.
    pub fn exponent(self) -> Option<i64> {
        (self.m > 0.0 && self.m.is_finite()).then_some(self.e)
    }

    /// A bound of `x + y`.
    #[must_use]
    pub fn plus(self, y: Self) -> Self {
        let (large, small) = if self.less(y) { (y, self) } else { (self, y) };
        if small.is_zero() || !large.is_finite() {
            return large;
        }
        // What lies far below is less than the factor adds.
        let down = (large.e - small.e).min(200) as i32;
        Self::new((large.m + small.m.ldexp(-down)) * UP, large.e)
    }

    /// A bound of `x · y`; 0 where one of them is.
    #[must_use]
    pub fn times(self, y: Self) -> Self {
        if self.is_zero() || y.is_zero() {
            return Self::ZERO;
        }
        Self::new(self.m * y.m * UP, self.e + y.e)
    }

    /// A bound of the square root.
    #[must_use]
    pub fn sqrt(self) -> Self {
        match self.exponent() {
            Some(e) => {
                let odd = e.rem_euclid(2);
                Self::new(self.m.ldexp(odd as i32).sqrt() * UP, e.div_euclid(2))
            }
            None => self,
        }
    }

    /// A bound of `x · 2^k`: exact.
    #[must_use]
    pub fn shifted(self, k: i64) -> Self {
        match self.exponent() {
            Some(_) => Self { m: self.m, e: self.e + k },
            None => self,
        }
    }

    /// A bound of `x / (y − z)`, for a lower bound `y` and an upper bound `z`; infinite unless `z`
    /// is less.
    #[must_use]
    pub fn over_difference(self, y: Self, z: Self) -> Self {
        if !z.less(y) {
            return Self::INFINITE;
        }
        if self.is_zero() {
            return Self::ZERO;
        }
        let down = (y.e - z.e).clamp(0, 200) as i32;
        let z = if z.is_zero() { 0.0 } else { z.m.ldexp(-down) };
        // Below the difference, by more than the rounding of either step.
        let divisor = y.m - z - 4.0 * f64::EPSILON;
        if divisor <= 0.0 {
            return Self::INFINITE;
        }
        Self::new(self.m / divisor * UP, self.e - y.e)
    }

    /// A lower bound of `x − y`, for a lower bound `x` and an upper bound `y`; 0 where there is no
    /// better one.
    #[must_use]
    pub fn above_by(self, y: Self) -> Self {
        if y.is_zero() || self.is_zero() {
            return self;
        }
        if !y.less(self) {
            return Self::ZERO;
        }
        let down = (self.e - y.e).clamp(0, 200) as i32;
        // Below the difference, by more than the roundings.
        Self::new((self.m - y.m.ldexp(-down) - 4.0 * f64::EPSILON).max(0.0), self.e)
    }

    /// Whether this bound is less than another.
    pub fn less(self, y: Self) -> bool {
        self.compare(y) == Ordering::Less
    }

    /// The larger one.
    #[must_use]
    pub fn max(self, y: Self) -> Self {
        if self.less(y) { y } else { self }
    }

    fn compare(self, y: Self) -> Ordering {
        let class = |x: Self| (x.m > 0.0) as u8 + x.m.is_infinite() as u8;
        class(self).cmp(&class(y)).then_with(|| match class(self) {
            1 => self.e.cmp(&y.e).then(self.m.total_cmp(&y.m)),
            _ => Ordering::Equal,
        })
    }

    /// An upper bound in `f64`; infinite beyond its range, and the least normal number where it is
    /// below.
    pub fn to_f64(self) -> f64 {
        match self.exponent() {
            None => self.m,
            Some(e) if e > 1023 => f64::INFINITY,
            Some(e) if e < -1020 => f64::MIN_POSITIVE,
            Some(e) => self.m.ldexp(e as i32),
        }
    }

    /// `log10`, to about ten digits; infinite for 0 and infinity.
    pub fn log10(self) -> f64 {
        match self.exponent() {
            Some(e) => self.m.log10() + e as f64 * core::f64::consts::LOG10_2,
            None if self.is_zero() => f64::NEG_INFINITY,
            None => f64::INFINITY,
        }
    }
}

/// An upper bound of `Σ |a_k|·w_k`.
pub(super) fn sum_of_products(a: Slice<'_>, weights: &[Magnitude]) -> Magnitude {
    let codes = || a.heads().iter().map(|head| head.code());
    // Numbers that are not finite have codes above all others, zeros below.
    if codes().any(|code| code > Head::GREATEST_EXPONENT) {
        return Magnitude::INFINITE;
    }
    let counts = |code: i32, w: &Magnitude| code >= Head::LEAST_EXPONENT && w.m > 0.0;
    let terms = codes().zip(weights).filter(|(code, w)| counts(*code, w));
    let Some(top) = terms.map(|(code, w)| i64::from(code) + w.e).max() else {
        return Magnitude::ZERO;
    };
    let words = a.words().chunks_exact(a.bits().words());
    let mut sum = 0.0;
    for ((code, word), w) in codes().zip(words).zip(weights) {
        if !counts(code, w) {
            continue;
        }
        // Below 2^-900 of the largest as much as that.
        let down = (i64::from(code) + w.e - top).max(-900);
        let power = f64::from_bits(((1023 + down) as u64) << 52);
        sum += word[word.len() - 1] as f64 * w.m * power;
    }
    // All roundings together are less than this factor adds.
    let up = 1.0 + 4.0 * (a.len() as f64 + 8.0) * f64::EPSILON;
    Magnitude::new(sum * up, top - 64)
}

/// `(m, e)` with `|x|` within `2^-52·m·2^e` of `m·2^e`, from the highest word; `None` for zeros and
/// what is not finite.
pub(super) fn leading(x: MpRef<'_>) -> Option<(f64, i64)> {
    let e = x.head().exponent()?;
    x.words().last().map(|&word| (word as f64, i64::from(e) - 64))
}

#[cfg(test)]
mod tests {
    use nonius_num::mp::{Bits, Mp};

    use super::*;

    #[test]
    fn operations_bound_from_above() {
        let bits = Bits::new(256).unwrap();
        let numbers =
            [1.0, 1.0 + f64::EPSILON, 3.5e-7, 0.1, 7.0e200, 1.0 / 3.0, 2.0_f64.powi(-600)];
        for x in numbers {
            for y in numbers {
                let (a, b) = (Mp::from_f64(bits, x), Mp::from_f64(bits, y));
                let (p, q) = (Magnitude::above(a.view()), Magnitude::above(b.view()));
                for (bound, exact) in [(p.plus(q), a + b), (p.times(q), a * b)] {
                    assert!(!bound.less(Magnitude::below(exact.view())), "{x} {y}");
                    let close = bound.m.ldexp((bound.e - i64::from(exact.head().code())) as i32);
                    let e = exact.head().code();
                    let mantissa = exact.ldexp(-e).to_f64();
                    // Two factors of `UP`, and what `leading` cuts off.
                    assert!(
                        close >= mantissa && close <= mantissa * (1.0 + 16.0 * f64::EPSILON),
                        "{x} {y}"
                    );
                }
                let z = a / (b + b);
                let quotient =
                    p.over_difference(Magnitude::below(b.view()).shifted(2), q.shifted(1));
                assert!(!quotient.less(Magnitude::below(z.view())), "{x} {y}");
            }
        }
        let one = Magnitude::new(1.0, 0);
        assert_eq!(one.over_difference(one, one), Magnitude::INFINITE);
        let mut line = crate::mp::Numbers::new(bits);
        numbers.iter().for_each(|&x| line.push(Mp::from_f64(bits, -x)));
        line.push(Mp::zero(bits));
        let mut weights: Vec<Magnitude> = numbers.iter().map(|&x| Magnitude::new(x, -3)).collect();
        weights.push(Magnitude::INFINITE);
        let sum = sum_of_products(line.as_slice(), &weights);
        let exact = numbers.iter().fold(Mp::zero(bits), |sum, &x| {
            let x = Mp::from_f64(bits, x);
            sum + (x * x).ldexp(-3)
        });
        assert!(!sum.less(Magnitude::below(exact.view())));
        assert!(sum.to_f64() <= exact.to_f64() * (1.0 + 200.0 * f64::EPSILON));
        line.put(7, Mp::from_f64(bits, 0.5).view());
        assert_eq!(sum_of_products(line.as_slice(), &weights), Magnitude::INFINITE);
        weights.fill(Magnitude::ZERO);
        assert!(sum_of_products(line.as_slice(), &weights).is_zero());
        assert_eq!(Magnitude::new(f64::NAN, 3), Magnitude::INFINITE);
        for (x, e) in [(2.0, 0), (9.0, -7), (0.3, 4001), (0.3, -4002)] {
            let root = Magnitude::new(x, e).sqrt();
            let square = root.times(root);
            assert!(!square.less(Magnitude::new(x, e)));
            assert!(square.less(Magnitude::new(x * (1.0 + 16.0 * f64::EPSILON), e)));
        }
        assert!(Magnitude::ZERO.sqrt().is_zero() && !Magnitude::INFINITE.sqrt().is_finite());
        assert!(one.plus(Magnitude::INFINITE) == Magnitude::INFINITE && Magnitude::ZERO.less(one));
        assert_eq!(Magnitude::power(-5000).to_f64(), f64::MIN_POSITIVE);
        assert_eq!(Magnitude::power(5000).to_f64(), f64::INFINITY);
        assert!((Magnitude::power(-5000).log10() + 1505.15).abs() < 0.01);
    }
}
