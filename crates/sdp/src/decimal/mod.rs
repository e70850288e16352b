//! Decimal numbers that nothing is lost of.

mod integer;
mod towards;

use core::fmt;
use core::ops::Neg;

use num_bigint::{BigInt, Sign};

pub(crate) use towards::Towards;

use integer::{common_divisor, divide, has_ten, length, ten_to, without};

/// Exponents of texts beyond this are not dealt with.
const MOST_EXPONENT: i64 = 1_000_000_000_000;
/// The most digits of a number of a problem that is rewritten.
const MOST_DIGITS: i64 = 2000;
/// The largest power of ten in a number of such a problem, so that every precision has it, and the
/// smallest.
const LARGEST_POWER: i64 = 300;
const SMALLEST_POWER: i64 = -10_000;
/// The most digits that a sum has before it is given up.
const MOST_APART: i64 = 20_000;

/// `digits·10^exponent`, where ten does not divide the digits; zero has the exponent zero.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Decimal {
    digits: BigInt,
    exponent: i64,
}

impl Decimal {
    pub(crate) fn new(mut digits: BigInt, mut exponent: i64) -> Self {
        if digits.sign() == Sign::NoSign {
            return Self { digits, exponent: 0 };
        }
        while has_ten(&digits) {
            digits /= 10_u32;
            exponent += 1;
        }
        Self { digits, exponent }
    }

    pub(crate) fn zero() -> Self {
        Self::new(BigInt::ZERO, 0)
    }

    pub(crate) fn one() -> Self {
        Self::new(BigInt::from(1), 0)
    }

    /// The number that a text denotes; `None` for one that is not finite, or beyond all ranges.
    pub(crate) fn parse(text: &[u8]) -> Option<Self> {
        let end = text.iter().position(|byte| b"eEdD".contains(byte)).unwrap_or(text.len());
        let written = match text.get(end + 1..) {
            Some(exponent) => core::str::from_utf8(exponent).ok()?.parse::<i64>().ok()?,
            None => 0,
        };
        let (is_negative, significand) = match text[..end].split_first() {
            Some((b'-', rest)) => (true, rest),
            Some((b'+', rest)) => (false, rest),
            _ => (false, &text[..end]),
        };
        let point = significand.iter().position(|&byte| byte == b'.');
        let after = point.map_or(0, |point| significand.len() - point - 1) as i64;
        let digits: Vec<u8> = significand.iter().copied().filter(|&byte| byte != b'.').collect();
        // A long text may end with many zeros.
        let kept = digits.iter().rposition(|&byte| byte != b'0').map_or(1, |last| last + 1);
        let zeros = digits.len().saturating_sub(kept) as i64;
        let magnitude = BigInt::parse_bytes(digits.get(..kept)?, 10)?;
        let digits = if is_negative { -magnitude } else { magnitude };
        let exponent = written.checked_sub(after)?.checked_add(zeros)?;
        (exponent.abs() <= MOST_EXPONENT).then(|| Self::new(digits, exponent))
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.digits.sign() == Sign::NoSign
    }

    pub(crate) fn is_one(&self) -> bool {
        self.exponent == 0 && self.digits == BigInt::from(1)
    }

    pub(crate) fn is_negative(&self) -> bool {
        self.digits.sign() == Sign::Minus
    }

    pub(crate) fn abs(&self) -> Self {
        if self.is_negative() { -self } else { self.clone() }
    }

    /// How many digits there are, or one more.
    fn length(&self) -> i64 {
        length(&self.digits)
    }

    /// The words that its digits take.
    pub(crate) fn words(&self) -> u64 {
        self.digits.bits().div_ceil(64)
    }

    /// The number is below this power of ten in magnitude, and not below a hundredth of it.
    pub(crate) fn order(&self) -> i64 {
        self.length() + self.exponent
    }

    /// Whether a problem may have this number.
    pub(crate) fn fits(&self) -> bool {
        self.length() <= MOST_DIGITS
            && self.order() <= LARGEST_POWER
            && self.exponent >= SMALLEST_POWER
    }

    pub(crate) fn times(&self, by: &Self) -> Self {
        Self::new(&self.digits * &by.digits, self.exponent + by.exponent)
    }

    /// The sum; `None` where that has too many digits.
    pub(crate) fn plus(&self, other: &Self) -> Option<Self> {
        let one = Self::one();
        Self::sum_of_products([self, &one], [other, &one])
    }

