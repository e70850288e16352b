//! Dense matrices: storage, views and algorithms.

mod matrix;
mod view;

pub use matrix::Matrix;
pub use view::{MatMut, MatRef, Transpose};
