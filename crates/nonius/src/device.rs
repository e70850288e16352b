//! Where the work is done, and what this machine has.

pub(crate) mod all;
mod array;
mod compiled;
mod gpu;
mod run;

use std::fmt;
use std::str::FromStr;

pub use nonius_linalg::DeviceFailure;
use nonius_linalg::Error;

pub use nonius_cuda::{
    DEFAULT, DeviceInfo, ForeignMatrix, Layout, Place as MemoryPlace, Refusal, Strided, place_of,
    synchronize_stream,
};
pub use nonius_linalg::cpu::simd::Level;
pub use nonius_linalg::dense::resident;

pub use self::array::{Array, ArrayNumber, DifferentGpus};
pub use crate::capabilities::{CAPABILITIES, Capability, Places};
pub use crate::kernels::{KernelCompiler, precompile};
pub use crate::work::Estimate;

/// The device that computes.
///
/// ```
/// use nonius::Device;
///
/// assert_eq!("cuda:1".parse(), Ok(Device::Cuda(1)));
/// assert_eq!("cuda:all".parse(), Ok(Device::CudaAll));
/// assert_eq!(Device::default(), Device::Auto);
/// assert!("gpu".parse::<Device>().is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Device {
    /// The first GPU; the CPU where the work is short, where there is no GPU, or where it fails.
    #[default]
    Auto,
    /// The host's processor.
    Cpu,
    /// The NVIDIA GPU of that number, counted from 0.
    Cuda(usize),
    /// All NVIDIA GPUs of the machine, each of which is a [rank](crate::ranks). Where the ranks are
    /// processes, those of a host take its GPUs in turn.
    CudaAll,
}

/// A text that names no device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownDevice(String);

/// Where a job was done, and why there.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The device: never [`Device::Auto`].
    pub device: Device,
    /// What decided.
    pub reason: Reason,
    /// Whether matrices were larger than the device's memory: they were in the host's, and the
    /// device computed with pieces of them.
    pub out_of_core: bool,
}

impl Place {
    /// On a device, in its own memory.
    pub(crate) fn new(device: Device, reason: Reason) -> Self {
        Self { device, reason, out_of_core: false }
    }
}

/// Why a job was done on a device.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// It was asked for.
    Asked,
    /// There are several ranks, for which nobody asked for GPUs.
    Ranks,
    /// The shorter of two times.
    Estimate(Estimate),
    /// The GPU cannot be had, or failed on the way.
    Failure(DeviceFailure),
}

impl Device {
    /// The GPUs of this machine.
    ///
    /// # Errors
    /// Why there is none: no driver, one too old, no GPU.
    pub fn gpus() -> Result<Vec<DeviceInfo>, DeviceFailure> {
        DeviceInfo::all().map_err(DeviceFailure::new)
    }

    /// `Ok` where the device is there; opens no GPU, which takes a quarter of a second.
    ///
    /// # Errors
    /// [`Error::Device`]: why the GPU is not there.
    pub fn check(self) -> Result<(), Error> {
        match self {
            Self::Auto | Self::Cpu => Ok(()),
            Self::Cuda(ordinal) => there(ordinal),
            Self::CudaAll => there(0),
        }
    }
}

/// `Ok` where that GPU is there.
fn there(ordinal: usize) -> Result<(), Error> {
    DeviceInfo::of(ordinal).map(drop).map_err(|error| Error::Device(DeviceFailure::new(error)))
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.pad("auto"),
            Self::Cpu => f.pad("cpu"),
            Self::Cuda(ordinal) => f.pad(&format!("cuda:{ordinal}")),
            Self::CudaAll => f.pad("cuda:all"),
        }
    }
}

/// `an estimated 0.002 s on the CPU, 1.0 s to start a GPU and use it`
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Asked => f.write_str("asked for"),
            Self::Ranks => f.write_str("ranks compute on the CPU unless cuda:all is asked for"),
            Self::Estimate(Estimate { cpu_seconds, gpu_seconds }) => write!(
                f,
                "an estimated {cpu_seconds:.1e} s on the CPU, {gpu_seconds:.1} s to start a GPU and use it"
            ),
            Self::Failure(failure) => failure.fmt(f),
        }
    }
}

impl FromStr for Device {
    type Err = UnknownDevice;

    fn from_str(text: &str) -> Result<Self, UnknownDevice> {
        let ordinal = match text.strip_prefix("cuda") {
            Some("") => Some(0),
            Some(rest) => rest
                .strip_prefix(':')
                .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
                .and_then(|digits| digits.parse().ok()),
            None => None,
        };
        match (text, ordinal) {
            ("auto", _) => Ok(Self::Auto),
            ("cpu", _) => Ok(Self::Cpu),
            ("cuda:all", _) => Ok(Self::CudaAll),
            (_, Some(ordinal)) => Ok(Self::Cuda(ordinal)),
            _ => Err(UnknownDevice(text.to_string())),
        }
    }
}

impl fmt::Display for UnknownDevice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "unknown device `{}`: expected auto, cpu, cuda, cuda:0, cuda:1, … or cuda:all",
            self.0
        )
    }
}

impl std::error::Error for UnknownDevice {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings() {
        for (text, device) in [
            ("auto", Device::Auto),
            ("cpu", Device::Cpu),
            ("cuda", Device::Cuda(0)),
            ("cuda:0", Device::Cuda(0)),
            ("cuda:12", Device::Cuda(12)),
            ("cuda:all", Device::CudaAll),
        ] {
            assert_eq!(text.parse(), Ok(device));
            assert_eq!(device.to_string().parse(), Ok(device));
        }
        for text in ["", "CPU", "cuda:", "cuda:x", "cuda:-1", "cuda:+1", "cuda0", "gpu"] {
            assert_eq!(text.parse::<Device>(), Err(UnknownDevice(text.into())));
        }
    }
}
