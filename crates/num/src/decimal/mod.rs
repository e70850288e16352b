//! Exact decimal input and output.
//!
//! **Reading** is correctly rounded: the result is the number of the format nearest to the value of
//! the text, however long the text is. Formally its limbs are taken greedily, `x[0] = RN(x)`,
//! `x[1] = RN(x − x[0])`, …, each rounded to nearest, ties to even, with the remainder carried
//! exactly. The text `0.1` thus becomes the quad-double nearest 1/10, which is not the `f64`
//! nearest 1/10. Limbs below the smallest subnormal are lost, and values that round to more than
//! [`MultiFloat::MAX`] are infinite.
//!
//! **Writing** without a precision gives the shortest text that reads back as the same number, and
//! of those the one nearest to it. A number with wide gaps between its limbs needs more digits than
//! the format is counted with: `1 + 2^-1000` some three hundred. Writing with a precision rounds
//! the exact value, ties to even.
//!
//! The shortest text that reads back is short where the number came from a short text:
//!
//! ```
//! use nonius_num::Qd;
//!
//! let x: Qd = "0.1".parse()?;
//! assert_eq!(x.to_string(), "0.1");
//! // The `f64` nearest to 1/10 is another number, and all its digits show.
//! let y = Qd::from(0.1).to_string();
//! assert_eq!(y, "0.1000000000000000055511151231257827021181583404541015625");
//! assert_eq!(format!("{x:.3} {x:.2e}"), "0.100 1.00e-1");
//! # Ok::<(), nonius_num::ParseDecimalError>(())
//! ```

pub(crate) mod digits;
mod error;
pub(crate) mod format;
pub(crate) mod limbs;
mod parse;
pub(crate) mod powers;
pub(crate) mod scan;
#[cfg(feature = "serde")]
mod serde;
pub(crate) mod shortest;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests_parse;
#[cfg(test)]
mod tests_print;

use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

pub use error::ParseDecimalError;
use scan::{Scanned, Significand};

pub(crate) use crate::integers::words;
use crate::{MultiFloat, Real};

/// Numbers that are read from decimal text and written to it without loss.
///
/// ```
/// use nonius_num::mp::Bits;
/// use nonius_num::{Decimal, Mp, Qd};
///
/// /// The number in a format that may be known at run time only, and its text.
/// fn round_trip<T: Decimal>(format: T::Format, text: &str) -> String {
///     let mut out = Vec::new();
///     T::from_decimal_in(format, text.as_bytes()).unwrap().append_decimal(&mut out);
///     String::from_utf8(out).unwrap()
/// }
/// assert_eq!(round_trip::<Qd>((), "-2.50e3"), "-2500");
/// assert_eq!(round_trip::<Mp>(Bits::new(424).unwrap(), "1d-9"), "1e-9");
/// ```
pub trait Decimal: Real + fmt::Display + fmt::LowerExp + fmt::UpperExp {
    /// The number of a format nearest to the one that the whole of `text` denotes:
    /// `[+|-] digits [. digits] [e|E|d|D [+|-] digits]`, with at least one digit before or after
    /// the point, or `[+|-] inf | infinity | nan` in any case.
    ///
    /// # Errors
    /// What is wrong with the text, and where.
    fn from_decimal_in(format: Self::Format, text: &[u8]) -> Result<Self, ParseDecimalError>;

    /// [`from_decimal_in`](Self::from_decimal_in) where the type says the format.
    ///
    /// # Errors
    /// What is wrong with the text, and where.
    fn from_decimal(text: &[u8]) -> Result<Self, ParseDecimalError>
    where
        Self: Real<Format = ()>,
    {
        Self::from_decimal_in((), text)
    }

    /// [`from_decimal_in`](Self::from_decimal_in) of a number that is stored among others: writes
    /// its words and returns its cell.
    ///
    /// # Errors
    /// What is wrong with the text, and where.
    fn store_decimal(
        format: Self::Format,
        text: &[u8],
        words: &mut [u64],
    ) -> Result<Self::Cell, ParseDecimalError> {
        Ok(Self::from_decimal_in(format, text)?.store(format, words))
    }

    /// Appends the shortest text that reads back as the same number, with an exponent where the
    /// magnitude is below `10^-4` or not below `10^16`.
    fn append_decimal(&self, out: &mut Vec<u8>);
}

impl<const N: usize> Decimal for MultiFloat<N> {
    fn from_decimal_in((): (), text: &[u8]) -> Result<Self, ParseDecimalError> {
        Ok(Self::from_limbs(match scan::scan(text, &mut Significand::new())? {
            Scanned::Finite(number) => parse::limbs_of(&number),
            Scanned::Infinity { negative } => limbs::single(f64::INFINITY, negative),
            Scanned::Nan { negative } => limbs::single(f64::NAN, negative),
        }))
    }

    fn append_decimal(&self, out: &mut Vec<u8>) {
        format::append(self.limbs(), out);
    }
}

impl Decimal for f64 {
    fn from_decimal_in((): (), text: &[u8]) -> Result<Self, ParseDecimalError> {
        // The standard parser rounds correctly too; what it does not know is the exponent letter d.
        if let Some(x) = core::str::from_utf8(text).ok().and_then(|s| s.parse().ok()) {
            return Ok(x);
        }
        let [x] = match scan::scan(text, &mut Significand::new())? {
            Scanned::Finite(number) => parse::limbs_of(&number),
            Scanned::Infinity { negative } => limbs::single(f64::INFINITY, negative),
            Scanned::Nan { negative } => limbs::single(f64::NAN, negative),
        };
        Ok(x)
    }

    fn append_decimal(&self, out: &mut Vec<u8>) {
        format::append([*self], out);
    }
}

impl<const N: usize> FromStr for MultiFloat<N> {
    type Err = ParseDecimalError;

    fn from_str(text: &str) -> Result<Self, ParseDecimalError> {
        Self::from_decimal(text.as_bytes())
    }
}
