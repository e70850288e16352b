//! Rates of products of matrices of any precision.

use nonius_linalg::backend::Cpu;
use nonius_linalg::dense::Transpose;
use nonius_linalg::dense::gemm::{Engine, Products, gemm_on};
use nonius_linalg::mp::{Bits, Matrix, Mp};
use rand::{Rng, SeedableRng, rngs::StdRng};

use crate::record::Record;
use crate::timing::best_of;

/// Entries of a product that the direct engine is measured with, at most: it takes a microsecond a
/// term at 2048 bits.
const MOST_DIRECT: usize = 256;

/// Times products of all `sizes` and `bits`: by the engine chosen, and by each engine.
pub(crate) fn measure(sizes: &[usize], bits: &[Bits], threads: usize) -> Vec<Record> {
    let mut records = Vec::new();
    for &bits in bits {
        for &n in sizes {
            let (a, b) = (matrix(bits, n, 1), matrix(bits, n, 2));
            let mut c = Matrix::zeros_in(bits, n, n);
            let all = [
                ("gemm", None),
                ("gemm-crt", Some(Engine::Crt)),
                ("gemm-direct", Some(Engine::Direct)),
            ];
            for (operation, engine) in all {
                if engine == Some(Engine::Direct) && n > MOST_DIRECT {
                    continue;
                }
                let cpu = Cpu::new(Products { engine, ..Products::default() });
                let (no, one, zero) = (Transpose::No, Mp::one(bits), Mp::zero(bits));
                let seconds = best_of(|| {
                    gemm_on(&cpu, no, no, one, a.view(), b.view(), zero, c.view_mut())
                        .expect("shapes and precisions fit");
                });
                let record = Record {
                    library: "nonius".into(),
                    precision: format!("mp{bits}"),
                    operation: operation.into(),
                    m: n,
                    n,
                    k: n,
                    threads,
                    seconds,
                    rate: 2.0 * (n as f64).powi(3) / seconds / 1e9,
                    unit: "GFLOPS".into(),
                };
                eprintln!(
                    "{:6} {operation:11} {n:5} {seconds:10.4} s {:9.3} GFLOPS",
                    record.precision, record.rate
                );
                records.push(record);
            }
        }
    }
    records
}

/// Numbers uniform in (−1, 1) with every bit random.
fn matrix(bits: Bits, n: usize, seed: u64) -> Matrix {
    let mut random = StdRng::seed_from_u64(seed);
    Matrix::from_fn_in(bits, n, n, |_, _| {
        let words: Vec<u64> = (0..bits.words()).map(|_| random.random()).collect();
        Mp::rounded(bits, random.random(), &words, -64 * words.len() as i64, false)
    })
}
