//! Numbers of any precision: matrices, files, products.

mod converted;
mod elementwise;
mod files;
mod matrices;
mod mixed;
mod orthogonal;
mod products;
mod systems;
mod vectors;

use nonius_linalg::Error;
use nonius_linalg::backend::Cpu;
use nonius_linalg::dense::Transpose;
use nonius_linalg::dense::gemm::{Products, Report, gemm_on};
use nonius_linalg::mp::{Bits, Matrix, Mp, MpRef};
use nonius_testkit::Random;

/// `C ← α·op(A)·op(B) + β·C` on the host.
#[expect(clippy::too_many_arguments, reason = "the signature of BLAS")]
fn gemm(
    products: Products,
    transpose_a: Transpose,
    transpose_b: Transpose,
    alpha: MpRef<'_>,
    a: &Matrix,
    b: &Matrix,
    beta: MpRef<'_>,
    c: &mut Matrix,
) -> Result<Report, Error> {
    let [alpha, beta] = [alpha, beta].map(|x| x.to_mp(x.bits()));
    let (a, b, c, cpu) = (a.view(), b.view(), c.view_mut(), Cpu::new(products));
    gemm_on(&cpu, transpose_a, transpose_b, alpha, a, b, beta, c)
}

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
    Matrix::from_fn_in(p, rows, cols, |_, _| number(p, &mut random))
}

fn assert_same_bits(found: &Matrix, expected: &Matrix, what: &str) {
    let parts = |a: &Matrix| {
        let all = a.numbers().as_slice();
        (a.shape(), all.heads().to_vec(), all.words().to_vec())
    };
    assert_eq!(parts(found), parts(expected), "{what}");
}
