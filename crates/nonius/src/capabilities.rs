//! What is computed with which numbers, and where.

/// Where a verb of the program computes, with what numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capability {
    /// The verb, as `nonius solve` has it.
    pub verb: &'static str,
    /// In single precision.
    pub single: Places,
    /// In [`Precision::F64`](crate::Precision::F64).
    pub double: Places,
    /// With several limbs: the other ones of [`Precision::FIXED`](crate::Precision::FIXED).
    pub limbs: Places,
    /// With any number of bits: [`Precision::Mp`](crate::Precision::Mp).
    pub any: Places,
}

/// Kinds of devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Places {
    /// No device.
    Nowhere,
    /// The host's processor.
    Cpu,
    /// That, and GPUs.
    CpuAndGpu,
}

use Places::{Cpu, CpuAndGpu, Nowhere};

/// Every verb that takes a precision.
///
/// ```
/// use nonius::device::{CAPABILITIES, Places};
///
/// let solve = CAPABILITIES.iter().find(|capability| capability.verb == "solve").unwrap();
/// assert_eq!((solve.single, solve.any), (Places::Nowhere, Places::CpuAndGpu));
/// ```
pub const CAPABILITIES: [Capability; 12] = [
    Capability::from_double("solve", CpuAndGpu),
    Capability::from_double("inverse", CpuAndGpu),
    Capability::from_double("determinant", CpuAndGpu),
    Capability::from_double("eigen", CpuAndGpu),
    Capability::from_double("svd", CpuAndGpu),
    Capability::from_double("matmul", CpuAndGpu),
    Capability::from_double("cg", CpuAndGpu),
    Capability::from_double("sdp", CpuAndGpu),
    Capability { single: CpuAndGpu, ..Capability::from_double("tridiag", CpuAndGpu) },
    Capability::from_double("option", CpuAndGpu),
    Capability { verb: "fem", single: CpuAndGpu, double: CpuAndGpu, limbs: Nowhere, any: Nowhere },
    Capability::from_double("convert", Cpu),
];

impl Capability {
    /// With all numbers from `f64` on.
    const fn from_double(verb: &'static str, places: Places) -> Self {
        Self { verb, single: Nowhere, double: places, limbs: places, any: places }
    }
}

impl Places {
    /// The devices, as `--device` names them.
    pub fn names(self) -> &'static [&'static str] {
        match self {
            Self::Nowhere => &[],
            Self::Cpu => &["cpu"],
            Self::CpuAndGpu => &["cpu", "cuda"],
        }
    }
}
