//! Matrices of numbers of any precision: the bits of the host's.

mod aside;
mod blocks;
mod corrections;
mod factors;
mod products;
mod solvers;
mod transfers;
mod triangles;

use nonius_cuda::{Cuda, DeviceMatrix};
use nonius_linalg::backend::Memory;
use nonius_linalg::mp::{Bits, Matrix, Mp};
use nonius_testkit::Random;
use nonius_testkit::orthogonal::random_matrix;

/// A random matrix with a dominant diagonal.
fn definite(bits: Bits, rows: usize, cols: usize, seed: u64) -> Matrix {
    let mut a = random_matrix::<Mp>(bits, rows, cols, seed);
    for i in 0..rows.min(cols) {
        a.set(i, i, a.at(i, i).abs() + Mp::from_f64(bits, cols as f64));
    }
    a
}

fn upload(gpu: &Cuda, a: &Matrix) -> DeviceMatrix<Mp> {
    Memory::upload(gpu, a.view())
}

fn download(gpu: &Cuda, a: &DeviceMatrix<Mp>) -> Matrix {
    Memory::download(gpu, a.as_ref()).expect("a matrix")
}

/// Factors of which sums of products cancel but for a small term, with zeros in either: `m × k` and
/// `k × n`. The unit of a sum depends on how many of its products are none of zeros.
fn cancelling(bits: Bits, (m, n, k): (usize, usize, usize), seed: u64) -> [Matrix; 2] {
    let mut random = Random::new(seed);
    let mut a = random_matrix::<Mp>(bits, m, k, seed + 1);
    let mut b = random_matrix::<Mp>(bits, k, n, seed + 2);
    for l in (0..k - k % 2).step_by(2) {
        let zero = random.below(3);
        for i in 0..m {
            let x = a.at(i, l).ldexp(-(random.below(180) as i32));
            let x = if zero == 0 { Mp::zero(bits) } else { x };
            a.set(i, l, x);
            a.set(i, l + 1, -x);
        }
        for j in 0..n {
            let x = if zero == 1 && j % 2 == 0 { Mp::zero(bits) } else { b.at(l, j) };
            b.set(l, j, x);
            b.set(l + 1, j, x);
        }
    }
    // The term that is left.
    for i in 0..m {
        a.set(i, k - 1, Mp::from_f64(bits, 3.0).ldexp(-(187 + random.below(9) as i32)));
    }
    (0..n).for_each(|j| b.set(k - 1, j, Mp::one(bits)));
    [a, b]
}