    /// `a·b + c·d`; `None` where that has too many digits.
    pub(crate) fn sum_of_products([a, b]: [&Self; 2], [c, d]: [&Self; 2]) -> Option<Self> {
        if a.is_zero() || b.is_zero() {
            return Some(c.times(d));
        }
        if c.is_zero() || d.is_zero() {
            return Some(a.times(b));
        }
        let exponents = [a.exponent + b.exponent, c.exponent + d.exponent];
        let exponent = exponents[0].min(exponents[1]);
        if exponents[0].max(exponents[1]) - exponent > MOST_APART {
            return None;
        }
        let mut products = [&a.digits * &b.digits, &c.digits * &d.digits];
        for (product, of_it) in products.iter_mut().zip(exponents) {
            if of_it > exponent {
                *product *= ten_to(of_it - exponent);
            }
        }
        let [first, second] = products;
        Some(Self::new(first + second, exponent))
    }

    /// A sum of terms, of which `digits` digits are right beside the largest term.
    pub(crate) fn sum(terms: &[Self], digits: i64) -> Self {
        let orders = terms.iter().filter(|term| !term.is_zero()).map(Self::order);
        let Some(top) = orders.max() else { return Self::zero() };
        let terms = terms.iter().map(|term| term.cut(top - digits - 10));
        terms.fold(Self::zero(), |sum, term| sum.plus(&term).unwrap_or(sum))
    }

    /// What is left without digits below a power of ten.
    fn cut(&self, exponent: i64) -> Self {
        if self.exponent >= exponent {
            return self.clone();
        }
        if self.order() <= exponent {
            return Self::zero();
        }
        Self::new(&self.digits / ten_to(exponent - self.exponent), exponent)
    }

    /// The quotient with at least `digits` digits, or all; `None` where the divisor is zero.
    pub(crate) fn quotient(&self, by: &Self, digits: i64, towards: Towards) -> Option<Self> {
        if by.is_zero() {
            return None;
        }
        let more = (digits + by.length() - self.length() + 2).max(0);
        let quotient = divide(&(&self.digits * ten_to(more)), &by.digits, towards);
        Some(Self::new(quotient, self.exponent - by.exponent - more))
    }

    /// The number, rounded to at most `digits` digits.
    pub(crate) fn rounded(&self, digits: i64, towards: Towards) -> Self {
        let less = self.length() - digits;
        if less <= 0 {
            return self.clone();
        }
        Self::new(divide(&self.digits, &ten_to(less), towards), self.exponent + less)
    }

    /// Finite numbers `m > 0` and `t` with `t/m = self/by`, where `m` is one if the quotient is
    /// finite, else between a tenth and ten; `None` where the divisor is zero.
    pub(crate) fn ratio(&self, by: &Self) -> Option<[Self; 2]> {
        if by.is_zero() {
            return None;
        }
        if self.is_zero() {
            return Some([Self::one(), Self::zero()]);
        }
        let common = common_divisor(self.digits.clone(), by.digits.clone());
        let common = if by.is_negative() { -common } else { common };
        let (top, bottom) = (&self.digits / &common, &by.digits / &common);
        let (bottom, twos) = without(bottom, 2);
        let (bottom, fives) = without(bottom, 5);
        let size = length(&bottom) - 1;
        let top = top * BigInt::from(5).pow(twos) * BigInt::from(2).pow(fives);
        let exponent = self.exponent - by.exponent - i64::from(twos) - i64::from(fives) - size;
        Some([Self::new(bottom, -size), Self::new(top, exponent)])
    }

    /// A positive number by which all of these can be divided exactly, between a tenth and ten.
    pub(crate) fn common<'a>(numbers: impl Iterator<Item = &'a Self> + Clone) -> Self {
        // The shortest one first: what follows is no longer.
        let shortest = numbers.clone().min_by_key(|number| number.digits.bits());
        let mut common = shortest.map_or(BigInt::ZERO, |number| number.digits.clone());
        for number in numbers {
            common = common_divisor(common, number.digits.clone());
            if common == BigInt::from(1) {
                return Self::one();
            }
        }
        if common.sign() == Sign::NoSign {
            return Self::one();
        }
        let size = length(&common) - 1;
        Self::new(common, -size)
    }

    /// The quotient by what [`common`](Self::common) yields.
    pub(crate) fn exact_quotient(&self, by: &Self) -> Self {
        Self::new(&self.digits / &by.digits, self.exponent - by.exponent)
    }

    /// The nearest number; infinite beyond the range.
    pub(crate) fn to_f64(&self) -> f64 {
        // Every text of this kind is one of a number.
        format!("{}e{}", self.digits, self.exponent).parse().unwrap_or(f64::NAN)
    }
}

impl Neg for &Decimal {
    type Output = Decimal;

    fn neg(self) -> Decimal {
        Decimal { digits: -&self.digits, exponent: self.exponent }
    }
}

