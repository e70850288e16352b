//! The job of a system with a rectangular matrix: solves it as well as it can be, times it, and
//! says how good the answer is.

use nonius_linalg::backend::Reading;
use nonius_linalg::dense::gemm::{Arithmetic, Products};
use nonius_linalg::dense::{self, Algorithms};
use nonius_linalg::{Error, Matrix};
use nonius_num::Element;

use crate::backend::{Backend, DeviceJob};
use crate::solve::{error_beside_ones, times_ones};
use crate::work::Work;
use crate::{Device, Number, Place, Precision, RightHandSides, room};

/// What a solution took and how good it is.
#[derive(Clone, Debug, PartialEq)]
pub struct LeastSquaresReport {
    /// Time for factors and solution.
    pub seconds: f64,
    /// Time for the condition and the residual.
    pub check_seconds: f64,
    /// Billions of additions and multiplications a second while solving.
    pub gflops: f64,
    /// The largest `‖b − A·x‖₂` of a column.
    pub residual_norm: Reading,
    /// The largest `‖b − A·x‖₂ / ‖b‖₂` of a column.
    pub relative_residual: Reading,
    /// Estimate of the condition number of `A`, its columns (rows, for fewer rows than columns)
    /// scaled to about the same size.
    pub condition_estimate: Reading,
    /// Estimate of the largest error of a column beside its largest entry; infinite where nothing
    /// is known.
    pub forward_error_estimate: Reading,
    /// Decimal digits of the largest entries of the solution that should be right.
    pub correct_digits: f64,
    /// Largest error of an entry of the solution, where the solution is known.
    pub max_error: Option<Reading>,
    /// The number type.
    pub precision: Precision,
    /// The arithmetic of the sums in products of matrices.
    pub arithmetic: Arithmetic,
    /// Where it was computed.
    pub place: Place,
}

/// Minimises `‖B − A·X‖₂` by a QR factorisation; for fewer rows than columns finds the shortest
/// solution of `A·X = B`. Products of matrices on the way are computed as `products` says.
///
/// ```
/// use nonius::linalg::dense::gemm::Products;
/// use nonius::{Device, Matrix, Qd, RightHandSides, least_squares};
///
/// // The parabola nearest to six points of another one.
/// let a = Matrix::from_fn(6, 3, |i, j| Qd::from((i as f64).powi(j as i32)));
/// let b = Matrix::from_fn(6, 1, |i, _| Qd::from((i * i) as f64 - 3.0));
/// let (x, report) =
///     least_squares(&a, RightHandSides::Given(&b), Products::default(), Device::Cpu)?;
/// assert!((x[(0, 0)] + 3.0).abs().to_f64() < 1e-58);
/// assert!(report.residual_norm < 1e-58 && report.correct_digits > 55.0);
/// # Ok::<(), nonius::linalg::Error>(())
/// ```
///
/// # Errors
/// As [`dense::least_squares_on`], and [`Error::Device`] where the device asked for cannot be had
/// or fails.
pub fn least_squares<T: Number>(
    a: &Matrix<T>,
    b: RightHandSides<'_, T>,
    products: Products,
    device: Device,
) -> Result<(Matrix<T>, LeastSquaresReport), Error> {
    products.check::<T>()?;
    let precision = T::precision(a.format());
    let product;
    let (b, known) = match b {
        RightHandSides::Given(b) => (b, false),
        RightHandSides::Ones => {
            product = times_ones(a)?;
            // The shortest solution of few equations is another one.
            (&product, a.rows() >= a.cols())
        }
    };
    // Factors, the solution and residuals.
    let shapes = [a.shape(), (a.cols(), b.cols()), (a.rows(), b.cols())];
    room::check::<T>(a.format(), "factors and the solution", &shapes)?;
    let (m, n) = (a.rows().max(a.cols()) as f64, a.rows().min(a.cols()) as f64);
    let operations = 2.0 * n * n * (m - n / 3.0) + (4.0 * m - n) * n * b.cols() as f64;
    let numbers = m * n + (m + n) * b.cols() as f64;
    let work = Work::new(precision, operations, numbers);
    let (found, place) = device.run(work, Minimisation { a, b, products })?;
    let max_error = known.then(|| error_beside_ones(&found.x));
    let report = found.report;
    let seconds = report.solve_time.as_secs_f64();
    let most_digits = f64::from(precision.digits());
    let correct_digits = report.correct_digits().min(most_digits);
    let report = LeastSquaresReport {
        seconds,
        check_seconds: report.check_time.as_secs_f64(),
        gflops: operations / seconds / 1e9,
        residual_norm: report.residual_norms.into_iter().fold(Reading::ZERO, Reading::max),
        relative_residual: report.relative_residual,
        condition_estimate: report.condition_estimate,
        forward_error_estimate: report.forward_error_estimate,
        correct_digits,
        max_error,
        precision,
        arithmetic: products.arithmetic,
        place,
    };
    Ok((found.x, report))
}

/// Minimises the norms of residuals.
struct Minimisation<'a, T: Element> {
    a: &'a Matrix<T>,
    b: &'a Matrix<T>,
    products: Products,
}

impl<T: Number + Algorithms<B>, B: Backend> DeviceJob<B> for Minimisation<'_, T> {
    type Output = dense::LeastSquares<T>;

    fn run(&mut self, backend: &B) -> Result<dense::LeastSquares<T>, Error> {
        T::least_squares(backend.multiplying(self.products), self.a.view(), self.b.view())
    }
}
