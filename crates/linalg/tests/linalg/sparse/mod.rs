//! Formats of sparse matrices and products with vectors.

mod common;
mod formats;
mod multiply;
