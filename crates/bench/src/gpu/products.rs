//! Products at dd, on the device alone and of matrices of the host: rates against the order, off
//! the multiples of 64, for all transposes and all sums.

use std::error::Error;

use clap::ValueEnum;
use nonius_cuda::Cuda;
use nonius_linalg::backend::{Gemm, Memory};
use nonius_linalg::dense::Transpose;
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::{MatMut, MatRef, Matrix};
use nonius_num::Dd;

use super::rows::{kernel_time, product_name, row, wall_time, with_arithmetic};
use crate::inputs::matrix;
use crate::papers::rgemm::{SIZES, TRANSPOSES};
use crate::record::Record;

type Outcome<T> = Result<T, Box<dyn Error>>;

const NO: Transpose = Transpose::No;
const YES: Transpose = Transpose::Yes;

/// Sizes on and off the multiples of 64.
const WALK: std::ops::RangeInclusive<usize> = 2048..=2248;
const WALK_STEP: usize = 8;
/// The order of products of all transposes.
const ORDER: usize = 4096;

/// Figures of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Figure {
    /// By the engine that a size calls for.
    Sizes,
    /// By the direct engine in every arithmetic.
    Sums,
    Transposes,
    Walk,
}

/// Figures of the given kinds, or all where none is given.
pub(crate) fn measure(
    gpu: &Cuda,
    sizes: &[usize],
    only: &[Figure],
    threads: usize,
) -> Outcome<Vec<Record>> {
    let asked = |figure: Figure| only.is_empty() || only.contains(&figure);
    let walk = asked(Figure::Walk).then_some(*WALK.end());
    let transposes = asked(Figure::Transposes).then_some(ORDER);
    let largest = sizes.iter().copied().chain(walk).chain(transposes).max().unwrap_or(0);
    let host = [1, 2].map(|seed| matrix::<Dd>(largest, largest, seed));
    let result = Matrix::zeros(largest, largest);
    let mut bench = Bench { gpu, host, result, threads, records: Vec::new() };
    for &n in sizes {
        if asked(Figure::Sizes) {
            bench.both(gpu, "gemm", n, [NO, NO])?;
            bench.in_steps("gemm-in-steps", n)?;
        }
        if asked(Figure::Sums) {
            for arithmetic in Arithmetic::ALL {
                let name = format!("{}-direct", product_name(arithmetic));
                bench.both(&with_arithmetic(gpu, arithmetic), &name, n, [NO, NO])?;
            }
        }
    }
    if let Some(n) = transposes {
        println!("{TRANSPOSES}");
        let all = [("nn", NO, NO), ("nt", NO, YES), ("tn", YES, NO), ("tt", YES, YES)];
        for (name, ta, tb) in all {
            bench.both(gpu, &format!("gemm-{name}"), n, [ta, tb])?;
        }
    }
    if walk.is_some() {
        println!("{SIZES}");
        for n in WALK.step_by(WALK_STEP) {
            bench.both(gpu, "gemm-walk", n, [NO, NO])?;
        }
    }
    Ok(bench.records)
}

struct Bench<'a> {
    gpu: &'a Cuda,
    /// Numbers for matrices of every order.
    host: [Matrix<Dd>; 2],
    result: Matrix<Dd>,
    threads: usize,
    records: Vec<Record>,
}

impl Bench<'_> {
    fn push(&mut self, name: &str, n: usize, seconds: f64) {
        let record = row::<Dd>(name, [n, n, n], seconds, 2.0 * (n as f64).powi(3));
        self.records.push(Record { threads: self.threads, ..record });
    }

    /// A product on the device alone, and that of matrices of the host.
    fn both(&mut self, gpu: &Cuda, name: &str, n: usize, [ta, tb]: [Transpose; 2]) -> Outcome<()> {
        let (alpha, beta) = (Dd::from(1.0), Dd::from(0.0));
        let [a, b] = [0, 1].map(|i| square(&self.host[i], n));
        let (on_a, on_b, mut on_c) = (gpu.upload(a), gpu.upload(b), gpu.zeros(n, n));
        let alone = kernel_time(gpu, || {
            gpu.gemm(ta, tb, alpha, on_a.as_ref(), on_b.as_ref(), beta, on_c.as_mut());
        })?;
        drop((on_a, on_b, on_c));
        let mut outcome = Ok(());
        let to = &mut self.result.as_mut_slice()[..n * n];
        let all = wall_time(|| {
            let c = MatMut::from_parts(&mut *to, n, n, n);
            outcome = gpu.gemm_host(ta, tb, alpha, a, b, beta, c).map(drop);
        });
        outcome?;
        self.push(name, n, alone);
        self.push(&format!("{name}-host"), n, all);
        Ok(())
    }

    /// One step after the other, with a result in fresh memory.
    fn in_steps(&mut self, name: &str, n: usize) -> Outcome<()> {
        let (gpu, alpha, beta) = (self.gpu, Dd::from(1.0), Dd::from(0.0));
        let [a, b] = [0, 1].map(|i| square(&self.host[i], n));
        let mut outcome = Ok(());
        let seconds = wall_time(|| {
            let (a, b, mut c) = (gpu.upload(a), gpu.upload(b), gpu.zeros(n, n));
            gpu.gemm(NO, NO, alpha, a.as_ref(), b.as_ref(), beta, c.as_mut());
            outcome = gpu.download(c.as_ref()).map(drop);
        });
        outcome?;
        self.push(name, n, seconds);
        Ok(())
    }
}

/// A matrix of some of the numbers.
fn square(numbers: &Matrix<Dd>, n: usize) -> MatRef<'_, Dd> {
    MatRef::from_parts(&numbers.as_slice()[..n * n], n, n, n)
}
