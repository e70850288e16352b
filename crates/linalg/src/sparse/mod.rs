//! Sparse matrices: triplets, and the Matrix Market text format that sparse and dense matrices are exchanged in.

mod coo;
pub mod matrix_market;

pub use coo::{Coo, Triplet};
