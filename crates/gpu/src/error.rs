//! What can go wrong on the way to a device and on it.

use core::fmt;
use std::path::PathBuf;

use crate::current::ordinal;

/// Why a device or what it should do cannot be had.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The driver's library is not on this machine.
    NoDriver,
    /// The driver is older than what is needed.
    DriverTooOld {
        /// The version of CUDA that the driver supports.
        found: Version,
        /// The version that it would have to support.
        needed: Version,
    },
    /// There is a driver and no GPU.
    NoDevice,
    /// There are GPUs, but not that one.
    NoSuchDevice {
        /// The number asked for, counted from 0.
        ordinal: usize,
        /// How many there are.
        count: usize,
    },
    /// The GPU lacks double precision or stream-ordered memory.
    Unsupported {
        /// Its name.
        device: String,
        /// What it lacks.
        lacks: &'static str,
    },
    /// NVRTC, which compiles kernels, is not on this machine, and the compiled kernel is not in the
    /// cache.
    NoNvrtc {
        /// The file names that were tried.
        tried: Vec<PathBuf>,
    },
    /// NCCL, which carries messages between GPUs, is not on this machine.
    NoNccl,
    /// A kernel does not compile: a mistake in Nonius, or an NVRTC too old.
    Compile {
        /// The module.
        module: String,
        /// The architecture.
        architecture: String,
        /// What the compiler says.
        log: String,
    },
    /// A matrix has more rows or columns than the kernels take.
    TooManyRows {
        /// How many it has.
        rows: usize,
        /// How many it may have.
        most: usize,
    },
    /// The device has too little memory.
    OutOfMemory {
        /// Bytes asked for.
        asked: u64,
        /// Bytes that are free on the device.
        free: u64,
    },
    /// The host has too little memory for a transfer, or too little that can be locked.
    OutOfHostMemory {
        /// Bytes asked for.
        asked: u64,
    },
    /// The device does not answer any more; all that it held is lost.
    Lost {
        /// The device's number, where it is known.
        device: Option<usize>,
        /// The driver's name of the failure.
        failure: String,
        /// What was being done.
        doing: &'static str,
    },
    /// Any other failure that the driver reports, or a library that works on the device.
    Driver {
        /// The device's number, where it is known.
        device: Option<usize>,
        /// The driver's name of the failure.
        failure: String,
        /// What was being done.
        doing: &'static str,
    },
    /// NCCL does not carry a message.
    Message {
        /// The device's number, where it is known.
        device: Option<usize>,
        /// What NCCL says.
        failure: &'static str,
        /// What was being done.
        doing: &'static str,
    },
}

impl Error {
    /// [`Lost`](Self::Lost), of the device that this thread works on.
    pub(crate) fn lost(failure: String, doing: &'static str) -> Self {
        Self::Lost { device: ordinal(), failure, doing }
    }

    /// [`Driver`](Self::Driver), of the device that this thread works on.
    pub fn driver(failure: String, doing: &'static str) -> Self {
        Self::Driver { device: ordinal(), failure, doing }
    }

    /// [`Message`](Self::Message), of the device that this thread works on.
    pub(crate) fn message(failure: &'static str, doing: &'static str) -> Self {
        Self::Message { device: ordinal(), failure, doing }
    }
}

