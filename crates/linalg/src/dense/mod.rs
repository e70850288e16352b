//! Dense matrices: storage, views and algorithms.

pub mod gemm;
mod matrix;
mod parts;
mod syrk;
mod trsm;
mod view;

pub use matrix::Matrix;
pub use parts::{Diagonal, Side, Triangle};
pub use syrk::syrk;
pub use trsm::trsm;
pub use view::{MatMut, MatRef, Transpose};
