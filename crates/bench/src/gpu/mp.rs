//! Matrices of numbers of any precision on a GPU.

use std::error::Error;

use nonius_cuda::{Cuda, DeviceMatrix};
use nonius_linalg::Matrix;
use nonius_linalg::backend::{Gemm, Memory, Syrk};
use nonius_linalg::dense::gemm::{Engine, Products};
use nonius_linalg::dense::{
    Cholesky, Lu, Method, Transpose, Triangle, Vectors, eigen_on, solve_on,
};
use nonius_num::Mp;
use nonius_num::mp::Bits;

use super::rows::{kernel_time, wall_time};
use crate::inputs::{mp_definite, mp_matrix};
use crate::record::Record;

type Outcome<T> = Result<T, Box<dyn Error>>;

const NO: Transpose = Transpose::No;

/// Largest orders of what takes long: products by the direct engine, and eigenvectors.
const MOST_DIRECT: usize = 1024;
const MOST_EIGEN: usize = 1024;

/// What is measured.
const OPERATIONS: [&str; 8] =
    ["gemm-crt", "gemm-direct", "syrk", "lu", "cholesky", "solve", "solve-unchecked", "eigen"];

/// Figures for matrices of these orders and precisions; of the operations named, if any are.
pub(crate) fn measure(
    gpu: &Cuda,
    sizes: &[usize],
    bits: &[u32],
    only: &[String],
) -> Outcome<Vec<Record>> {
    let mut records = Vec::new();
    for &n in sizes {
        for &bits in bits {
            let inputs = Inputs { gpu, bits: Bits::new(bits)?, n };
            for operation in OPERATIONS {
                if (only.is_empty() || only.iter().any(|name| name == operation))
                    && let Some((seconds, flops)) = inputs.measure(operation)?
                {
                    records.push(row(bits, operation, n, seconds, flops));
                }
            }
        }
    }
    Ok(records)
}

struct Inputs<'a> {
    gpu: &'a Cuda,
    bits: Bits,
    n: usize,
}

impl Inputs<'_> {
    /// Seconds, and operations as LAPACK counts them; `None` where it would take too long.
    fn measure(&self, operation: &str) -> Outcome<Option<(f64, f64)>> {
        let Self { gpu, bits, n } = *self;
        let cube = (n as f64).powi(3);
        let measured = match operation {
            "gemm-crt" => (self.product(Engine::Crt)?, 2.0 * cube),
            "gemm-direct" if n <= MOST_DIRECT => (self.product(Engine::Direct)?, 2.0 * cube),
            "syrk" => {
                let a = gpu.upload(mp_matrix(bits, n, 1).view());
                let mut c: DeviceMatrix<Mp> = Memory::zeros(gpu, bits, n, n);
                let seconds = kernel_time(gpu, || {
                    gpu.syrk(Triangle::Lower, NO, Mp::ONE, a.as_ref(), Mp::ZERO, c.as_mut());
                })?;
                (seconds, cube)
            }
            "lu" => {
                let a = mp_matrix(bits, n, 1);
                let seconds = self.factored(&a, |a| Lu::new(gpu.clone(), a).err())?;
                (seconds, 2.0 / 3.0 * cube)
            }
            "cholesky" => {
                let a = mp_definite(bits, n, 3);
                let seconds = self.factored(&a, |a| Cholesky::new(gpu.clone(), a).err())?;
                (seconds, cube / 3.0)
            }
            "solve" => {
                let a = mp_matrix(bits, n, 1);
                let b = a.view().block(0, 0, n, 1);
                let seconds =
                    self.by_the_clock(|| solve_on(gpu.clone(), a.view(), b, Method::Lu).err())?;
                (seconds, 2.0 / 3.0 * cube)
            }
            // Without the condition number and the error.
            "solve-unchecked" => {
                let a = mp_matrix(bits, n, 1);
                let b = a.view().block(0, 0, n, 1);
                let solve = |_| solve_on(gpu.clone(), a.view(), b, Method::Lu);
                let times = (0..3).map(|i| Ok(solve(i)?.report.solve_time.as_secs_f64()));
                let times = times.collect::<Outcome<Vec<f64>>>()?;
                let seconds = times.into_iter().fold(f64::INFINITY, f64::min);
                (seconds, 2.0 / 3.0 * cube)
            }
            "eigen" if n <= MOST_EIGEN => {
                let a = mp_definite(bits, n, 3);
                let seconds = self.by_the_clock(|| eigen_on(gpu, a.view(), Vectors::Yes).err())?;
                (seconds, 9.0 * cube)
            }
            _ => return Ok(None),
        };
        Ok(Some(measured))
    }

    fn product(&self, engine: Engine) -> Outcome<f64> {
        let products = Products { engine: Some(engine), ..Products::default() };
        let gpu = self.gpu.clone().with_products(products);
        let [a, b] = [1, 2].map(|seed| gpu.upload(mp_matrix(self.bits, self.n, seed).view()));
        let mut c: DeviceMatrix<Mp> = Memory::zeros(&gpu, self.bits, self.n, self.n);
        let mut fallback = None;
        let seconds = kernel_time(&gpu, || {
            let report = gpu.gemm(NO, NO, Mp::ONE, a.as_ref(), b.as_ref(), Mp::ZERO, c.as_mut());
            fallback = report.fallback.map(|reason| reason.to_string());
        })?;
        fallback.map_or(Ok(seconds), |reason| Err(reason.into()))
    }

    fn factored(
        &self,
        a: &Matrix<Mp>,
        mut factor: impl FnMut(DeviceMatrix<Mp>) -> Option<nonius_linalg::Error>,
    ) -> Outcome<f64> {
        let a = self.gpu.upload(a.view());
        let mut failure = None;
        let seconds = kernel_time(self.gpu, || failure = factor(self.gpu.copy_of(a.as_ref())))?;
        failure.map_or(Ok(seconds), |failure| Err(failure.into()))
    }

    fn by_the_clock(&self, mut work: impl FnMut() -> Option<nonius_linalg::Error>) -> Outcome<f64> {
        let mut failure = None;
        let seconds = wall_time(|| failure = work());
        failure.map_or(Ok(seconds), |failure| Err(failure.into()))
    }
}

fn row(bits: u32, operation: &str, n: usize, seconds: f64, flops: f64) -> Record {
    let rate = flops / seconds / 1e9;
    println!("mp{bits} {operation:12} {n:5} {seconds:11.6} s {rate:10.2} GFLOPS");
    Record {
        library: "nonius-cuda".into(),
        precision: format!("mp{bits}"),
        operation: operation.into(),
        m: n,
        n,
        k: n,
        threads: 0,
        seconds,
        rate,
        unit: "GFLOPS".into(),
    }
}
