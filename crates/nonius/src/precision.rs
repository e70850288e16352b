//! The precisions, and running a job with the number type of one that is chosen at run time.

use std::fmt;
use std::str::FromStr;

use crate::{Dd, Decimal, Qd, Real, Td};
use nonius_linalg::Scalar;

/// The number types of [`Precision`]: element types of matrices with exact decimal input and output.
pub trait Number: Scalar + Decimal {}

impl<T: Scalar + Decimal> Number for T {}

/// Work that is written once for every number type.
pub trait Job {
    /// What it yields.
    type Output;

    /// Does the work with numbers of type `T`.
    fn run<T: Number>(self) -> Self::Output;
}

/// How many bits numbers carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Precision {
    /// IEEE 754 double precision, 53 bits.
    F64,
    /// Double-double, 104 bits.
    Dd,
    /// Triple-double, 156 bits.
    Td,
    /// Quad-double, 208 bits.
    Qd,
}

/// A text that names no precision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownPrecision(String);

impl Precision {
    /// All precisions, lowest first.
    pub const ALL: [Self; 4] = [Self::F64, Self::Dd, Self::Td, Self::Qd];

    /// The spelling used everywhere: `f64`, `dd`, `td`, `qd`.
    pub fn name(self) -> &'static str {
        match self {
            Self::F64 => f64::NAME,
            Self::Dd => Dd::NAME,
            Self::Td => Td::NAME,
            Self::Qd => Qd::NAME,
        }
    }

    /// The precision of a number type.
    pub fn of<T: Number>() -> Self {
        [Self::F64, Self::Dd, Self::Td, Self::Qd][T::LIMBS - 1]
    }

    /// Significand bits `p`.
    pub fn bits(self) -> u32 {
        match self {
            Self::F64 => f64::PRECISION,
            Self::Dd => Dd::PRECISION,
            Self::Td => Td::PRECISION,
            Self::Qd => Qd::PRECISION,
        }
    }

    /// Decimal digits that the bits are worth: `p·log₁₀ 2`, rounded down.
    pub fn digits(self) -> u32 {
        (f64::from(self.bits()) * std::f64::consts::LOG10_2) as u32
    }

    /// Unit roundoff `u = 2^-p`: the relative error of one rounding.
    pub fn unit_roundoff(self) -> f64 {
        match self {
            Self::F64 => f64::UNIT_ROUNDOFF,
            Self::Dd => Dd::UNIT_ROUNDOFF,
            Self::Td => Td::UNIT_ROUNDOFF,
            Self::Qd => Qd::UNIT_ROUNDOFF,
        }
    }

    /// Runs `job` with the number type of this precision.
    pub fn run<J: Job>(self, job: J) -> J::Output {
        match self {
            Self::F64 => job.run::<f64>(),
            Self::Dd => job.run::<Dd>(),
            Self::Td => job.run::<Td>(),
            Self::Qd => job.run::<Qd>(),
        }
    }
}

impl fmt::Display for Precision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Precision {
    type Err = UnknownPrecision;

    fn from_str(text: &str) -> Result<Self, UnknownPrecision> {
        let found = Self::ALL.into_iter().find(|p| p.name() == text);
        found.ok_or_else(|| UnknownPrecision(text.to_string()))
    }
}

impl fmt::Display for UnknownPrecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown precision `{}`: expected f64, dd, td or qd", self.0)
    }
}

impl std::error::Error for UnknownPrecision {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_sizes() {
        struct Of;
        impl Job for Of {
            type Output = Precision;
            fn run<T: Number>(self) -> Precision {
                Precision::of::<T>()
            }
        }
        for (precision, digits) in Precision::ALL.into_iter().zip([15, 31, 46, 62]) {
            assert_eq!(precision.to_string().parse(), Ok(precision));
            assert_eq!(precision.digits(), digits);
            assert_eq!(precision.unit_roundoff(), 0.5_f64.powi(precision.bits() as i32));
            assert_eq!(precision.run(Of), precision);
        }
        let error = "mp424".parse::<Precision>().unwrap_err();
        assert_eq!(error.to_string(), "unknown precision `mp424`: expected f64, dd, td or qd");
    }
}
