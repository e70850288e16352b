//! Kernels for the host's processor: SIMD registers chosen at run time, threads by rayon.
//!
//! Every SIMD level computes the same bits: all of them run the lane-generic arithmetic of
//! `nonius-num`, and no result depends on how work is cut into tiles or spread over threads.

pub mod backward_error;
pub(crate) mod diagonalize;
pub mod elementwise;
mod entrywise;
pub mod gemm;
pub mod gemv;
pub(crate) mod kernels;
pub(crate) mod limbs;
mod lines;
pub mod memory;
mod mp;
mod output;
pub(crate) mod panel;
pub mod reduce;
pub(crate) mod reflect;
pub mod residual;
pub(crate) mod rotate;
pub mod simd;
pub mod space;
pub(crate) mod spmv;
mod substitution;
mod supernode;
pub(crate) mod swap;
pub mod syrk;
mod threads;
pub(crate) mod tridiag;
pub mod trsm;
mod workspace;
