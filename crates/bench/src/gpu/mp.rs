//! Products of numbers of any precision on a GPU.

use std::error::Error;

use nonius_cuda::Cuda;
use nonius_linalg::dense::Transpose;
use nonius_linalg::dense::gemm::Factor;
use nonius_linalg::mp::Bits;

use super::rows::kernel_time;
use crate::inputs::mp_matrix;
use crate::record::Record;

/// Precisions from that of dd on; the last two take the kernels for integers of any length.
const PRECISIONS: [u32; 7] = [106, 159, 212, 318, 424, 1000, 2048];

/// Figures for matrices of these orders.
pub(crate) fn measure(gpu: &Cuda, sizes: &[usize]) -> Result<Vec<Record>, Box<dyn Error>> {
    let mut records = Vec::new();
    for &n in sizes {
        for bits in PRECISIONS {
            records.push(product(gpu, bits, n)?);
        }
    }
    Ok(records)
}

fn product(gpu: &Cuda, bits: u32, n: usize) -> Result<Record, Box<dyn Error>> {
    let precision = Bits::new(bits)?;
    let a = gpu.upload_mp(&mp_matrix(precision, n, 1))?;
    let b = gpu.upload_mp(&mp_matrix(precision, n, 2))?;
    let no = Transpose::No;
    let mut failure = None;
    let seconds = kernel_time(gpu, || {
        failure = match gpu.multiply_mp(Factor::Matrix(no, &a), Factor::Matrix(no, &b)) {
            Ok(Ok(_)) => None,
            Ok(Err(fallback)) => Some(fallback.to_string()),
            Err(error) => Some(error.to_string()),
        };
    })?;
    failure.map_or(Ok(()), Err)?;
    let rate = 2.0 * (n as f64).powi(3) / seconds / 1e9;
    println!("mp{bits} gemm-crt {n:5} {seconds:11.6} s {rate:10.2} GFLOPS");
    Ok(Record {
        library: "nonius-cuda".into(),
        precision: format!("mp{bits}"),
        operation: "gemm-crt".into(),
        m: n,
        n,
        k: n,
        threads: 0,
        seconds,
        rate,
        unit: "GFLOPS".into(),
    })
}
