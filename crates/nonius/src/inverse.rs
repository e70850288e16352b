//! The job of an inverse: finds it, times it, and says how good it is.

use nonius_linalg::backend::Reading;
use nonius_linalg::dense::gemm::{Arithmetic, Products};
use nonius_linalg::dense::{self, Algorithms, Method};
use nonius_linalg::{Error, Matrix};
use nonius_num::Element;

use crate::backend::{Backend, DeviceJob};
use crate::work::Work;
use crate::{Device, Number, Place, Precision, room};

/// What an inverse took and how good it is.
#[derive(Clone, Debug, PartialEq)]
pub struct InverseReport {
    /// Time for factors and inverse.
    pub seconds: f64,
    /// Time for the condition and the residual.
    pub check_seconds: f64,
    /// Billions of additions and multiplications a second while inverting: `2·n³`.
    pub gflops: f64,
    /// Backward error of the columns, by `I − A·X` in higher precision.
    pub relative_residual: Reading,
    /// Estimate of the condition number of `A` in the 1-norm.
    pub condition_estimate: Reading,
    /// Estimate of the largest error of a column of the inverse beside its largest entry; infinite
    /// where nothing is known.
    pub forward_error_estimate: Reading,
    /// Decimal digits of the largest entries of the inverse that should be right.
    pub correct_digits: f64,
    /// The number type.
    pub precision: Precision,
    /// The arithmetic of the sums in products of matrices.
    pub arithmetic: Arithmetic,
    /// Where it was computed.
    pub place: Place,
    /// [`Method::Cholesky`] or [`Method::Lu`].
    pub method: Method,
}

/// The inverse of a square matrix, with the products of matrices on the way computed as `products`
/// says.
///
/// ```
/// use nonius::linalg::dense::gemm::Products;
/// use nonius::{Device, Matrix, Qd, inverse};
///
/// // The inverse of the Hilbert matrix of order 3 has the first entry 9.
/// let a = Matrix::from_fn(3, 3, |i, j| Qd::ONE / Qd::from((i + j + 1) as f64));
/// let (x, report) = inverse(&a, Products::default(), Device::Auto)?;
/// assert!((x[(0, 0)] - 9.0).abs().to_f64() < 1e-57);
/// assert!(report.correct_digits > 55.0);
/// # Ok::<(), nonius::linalg::Error>(())
/// ```
///
/// # Errors
/// As [`dense::inverse_on`], and [`Error::Device`] where the device asked for cannot be had or
/// fails.
pub fn inverse<T: Number>(
    a: &Matrix<T>,
    products: Products,
    device: Device,
) -> Result<(Matrix<T>, InverseReport), Error> {
    products.check::<T>()?;
    let precision = T::precision(a.format());
    // Factors, the inverse, and the identity for its residual.
    room::check::<T>(a.format(), "factors and the inverse", &[a.shape(); 3])?;
    let n = a.rows() as f64;
    let work = Work::new(precision, 2.0 * n * n * n, 2.0 * n * n);
    let (found, place) = device.run(work, Inversion { a, products })?;
    let report = found.report;
    let seconds = report.solve_time.as_secs_f64();
    let report = InverseReport {
        seconds,
        check_seconds: report.check_time.as_secs_f64(),
        gflops: work.operations / seconds / 1e9,
        relative_residual: report.relative_residual,
        condition_estimate: report.condition_estimate,
        forward_error_estimate: report.forward_error_estimate,
        correct_digits: report.correct_digits().min(f64::from(precision.digits())),
        precision,
        arithmetic: products.arithmetic,
        place,
        method: report.method,
    };
    Ok((found.x, report))
}

/// Inverts a matrix.
struct Inversion<'a, T: Element> {
    a: &'a Matrix<T>,
    products: Products,
}

impl<T: Number + Algorithms<B>, B: Backend> DeviceJob<B> for Inversion<'_, T> {
    type Output = dense::Inverse<T>;

    fn run(&mut self, backend: &B) -> Result<dense::Inverse<T>, Error> {
        T::inverse(backend.multiplying(self.products), self.a.view())
    }
}
