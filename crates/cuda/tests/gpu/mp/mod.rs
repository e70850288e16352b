//! Matrices of numbers of any precision: the bits of the host's.

mod blocks;
mod factors;
mod products;
mod solvers;
mod transfers;

use nonius_linalg::mp::{Bits, Matrix, Mp};
use nonius_testkit::Random;

/// Numbers of all bits, about 1 in size, and now and then 0.
pub(crate) fn random(bits: Bits, rows: usize, cols: usize, seed: u64) -> Matrix {
    let mut random = Random::new(seed);
    Matrix::from_fn_in(bits, rows, cols, |_, _| {
        let mut sum = Mp::zero(bits);
        if random.below(50) > 0 {
            let sign = if random.below(2) == 0 { 1.0 } else { -1.0 };
            for piece in 0..bits.get().div_ceil(32) as i32 {
                let x = Mp::from_f64(bits, sign * (random.below(1 << 30) * 4 + 1) as f64);
                sum += x.ldexp(-32 * (piece + 1));
            }
        }
        sum
    })
}

/// The same with a dominant diagonal.
fn definite(bits: Bits, rows: usize, cols: usize, seed: u64) -> Matrix {
    let mut a = random(bits, rows, cols, seed);
    for i in 0..rows.min(cols) {
        a.set(i, i, a.at(i, i).abs() + Mp::from_f64(bits, cols as f64));
    }
    a
}

fn same(found: &Matrix, expected: &Matrix, what: &str) {
    assert_eq!(found.shape(), expected.shape(), "{what}");
    for j in 0..found.cols() {
        for i in 0..found.rows() {
            let (found, expected) = (found.at(i, j), expected.at(i, j));
            assert_eq!(found.head(), expected.head(), "{what} ({i}, {j})");
            assert_eq!(found.words(), expected.words(), "{what} ({i}, {j})");
        }
    }
}
