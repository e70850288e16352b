//! The job of a matrix product: runs it, times it, and says what was done.

use std::time::Instant;

use nonius_linalg::backend::{Cpu, Memory};
use nonius_linalg::dense::Transpose;
use nonius_linalg::dense::gemm::{Arithmetic, Products, Report, gemm_on};
use nonius_linalg::{Error, Matrix};

use crate::device::Engine;
use crate::work::Work;
use crate::{Device, Number, Place, Precision};

/// A matrix product `alpha · op(A) · op(B) + beta · C`, each `op` nothing or the transpose.
#[derive(Clone, Copy, Debug)]
pub struct Matmul<'a, T> {
    /// `A`.
    pub a: &'a Matrix<T>,
    /// `op` of `A`.
    pub transpose_a: Transpose,
    /// `B`.
    pub b: &'a Matrix<T>,
    /// `op` of `B`.
    pub transpose_b: Transpose,
    /// The factor of the product.
    pub alpha: T,
}

/// What a product took.
#[derive(Clone, Debug, PartialEq)]
pub struct MatmulReport {
    /// Time of the product itself, on a GPU with that of the matrices' way there and back.
    pub seconds: f64,
    /// Billions of additions and multiplications a second, two for each of the terms.
    pub gflops: f64,
    /// The number type.
    pub precision: Precision,
    /// The arithmetic of the direct engine's sums.
    pub arithmetic: Arithmetic,
    /// Where it was computed.
    pub place: Place,
    /// How it was computed.
    pub product: Report,
}

/// Adds a product to `beta · c`, or where there is no such matrix, yields the product alone.
///
/// # Errors
/// [`Error::Shape`] where the shapes do not fit, [`Error::NoArithmetic`] where `T` has no such arithmetic, [`Error::TooLarge`] where the result does not fit into memory, [`Error::Device`]
/// where the device asked for cannot be had or fails.
pub fn matmul<T: Number>(
    product: Matmul<'_, T>,
    added: Option<(T, Matrix<T>)>,
    products: Products,
    device: Device,
) -> Result<(Matrix<T>, MatmulReport), Error> {
    // Before the device: what is asked for cannot be had on any.
    products.check::<T>()?;
    let Matmul { a, transpose_a, b, transpose_b, alpha } = product;
    let (m, k) = transpose_a.shape(a.shape());
    let (_, n) = transpose_b.shape(b.shape());
    let (beta, mut c) = match added {
        Some(added) => added,
        None => (T::ZERO, Matrix::try_zeros(m, n)?),
    };
    let (rows, columns, terms) = (m as f64, n as f64, k as f64);
    let work = Work::new::<T>(
        2.0 * rows * columns * terms,
        rows * terms + terms * columns + 2.0 * rows * columns,
    );
    let ((seconds, report), place) = device.run(work, |engine| {
        let start = Instant::now();
        let report = match engine {
            Engine::Cpu => {
                let (cpu, a, b) = (Cpu::new(products), a.view(), b.view());
                gemm_on(&cpu, transpose_a, transpose_b, alpha, a, b, beta, c.view_mut())?
            }
            Engine::Cuda(gpu) => {
                let gpu = &gpu.clone().with_products(products);
                let (a, b) = (gpu.upload(a.view()), gpu.upload(b.view()));
                let mut product = gpu.upload(c.view());
                let (a, b) = (gpu.view(&a), gpu.view(&b));
                let to = gpu.view_mut(&mut product);
                let report = gemm_on(gpu, transpose_a, transpose_b, alpha, a, b, beta, to)?;
                c = gpu.download(gpu.view(&product))?;
                report
            }
        };
        Ok((start.elapsed().as_secs_f64(), report))
    })?;
    let report = MatmulReport {
        seconds,
        gflops: work.operations / seconds / 1e9,
        precision: work.precision,
        arithmetic: products.arithmetic,
        place,
        product: report,
    };
    Ok((c, report))
}
