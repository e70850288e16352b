//! Nonius on NVIDIA GPUs: the backend traits of `nonius-linalg` on a device.
//!
//! [`nonius_gpu`] is the runtime below: it finds the driver and NVRTC, compiles kernels and keeps
//! them, and says what its own environment variables mean. Nothing here panics for what a machine
//! lacks.
//!
//! ```no_run
//! use nonius_cuda::{Cuda, Device};
//! use nonius_linalg::backend::{Elementwise, Memory};
//! use nonius_linalg::dense::Operand;
//! use nonius_linalg::{BinaryOp, Matrix};
//! use nonius_num::Dd;
//!
//! let gpu = Cuda::new(&Device::new(0)?)?;
//! let a = gpu.upload(Matrix::<Dd>::identity(100).view());
//! let mut b = gpu.zeros::<Dd>(100, 100);
//! gpu.elementwise(BinaryOp::Add, [Operand::Entries(a.as_ref()), Operand::Output], b.as_mut());
//! let b: Matrix<Dd> = gpu.download(b.as_ref())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - `NONIUS_CUBLASLT`: the file of cuBLASLt, which products by residues need but on compute
//!   capability 9.0; where it is set, no other is tried
//! - `NONIUS_CUSOLVER`, `NONIUS_CUBLAS`: the files of cuSOLVER and cuBLAS, by which solvers that
//!   prove digits invert in f64 where both are on the machine; where one is set, no other is tried
//! - `NONIUS_BYTE_PRODUCTS`: `cublaslt`: products by residues use it on compute capability 9.0 too

// The functions of the driver, of NVRTC and the launch of kernels are foreign code.
#![allow(unsafe_code)]

#[cfg(not(test))]
mod algorithms;
mod backend;
mod blocks;
mod certified;
#[cfg(test)]
mod contraction;
mod converted;
mod crt;
mod cublaslt;
mod cusolver;
mod diagonalize;
mod elementwise;
mod factor;
mod foreign;
mod gemm;
mod gemm_host;
mod gemv;
#[cfg(all(test, target_os = "linux"))]
mod here;
mod host;
mod judge;
mod kind;
mod matrix;
mod mp_numbers;
mod multiplication;
mod operand;
mod panel;
mod ready;
mod rearrange;
mod reduce;
mod reflect;
mod rns;
mod share;
mod sources;
mod space;
mod tables;
mod texts;
mod traffic;
mod transfer;
mod triangle_inverse;
mod tridiag;
mod trsm;

pub use backend::Cuda;
pub use converted::{Converted, DeviceFactor};
pub use crt::JoinWords;
#[doc(hidden)]
pub use factor::{Factor, Held};
pub use foreign::{ForeignMatrix, Refusal, Strided};
pub use host::in_pool;
pub use kind::Kind;
pub use matrix::{DeviceMatrix, DeviceMut, DeviceRef, Layout};
pub use nonius_gpu::{
    DEFAULT, Device, DeviceInfo, Error, Event, Pinned, Place, Stream, Version, device_count,
    driver_version, place_of, synchronize_stream,
};
pub use ready::sources_of;
pub use rns::RnsOperation;
pub use share::{HeldColumns, QueuedWay};
pub use sources::sources;
pub use space::{
    CudaIncompleteCholesky, CudaLog, CudaPairs, CudaSpace, CudaSparse, CudaVector, Planar,
};
pub use texts::texts;
pub use transfer::Transfer;
pub use tridiag::{DeviceBatch, DeviceNumber, Generator, PinnedBatch};
