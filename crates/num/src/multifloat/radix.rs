//! Reading numbers in bases other than ten: `[+|-] digits [. digits]`, or `inf`, `infinity`, `nan`
//! in any case.
//!
//! The digits go into [fixed point](super::exact) as wide as the range and are rounded once. Digits
//! before the point are exact; those after it are, in bases that are not powers of two, cut at
//! `2^-2176`, which is correct rounding for any text of up to 200 digits after the point and an
//! error of less than `2^-2174` more for longer ones. Base ten, with exponents, is read by
//! [`decimal`](crate::decimal), correctly rounded always.

use core::fmt;

use super::MultiFloat;
use super::exact::Exact;
use crate::decimal::ParseDecimalError;

/// Why a text is not a number in the base asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseRadixError {
    /// The base is not one of 2 to 36.
    Base(u32),
    /// There are no digits.
    Empty,
    /// Neither a digit of the base nor the first point.
    Digit {
        /// Where it stands, in characters from 0.
        position: usize,
        /// What stands there.
        found: char,
    },
    /// The text is not a decimal number.
    Decimal(ParseDecimalError),
}

impl fmt::Display for ParseRadixError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Base(base) => write!(f, "numbers are read in bases 2 to 36, not {base}"),
            Self::Empty => write!(f, "expected digits"),
            Self::Digit { position, found } => {
                write!(f, "expected a digit at character {position}, found {found:?}")
            }
            Self::Decimal(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for ParseRadixError {}

impl<const N: usize> MultiFloat<N> {
    /// The number that `text` denotes in base `radix`.
    ///
    /// ```
    /// use nonius_num::Dd;
    ///
    /// assert_eq!(Dd::from_str_radix("ff.8", 16), Ok(Dd::from(255.5)));
    /// assert_eq!(Dd::from_str_radix("-0.1", 2), Ok(Dd::from(-0.5)));
    /// ```
    pub fn from_str_radix(text: &str, radix: u32) -> Result<Self, ParseRadixError> {
        if !(2..=36).contains(&radix) {
            return Err(ParseRadixError::Base(radix));
        }
        if radix == 10 {
            return text.parse().map_err(ParseRadixError::Decimal);
        }
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        let magnitude = if ["inf", "infinity"].iter().any(|s| unsigned.eq_ignore_ascii_case(s)) {
            Self::INFINITY
        } else if unsigned.eq_ignore_ascii_case("nan") {
            Self::NAN
        } else {
            magnitude(unsigned, radix, text.chars().count() - unsigned.chars().count())?
        };
        Ok(if text.starts_with('-') { -magnitude } else { magnitude })
    }
}

/// The value of digits with at most one point; `offset` is the number of characters before them.
fn magnitude<const N: usize>(
    text: &str,
    radix: u32,
    offset: usize,
) -> Result<MultiFloat<N>, ParseRadixError> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if whole.is_empty() && fraction.is_empty() {
        return Err(ParseRadixError::Empty);
    }
    let digit = |position: usize, found: char| {
        found.to_digit(radix).ok_or(ParseRadixError::Digit { position, found })
    };
    let mut value = Exact::zero();
    let mut overflow = false;
    for (i, found) in whole.chars().enumerate() {
        let digit = digit(offset + i, found)?;
        overflow |= value.reaches(1100);
        if !overflow {
            value.multiply_add_small(radix, digit);
        }
    }
    let start = offset + whole.chars().count() + 1;
    for (i, found) in fraction.chars().enumerate() {
        digit(start + i, found)?;
    }
    let mut below = Exact::zero();
    for digit in fraction.chars().rev().filter_map(|found| found.to_digit(radix)) {
        below.add_divide_small(digit, radix);
    }
    value.add_exact(&below);
    Ok(if overflow { MultiFloat::INFINITY } else { value.round() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dd, Qd, Td};

    #[test]
    fn bases() {
        let read = |text, radix| Td::from_str_radix(text, radix);
        assert_eq!(read("ff.8", 16), Ok(Td::from(255.5)));
        assert_eq!(read("-0.1", 2), Ok(Td::from(-0.5)));
        assert_eq!(read("+zz", 36), Ok(Td::from(35 * 36 + 35)));
        assert_eq!(read("0.13", 6), Ok(Td::from(0.25)));
        assert_eq!(read("1e3", 10), Ok(Td::from(1000.0)));
        assert_eq!(read("INF", 2), Ok(Td::INFINITY));
        assert_eq!(read("0.1", 3).map(|x| x.limbs()), Ok((Td::ONE / 3.0).limbs()));
        assert!(read("-0", 2).is_ok_and(|x| x.is_sign_negative()));
    }

    #[test]
    fn one_rounding() {
        // 2^106 + 1 does not fit into two limbs, 2^106 + 2^-900 does.
        let one_zeros = |zeros: usize| "1".to_string() + &"0".repeat(zeros);
        assert_eq!(
            Dd::from_str_radix(&(one_zeros(105) + "1"), 2).map(|x| x.limbs()),
            Ok([2_f64.powi(106), 1.0])
        );
        let text = one_zeros(106) + "." + &"0".repeat(899) + "1";
        assert_eq!(
            Dd::from_str_radix(&text, 2).map(|x| x.limbs()),
            Ok([2_f64.powi(106), 2_f64.powi(-900)])
        );
        // 1 + 2^-53 is a tie for the first limb; the digit 300 places on decides.
        let text = "1.".to_string() + &"0".repeat(52) + "1" + &"0".repeat(246) + "1";
        let limbs = Qd::from_str_radix(&text, 2).map(|x| x.limbs());
        assert_eq!(limbs, Ok([1.0 + f64::EPSILON, -(2_f64.powi(-53)), 2_f64.powi(-300), 0.0]));
        assert_eq!(Dd::from_str_radix(&one_zeros(1024), 2), Ok(Dd::INFINITY));
        assert_eq!(Dd::from_str_radix(&one_zeros(5000), 2), Ok(Dd::INFINITY));
    }

    #[test]
    fn errors_say_where() {
        let fails = |text, radix| Dd::from_str_radix(text, radix).expect_err("not a number");
        assert_eq!(fails("1", 37), ParseRadixError::Base(37));
        assert_eq!(fails("-", 2), ParseRadixError::Empty);
        assert_eq!(fails("-.", 2), ParseRadixError::Empty);
        assert_eq!(fails("-102", 2), ParseRadixError::Digit { position: 3, found: '2' });
        assert_eq!(fails("1.0.1", 2), ParseRadixError::Digit { position: 3, found: '.' });
        assert!(matches!(fails("1.0.1", 10), ParseRadixError::Decimal(_)));
    }
}
