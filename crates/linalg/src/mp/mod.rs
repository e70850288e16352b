//! Numbers of any precision ([`nonius_num::mp`]) in vectors and dense matrices, and products of these.
//!
//! Numbers of one precision lie one after the other, without an allocation for each: [`Numbers`].

mod cholesky;
mod convert;
mod gemm;
mod inverse;
mod lu;
mod matrix;
mod numbers;
pub mod triangle;

pub use cholesky::{cholesky, reciprocals};
pub use gemm::{check, check_product, gemm, gemm_of};
pub use inverse::inverse;
pub use lu::Lu;
pub use matrix::Matrix;
pub use nonius_num::mp::{Bits, Mp, MpRef};
pub use numbers::{Numbers, Slice, SliceMut};
