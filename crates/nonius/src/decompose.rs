//! The jobs of eigenvalues and singular values: find them, time that, and say how good they are.

use std::time::Instant;

use nonius_linalg::backend::{Diagonalize, Gemm, Reflecting};
use nonius_linalg::dense::gemm::{Arithmetic, Products, gemm_on};
use nonius_linalg::dense::{Eigen, Svd, Transpose, Vectors, eigen_on, nrm2, svd_on};
use nonius_linalg::{Error, Matrix};

use crate::backend::{Backend, DeviceJob};
use crate::work::Work;
use crate::{Device, Number, Place, Precision, room};

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
/// As [`eigen_on`], and [`Error::Device`] where the device asked for cannot be had or fails.
pub fn eigen<T: Number>(
    a: &Matrix<T>,
    vectors: Vectors,
    products: Products,
    device: Device,
) -> Result<(Eigen<T>, DecompositionReport), Error> {
    products.check::<T>()?;
    Error::check_square(a.shape())?;
    // The tridiagonal form; vectors, and two copies for their residual.
    let copies = if vectors == Vectors::Yes { 4 } else { 1 };
    room::check::<T>((), "the eigenvalues", &[a.shape(); 4][..copies])?;
    let n = a.rows() as f64;
    // Tridiagonal form and, with vectors, rotations.
    let share = if vectors == Vectors::Yes { 9.0 } else { 4.0 / 3.0 };
    let work = Work::new(Precision::of::<T>(), share * n * n * n, 2.0 * n * n);
    let ((found, measured), place) = device.run(work, EigenJob { a, vectors, products })?;
    Ok((found, measured.report::<T>(products, place)))
}

/// Finds eigenvalues.
struct EigenJob<'a, T> {
    a: &'a Matrix<T>,
    vectors: Vectors,
    products: Products,
}

impl<T: Number> DeviceJob for EigenJob<'_, T> {
    type Output = (Eigen<T>, Measured);

    fn run<B: Backend>(&mut self, backend: &B) -> Result<Self::Output, Error> {
        measured_eigen(&backend.dense::<T>(self.products), self.a, self.vectors)
    }
}

fn measured_eigen<T: Number, B: Diagonalize<T>>(
    backend: &B,
    a: &Matrix<T>,
    vectors: Vectors,
) -> Result<(Eigen<T>, Measured), Error> {
    let start = Instant::now();
    let found = eigen_on(backend, a.view(), vectors)?;
    let seconds = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let quality = match &found.vectors {
        None => None,
        Some(v) => Some((residual(backend, a, v, v, &found.values)?, orthogonality(backend, v)?)),
    };
    Ok((found, Measured { seconds, check_seconds: start.elapsed().as_secs_f64(), quality }))
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
/// As [`svd_on`], and [`Error::Device`] where the device asked for cannot be had or fails.
pub fn svd<T: Number>(
    a: &Matrix<T>,
    vectors: Vectors,
    products: Products,
    device: Device,
) -> Result<(Svd<T>, DecompositionReport), Error> {
    products.check::<T>()?;
    // The bidiagonal form; vectors of both sides, and two copies for their residual.
    let (least, copies) = (a.rows().min(a.cols()), if vectors == Vectors::Yes { 4 } else { 1 });
    let shapes = [a.shape(), (a.rows() + a.cols(), least), a.shape(), a.shape()];
    room::check::<T>((), "the singular values", &shapes[..copies])?;
    let (m, n) = (a.rows().max(a.cols()) as f64, a.rows().min(a.cols()) as f64);
    // Q·R, bidiagonal form and, with vectors, rotations.
    let share = if vectors == Vectors::Yes { 64.0 / 3.0 } else { 8.0 / 3.0 };
    let operations = share * n * n * n + 2.0 * (m - n) * n * n;
    let work = Work::new(Precision::of::<T>(), operations, 2.0 * m * n + n * n);
    let ((found, measured), place) = device.run(work, SvdJob { a, vectors, products })?;
    Ok((found, measured.report::<T>(products, place)))
}

/// Finds singular values.
struct SvdJob<'a, T> {
    a: &'a Matrix<T>,
    vectors: Vectors,
    products: Products,
}

impl<T: Number> DeviceJob for SvdJob<'_, T> {
    type Output = (Svd<T>, Measured);

    fn run<B: Backend>(&mut self, backend: &B) -> Result<Self::Output, Error> {
        measured_svd(&backend.dense::<T>(self.products), self.a, self.vectors)
    }
}

fn measured_svd<T: Number, B: Diagonalize<T> + Reflecting<T>>(
    backend: &B,
    a: &Matrix<T>,
    vectors: Vectors,
) -> Result<(Svd<T>, Measured), Error> {
    let start = Instant::now();
    let found = svd_on(backend, a.view(), vectors)?;
    let seconds = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let quality = match &found.vectors {
        None => None,
        Some((u, v)) => {
            let residual = residual(backend, a, v, u, &found.values)?;
            Some((residual, orthogonality(backend, u)?.max(orthogonality(backend, v)?)))
        }
    };
    Ok((found, Measured { seconds, check_seconds: start.elapsed().as_secs_f64(), quality }))
}

struct Measured {
    seconds: f64,
    check_seconds: f64,
    /// Residual and orthogonality.
    quality: Option<(f64, f64)>,
}

impl Measured {
    fn report<T: Number>(self, products: Products, place: Place) -> DecompositionReport {
        DecompositionReport {
            seconds: self.seconds,
            check_seconds: self.check_seconds,
            relative_residual: self.quality.map(|(residual, _)| residual),
            orthogonality: self.quality.map(|(_, orthogonality)| orthogonality),
            precision: Precision::of::<T>(),
            arithmetic: products.arithmetic,
            place,
        }
    }
}

/// `‖A·V − U·diag(values)‖ / ‖A‖`, with `A` and the values scaled so that nothing leaves the range.
fn residual<T: Number, B: Gemm<T>>(
    backend: &B,
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
    let r = Matrix::from_fn(u.rows(), u.cols(), scaled);
    let r = updated(backend, Transpose::No, T::ONE, [&a, v], -T::ONE, &r)?;
    Ok(nrm2(&r).to_f64() / nrm2(&a).to_f64())
}

/// `‖VᵀV − I‖`
fn orthogonality<T: Number, B: Gemm<T>>(backend: &B, v: &Matrix<T>) -> Result<f64, Error> {
    let identity = Matrix::identity(v.cols());
    let gram = updated(backend, Transpose::Yes, T::ONE, [v, v], -T::ONE, &identity)?;
    Ok(nrm2(&gram).to_f64())
}

/// `α·op(A)·B + β·C`
fn updated<T: Number, B: Gemm<T>>(
    backend: &B,
    op: Transpose,
    alpha: T,
    [a, b]: [&Matrix<T>; 2],
    beta: T,
    c: &Matrix<T>,
) -> Result<Matrix<T>, Error> {
    let [a, b, mut c] = [a, b, c].map(|matrix| backend.upload(matrix.view()));
    let (left, right) = (backend.view(&a), backend.view(&b));
    gemm_on(backend, op, Transpose::No, alpha, left, right, beta, backend.view_mut(&mut c))?;
    backend.download(backend.view(&c))
}
