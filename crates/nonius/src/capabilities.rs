//! What is computed with which numbers, and where.

/// Where a verb of the program computes, with what numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capability {
    /// The verb, as `nonius solve` has it.
    pub verb: &'static str,
    /// With the precisions of [`Precision::FIXED`](crate::Precision::FIXED).
    pub fixed: Places,
    /// With any number of bits: [`Precision::Mp`](crate::Precision::Mp).
    pub any: Places,
}

/// Kinds of devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Places {
    /// The host's processor.
    Cpu,
    /// That, and GPUs.
    CpuAndGpu,
}

use Places::{Cpu, CpuAndGpu};

/// Every verb that takes a precision.
pub const CAPABILITIES: [Capability; 11] = [
    Capability::new("solve", CpuAndGpu, CpuAndGpu),
    Capability::new("inverse", CpuAndGpu, CpuAndGpu),
    Capability::new("determinant", CpuAndGpu, CpuAndGpu),
    Capability::new("eigen", CpuAndGpu, CpuAndGpu),
    Capability::new("svd", CpuAndGpu, CpuAndGpu),
    Capability::new("matmul", CpuAndGpu, CpuAndGpu),
    Capability::new("cg", CpuAndGpu, CpuAndGpu),
    Capability::new("sdp", CpuAndGpu, CpuAndGpu),
    Capability::new("tridiag", CpuAndGpu, CpuAndGpu),
    Capability::new("option", CpuAndGpu, CpuAndGpu),
    Capability::new("convert", Cpu, Cpu),
];

impl Capability {
    const fn new(verb: &'static str, fixed: Places, any: Places) -> Self {
        Self { verb, fixed, any }
    }
}

impl Places {
    /// The devices, as `--device` names them.
    pub fn names(self) -> &'static [&'static str] {
        match self {
            Self::Cpu => &["cpu"],
            Self::CpuAndGpu => &["cpu", "cuda"],
        }
    }
}
