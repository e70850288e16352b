//! Eigenvalues and singular values.

use std::time::Duration;

use nonius_linalg::backend::Reading;
use nonius_linalg::dense::gemm::{Arithmetic, Products};
use nonius_linalg::dense::{Algorithms, Decomposition, Eigen, Svd, Vectors};
use nonius_linalg::{Error, MatRef};
use nonius_num::Element;

use crate::backend::{Backend, DeviceJob};
use crate::device::{Device, Place};
use crate::setters::setters;
use crate::work::Work;
use crate::{Number, Precision, room};

/// How good values and vectors are, and where they were found.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
pub struct DecompositionReport {
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
    /// Time for the values and vectors, without a GPU's start.
    pub solve_time: Duration,
    /// Time for residual and orthogonality.
    pub check_time: Duration,
}

/// Eigenvalues of a symmetric matrix in ascending order, and eigenvectors.
///
/// ```
/// use nonius::prelude::*;
///
/// // The second difference of order 3 has the eigenvalues 2 − √2, 2 and 2 + √2.
/// let entry = |i: usize, j: usize| [2.0, -1.0, 0.0][i.abs_diff(j)];
/// let a = Matrix::from_fn(3, 3, |i, j| Qd::from(entry(i, j)));
/// let (found, report) = Eigenvalues::new(&a).run()?;
/// assert!((found.values[2] - 2.0 - Qd::from(2.0).sqrt()).abs().to_f64() < 1e-60);
/// assert!(report.relative_residual.unwrap() < 1e-60);
/// # Ok::<(), nonius::dense::Error>(())
/// ```
#[must_use = "eigenvalues are found by `run`"]
#[derive(Clone, Copy, Debug)]
pub struct Eigenvalues<'a, T: Element> {
    a: MatRef<'a, T>,
    vectors: Vectors,
    products: Products,
    device: Device,
}

impl<'a, T: Number> Eigenvalues<'a, T> {
    /// Of the symmetric matrix `A`, `n × n`, with vectors.
    pub fn new(a: impl Into<MatRef<'a, T>>) -> Self {
        let (vectors, products) = (Vectors::Yes, Products::default());
        Self { a: a.into(), vectors, products, device: Device::Auto }
    }

    /// Whether to find vectors too.
    pub fn vectors(mut self, vectors: Vectors) -> Self {
        self.vectors = vectors;
        self
    }

    setters!(products);
    setters!(device);

    /// Finds `n` values, and the vectors as columns of an `n × n` matrix.
    ///
    /// # Errors
    /// As [`eigen_on`](nonius_linalg::dense::eigen_on); [`Error::NoRoom`] where memory does not do;
    /// [`Error::Device`] where the device asked for cannot be had or fails.
    pub fn run(self) -> Result<(Eigen<T>, DecompositionReport), Error> {
        let Self { a, vectors, products, device } = self;
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
}

/// Finds eigenvalues.
struct EigenJob<'a, T: Element> {
    a: MatRef<'a, T>,
    vectors: Vectors,
    products: Products,
}

impl<T: Number + Algorithms<B>, B: Backend> DeviceJob<B> for EigenJob<'_, T> {
    type Output = Decomposition<Eigen<T>>;

    fn run(&mut self, backend: &B) -> Result<Self::Output, Error> {
        T::eigen(backend.multiplying(self.products), self.a, self.vectors)
    }
}

/// Singular values of a matrix of any shape in descending order, and singular vectors.
///
/// ```
/// use nonius::prelude::*;
///
/// let a = Matrix::from_fn(2, 3, |i, j| Dd::from((i + j) as f64));
/// let (found, report) = SingularValues::new(&a).run()?;
/// // det(A·Aᵀ) = 5·14 − 8² = 6
/// let product = found.values[0] * found.values[1];
/// assert!((product * product - 6.0).abs().to_f64() < 1e-28);
/// assert!(report.orthogonality.unwrap() < 1e-29);
/// # Ok::<(), nonius::dense::Error>(())
/// ```
#[must_use = "singular values are found by `run`"]
#[derive(Clone, Copy, Debug)]
pub struct SingularValues<'a, T: Element> {
    a: MatRef<'a, T>,
    vectors: Vectors,
    products: Products,
    device: Device,
}

impl<'a, T: Number> SingularValues<'a, T> {
    /// Of the matrix `A`, `m × n`, with vectors.
    pub fn new(a: impl Into<MatRef<'a, T>>) -> Self {
        let (vectors, products) = (Vectors::Yes, Products::default());
        Self { a: a.into(), vectors, products, device: Device::Auto }
    }

    /// Whether to find vectors too.
    pub fn vectors(mut self, vectors: Vectors) -> Self {
        self.vectors = vectors;
        self
    }

    setters!(products);
    setters!(device);

    /// Finds `k = min(m, n)` values, and the vectors as columns: `U` is `m × k`, `V` is `n × k`.
    ///
    /// # Errors
    /// As [`svd_on`](nonius_linalg::dense::svd_on); [`Error::NoRoom`] where memory does not do;
    /// [`Error::Device`] where the device asked for cannot be had or fails.
    pub fn run(self) -> Result<(Svd<T>, DecompositionReport), Error> {
        let Self { a, vectors, products, device } = self;
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
}

/// Finds singular values.
struct SvdJob<'a, T: Element> {
    a: MatRef<'a, T>,
    vectors: Vectors,
    products: Products,
}

impl<T: Number + Algorithms<B>, B: Backend> DeviceJob<B> for SvdJob<'_, T> {
    type Output = Decomposition<Svd<T>>;

    fn run(&mut self, backend: &B) -> Result<Self::Output, Error> {
        T::svd(backend.multiplying(self.products), self.a, self.vectors)
    }
}

fn report<D>(
    found: &Decomposition<D>,
    precision: Precision,
    products: Products,
    place: Place,
) -> DecompositionReport {
    DecompositionReport {
        relative_residual: found.quality.map(|quality| quality.residual),
        orthogonality: found.quality.map(|quality| quality.defect),
        precision,
        arithmetic: products.arithmetic,
        place,
        solve_time: found.solve_time,
        check_time: found.check_time,
    }
}