/// Without an exponent where that takes few zeros.
impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const ZEROS: i64 = 6;
        let digits = self.digits.magnitude().to_string();
        let sign = if self.is_negative() { "-" } else { "" };
        let point = digits.len() as i64 + self.exponent;
        match self.exponent {
            0 => write!(f, "{sign}{digits}"),
            zeros @ 1..=ZEROS => write!(f, "{sign}{digits}{}", "0".repeat(zeros as usize)),
            _ if self.exponent < 0 && point > 0 => {
                let (whole, fraction) = digits.split_at(point as usize);
                write!(f, "{sign}{whole}.{fraction}")
            }
            _ if self.exponent < 0 && point > -ZEROS => {
                write!(f, "{sign}0.{}{digits}", "0".repeat(-point as usize))
            }
            exponent => write!(f, "{sign}{digits}e{exponent}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Decimal {
        Decimal::parse(text.as_bytes()).unwrap()
    }

    #[test]
    fn the_same_number_in_many_forms() {
        for text in ["1", "+1e0", "1.000", "0.1d1", "100E-2", "0001.", ".1e+1"] {
            assert_eq!(of(text), Decimal::one(), "{text}");
        }
        for text in ["0", "-0.00", "+0", ".0e5", "000"] {
            assert_eq!(of(text), Decimal::zero(), "{text}");
        }
        assert_eq!(of("-12.50"), of("-125e-1"));
        for text in ["", "-", "nan", "inf", "1e", "1e99999999999999999999", "1e-1000000000001"] {
            assert_eq!(Decimal::parse(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn texts_come_back() {
        let cases = [
            ("0", "0"),
            ("-1250", "-1250"),
            ("12.5", "12.5"),
            ("-0.00125", "-0.00125"),
            ("1e300", "1e300"),
            ("-125e-30", "-125e-30"),
            ("3e6", "3000000"),
        ];
        for (text, expected) in cases {
            assert_eq!(of(text).to_string(), expected);
            assert_eq!(of(expected), of(text));
        }
    }

    #[test]
    fn sums_and_products() {
        assert_eq!(of("0.1").plus(&of("0.9")), Some(Decimal::one()));
        assert_eq!(
            of("1e20").plus(&of("-1e-20")).unwrap().to_string(),
            format!("{}.{}", "9".repeat(20), "9".repeat(20))
        );
        assert_eq!(of("1").plus(&of("1e-30000")), None);
        assert_eq!(of("2.5").times(&of("-4")), of("-10"));
        assert_eq!(Decimal::sum(&[of("1e40"), of("1e-40"), of("-1e40")], 20), Decimal::zero());
        assert_eq!(Decimal::sum(&[of("1e9"), of("1e-9"), of("-1e9")], 20), of("1e-9"));
    }

    #[test]
    fn quotients_are_rounded_in_a_direction() {
        /// A unit of the third digit.
        const UNIT: f64 = 1e-3;
        let cases = [
            ("1", "3", "0.333", "0.334"),
            ("-1", "3", "-0.334", "-0.333"),
            ("1", "-8", "-0.125", "-0.125"),
        ];
        for (a, b, below, above) in cases {
            for (towards, expected) in [(Towards::Below, below), (Towards::Above, above)] {
                let quotient = of(a).quotient(&of(b), 1, towards).unwrap();
                let quotient = quotient.rounded(3, towards);
                let apart = quotient.plus(&-&of(expected)).unwrap().to_f64();
                let is_outward =
                    if towards == Towards::Below { apart >= 0.0 } else { apart <= 0.0 };
                assert!(is_outward && apart.abs() < UNIT, "{quotient} {expected}");
                let back = quotient.times(&of(b)).plus(&-&of(a)).unwrap();
                let is_below = (towards == Towards::Below) != of(b).is_negative();
                assert!(back.is_zero() || back.is_negative() == is_below, "{a}/{b} {quotient}");
            }
        }
        assert!(of("123456").rounded(4, Towards::Above).to_f64() >= 123456.0);
        assert_eq!(of("1").quotient(&Decimal::zero(), 9, Towards::Below), None);
    }

    /// `m` is one for factors two and five alone.
    #[test]
    fn ratios_are_exact() {
        let cases = [
            ("3", "8", "1", "0.375"),
            ("-1", "-2.5", "1", "0.4"),
            ("6", "9", "3", "2"),
            ("1", "-7e5", "7", "-1e-5"),
            ("5", "30", "3", "0.5"),
            ("0", "3", "1", "0"),
            ("1", "1300", "1.3", "0.001"),
        ];
        for (a, b, m, t) in cases {
            assert_eq!(of(a).ratio(&of(b)), Some([of(m), of(t)]), "{a}/{b}");
        }
        assert_eq!(of("1").ratio(&Decimal::zero()), None);
    }

    #[test]
    fn what_numbers_have_in_common() {
        let numbers = ["9e7", "-0.6", "12"].map(of);
        let common = Decimal::common(numbers.iter());
        assert_eq!(common, of("3"));
        let quotients = numbers.each_ref().map(|x| x.exact_quotient(&common));
        assert_eq!(quotients, ["3e7", "-0.2", "4"].map(of));
        assert_eq!(Decimal::common([].into_iter()), Decimal::one());
    }
}
