//! Which numbers, at run time.

use std::fmt;
use std::str::FromStr;

use nonius_cuda::DeviceNumber;
use nonius_num::{Dd, Qd, Td};

/// The precisions of tridiagonal systems.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TridiagonalPrecision {
    /// IEEE 754 single precision.
    F32,
    /// IEEE 754 double precision.
    #[default]
    F64,
    /// Double-double.
    Dd,
    /// Triple-double.
    Td,
    /// Quad-double.
    Qd,
}

/// A text that names no such precision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownTridiagonalPrecision(String);

/// What is to be done with numbers of a precision.
pub trait TridiagonalJob {
    /// What it returns.
    type Output;

    /// Does it.
    fn run<T: DeviceNumber>(self) -> Self::Output;
}

impl TridiagonalPrecision {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::F32, Self::F64, Self::Dd, Self::Td, Self::Qd];

    /// The spelling: `f32`, `f64`, `dd`, `td`, `qd`.
    pub fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::Dd => "dd",
            Self::Td => "td",
            Self::Qd => "qd",
        }
    }

    /// Does a job with these numbers.
    pub fn run<J: TridiagonalJob>(self, job: J) -> J::Output {
        match self {
            Self::F32 => job.run::<f32>(),
            Self::F64 => job.run::<f64>(),
            Self::Dd => job.run::<Dd>(),
            Self::Td => job.run::<Td>(),
            Self::Qd => job.run::<Qd>(),
        }
    }
}

impl fmt::Display for TridiagonalPrecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for TridiagonalPrecision {
    type Err = UnknownTridiagonalPrecision;

    fn from_str(text: &str) -> Result<Self, UnknownTridiagonalPrecision> {
        let named = Self::ALL.into_iter().find(|precision| precision.name() == text);
        named.ok_or_else(|| UnknownTridiagonalPrecision(text.into()))
    }
}

impl fmt::Display for UnknownTridiagonalPrecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown precision `{}`: expected f32, f64, dd, td or qd", self.0)
    }
}

impl std::error::Error for UnknownTridiagonalPrecision {}
