//! The two papers' product and solution, kernels alone and with transfers.

use std::error::Error;

use nonius_cuda::{Cuda, Transfer};
use nonius_linalg::backend::{Gemm, Memory};
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::dense::{Transpose, gauss_jordan};
use nonius_linalg::{Matrix, Scalar};
use nonius_num::{Dd, Qd};

use super::{kernel_time, product_name, row, wall_time, with_arithmetic};
use crate::inputs::matrix;
use crate::papers::{PRODUCT, SOLUTION, published};
use crate::record::Record;

pub(super) fn measure(gpu: &Cuda) -> Result<Vec<Record>, Box<dyn Error>> {
    let mut records = Vec::new();
    product::<Dd>(gpu, &Arithmetic::ALL, &mut records)?;
    product::<Qd>(gpu, &[Arithmetic::Delayed], &mut records)?;
    solution::<Dd>(gpu, &mut records)?;
    solution::<Qd>(gpu, &mut records)?;
    Ok(records)
}

/// The product, kernels alone and with transfers.
fn product<T: Scalar>(
    gpu: &Cuda,
    arithmetics: &[Arithmetic],
    records: &mut Vec<Record>,
) -> Result<(), Box<dyn Error>> {
    const NO: Transpose = Transpose::No;
    let (m, k) = (1600, 3200);
    let (a, b) = (matrix::<T>(m, k, 1), matrix::<T>(k, m, 2));
    let (on_a, on_b) = (gpu.upload(a.view()), gpu.upload(b.view()));
    let flops = 2.0 * (m * m * k) as f64;
    println!("{PRODUCT}; published: {}", published(PRODUCT, T::NAME));
    for &arithmetic in arithmetics {
        let (name, gpu) = (product_name(arithmetic), with_arithmetic(gpu, arithmetic));
        let (mut c, mut result) = (gpu.zeros::<T>(m, m), Matrix::zeros(m, m));
        let seconds = kernel_time(&gpu, || {
            gpu.gemm(NO, NO, T::ONE, on_a.as_ref(), on_b.as_ref(), T::ZERO, c.as_mut());
        })?;
        records.push(row::<T>(&name, [m, m, k], seconds, flops));
        for (mode, transfer) in [
            ("synchronous", Transfer::Synchronous),
            ("asynchronous", Transfer::Asynchronous),
            ("mapped", Transfer::Mapped),
        ] {
            let gpu = gpu.clone().with_transfer(transfer);
            let mut outcome = Ok(());
            let seconds = wall_time(|| {
                let (a, b, c) = (a.view(), b.view(), result.view_mut());
                outcome = gpu.gemm_host(NO, NO, T::ONE, a, b, T::ZERO, c).map(drop);
            });
            outcome?;
            records.push(row::<T>(&format!("{name}-{mode}"), [m, m, k], seconds, flops));
        }
    }
    Ok(())
}

/// The solution, kernels alone and with transfers.
fn solution<T: Scalar>(gpu: &Cuda, records: &mut Vec<Record>) -> Result<(), Box<dyn Error>> {
    let (n, rights) = (2400, 1600);
    let (a, b) = (matrix::<T>(n, n, 3), matrix::<T>(n, rights, 4));
    let flops = (n as f64).powi(3) + 2.0 * (n * n * rights) as f64;
    let (on_a, on_b) = (gpu.upload(a.view()), gpu.upload(b.view()));
    let mut outcome = Ok(());
    let seconds = kernel_time(gpu, || {
        let mut x = gpu.copy_of(on_b.as_ref());
        let solved = gauss_jordan(gpu.clone(), gpu.copy_of(on_a.as_ref()), x.as_mut());
        outcome = solved.map(drop);
    })?;
    outcome?;
    println!("{SOLUTION}; published: {}", published(SOLUTION, T::NAME));
    records.push(row::<T>("gauss-jordan", [n, rights, n], seconds, flops));
    let mut outcome = Ok(());
    let seconds = wall_time(|| {
        let mut x = gpu.upload(b.view());
        let solved = gauss_jordan(gpu.clone(), gpu.upload(a.view()), x.as_mut());
        outcome = solved.and_then(|_| gpu.download(x.as_ref()).map(drop));
    });
    outcome?;
    records.push(row::<T>("gauss-jordan-transfers", [n, rights, n], seconds, flops));
    Ok(())
}
