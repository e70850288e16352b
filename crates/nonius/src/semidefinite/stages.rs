//! Which precisions a run goes through.

use std::fmt;
use std::str::FromStr;

use nonius_num::mp::Bits;

use super::{SemidefiniteOptions, SemidefinitePoint};
use crate::Precision;

/// The precision that a run ends in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SemidefinitePrecision {
    /// This one.
    Fixed(Precision),
    /// The lowest of `f64`, `dd`, `qd`, `mp424` and `mp848` in which the gap asked for is met.
    Auto,
}

/// A text that names no precision to end in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownSemidefinitePrecision(String);

/// Bits of the last precisions of [`SemidefinitePrecision::Auto`].
const LAST: [u32; 2] = [424, 848];
/// How many times the bits of a precision the next one has at least.
const MORE: f64 = 1.9;

impl SemidefinitePrecision {
    /// The precision of which the gap is asked for where none is given.
    pub(super) fn default_end(self) -> Precision {
        match self {
            Self::Fixed(precision) => precision,
            Self::Auto => Precision::Dd,
        }
    }
}

/// The precisions of a run, in their order.
pub(super) fn stages(
    options: &SemidefiniteOptions,
    start: Option<&SemidefinitePoint>,
) -> Vec<Precision> {
    let bits = LAST.into_iter().filter_map(|bits| Bits::new(bits).ok());
    let all =
        [Precision::F64, Precision::Dd, Precision::Qd].into_iter().chain(bits.map(Precision::Mp));
    match options.precision {
        SemidefinitePrecision::Auto if start.is_some() => {
            all.filter(|precision| *precision != Precision::F64).collect()
        }
        SemidefinitePrecision::Auto => all.collect(),
        SemidefinitePrecision::Fixed(last) if options.at_once || start.is_some() => vec![last],
        SemidefinitePrecision::Fixed(last) => {
            let is_lower = |precision: &Precision| {
                f64::from(precision.bits()) * MORE <= f64::from(last.bits())
            };
            all.filter(is_lower).chain([last]).collect()
        }
    }
}

impl FromStr for SemidefinitePrecision {
    type Err = UnknownSemidefinitePrecision;

    fn from_str(text: &str) -> Result<Self, UnknownSemidefinitePrecision> {
        if text == "auto" {
            return Ok(Self::Auto);
        }
        let precision = text.parse().map(Self::Fixed);
        precision.map_err(|_| UnknownSemidefinitePrecision(text.into()))
    }
}

impl fmt::Display for SemidefinitePrecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(precision) => precision.fmt(f),
            Self::Auto => f.pad("auto"),
        }
    }
}

impl fmt::Display for UnknownSemidefinitePrecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "unknown precision `{}`: expected auto, f64, dd, td, qd or mp followed by bits from {} to {}",
            self.0,
            Bits::LEAST,
            Bits::MOST
        )
    }
}

impl std::error::Error for UnknownSemidefinitePrecision {}
