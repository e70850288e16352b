//! Where the work is done.

use std::fmt;
use std::str::FromStr;

/// The device that computes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Device {
    /// The best that this machine and this build have: now always the CPU.
    #[default]
    Auto,
    /// The host's processor.
    Cpu,
}

/// A device that cannot be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceError {
    /// The text names no device.
    Unknown(String),
    /// A CUDA device is asked for, and this build has no code for it.
    NoCuda(String),
}

impl Device {
    /// The device that does the work: never `Auto`.
    #[must_use]
    pub fn resolve(self) -> Self {
        Self::Cpu
    }

    /// The spelling in arguments and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Cpu => "cpu",
        }
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Device {
    type Err = DeviceError;

    fn from_str(text: &str) -> Result<Self, DeviceError> {
        let cuda = text.strip_prefix("cuda").map(|rest| rest.strip_prefix(':').unwrap_or(rest));
        match (text, cuda) {
            ("auto", _) => Ok(Self::Auto),
            ("cpu", _) => Ok(Self::Cpu),
            (_, Some(index)) if index.bytes().all(|b| b.is_ascii_digit()) => {
                Err(DeviceError::NoCuda(text.to_string()))
            }
            _ => Err(DeviceError::Unknown(text.to_string())),
        }
    }
}

impl fmt::Display for DeviceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(found) => write!(f, "unknown device `{found}`: expected auto or cpu"),
            Self::NoCuda(found) => {
                write!(f, "device `{found}` is not available: this version computes on the CPU")
            }
        }
    }
}

impl std::error::Error for DeviceError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings() {
        assert_eq!("auto".parse(), Ok(Device::Auto));
        assert_eq!("cpu".parse(), Ok(Device::Cpu));
        assert_eq!(Device::Auto.resolve(), Device::Cpu);
        for text in ["cuda", "cuda:0", "cuda:12"] {
            assert_eq!(text.parse::<Device>(), Err(DeviceError::NoCuda(text.into())));
        }
        for text in ["", "CPU", "cuda:x", "gpu"] {
            assert_eq!(text.parse::<Device>(), Err(DeviceError::Unknown(text.into())));
        }
        assert_eq!(
            "cuda:1".parse::<Device>().unwrap_err().to_string(),
            "device `cuda:1` is not available: this version computes on the CPU"
        );
    }
}
