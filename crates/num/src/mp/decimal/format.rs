//! Text with width, sign and places, as [`decimal::format`](crate::decimal::format) has for limbs.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::exact::rounded_quotient;
use super::write::floor_log10_of_power;
use crate::decimal::digits::append_chunks;
use crate::decimal::format::Digits;
use crate::decimal::shortest::chunks_of;
use crate::mp::{Mp, MpRef};

/// Magnitudes below two to this power, which is the range of `f64`, have places after the point
/// without an exponent.
const POSITIONAL: i64 = 1024;

impl MpRef<'_> {
    /// The magnitude rounded to a multiple of `10^k`, ties to even.
    fn multiple_of_power(self, k: i64) -> Digits {
        let mut digits = Vec::new();
        // The magnitude is less than 2^code < 10^(k − 1) where it is far less.
        if floor_log10_of_power(self.head().code().into()) + 1 >= k {
            append_chunks(&chunks_of(rounded_quotient(self, k)), &mut digits);
        }
        if digits == b"0" {
            digits.clear();
        }
        Digits::of_integer(digits, k)
    }

    /// The shortest digits.
    fn shortest_digits(self) -> Digits {
        let mut digits = Vec::new();
        let exponent = self.append_shortest(&mut digits);
        let last = exponent + 1 - digits.len() as i64;
        Digits::of_integer(digits, last)
    }

    /// With an exponent, and `places` digits after the point or as many as the shortest text has.
    fn scientific(self, places: Option<usize>, letter: char) -> String {
        let Some(places) = places else { return self.shortest_digits().scientific(None, letter) };
        let k = floor_log10_of_power(i64::from(self.head().code()) - 1) - places as i64;
        let mut digits = self.multiple_of_power(k);
        if digits.exceed(places + 1) {
            // The magnitude, or what it was rounded to, has one digit more than the power of two
            // below it.
            digits = self.multiple_of_power(k + 1);
        }
        digits.scientific(Some(places), letter)
    }

    /// Without exponent in the range of `f64`, with `places` digits after the point.
    fn with_places(self, places: usize) -> String {
        if i64::from(self.head().code()) > POSITIONAL {
            return self.scientific(Some(places), 'e');
        }
        self.multiple_of_power(-(places as i64)).positional(Some(places))
    }

    /// Formats a number: the text of its magnitude comes from `text`; sign, width, fill and
    /// alignment are the formatter's, as for `f64`. Zeros, infinities and NaN are left to `f64`.
    fn format(
        self,
        f: &mut fmt::Formatter<'_>,
        special: fn(&f64, &mut fmt::Formatter<'_>) -> fmt::Result,
        text: impl FnOnce(Self) -> String,
    ) -> fmt::Result {
        let head = self.head();
        if head.exponent().is_none() {
            let sign = if head.is_negative() { -1.0 } else { 1.0 };
            let magnitude = match () {
                () if head.is_nan() => f64::NAN,
                () if head.is_zero() => 0.0,
                () => f64::INFINITY,
            };
            return special(&(sign * magnitude), f);
        }
        f.pad_integral(!head.is_negative(), "", &text(self))
    }
}

/// `{}` gives the shortest text that reads back as the same number, with an exponent where the
/// magnitude is below `10^-4` or not below `10^16`; `{:.30}` thirty digits after the point,
/// correctly rounded (ties to even), without an exponent for magnitudes below `2^1024`.
impl fmt::Display for MpRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places = f.precision();
        self.format(f, fmt::Display::fmt, |x| match places {
            Some(places) => x.with_places(places),
            None => {
                let mut text = Vec::new();
                let magnitude = MpRef::new(x.bits(), x.head().abs(), x.words());
                magnitude.append_decimal(&mut text);
                text.into_iter().map(char::from).collect()
            }
        })
    }
}

/// With exponent. `{:e}` gives the fewest digits that read back as the same number, `{:.30e}`
/// thirty after the point, correctly rounded (ties to even).
impl fmt::LowerExp for MpRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places = f.precision();
        self.format(f, fmt::LowerExp::fmt, |x| x.scientific(places, 'e'))
    }
}

/// As [`LowerExp`](fmt::LowerExp) with the letter `E`.
impl fmt::UpperExp for MpRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places = f.precision();
        self.format(f, fmt::UpperExp::fmt, |x| x.scientific(places, 'E'))
    }
}

/// As [`MpRef`]'s.
impl fmt::Display for Mp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.view(), f)
    }
}

/// As [`MpRef`]'s.
impl fmt::LowerExp for Mp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::LowerExp::fmt(&self.view(), f)
    }
}

/// As [`MpRef`]'s.
impl fmt::UpperExp for Mp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::UpperExp::fmt(&self.view(), f)
    }
}
