//! Products and factorisations.

use std::error::Error;

use nonius_cuda::Cuda;
use nonius_linalg::Scalar;
use nonius_linalg::backend::{Gemm, Memory, Syrk};
use nonius_linalg::dense::gemm::{Arithmetic, Engine, Factor, Products};
use nonius_linalg::dense::{Cholesky, Lu, Qr, Side, Transpose, Triangle};
use nonius_num::{Dd, Qd, Td};

use super::rows::{kernel_time, kernel_times, product_name, row, wall_time, with_arithmetic};
use crate::inputs::{matrix, positive_definite};
use crate::papers::rgemm::SPREAD;
use crate::record::Record;

type Outcome<T> = Result<T, Box<dyn Error>>;

const NO: Transpose = Transpose::No;

/// Runs that show the spread, and their order.
const REPEATS: usize = 100;
const SPREAD_ORDER: usize = 2048;

/// Products, factorisations and solutions.
pub(crate) fn measure(gpu: &Cuda, sizes: &[usize]) -> Outcome<Vec<Record>> {
    let mut records = Vec::new();
    for &n in sizes {
        one_size::<f64>(gpu, n, &mut records)?;
        one_size::<Dd>(gpu, n, &mut records)?;
        arithmetics::<Dd>(gpu, n, &mut records)?;
        engines::<Dd>(gpu, n, &Engine::ALL, &mut records)?;
        one_size::<Td>(gpu, n, &mut records)?;
        engines::<Td>(gpu, n, &Engine::ALL, &mut records)?;
        one_size::<Qd>(gpu, n, &mut records)?;
        engines::<Qd>(gpu, n, &Engine::ALL, &mut records)?;
    }
    records.extend(spread::<Dd>(gpu, SPREAD_ORDER)?);
    Ok(records)
}

/// Products by the residue engine, and factorisations at dd.
pub(crate) fn large(gpu: &Cuda, sizes: &[usize]) -> Outcome<Vec<Record>> {
    let mut records = residues(gpu, sizes)?;
    for &n in sizes {
        factorisations::<Dd>(gpu, n, &mut records)?;
    }
    Ok(records)
}

/// Products by the residue engine.
pub(crate) fn residues(gpu: &Cuda, sizes: &[usize]) -> Outcome<Vec<Record>> {
    let mut records = Vec::new();
    for &n in sizes {
        engines::<Dd>(gpu, n, &[Engine::Crt], &mut records)?;
        engines::<Qd>(gpu, n, &[Engine::Crt], &mut records)?;
    }
    Ok(records)
}

fn one_size<T: Scalar>(gpu: &Cuda, n: usize, records: &mut Vec<Record>) -> Outcome<()> {
    let cube = (n as f64).powi(3);
    let host = matrix::<T>(n, n, 1);
    let (a, b) = (gpu.upload(host.view()), gpu.upload(matrix::<T>(n, n, 2).view()));
    let mut c = gpu.zeros::<T>(n, n);
    let seconds = kernel_time(gpu, || {
        gpu.gemm(NO, NO, T::ONE, a.as_ref(), b.as_ref(), T::ZERO, c.as_mut());
    })?;
    records.push(row::<T>("gemm", [n, n, n], seconds, 2.0 * cube));
    let seconds = kernel_time(gpu, || {
        gpu.syrk(Triangle::Lower, NO, T::ONE, a.as_ref(), T::ZERO, c.as_mut());
    })?;
    records.push(row::<T>("syrk", [n, n, n], seconds, cube));
    drop(c);
    factorisations::<T>(gpu, n, records)
}

fn factorisations<T: Scalar>(gpu: &Cuda, n: usize, records: &mut Vec<Record>) -> Outcome<()> {
    let cube = (n as f64).powi(3);
    let a = gpu.upload(matrix::<T>(n, n, 1).view());
    let mut failure = None;
    let seconds = kernel_time(gpu, || {
        failure = Lu::new(gpu.clone(), gpu.copy_of(a.as_ref())).err();
    })?;
    failure.map_or(Ok(()), Err)?;
    records.push(row::<T>("lu", [n, n, n], seconds, 2.0 / 3.0 * cube));
    let definite = gpu.upload(positive_definite::<T>(n, 3).view());
    let mut failure = None;
    let seconds = kernel_time(gpu, || {
        failure = Cholesky::new(gpu.clone(), gpu.copy_of(definite.as_ref())).err();
    })?;
    failure.map_or(Ok(()), Err)?;
    records.push(row::<T>("cholesky", [n, n, n], seconds, cube / 3.0));
    let host = matrix::<T>(n, n, 1);
    let mut failure = None;
    let seconds = wall_time(|| {
        failure = Qr::factor_on(gpu.clone(), host.view()).and_then(|qr| qr.r()).err();
    });
    failure.map_or(Ok(()), Err)?;
    records.push(row::<T>("qr-with-copies", [n, n, n], seconds, 4.0 / 3.0 * cube));
    Ok(())
}

