//! The vectors, products and systems of the papers of 2011, kernels alone and with transfers.

use std::error::Error;

use nonius_cuda::{Cuda, Transfer};
use nonius_linalg::backend::{Elementwise, Gemm, Memory, View};
use nonius_linalg::dense::gemm::{Arithmetic, Products};
use nonius_linalg::dense::{Operand, Transpose, gauss_jordan};
use nonius_linalg::{BinaryOp, Matrix, Operations, Scalar, UnaryOp};
use nonius_num::{Dd, Qd};

use super::rows::{kernel_time, product_name, row, wall_time, with_arithmetic};
use super::vectors::{CHAIN_LENGTH, of_elements};
use crate::inputs::{matrix, near_one};
use crate::papers::qd_on_cuda::{
    self, CHAIN, IN_CACHE, IN_MEMORY, OPERATIONS, PRODUCT, Part, SOLUTION,
};
use crate::papers::rgemm;
use crate::record::Record;

/// Launches in a row, whose mean leaves the start of the first aside.
const LAUNCHES: usize = 10;

type Outcome = Result<(), Box<dyn Error>>;

pub(crate) fn measure(gpu: &Cuda, only: &[Part]) -> Result<Vec<Record>, Box<dyn Error>> {
    let asked = |part: Part| only.is_empty() || only.contains(&part);
    let mut records = Vec::new();
    if asked(Part::Vectors) {
        vectors::<f64>(gpu, &mut records)?;
        vectors::<Dd>(gpu, &mut records)?;
        vectors::<Qd>(gpu, &mut records)?;
    }
    if asked(Part::Matrices) {
        product::<f64>(gpu, &[Arithmetic::Delayed], &mut records)?;
        product::<Dd>(gpu, &Arithmetic::ALL, &mut records)?;
        product::<Qd>(gpu, &[Arithmetic::Delayed], &mut records)?;
        solution::<f64>(gpu, &mut records)?;
        solution::<Dd>(gpu, &mut records)?;
        solution::<Qd>(gpu, &mut records)?;
    }
    Ok(records)
}

/// Vectors in memory, with transfers too, and in registers.
fn vectors<T: Scalar>(gpu: &Cuda, records: &mut Vec<Record>) -> Outcome {
    let host = [1, 2].map(|seed| near_one::<T>(IN_MEMORY, seed));
    let host = host.map(|numbers| Matrix::from_columns(IN_MEMORY, 1, numbers));
    let [Some(x), Some(y)] = host else { return Err("columns".into()) };
    for &operation in BinaryOp::ALL.iter().filter(|o| OPERATIONS.contains(&o.name())) {
        one_operation(gpu, operation, [&x, &y], records)?;
    }
    for &operation in UnaryOp::ALL.iter().filter(|o| OPERATIONS.contains(&o.name())) {
        one_operation(gpu, operation, [&x], records)?;
    }
    Ok(())
}

fn one_operation<const K: usize, T: Scalar>(
    gpu: &Cuda,
    operation: impl Operations<K>,
    host: [&Matrix<T>; K],
    records: &mut Vec<Record>,
) -> Outcome {
    let name = operation.name();
    let there = host.map(|x| gpu.upload(x.view()));
    let mut z = gpu.zeros::<T>(IN_MEMORY, 1);
    let operands = there.each_ref().map(|x| Operand::Entries(x.as_ref()));
    let seconds = kernel_time(gpu, || {
        (0..LAUNCHES).for_each(|_| gpu.elementwise(operation, operands, z.as_mut()));
    })?;
    records.push(rate::<T>(name, IN_MEMORY, 1, seconds / LAUNCHES as f64));
    let mut outcome = Ok(());
    let seconds = wall_time(|| {
        let there = host.map(|x| gpu.upload(x.view()));
        let operands = there.each_ref().map(|x| Operand::Entries(x.as_ref()));
        gpu.elementwise(operation, operands, z.as_mut());
        outcome = gpu.download(z.as_ref()).map(drop);
    });
    outcome?;
    records.push(rate::<T>(&format!("{name}-transfers"), IN_MEMORY, 1, seconds));
    let name = format!("{name} chain");
    for length in [IN_CACHE, CHAIN_LENGTH] {
        let mut z = gpu.zeros::<T>(length, 1);
        let operands =
            there.each_ref().map(|x| Operand::Entries(x.as_ref().block(0, 0, length, 1)));
        // Of more elements fewer operations: long functions would take minutes.
        let repeats = if length == IN_CACHE { CHAIN } else { CHAIN / 100 };
        let seconds = kernel_time(gpu, || {
            gpu.elementwise_chain(operation, operands, z.as_mut(), repeats);
        })?;
        records.push(rate::<T>(&name, length, repeats as usize, seconds));
    }
    Ok(())
}

