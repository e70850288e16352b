//! Textbook kernels: one thread, plain operators, generic over the number. The truth that faster
//! twins are tested against.
//!
//! Shapes that do not fit are the caller's mistake here and panic; the entry points under
//! [`dense`](crate::dense) return an error instead.

pub(crate) mod band;
pub mod elementwise;
pub mod gemm;
pub mod gemv;
pub mod jacobi;
pub(crate) mod panel;
pub mod reduce;
pub mod reflect;
pub mod residual;
pub mod spmv;
pub(crate) mod swap;
pub mod syrk;
pub mod tridiag;
pub mod trsm;