/// Products by each engine, where [`one_size`] takes the one that a size calls for.
fn engines<T: Scalar>(
    gpu: &Cuda,
    n: usize,
    engines: &[Engine],
    records: &mut Vec<Record>,
) -> Outcome<()> {
    let (a, b) = (gpu.upload(matrix::<T>(n, n, 1).view()), gpu.upload(matrix::<T>(n, n, 2).view()));
    let mut c = gpu.zeros::<T>(n, n);
    for &engine in engines {
        let products = Products { engine: Some(engine), ..Products::default() };
        let gpu = gpu.clone().with_products(products);
        let seconds = kernel_time(&gpu, || {
            gpu.gemm(NO, NO, T::ONE, a.as_ref(), b.as_ref(), T::ZERO, c.as_mut());
        })?;
        let (name, flops) = (format!("gemm-{engine}"), 2.0 * (n as f64).powi(3));
        records.push(row::<T>(&name, [n, n, n], seconds, flops));
        if engine == Engine::Crt {
            let (left, right) = (
                gpu.convert(Side::Left, NO, a.as_ref(), 0),
                gpu.convert(Side::Right, NO, b.as_ref(), 0),
            );
            let (left, right) = (Factor::Converted(&left), Factor::Converted(&right));
            let plain = Factor::Matrix(NO, b.as_ref());
            for (name, right) in [("gemm-one-converted", plain), ("gemm-converted", right)] {
                let mut failure = None;
                let seconds = kernel_time(&gpu, || {
                    failure = gpu.gemm_of(T::ONE, left, right, T::ZERO, c.as_mut()).err();
                })?;
                failure.map_or(Ok(()), Err)?;
                records.push(row::<T>(name, [n, n, n], seconds, flops));
            }
        }
    }
    Ok(())
}

/// Products in the arithmetics that [`one_size`] leaves out.
fn arithmetics<T: Scalar>(gpu: &Cuda, n: usize, records: &mut Vec<Record>) -> Outcome<()> {
    let (a, b) = (gpu.upload(matrix::<T>(n, n, 1).view()), gpu.upload(matrix::<T>(n, n, 2).view()));
    let mut c = gpu.zeros::<T>(n, n);
    for arithmetic in Arithmetic::ALL.into_iter().filter(|&a| a != Arithmetic::Delayed) {
        let gpu = with_arithmetic(gpu, arithmetic);
        let seconds = kernel_time(&gpu, || {
            gpu.gemm(NO, NO, T::ONE, a.as_ref(), b.as_ref(), T::ZERO, c.as_mut());
        })?;
        let (name, flops) = (product_name(arithmetic), 2.0 * (n as f64).powi(3));
        records.push(row::<T>(&name, [n, n, n], seconds, flops));
    }
    Ok(())
}

fn spread<T: Scalar>(gpu: &Cuda, n: usize) -> Outcome<Vec<Record>> {
    let (a, b) = (gpu.upload(matrix::<T>(n, n, 1).view()), gpu.upload(matrix::<T>(n, n, 2).view()));
    let mut c = gpu.zeros::<T>(n, n);
    let times = kernel_times(gpu, REPEATS, || {
        gpu.gemm(NO, NO, T::ONE, a.as_ref(), b.as_ref(), T::ZERO, c.as_mut());
    })?;
    let flops = 2.0 * (n as f64).powi(3);
    let figure = |name: &str, seconds| row::<T>(name, [n, n, n], seconds, flops);
    println!(
        "{REPEATS} products {:.2} % apart; {SPREAD}",
        100.0 * (times[REPEATS - 1] / times[0] - 1.0)
    );
    Ok(vec![
        figure("gemm-shortest", times[0]),
        figure("gemm-median", times[REPEATS / 2]),
        figure("gemm-longest", times[REPEATS - 1]),
    ])
}
