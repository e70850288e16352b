//! Bytes that cross the bus for each job of the library.

use std::error::Error;
use std::time::Instant;

use nonius::linalg::dense::gemm::Products;
use nonius::linalg::dense::{Method, Transpose, Vectors};
use nonius::linalg::mp::Bits;
use nonius::{Device, Matmul, Mp, Number, RightHandSides, Scalar};
use nonius_gpu::Traffic;
use nonius_num::{Dd, Qd};

use crate::inputs::{matrix, mp_matrix, positive_definite};
use crate::record::Record;

/// Bits of the products of any precision.
const BITS: u32 = 424;

/// Every job on matrices of order `n`: bytes sent and received, a row each.
pub(crate) fn measure(ordinal: usize, n: usize) -> Result<Vec<Record>, Box<dyn Error>> {
    let mut bus = Bus { device: Device::Cuda(ordinal), n, records: Vec::new() };
    bus.fixed::<Dd>("dd")?;
    bus.fixed::<Qd>("qd")?;
    bus.any()?;
    Ok(bus.records)
}

struct Bus {
    device: Device,
    n: usize,
    records: Vec<Record>,
}

impl Bus {
    fn fixed<T: Number + Scalar>(&mut self, precision: &str) -> Result<(), Box<dyn Error>> {
        let (n, device, products) = (self.n, self.device, Products::default());
        let (a, b) = (matrix::<T>(n, n, 1), matrix::<T>(n, n, 2));
        let (definite, tall) = (positive_definite::<T>(n, 3), matrix::<T>(n, n / 2, 4));
        let no = Transpose::No;
        let product = || Matmul { a: &a, transpose_a: no, b: &b, transpose_b: no, alpha: T::ONE };
        let ones = RightHandSides::Ones;
        self.job(precision, "matmul", || nonius::matmul(product(), None, products, device))?;
        let added = || Some((T::ONE, a.clone()));
        self.job(precision, "matmul-add", || nonius::matmul(product(), added(), products, device))?;
        for (name, a) in [("solve-lu", &a), ("solve-cholesky", &definite)] {
            self.job(precision, name, || nonius::solve(a, ones, Method::Auto, products, device))?;
        }
        self.job(precision, "least-squares", || {
            nonius::least_squares(&tall, ones, products, device)
        })?;
        self.job(precision, "inverse", || nonius::inverse(&a, products, device))?;
        self.job(precision, "determinant", || nonius::determinant(&a, products, device))?;
        let vectors = Vectors::Yes;
        self.job(precision, "eigen", || nonius::eigen(&definite, vectors, products, device))?;
        self.job(precision, "svd", || nonius::svd(&a, vectors, products, device))
    }

    fn any(&mut self) -> Result<(), Box<dyn Error>> {
        let bits = Bits::new(BITS)?;
        let (n, device, products) = (self.n, self.device, Products::default());
        let (a, b) = (mp_matrix(bits, n, 1), mp_matrix(bits, n, 2));
        let no = Transpose::No;
        let product = |alpha| Matmul { a: &a, transpose_a: no, b: &b, transpose_b: no, alpha };
        let precision = format!("mp{BITS}");
        self.job(&precision, "matmul", || {
            nonius::matmul(product(Mp::one(bits)), None, products, device)
        })?;
        self.job(&precision, "matmul-add", || {
            let (alpha, beta) = (Mp::from_f64(bits, 3.0), Mp::from_f64(bits, 5.0));
            nonius::matmul(product(alpha), Some((beta, a.clone())), products, device)
        })
    }

    /// Does a job, and counts its bytes.
    fn job<R, E: Error + 'static>(
        &mut self,
        precision: &str,
        name: &str,
        work: impl FnOnce() -> Result<R, E>,
    ) -> Result<(), Box<dyn Error>> {
        let (before, start) = (Traffic::so_far(), Instant::now());
        work()?;
        let seconds = start.elapsed().as_secs_f64();
        let Traffic { sent, received } = Traffic::so_far().since(before);
        eprintln!("{precision:6} {name:16} {sent:12} bytes sent, {received:12} received");
        for (way, bytes) in [("sent", sent), ("received", received)] {
            self.records.push(Record {
                library: "nonius-cuda".into(),
                precision: precision.into(),
                operation: format!("{name}-{way}"),
                m: self.n,
                n: self.n,
                k: self.n,
                threads: 1,
                seconds,
                rate: bytes as f64,
                unit: "bytes".into(),
            });
        }
        Ok(())
    }
}