/// A version of CUDA.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// The number before the point.
    pub major: u32,
    /// The number after it.
    pub minor: u32,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDriver => {
                write!(
                    f,
                    "no CUDA driver on this machine: install NVIDIA's driver, or compute on the CPU"
                )
            }
            Self::DriverTooOld { found, needed } => write!(
                f,
                "the CUDA driver supports CUDA {found} where {needed} is needed: install a newer driver"
            ),
            Self::NoDevice => {
                write!(f, "the CUDA driver finds no GPU: make one visible, or compute on the CPU")
            }
            Self::NoSuchDevice { ordinal, count: 1 } => {
                write!(f, "there is no GPU cuda:{ordinal}: this machine has one, cuda:0")
            }
            Self::NoSuchDevice { ordinal, count } => write!(
                f,
                "there is no GPU cuda:{ordinal}: this machine has {count}, cuda:0 to cuda:{}",
                count.saturating_sub(1)
            ),
            Self::Unsupported { device, lacks } => {
                write!(f, "the GPU {device} cannot be used: it has no {lacks}")
            }
            Self::NoNvrtc { tried } => {
                write!(
                    f,
                    "NVRTC, which compiles the kernels, was not found: install the CUDA toolkit or the Python package \
                     nvidia-cuda-nvrtc, and set NONIUS_NVRTC to the path of libnvrtc.so (tried"
                )?;
                for (i, path) in tried.iter().enumerate() {
                    write!(f, "{}{}", if i == 0 { " " } else { ", " }, path.display())?;
                }
                write!(f, ")")
            }
            Self::NoNccl => write!(
                f,
                "NCCL, which carries messages between GPUs, was not found: install NVIDIA's libnccl2 or the Python \
                 package nvidia-nccl-cu12, and set NONIUS_NCCL to the path of libnccl.so.2"
            ),
            Self::Compile { module, architecture, log } => write!(
                f,
                "the kernels `{module}` do not compile for {architecture}; the compiler says:\n{}",
                log.trim_end()
            ),
            Self::TooManyRows { rows, most } => write!(
                f,
                "a matrix of {rows} rows or columns is more than the GPU's kernels take, which is {most}: compute on the CPU"
            ),
            Self::OutOfMemory { asked, free } => write!(
                f,
                "{} do not fit into the GPU's memory, {} are free: use a smaller problem or a lower precision",
                Size(*asked),
                Size(*free)
            ),
            Self::OutOfHostMemory { asked } => write!(
                f,
                "{} of the host's memory cannot be had for a transfer: free memory",
                Size(*asked)
            ),
            Self::Lost { device, failure, doing } => write!(
                f,
                "the GPU{} was lost while {doing} ({failure}): run again; if it stays lost, `nvidia-smi` tells its state",
                Named(" ", *device)
            ),
            Self::Driver { device, failure, doing } => {
                let device = Named(" on ", *device);
                write!(f, "the CUDA driver failed{device} while {doing}: {failure}")
            }
            Self::Message { device, failure, doing } => {
                write!(f, "NCCL failed{} while {doing}: {failure}", Named(" on ", *device))
            }
        }
    }
}

impl std::error::Error for Error {}

/// A device's name after a word, where the device is known.
struct Named(&'static str, Option<usize>);

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(word, device) = self;
        device.map_or(Ok(()), |ordinal| write!(f, "{word}cuda:{ordinal}"))
    }
}

/// A number of bytes, for people.
struct Size(u64);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
        let mut size = self.0 as f64;
        let mut unit = "bytes";
        for next in UNITS {
            if size < 1024.0 {
                break;
            }
            (size, unit) = (size / 1024.0, next);
        }
        let digits = if unit == "bytes" || size >= 100.0 { 0 } else { 1 };
        write!(f, "{size:.digits$} {unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::current::turn_to;

    /// One line each (but for a compiler's log), and the remedy in it.
    #[test]
    fn texts_say_what_to_do() {
        let version = |major, minor| Version { major, minor };
        let cases = [
            (Error::NoDriver, "install NVIDIA's driver"),
            (
                Error::DriverTooOld { found: version(11, 8), needed: version(12, 0) },
                "supports CUDA 11.8 where 12.0 is needed: install a newer driver",
            ),
            (Error::NoDevice, "finds no GPU"),
            (
                Error::NoSuchDevice { ordinal: 3, count: 2 },
                "no GPU cuda:3: this machine has 2, cuda:0 to cuda:1",
            ),
            (Error::NoSuchDevice { ordinal: 1, count: 1 }, "this machine has one, cuda:0"),
            (
                Error::NoNvrtc { tried: vec!["libnvrtc.so.13".into(), "libnvrtc.so".into()] },
                "nvidia-cuda-nvrtc, and set NONIUS_NVRTC to the path of libnvrtc.so (tried libnvrtc.so.13, libnvrtc.so)",
            ),
            (
                Error::OutOfMemory { asked: 150 << 30, free: 139 << 30 },
                "150 GiB do not fit into the GPU's memory, 139 GiB are free",
            ),
            (Error::OutOfHostMemory { asked: 1536 }, "1.5 KiB of the host's memory"),
            (
                Error::Lost {
                    device: None,
                    failure: "CUDA_ERROR_ILLEGAL_ADDRESS".into(),
                    doing: "copying",
                },
                "the GPU was lost while copying (CUDA_ERROR_ILLEGAL_ADDRESS)",
            ),
        ];
        for (error, part) in cases {
            let text = error.to_string();
            assert!(text.contains(part), "{text}");
            assert!(!text.contains('\n') && !text.ends_with('.'), "{text}");
        }
        turn_to(3);
        let lost = Error::lost("CUDA_ERROR_LAUNCH_FAILED".into(), "copying");
        assert!(lost.to_string().starts_with("the GPU cuda:3 was lost while copying"), "{lost}");
        let failed = Error::driver("CUDA_ERROR_UNKNOWN".into(), "copying").to_string();
        assert_eq!(failed, "the CUDA driver failed on cuda:3 while copying: CUDA_ERROR_UNKNOWN");
        let error = Error::Compile {
            module: "reduce".into(),
            architecture: "sm_90".into(),
            log: "reduce.cu(1): error\n".into(),
        };
        assert!(error.to_string().ends_with("sm_90; the compiler says:\nreduce.cu(1): error"));
    }
}
