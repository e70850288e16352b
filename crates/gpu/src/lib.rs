//! NVIDIA GPUs at run time: devices, streams, memory, and kernels that NVRTC compiles and a folder
//! keeps.
//!
//! Nothing here computes. A crate with kernels declares their files as [`Texts`], makes a module of
//! them as a [`Source`], loads it with [`Device::module`] and launches its kernels in a [`Stream`].
//!
//! The driver and NVRTC are looked for at run time. Where one is absent, [`Error`] says which one
//! and how to get it.
//!
//! - `NONIUS_NVRTC`: the file of NVRTC, such as `/usr/lib/libnvrtc.so.13`; where it is set, no
//!   other is tried
//! - `NONIUS_NCCL`: the file of NCCL, such as `/usr/lib/libnccl.so.2`, as above
//! - `NONIUS_CACHE_DIR`: where compiled kernels are kept, in place of `nonius` in the user's folder
//!   of caches

// The functions of the driver and of NVRTC and the launch of kernels are foreign code.
#![allow(unsafe_code)]

mod arguments;
mod cache;
mod compile;
mod context;
mod current;
mod device;
mod driver;
mod error;
mod lanes;
#[doc(hidden)]
pub mod libraries;
mod memory;
mod module;
pub mod nccl;
mod nvrtc;
mod place;
mod plain;
mod resources;
mod source;
mod stream;
mod tensor_map;
mod traffic;

pub use arguments::{Arguments, Const, Entry, KernelType, Pointer, structure};
pub use compile::{Compiled, check, precompile};
pub use context::{Context, DeviceInfo};
pub use device::Device;
pub use driver::{device_count, driver_version};
pub use error::{Error, Version};
pub use lanes::{LANES, Lane, LaneLease, LanePool, Lanes, PIECE_BYTES};
pub use memory::{Buffer, Pinned, Rectangle, copy, copy_rectangle};
pub use module::{Kernel, Module, Shape};
pub use nvrtc::Nvrtc;
pub use place::{Place, place_of};
pub use plain::{Plain, bytes_of, bytes_of_mut};
pub use resources::Resources;
pub use source::{Source, Texts};
pub use stream::{DEFAULT, Event, Stream, synchronize_stream};
pub use tensor_map::{Planes, TensorMap};
pub use traffic::{Traffic, count_received, count_sent};
