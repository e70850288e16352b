//! Systems with a rectangular matrix.

use std::time::Duration;

use nonius_linalg::backend::Reading;
use nonius_linalg::dense::gemm::{Arithmetic, Products};
use nonius_linalg::dense::{self, Algorithms};
use nonius_linalg::{Error, MatRef, Matrix};
use nonius_num::Element;

use super::solve::{error_beside_ones, times_ones};
use crate::backend::{Backend, DeviceJob};
use crate::device::{Device, Place};
use crate::setters::setters;
use crate::work::Work;
use crate::{Number, Precision, room};

/// How good a solution is, and where it was found.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
pub struct LeastSquaresReport {
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
    /// Additions and multiplications, to leading order.
    pub operations: f64,
    /// Time for factors and solution, without a GPU's start.
    pub solve_time: Duration,
    /// Time for the condition and the residual.
    pub check_time: Duration,
}

/// The least `‖B − A·X‖₂` by a QR factorisation; for fewer rows than columns, the shortest solution
/// of `A·X = B`.
///
/// ```
/// use nonius::prelude::*;
///
/// // The parabola nearest to six points of another one.
/// let a = Matrix::from_fn(6, 3, |i, j| Qd::from((i as f64).powi(j as i32)));
/// let b = Matrix::from_fn(6, 1, |i, _| Qd::from((i * i) as f64 - 3.0));
/// let (x, report) = LeastSquares::new(&a).rhs(&b).run()?;
/// assert!((x[(0, 0)] + 3.0).abs().to_f64() < 1e-58);
/// assert!(report.residual_norm < 1e-58 && report.correct_digits > 55.0);
/// # Ok::<(), nonius::dense::Error>(())
/// ```
#[must_use = "a solution is found by `run`"]
#[derive(Clone, Copy, Debug)]
pub struct LeastSquares<'a, T: Element> {
    a: MatRef<'a, T>,
    b: Option<MatRef<'a, T>>,
    products: Products,
    device: Device,
}

impl<'a, T: Number> LeastSquares<'a, T> {
    /// With the matrix `A`, `m × n`. The right-hand side is `A` times a vector of ones, until
    /// [`rhs`](Self::rhs) gives another.
    pub fn new(a: impl Into<MatRef<'a, T>>) -> Self {
        Self { a: a.into(), b: None, products: Products::default(), device: Device::Auto }
    }

    /// The right-hand sides `B`, `m × k`.
    pub fn rhs(mut self, b: impl Into<MatRef<'a, T>>) -> Self {
        self.b = Some(b.into());
        self
    }

    setters!(products);
    setters!(device);

    /// Finds the solution. Returns `X`, `n × k`, and the report.
    ///
    /// # Errors
    /// As [`dense::least_squares_on`]; [`Error::NoRoom`] where memory does not do;
    /// [`Error::Device`] where the device asked for cannot be had or fails.
    pub fn run(self) -> Result<(Matrix<T>, LeastSquaresReport), Error> {
        let Self { a, b, products, device } = self;
        products.check::<T>()?;
        let precision = T::precision(a.format());
        let product;
        let (b, known) = match b {
            Some(b) => (b, false),
            None => {
                product = times_ones(a)?;
                // The shortest solution of few equations is another one.
                (product.view(), a.rows() >= a.cols())
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
        let report = LeastSquaresReport {
            correct_digits: report.correct_digits().min(f64::from(precision.digits())),
            residual_norm: report.residual_norms.into_iter().fold(Reading::ZERO, Reading::max),
            relative_residual: report.relative_residual,
            condition_estimate: report.condition_estimate,
            forward_error_estimate: report.forward_error_estimate,
            max_error,
            precision,
            arithmetic: products.arithmetic,
            place,
            operations,
            solve_time: report.solve_time,
            check_time: report.check_time,
        };
        Ok((found.x, report))
    }
}

/// Minimises the norms of residuals.
struct Minimisation<'a, T: Element> {
    a: MatRef<'a, T>,
    b: MatRef<'a, T>,
    products: Products,
}

impl<T: Number + Algorithms<B>, B: Backend> DeviceJob<B> for Minimisation<'_, T> {
    type Output = dense::LeastSquares<T>;

    fn run(&mut self, backend: &B) -> Result<dense::LeastSquares<T>, Error> {
        T::least_squares(backend.multiplying(self.products), self.a, self.b)
    }
}
