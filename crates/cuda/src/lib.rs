//! Nonius on NVIDIA GPUs: the backend traits of `nonius-linalg` on a device.
//!
//! The driver and the compiler of kernels (NVRTC) are looked for at run time; where one is absent, [`Error`] says which
//! and how to get it. Nothing here panics for what a machine lacks.

// The functions of the driver, of NVRTC and the launch of kernels are foreign code.
#![allow(unsafe_code)]

mod driver;
mod error;

pub use driver::{device_count, driver_version};
pub use error::{Error, Version};
