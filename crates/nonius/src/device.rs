//! Where the work is done, and what this machine has.

mod array;
mod compiled;
mod gpu;

use std::fmt;
use std::str::FromStr;

use nonius_cuda::Cuda;
pub use nonius_linalg::DeviceFailure;
use nonius_linalg::Error;
use nonius_linalg::backend::Cpu;
use nonius_linalg::interrupt::uninterrupted;
use nonius_linalg::threads::alone;

pub use nonius_cuda::{
    DEFAULT, DeviceInfo, ForeignMatrix, Layout, Place as MemoryPlace, Refusal, Strided, place_of,
    synchronize_stream,
};
pub use nonius_linalg::cpu::simd::Level;
pub use nonius_linalg::dense::resident;

use crate::backend::DeviceJob;
use crate::work::Work;

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
}

/// Why a job was done on a device.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// It was asked for.
    Asked,
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
            Self::Cuda(ordinal) => DeviceInfo::of(ordinal)
                .map(drop)
                .map_err(|error| Error::Device(DeviceFailure::new(error))),
        }
    }

    /// Does a job; for [`Device::Auto`] on the CPU where it is short and where the GPU fails.
    pub(crate) fn run<R>(
        self,
        work: Work,
        mut job: impl DeviceJob<Cpu, Output = R> + DeviceJob<Cuda, Output = R>,
    ) -> Result<(R, Place), Error> {
        let at = |device, reason| Place { device, reason };
        match self {
            Self::Cpu => Ok((on_cpu(work, &mut job)?, at(self, Reason::Asked))),
            Self::Cuda(_) => Ok((self.run_here(job)?, at(self, Reason::Asked))),
            Self::Auto => {
                let estimate = work.estimate();
                let reason = Reason::Estimate(estimate);
                if !estimate.favours_gpu() {
                    return Ok((on_cpu(work, &mut job)?, at(Self::Cpu, reason)));
                }
                match open(0).and_then(|gpu| uninterrupted(|| job.run(&gpu))) {
                    Err(Error::Device(failure)) => {
                        let reason = Reason::Failure(failure);
                        Ok((job.run(&Cpu::default())?, at(Self::Cpu, reason)))
                    }
                    outcome => Ok((outcome?, at(Self::Cuda(0), reason))),
                }
            }
        }
    }

    /// Does a job on this device; on the CPU for [`Device::Auto`].
    pub(crate) fn run_here<R>(
        self,
        mut job: impl DeviceJob<Cpu, Output = R> + DeviceJob<Cuda, Output = R>,
    ) -> Result<R, Error> {
        match self {
            Self::Auto | Self::Cpu => job.run(&Cpu::default()),
            Self::Cuda(ordinal) => {
                let gpu = open(ordinal)?;
                uninterrupted(|| job.run(&gpu))
            }
        }
    }
}

/// On this thread alone where the work is short.
fn on_cpu<J: DeviceJob<Cpu>>(work: Work, job: &mut J) -> Result<J::Output, Error> {
    let cpu = Cpu::default();
    if work.is_short() { alone(|| job.run(&cpu)) } else { job.run(&cpu) }
}

fn open(ordinal: usize) -> Result<Cuda, Error> {
    let opened = nonius_cuda::Device::new(ordinal).and_then(|device| Cuda::new(&device));
    opened.map_err(|error| Error::Device(DeviceFailure::new(error)))
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.pad("auto"),
            Self::Cpu => f.pad("cpu"),
            Self::Cuda(ordinal) => f.pad(&format!("cuda:{ordinal}")),
        }
    }
}

/// `an estimated 0.002 s on the CPU, 1.0 s to start a GPU and use it`
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Asked => f.write_str("asked for"),
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
            (_, Some(ordinal)) => Ok(Self::Cuda(ordinal)),
            _ => Err(UnknownDevice(text.to_string())),
        }
    }
}

impl fmt::Display for UnknownDevice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown device `{}`: expected auto, cpu, cuda or cuda:0, cuda:1, …", self.0)
    }
}

impl std::error::Error for UnknownDevice {}

#[cfg(test)]
mod tests {
    use core::any::type_name;

    use super::*;
    use crate::Precision;
    use crate::backend::Backend;

    #[test]
    fn spellings() {
        for (text, device) in [
            ("auto", Device::Auto),
            ("cpu", Device::Cpu),
            ("cuda", Device::Cuda(0)),
            ("cuda:0", Device::Cuda(0)),
            ("cuda:12", Device::Cuda(12)),
        ] {
            assert_eq!(text.parse(), Ok(device));
            assert_eq!(device.to_string().parse(), Ok(device));
        }
        for text in ["", "CPU", "cuda:", "cuda:x", "cuda:-1", "cuda:+1", "cuda0", "gpu"] {
            assert_eq!(text.parse::<Device>(), Err(UnknownDevice(text.into())));
        }
    }

    fn work(operations: f64) -> Work {
        Work::new(Precision::Qd, operations, 1.0)
    }

    /// Work that only the host can do.
    #[derive(Clone, Copy)]
    struct OnlyOnCpu;

    impl<B: Backend> DeviceJob<B> for OnlyOnCpu {
        type Output = ();

        fn run(&mut self, _: &B) -> Result<(), Error> {
            if type_name::<B>() == type_name::<Cpu>() {
                return Ok(());
            }
            Err(Error::Device(DeviceFailure::new(nonius_cuda::Error::NoDevice)))
        }
    }

    /// A long job whose GPU fails is done again on the CPU for `auto`, and the reason kept; for a
    /// GPU asked for it fails.
    #[test]
    fn auto_falls_back() {
        let ((), place) = Device::Auto.run(work(1e20), OnlyOnCpu).unwrap();
        assert_eq!(place.device, Device::Cpu);
        assert!(matches!(place.reason, Reason::Failure(_)));
        assert!(matches!(Device::Cuda(0).run(work(1e20), OnlyOnCpu), Err(Error::Device(_))));
        assert_eq!(Device::Cpu.run(work(1e20), OnlyOnCpu).unwrap().1.reason, Reason::Asked);
    }

    /// A short job asks for no GPU.
    #[test]
    fn auto_stays() {
        let ((), place) = Device::Auto.run(work(1e3), OnlyOnCpu).unwrap();
        assert_eq!(place.device, Device::Cpu);
        assert!(place.reason.to_string().contains("to start a GPU"));
    }
}