/// A record of `n` operations on each of `m` elements.
fn rate<T: Scalar>(operation: &str, m: usize, n: usize, seconds: f64) -> Record {
    let rate = (m * n) as f64 / seconds / 1e6;
    eprintln!("{:4} {operation:16} {m:8} {rate:12.1} M/s", T::NAME);
    of_elements::<T>(operation, [m, n], seconds, rate)
}

/// The product by each arithmetic, kernels alone and with transfers; `gemm-auto` takes the engine
/// that the size calls for.
fn product<T: Scalar>(
    gpu: &Cuda,
    arithmetics: &[Arithmetic],
    records: &mut Vec<Record>,
) -> Outcome {
    const NO: Transpose = Transpose::No;
    let [m, n, k] = PRODUCT;
    let (a, b) = (matrix::<T>(m, k, 1), matrix::<T>(k, n, 2));
    let (on_a, on_b) = (gpu.upload(a.view()), gpu.upload(b.view()));
    let flops = qd_on_cuda::product_flops(PRODUCT);
    let auto = ("gemm-auto".to_string(), gpu.clone().with_products(Products::default()));
    let all = arithmetics.iter().map(|&arithmetic| {
        let peak = rgemm::peak(&arithmetic.to_string());
        if let Some(peak) = peak.filter(|_| T::LIMBS == 2) {
            let (kernel, whole) = (peak.kernel, peak.whole);
            println!("{arithmetic}, published: {kernel} GFLOPS, {whole} with transfers");
        }
        (product_name(arithmetic), with_arithmetic(gpu, arithmetic))
    });
    for (name, gpu) in all.chain([auto]) {
        let (mut c, mut result) = (gpu.zeros::<T>(m, n), Matrix::zeros(m, n));
        let seconds = kernel_time(&gpu, || {
            gpu.gemm(NO, NO, T::ONE, on_a.as_ref(), on_b.as_ref(), T::ZERO, c.as_mut());
        })?;
        records.push(row::<T>(&name, PRODUCT, seconds, flops));
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
            records.push(row::<T>(&format!("{name}-{mode}"), PRODUCT, seconds, flops));
        }
    }
    Ok(())
}

/// The solution, kernels alone and with transfers.
fn solution<T: Scalar>(gpu: &Cuda, records: &mut Vec<Record>) -> Outcome {
    let [n, rights] = SOLUTION;
    let (a, b) = (matrix::<T>(n, n, 3), matrix::<T>(n, rights, 4));
    let flops = qd_on_cuda::solution_flops(SOLUTION);
    let (on_a, on_b) = (gpu.upload(a.view()), gpu.upload(b.view()));
    let mut outcome = Ok(());
    let seconds = kernel_time(gpu, || {
        let mut x = gpu.copy_of(on_b.as_ref());
        let solved = gauss_jordan(gpu.clone(), gpu.copy_of(on_a.as_ref()), x.as_mut());
        outcome = solved.map(drop);
    })?;
    outcome?;
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
