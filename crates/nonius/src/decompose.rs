//! The jobs of eigenvalues and singular values: find them, time that, and say how good they are.

use std::time::Instant;

use nonius_linalg::backend::Cpu;
use nonius_linalg::dense::gemm::{Arithmetic, Products, gemm_on};
use nonius_linalg::dense::{Eigen, Svd, Transpose, Vectors, eigen_on, nrm2, svd_on};
use nonius_linalg::{Error, Matrix};

use crate::{Device, Number, Place, Precision};

/// What values and vectors took and how good they are.
#[derive(Clone, Debug, PartialEq)]
pub struct DecompositionReport {
    /// Time for the values and vectors.
    pub seconds: f64,
    /// Time for the two figures below.
    pub check_seconds: f64,
    /// Where there are vectors, `‖A·V − V·Λ‖ / ‖A‖` or `‖A·V − U·Σ‖ / ‖A‖` in the Frobenius norm. The values are within that times `‖A‖` of the exact ones, but
    /// for the roundoff of the check itself.
    pub relative_residual: Option<f64>,
    /// Where there are vectors, `‖VᵀV − I‖` in the Frobenius norm, the larger one of `U` and `V`.
    pub orthogonality: Option<f64>,
    /// The number type.
    pub precision: Precision,
    /// The arithmetic of the sums in products of matrices.
    pub arithmetic: Arithmetic,
    /// Where they were computed.
    pub place: Place,
}

/// Eigenvalues in ascending order, and where they are wanted eigenvectors, of a symmetric matrix. Products of matrices on the way are
/// computed as `products` says.
///
/// ```
/// use nonius::linalg::dense::{Vectors, gemm::Products};
/// use nonius::{Device, Matrix, Qd, eigen};
///
/// // The second difference of order 3 has the eigenvalues 2 − √2, 2 and 2 + √2.
/// let entry = |i: usize, j: usize| [2.0, -1.0, 0.0][i.abs_diff(j)];
/// let a = Matrix::from_fn(3, 3, |i, j| Qd::from(entry(i, j)));
/// let (found, report) = eigen(&a, Vectors::Yes, Products::default(), Device::Cpu)?;
/// assert!((found.values[2] - 2.0 - Qd::from(2.0).sqrt()).abs().to_f64() < 1e-60);
/// assert!(report.relative_residual < Some(1e-60));
/// # Ok::<(), nonius::linalg::Error>(())
/// ```
///
/// # Errors
/// As [`eigen_on`], and [`Error::Device`] for any device but the CPU, which alone has the kernels.
pub fn eigen<T: Number>(
    a: &Matrix<T>,
    vectors: Vectors,
    products: Products,
    device: Device,
) -> Result<(Eigen<T>, DecompositionReport), Error> {
    let cpu = Cpu::new(products);
    let start = Instant::now();
    let (found, place) = device.run_on_host(|| eigen_on(cpu, a.view(), vectors))?;
    let seconds = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let quality = match &found.vectors {
        None => None,
        Some(v) => Some((residual(cpu, a, v, v, &found.values)?, orthogonality(cpu, v)?)),
    };
    let report = report::<T>(products, place, seconds, start, quality);
    Ok((found, report))
}

/// Singular values in descending order, and where they are wanted singular vectors, of a matrix of any shape. Products of matrices on the
/// way are computed as `products` says.
///
/// ```
/// use nonius::linalg::dense::{Vectors, gemm::Products};
/// use nonius::{Device, Dd, Matrix, svd};
///
/// let a = Matrix::from_fn(2, 3, |i, j| Dd::from((i + j) as f64));
/// let (found, report) = svd(&a, Vectors::Yes, Products::default(), Device::Cpu)?;
/// // det(A·Aᵀ) = 5·14 − 8² = 6
/// let product = found.values[0] * found.values[1];
/// assert!((product * product - 6.0).abs().to_f64() < 1e-28);
/// assert!(report.orthogonality < Some(1e-29));
/// # Ok::<(), nonius::linalg::Error>(())
/// ```
///
/// # Errors
/// As [`svd_on`], and [`Error::Device`] for any device but the CPU, which alone has the kernels.
pub fn svd<T: Number>(
    a: &Matrix<T>,
    vectors: Vectors,
    products: Products,
    device: Device,
) -> Result<(Svd<T>, DecompositionReport), Error> {
    let cpu = Cpu::new(products);
    let start = Instant::now();
    let (found, place) = device.run_on_host(|| svd_on(cpu, a.view(), vectors))?;
    let seconds = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let quality = match &found.vectors {
        None => None,
        Some((u, v)) => {
            let residual = residual(cpu, a, v, u, &found.values)?;
            Some((residual, orthogonality(cpu, u)?.max(orthogonality(cpu, v)?)))
        }
    };
    let report = report::<T>(products, place, seconds, start, quality);
    Ok((found, report))
}

fn report<T: Number>(
    products: Products,
    place: Place,
    seconds: f64,
    start_of_check: Instant,
    quality: Option<(f64, f64)>,
) -> DecompositionReport {
    DecompositionReport {
        seconds,
        check_seconds: start_of_check.elapsed().as_secs_f64(),
        relative_residual: quality.map(|(residual, _)| residual),
        orthogonality: quality.map(|(_, orthogonality)| orthogonality),
        precision: Precision::of::<T>(),
        arithmetic: products.arithmetic,
        place,
    }
}

/// `‖A·V − U·diag(values)‖ / ‖A‖`, with `A` and the values scaled so that nothing leaves the range.
fn residual<T: Number>(
    cpu: Cpu,
    a: &Matrix<T>,
    v: &Matrix<T>,
    u: &Matrix<T>,
    values: &[T],
) -> Result<f64, Error> {
    let largest = a.as_slice().iter().map(|x| x.to_f64().abs()).fold(0.0, f64::max);
    if largest == 0.0 {
        return Ok(0.0);
    }
    let exponent = largest.log2().ceil() as i32;
    let a = a.map(|x| x.ldexp(-exponent));
    let scaled = |i, j: usize| u[(i, j)] * values[j].ldexp(-exponent);
    let mut r = Matrix::from_fn(u.rows(), u.cols(), scaled);
    let no = Transpose::No;
    gemm_on(&cpu, no, no, -T::ONE, a.view(), v.view(), T::ONE, r.view_mut())?;
    Ok(nrm2(&r).to_f64() / nrm2(&a).to_f64())
}

/// `‖VᵀV − I‖`
fn orthogonality<T: Number>(cpu: Cpu, v: &Matrix<T>) -> Result<f64, Error> {
    let mut gram = Matrix::identity(v.cols());
    let (yes, no) = (Transpose::Yes, Transpose::No);
    gemm_on(&cpu, yes, no, T::ONE, v.view(), v.view(), -T::ONE, gram.view_mut())?;
    Ok(nrm2(&gram).to_f64())
}
