//! The jobs of eigenvalues and singular values: find them, time that, and say how good they are.

use nonius_linalg::backend::Reading;
use nonius_linalg::dense::gemm::{Arithmetic, Products};
use nonius_linalg::dense::{Algorithms, Decomposition, Eigen, Svd, Vectors};
use nonius_linalg::{Error, Matrix};
use nonius_num::Element;

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
    /// Where there are vectors, `‖A·V − V·Λ‖ / ‖A‖` or `‖A·V − U·Σ‖ / ‖A‖` in the Frobenius norm.
    /// The values are within that times `‖A‖` of the exact ones, but for the roundoff of the check
    /// itself.
    pub relative_residual: Option<Reading>,
    /// Where there are vectors, `‖VᵀV − I‖` in the Frobenius norm, the larger one of `U` and `V`.
    pub orthogonality: Option<Reading>,
    /// The number type.
    pub precision: Precision,
    /// The arithmetic of the sums in products of matrices.
    pub arithmetic: Arithmetic,
    /// Where they were computed.
    pub place: Place,
}

/// Eigenvalues in ascending order, and where they are wanted eigenvectors, of a symmetric matrix.
/// Products of matrices on the way are computed as `products` says.
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
/// assert!(report.relative_residual.unwrap() < 1e-60);
/// # Ok::<(), nonius::linalg::Error>(())
/// ```
///
/// # Errors
/// As [`eigen_on`](nonius_linalg::dense::eigen_on), and [`Error::Device`] where the device asked
/// for cannot be had or fails.
pub fn eigen<T: Number>(
    a: &Matrix<T>,
    vectors: Vectors,
    products: Products,
    device: Device,
) -> Result<(Eigen<T>, DecompositionReport), Error> {
    products.check::<T>()?;
    let precision = T::precision(a.format());
    Error::check_square(a.shape())?;
    // The tridiagonal form; vectors, and two copies for their residual.
    let copies = if vectors == Vectors::Yes { 4 } else { 1 };
    room::check::<T>(a.format(), "the eigenvalues", &[a.shape(); 4][..copies])?;
    let n = a.rows() as f64;
    // Tridiagonal form and, with vectors, rotations.
    let share = if vectors == Vectors::Yes { 9.0 } else { 4.0 / 3.0 };
    let work = Work::new(precision, share * n * n * n, 2.0 * n * n);
    let (found, place) = device.run(work, EigenJob { a, vectors, products })?;
    let report = report(&found, precision, products, place);
    Ok((found.found, report))
}

/// Finds eigenvalues.
struct EigenJob<'a, T: Element> {
    a: &'a Matrix<T>,
    vectors: Vectors,
    products: Products,
}

impl<T: Number + Algorithms<B>, B: Backend> DeviceJob<B> for EigenJob<'_, T> {
    type Output = Decomposition<Eigen<T>>;

    fn run(&mut self, backend: &B) -> Result<Self::Output, Error> {
        T::eigen(backend.multiplying(self.products), self.a.view(), self.vectors)
    }
}

/// Singular values in descending order, and where they are wanted singular vectors, of a matrix of
/// any shape. Products of matrices on the way are computed as `products` says.
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
/// assert!(report.orthogonality.unwrap() < 1e-29);
/// # Ok::<(), nonius::linalg::Error>(())
/// ```
///
/// # Errors
/// As [`svd_on`](nonius_linalg::dense::svd_on), and [`Error::Device`] where the device asked for
/// cannot be had or fails.
pub fn svd<T: Number>(
    a: &Matrix<T>,
    vectors: Vectors,
    products: Products,
    device: Device,
) -> Result<(Svd<T>, DecompositionReport), Error> {
    products.check::<T>()?;
    let precision = T::precision(a.format());
    // The bidiagonal form; vectors of both sides, and two copies for their residual.
    let (least, copies) = (a.rows().min(a.cols()), if vectors == Vectors::Yes { 4 } else { 1 });
    let shapes = [a.shape(), (a.rows() + a.cols(), least), a.shape(), a.shape()];
    room::check::<T>(a.format(), "the singular values", &shapes[..copies])?;
    let (m, n) = (a.rows().max(a.cols()) as f64, a.rows().min(a.cols()) as f64);
    // Q·R, bidiagonal form and, with vectors, rotations.
    let share = if vectors == Vectors::Yes { 64.0 / 3.0 } else { 8.0 / 3.0 };
    let operations = share * n * n * n + 2.0 * (m - n) * n * n;
    let work = Work::new(precision, operations, 2.0 * m * n + n * n);
    let (found, place) = device.run(work, SvdJob { a, vectors, products })?;
    let report = report(&found, precision, products, place);
    Ok((found.found, report))
}

/// Finds singular values.
struct SvdJob<'a, T: Element> {
    a: &'a Matrix<T>,
    vectors: Vectors,
    products: Products,
}

impl<T: Number + Algorithms<B>, B: Backend> DeviceJob<B> for SvdJob<'_, T> {
    type Output = Decomposition<Svd<T>>;

    fn run(&mut self, backend: &B) -> Result<Self::Output, Error> {
        T::svd(backend.multiplying(self.products), self.a.view(), self.vectors)
    }
}

fn report<D>(
    found: &Decomposition<D>,
    precision: Precision,
    products: Products,
    place: Place,
) -> DecompositionReport {
    DecompositionReport {
        seconds: found.solve_time.as_secs_f64(),
        check_seconds: found.check_time.as_secs_f64(),
        relative_residual: found.quality.map(|quality| quality.residual),
        orthogonality: found.quality.map(|quality| quality.defect),
        precision,
        arithmetic: products.arithmetic,
        place,
    }
}
