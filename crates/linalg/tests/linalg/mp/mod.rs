//! Numbers of any precision: matrices, files, products.

mod converted;
mod files;
mod matrices;
mod products;

use nonius_linalg::mp::{Bits, Matrix, Mp};
use nonius_testkit::Random;

fn bits(n: u32) -> Bits {
    Bits::new(n).unwrap()
}

/// A number in `(−1, 1)` with random bits.
fn number(p: Bits, random: &mut Random) -> Mp {
    let words: Vec<u64> = (0..p.words()).map(|_| random.bits()).collect();
    Mp::rounded(p, random.bits() & 1 == 1, &words, -64 * p.words() as i64, false)
}

fn matrix(p: Bits, rows: usize, cols: usize, seed: u64) -> Matrix {
    let mut random = Random::new(seed);
    Matrix::from_fn(p, rows, cols, |_, _| number(p, &mut random))
}

/// The matrix with entry `(i, j)` times `2^exponent(i, j)`.
fn scaled(a: &Matrix, exponent: impl Fn(usize, usize) -> i32) -> Matrix {
    let (rows, cols) = a.shape();
    let p = a.bits();
    Matrix::from_fn(p, rows, cols, |i, j| a.at(i, j).to_mp(p).ldexp(exponent(i, j)))
}

fn transposed(a: &Matrix) -> Matrix {
    let p = a.bits();
    Matrix::from_fn(p, a.cols(), a.rows(), |i, j| a.at(j, i).to_mp(p))
}

fn assert_same_bits(found: &Matrix, expected: &Matrix, what: &str) {
    let parts = |a: &Matrix| {
        let all = a.numbers().as_slice();
        (a.shape(), all.heads().to_vec(), all.words().to_vec())
    };
    assert_eq!(parts(found), parts(expected), "{what}");
}
