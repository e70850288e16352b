//! Matrices of numbers of any precision: the bits of the host's.

mod blocks;
mod factors;
mod products;
mod solvers;
mod transfers;

use nonius_linalg::mp::{Bits, Matrix, Mp};
use nonius_testkit::orthogonal::random_matrix;

/// A random matrix with a dominant diagonal.
fn definite(bits: Bits, rows: usize, cols: usize, seed: u64) -> Matrix {
    let mut a = random_matrix::<Mp>(bits, rows, cols, seed);
    for i in 0..rows.min(cols) {
        a.set(i, i, a.at(i, i).abs() + Mp::from_f64(bits, cols as f64));
    }
    a
}
