//! The job of a linear system: solves it, times it, and says how good the answer is.

use nonius_linalg::backend::Reading;
use nonius_linalg::dense::gemm::{Arithmetic, Products, gemm};
use nonius_linalg::dense::{self, Algorithms, Method, Transpose};
use nonius_linalg::{Error, Matrix};
use nonius_num::Element;

use crate::backend::{Backend, DeviceJob};
use crate::work::Work;
use crate::{Device, Number, Place, Precision, room};

/// The right-hand sides `B` of `A·X = B`.
#[derive(Clone, Copy, Debug)]
pub enum RightHandSides<'a, T: Element> {
    /// These.
    Given(&'a Matrix<T>),
    /// One, `A·ones`, whose solution is known to be all ones.
    Ones,
}

/// What a solution took and how good it is.
#[derive(Clone, Debug, PartialEq)]
pub struct SolveReport {
    /// Time for factors and solution.
    pub seconds: f64,
    /// Time for the condition and the residual.
    pub check_seconds: f64,
    /// Billions of additions and multiplications a second while solving.
    pub gflops: f64,
    /// Backward error of the solution, by a residual in higher precision.
    pub relative_residual: Reading,
    /// Estimate of the condition number of `A` in the 1-norm.
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
    /// The method used; never [`Method::Auto`].
    pub method: Method,
    /// Why Cholesky, which [`Method::Auto`] tried first, had to be given up.
    pub rejected: Option<Error>,
}

/// Solves `A·X = B`, with the products of matrices on the way computed as `products` says.
///
/// ```
/// use nonius::linalg::dense::Method;
/// use nonius::linalg::dense::gemm::Products;
/// use nonius::{Device, Fixed, Matrix, Qd, RightHandSides, solve};
///
/// // The Hilbert matrix of order 10, whose condition number is about 1e13.
/// let a = Matrix::from_fn(10, 10, |i, j| Qd::ONE / Qd::from((i + j + 1) as f64));
/// let (x, report) =
///     solve(&a, RightHandSides::Ones, Method::Auto, Products::default(), Device::Auto)?;
/// assert_eq!(report.method, Method::Cholesky);
/// assert!(report.correct_digits > 45.0);
/// let bound = 10.0 * report.condition_estimate.to_f64() * Qd::UNIT_ROUNDOFF;
/// assert!((x[(9, 0)] - 1.0).abs().to_f64() < bound);
/// # Ok::<(), nonius::linalg::Error>(())
/// ```
///
/// # Errors
/// As [`dense::solve_on`].
pub fn solve<T: Number>(
    a: &Matrix<T>,
    b: RightHandSides<'_, T>,
    method: Method,
    products: Products,
    device: Device,
) -> Result<(Matrix<T>, SolveReport), Error> {
    // Before the device: what is asked for cannot be had on any.
    products.check::<T>()?;
    let precision = T::precision(a.format());
    let product;
    let (b, known) = match b {
        RightHandSides::Given(b) => (b, false),
        RightHandSides::Ones => {
            product = times_ones(a)?;
            (&product, true)
        }
    };
    // Factors, the solution and its residual.
    let (square, tall) = (a.shape(), (a.cols(), b.cols()));
    room::check::<T>(a.format(), "factors and the solution", &[square, tall, tall])?;
    let work = Work::new(
        precision,
        operations(method, a.rows(), b.cols()),
        a.rows() as f64 * (a.cols() as f64 + 2.0 * b.cols() as f64),
    );
    let (solution, place) = device.run(work, System { a, b, method, products })?;
    let dense::Solution { x, report } = solution;
    let max_error = known.then(|| error_beside_ones(&x));
    let seconds = report.solve_time.as_secs_f64();
    let report = SolveReport {
        seconds,
        check_seconds: report.check_time.as_secs_f64(),
        gflops: operations(report.method, a.rows(), b.cols()) / seconds / 1e9,
        relative_residual: report.relative_residual,
        condition_estimate: report.condition_estimate,
        forward_error_estimate: report.forward_error_estimate,
        correct_digits: report.correct_digits().min(f64::from(precision.digits())),
        max_error,
        precision,
        arithmetic: products.arithmetic,
        place,
        method: report.method,
        rejected: report.rejected,
    };
    Ok((x, report))
}

/// Solves a system.
struct System<'a, T: Element> {
    a: &'a Matrix<T>,
    b: &'a Matrix<T>,
    method: Method,
    products: Products,
}

impl<T: Number + Algorithms<B>, B: Backend> DeviceJob<B> for System<'_, T> {
    type Output = dense::Solution<T>;

    fn run(&mut self, backend: &B) -> Result<dense::Solution<T>, Error> {
        <T as Algorithms<B>>::solve(
            backend.multiplying(self.products),
            self.a.view(),
            self.b.view(),
            self.method,
        )
    }
}

pub(crate) fn times_ones<T: Number>(a: &Matrix<T>) -> Result<Matrix<T>, Error> {
    let ones = Matrix::from_fn_in(a.format(), a.cols(), 1, |_, _| T::ONE);
    let mut b = Matrix::try_zeros_in(a.format(), a.rows(), 1)?;
    let no = Transpose::No;
    gemm(no, no, T::ONE, a.view(), ones.view(), T::ZERO, b.view_mut())?;
    if T::are_finite(b.numbers().as_slice()) {
        Ok(b)
    } else {
        Err(Error::Overflow { operand: "A · ones", column: 0 })
    }
}

/// The largest error of an entry of a solution that is all ones.
pub(crate) fn error_beside_ones<T: Number>(x: &Matrix<T>) -> Reading {
    let errors = x.numbers().as_slice().iter().map(|x| (x - T::ONE).abs().leading());
    errors.fold(Reading::ZERO, Reading::max)
}

/// Additions and multiplications, to leading order, for `k` right-hand sides of `n` entries.
fn operations(method: Method, n: usize, k: usize) -> f64 {
    let (n, k) = (n as f64, k as f64);
    let elimination = match method {
        Method::Cholesky => n * n * n / 3.0,
        Method::GaussJordan => n * n * n,
        Method::Lu | Method::Auto => 2.0 * n * n * n / 3.0,
    };
    elimination + 2.0 * n * n * k
}
