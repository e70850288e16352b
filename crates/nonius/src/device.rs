//! Where the work is done.

use std::fmt;
use std::str::FromStr;

use nonius_cuda::{Cuda, DeviceInfo};
use nonius_linalg::{DeviceFailure, Error};

/// The device that computes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Device {
    /// The first GPU; the CPU where there is none or where it fails.
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

/// Where a job was done.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The device: never [`Device::Auto`].
    pub device: Device,
    /// Why it is not the GPU that [`Device::Auto`] would rather have taken.
    pub instead: Option<DeviceFailure>,
}

/// What computes.
pub(crate) enum Engine {
    Cpu,
    Cuda(Cuda),
}

impl Device {
    /// The GPUs of this machine.
    ///
    /// # Errors
    /// Why there is none: no driver, one too old, no GPU.
    pub fn gpus() -> Result<Vec<DeviceInfo>, DeviceFailure> {
        DeviceInfo::all().map_err(DeviceFailure::new)
    }

    /// `Ok` where the device can be had; it computes nothing.
    ///
    /// # Errors
    /// [`Error::Device`]: why the GPU cannot be had.
    pub fn check(self) -> Result<(), Error> {
        match self {
            Self::Auto | Self::Cpu => Ok(()),
            Self::Cuda(ordinal) => open(ordinal).map(drop),
        }
    }

    /// Does a job; for [`Device::Auto`] on the CPU where the GPU fails.
    pub(crate) fn run<R>(
        self,
        mut job: impl FnMut(&Engine) -> Result<R, Error>,
    ) -> Result<(R, Place), Error> {
        let at = |device, instead| Place { device, instead };
        match self {
            Self::Cpu => Ok((job(&Engine::Cpu)?, at(Self::Cpu, None))),
            Self::Cuda(ordinal) => Ok((job(&open(ordinal)?)?, at(self, None))),
            Self::Auto => match open(0).and_then(|engine| job(&engine)) {
                Err(Error::Device(failure)) => {
                    Ok((job(&Engine::Cpu)?, at(Self::Cpu, Some(failure))))
                }
                outcome => Ok((outcome?, at(Self::Cuda(0), None))),
            },
        }
    }
}

fn open(ordinal: usize) -> Result<Engine, Error> {
    let opened = nonius_cuda::Device::new(ordinal).and_then(|device| Cuda::new(&device));
    opened.map(Engine::Cuda).map_err(|error| Error::Device(DeviceFailure::new(error)))
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
    use super::*;

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

    /// A job whose GPU fails is done again on the CPU for `auto`, and the reason kept; for a GPU asked for it fails.
    #[test]
    fn auto_falls_back() {
        let failure = || Error::Device(DeviceFailure::new(nonius_cuda::Error::NoDevice));
        let job = |engine: &Engine| match engine {
            Engine::Cpu => Ok(1),
            Engine::Cuda(_) => Err(failure()),
        };
        let (result, place) = Device::Auto.run(job).unwrap();
        assert_eq!((result, place.device), (1, Device::Cpu));
        assert!(place.instead.is_some());
        assert!(matches!(Device::Cuda(0).run(job), Err(Error::Device(_))));
        assert_eq!(Device::Cpu.run(job).unwrap().1.instead, None);
    }
}
