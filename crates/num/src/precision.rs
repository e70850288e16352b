//! The precisions, by name and by bits.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;
use core::str::FromStr;

use crate::mp::Bits;
use crate::{Dd, Qd, Td};

/// A precision: how many bits a significand has.
///
/// ```
/// use nonius_num::Precision;
///
/// let precision: Precision = "mp424".parse()?;
/// assert_eq!((precision.bits(), precision.digits()), (424, 127));
/// assert_eq!("qd".parse::<Precision>()?.unit_roundoff(), 2.0_f64.powi(-208));
/// # Ok::<(), nonius_num::UnknownPrecision>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Precision {
    /// IEEE 754 double precision, 53 bits.
    F64,
    /// Double-double, 104 bits.
    Dd,
    /// Triple-double, 156 bits.
    Td,
    /// Quad-double, 208 bits.
    Qd,
    /// This number of bits, from 64 to 4096.
    Mp(Bits),
}

/// A text that names no precision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownPrecision(String);

impl Precision {
    /// The precisions with a number type of their own, lowest first.
    pub const FIXED: [Self; 4] = [Self::F64, Self::Dd, Self::Td, Self::Qd];

    /// The spelling used everywhere: `f64`, `dd`, `td`, `qd`, and for 424 bits `mp424`.
    pub fn name(self) -> Cow<'static, str> {
        match self {
            Self::Mp(bits) => format!("{}{bits}", self.kind()).into(),
            _ => self.kind().into(),
        }
    }

    /// The name without the bits.
    pub const fn kind(self) -> &'static str {
        match self {
            Self::F64 => "f64",
            Self::Dd => "dd",
            Self::Td => "td",
            Self::Qd => "qd",
            Self::Mp(_) => "mp",
        }
    }

    /// Significand bits `p`.
    pub const fn bits(self) -> u32 {
        match self {
            Self::F64 => f64::MANTISSA_DIGITS,
            Self::Dd => Dd::MANTISSA_DIGITS,
            Self::Td => Td::MANTISSA_DIGITS,
            Self::Qd => Qd::MANTISSA_DIGITS,
            Self::Mp(bits) => bits.get(),
        }
    }

    /// Decimal digits that the bits are worth: `p·log₁₀ 2`, rounded down.
    pub fn digits(self) -> u32 {
        (f64::from(self.bits()) * core::f64::consts::LOG10_2) as u32
    }

    /// Unit roundoff `u = 2^-p`: the relative error of one rounding; 0 where that is below the
    /// range of `f64`.
    pub fn unit_roundoff(self) -> f64 {
        match self {
            Self::F64 => f64::EPSILON / 2.0,
            Self::Dd => Dd::UNIT_ROUNDOFF,
            Self::Td => Td::UNIT_ROUNDOFF,
            Self::Qd => Qd::UNIT_ROUNDOFF,
            Self::Mp(bits) => power_of_half(bits.get()),
        }
    }
}

/// `2^-k`
fn power_of_half(k: u32) -> f64 {
    match k {
        0..=1022 => f64::from_bits(u64::from(1023 - k) << 52),
        1023..=1074 => f64::from_bits(1 << (1074 - k)),
        _ => 0.0,
    }
}

impl fmt::Display for Precision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.name())
    }
}

impl FromStr for Precision {
    type Err = UnknownPrecision;

    fn from_str(text: &str) -> Result<Self, UnknownPrecision> {
        let fixed = || Self::FIXED.into_iter().find(|p| p.name() == text);
        let any = || {
            let bits = text.strip_prefix("mp")?.parse().ok().and_then(|n| Bits::new(n).ok());
            // Digits alone: neither a sign nor zeros in front.
            bits.map(Self::Mp).filter(|p| p.name() == text)
        };
        fixed().or_else(any).ok_or_else(|| UnknownPrecision(text.to_string()))
    }
}

impl fmt::Display for UnknownPrecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "unknown precision `{}`: expected f64, dd, td, qd or mp followed by bits from {} to {}",
            self.0,
            Bits::LEAST,
            Bits::MOST
        )
    }
}

impl core::error::Error for UnknownPrecision {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_sizes() {
        let mp = |bits| Precision::Mp(Bits::new(bits).unwrap());
        let all = Precision::FIXED.into_iter().chain([mp(64), mp(424), mp(4096)]);
        for (precision, digits) in all.zip([15, 31, 46, 62, 19, 127, 1233]) {
            assert_eq!(precision.to_string().parse(), Ok(precision));
            assert_eq!(precision.digits(), digits);
            assert_eq!(precision.unit_roundoff(), 0.5_f64.powi(precision.bits() as i32));
        }
        for text in
            ["", "mp", "mp63", "mp4097", "mp0424", "mp+424", "mp 424", "MP424", "mp1e3", "qq"]
        {
            assert!(text.parse::<Precision>().is_err(), "{text}");
        }
        let error = "mp63".parse::<Precision>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "unknown precision `mp63`: expected f64, dd, td, qd or mp followed by bits from 64 to 4096"
        );
    }
}
