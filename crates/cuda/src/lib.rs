//! Nonius on NVIDIA GPUs: the backend traits of `nonius-linalg` on a device.
//!
//! The driver and the compiler of kernels (NVRTC) are looked for at run time; where one is absent, [`Error`] says which
//! and how to get it. Nothing here panics for what a machine lacks.
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
//! | environment variable | meaning |
//! |---|---|
//! | `NONIUS_NVRTC` | the file of NVRTC, such as `/usr/lib/libnvrtc.so.13`; where it is set, no other is tried |
//! | `NONIUS_CUBLASLT` | the file of cuBLASLt, which products by residues need but on compute capability 9.0; where it is set, no other is tried |
//! | `NONIUS_CUSOLVER`, `NONIUS_CUBLAS` | the files of cuSOLVER and cuBLAS, by which solvers that prove digits invert in f64 where both are on the machine; where one is set, no other is tried |
//! | `NONIUS_BYTE_PRODUCTS` | `cublaslt`: products by residues use it on compute capability 9.0 too |
//! | `NONIUS_CACHE_DIR` | where compiled kernels are kept, in place of `nonius` in the user's folder of caches |

// The functions of the driver, of NVRTC and the launch of kernels are foreign code.
#![allow(unsafe_code)]

mod backend;
mod cache;
mod certified;
mod cone;
#[cfg(test)]
mod contraction;
mod converted;
mod crt;
mod cublaslt;
mod cusolver;
mod device;
mod diagonalize;
mod driver;
mod elementwise;
mod error;
mod evolve;
mod gemm;
mod gemm_host;
mod gemv;
mod host;
#[cfg(test)]
mod host_library;
mod kernels;
mod lanes;
mod libraries;
mod matrix;
mod memory;
mod module;
mod mp;
mod nvrtc;
mod panel;
mod reduce;
mod reflect;
mod rns;
mod solid;
mod space;
mod stream;
mod tables;
mod tensor_map;
mod traffic;
mod transfer;
mod tridiag;
mod trsm;
mod words;

pub use backend::Cuda;
pub use cone::{CudaBlocks, CudaCone, CudaSchurFormula};
pub use converted::{Converted, DeviceFactor};
pub use device::{Device, DeviceInfo, precompile};
pub use driver::{device_count, driver_version};
pub use error::{Error, Version};
pub use evolve::Recurrences;
pub use matrix::{DeviceMatrix, DeviceMut, DeviceRef};
pub use memory::Pinned;
pub use mp::MpMatrix;
pub use rns::RnsOperation;
pub use solid::SolidsLayout;
pub use space::{CudaIncompleteCholesky, CudaLog, CudaSpace, CudaSparse, CudaVector, Planar};
pub use stream::{Event, Stream};
pub use transfer::Transfer;
pub use tridiag::{DeviceBatch, DeviceNumber, Generator, PinnedBatch};
