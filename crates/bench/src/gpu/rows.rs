//! Rows of results, and the times in them.

use std::error::Error;
use std::time::Instant;

use nonius_cuda::Cuda;
use nonius_linalg::dense::gemm::{Arithmetic, Products};
use nonius_num::Fixed;

use super::peers::beside;
use crate::record::Record;

/// The seconds that the device takes for `work`, `repeats` times after a first run.
pub(super) fn kernel_times(
    gpu: &Cuda,
    repeats: usize,
    mut work: impl FnMut(),
) -> Result<Vec<f64>, Box<dyn Error>> {
    work();
    gpu.finish()?;
    let mut times = Vec::with_capacity(repeats);
    for _ in 0..repeats {
        let start = gpu.stream().record()?;
        work();
        times.push(gpu.stream().record()?.seconds_since(&start)?);
    }
    gpu.finish()?;
    times.sort_by(f64::total_cmp);
    Ok(times)
}

/// The shortest of a few [`kernel_times`].
pub(super) fn kernel_time(gpu: &Cuda, work: impl FnMut()) -> Result<f64, Box<dyn Error>> {
    Ok(kernel_times(gpu, 3, work)?[0])
}

/// The shortest time of some work by the clock, of three after a first.
pub(super) fn wall_time<R>(mut work: impl FnMut() -> R) -> f64 {
    work();
    let once = |_| {
        let start = Instant::now();
        std::hint::black_box(work());
        start.elapsed().as_secs_f64()
    };
    (0..3).map(once).fold(f64::INFINITY, f64::min)
}

/// A GPU that computes products in an arithmetic.
pub(super) fn with_arithmetic(gpu: &Cuda, arithmetic: Arithmetic) -> Cuda {
    gpu.clone().with_products(Products { arithmetic, ..Products::direct() })
}

/// What rows call a product: all but `gemm` are those of the paper of 2011.
pub(super) fn product_name(arithmetic: Arithmetic) -> String {
    match arithmetic {
        Arithmetic::Delayed => "gemm".into(),
        arithmetic => format!("gemm-{arithmetic}"),
    }
}

/// A row for an operation of `flops` operations in all.
pub(super) fn row<T: Fixed>(
    operation: &str,
    [m, n, k]: [usize; 3],
    seconds: f64,
    flops: f64,
) -> Record {
    let rate = flops / seconds / 1e9;
    let beside = beside(T::NAME, operation, m, rate);
    println!(
        "{:4} {operation:22} {m:5} {n:5} {k:5} {seconds:11.6} s {rate:10.2} GFLOPS{beside}",
        T::NAME
    );
    Record {
        library: "nonius-cuda".into(),
        precision: T::NAME.into(),
        operation: operation.into(),
        m,
        n,
        k,
        threads: 0,
        seconds,
        rate,
        unit: "GFLOPS".into(),
    }
}
