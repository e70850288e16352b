//! Bytes that cross the bus for each job of the library.

use std::error::Error;
use std::time::Instant;

use nonius::num::mp::Bits;
use nonius::prelude::*;
use nonius_gpu::Traffic;
use nonius_linalg::Scalar;

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
        let (n, device) = (self.n, self.device);
        let (a, b) = (matrix::<T>(n, n, 1), matrix::<T>(n, n, 2));
        let (definite, tall) = (positive_definite::<T>(n, 3), matrix::<T>(n, n / 2, 4));
        let product = || Multiply::new(&a, &b).device(device);
        self.job(precision, "matmul", || product().run())?;
        self.job(precision, "matmul-add", || product().plus(T::ONE, a.clone()).run())?;
        for (name, a) in [("solve-lu", &a), ("solve-cholesky", &definite)] {
            self.job(precision, name, || Solve::new(a).device(device).run())?;
        }
        self.job(precision, "least-squares", || LeastSquares::new(&tall).device(device).run())?;
        self.job(precision, "inverse", || Inverse::new(&a).device(device).run())?;
        self.job(precision, "determinant", || Determinant::new(&a).device(device).run())?;
        self.job(precision, "eigen", || Eigenvalues::new(&definite).device(device).run())?;
        self.job(precision, "svd", || SingularValues::new(&a).device(device).run())
    }

    fn any(&mut self) -> Result<(), Box<dyn Error>> {
        let bits = Bits::new(BITS)?;
        let (n, device) = (self.n, self.device);
        let (a, b) = (mp_matrix(bits, n, 1), mp_matrix(bits, n, 2));
        let product = |alpha| Multiply::new(&a, &b).alpha(alpha).device(device);
        let precision = format!("mp{BITS}");
        self.job(&precision, "matmul", || product(Mp::one(bits)).run())?;
        self.job(&precision, "matmul-add", || {
            let (alpha, beta) = (Mp::from_f64(bits, 3.0), Mp::from_f64(bits, 5.0));
            product(alpha).plus(beta, a.clone()).run()
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
