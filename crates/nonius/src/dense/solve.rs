//! Linear systems in one precision.

use std::time::Duration;

use nonius_linalg::backend::Reading;
use nonius_linalg::certified::Data;
use nonius_linalg::dense::gemm::{Arithmetic, Products, gemm};
use nonius_linalg::dense::{self, Method, Systems, Transpose};
use nonius_linalg::{Error, MatRef, Matrix};
use nonius_num::Element;

use crate::backend::{DeviceJob, Fit, Machine, Size};
use crate::device::{Device, Place};
use crate::setters::setters;
use crate::work::Work;
use crate::{Number, Precision, certified};

/// The linear system `A·X = B` with a square matrix, in the precision of its numbers.
///
/// ```
/// use nonius::prelude::*;
/// use nonius::dense::Method;
///
/// // The Hilbert matrix of order 10, whose condition number is about 1e13.
/// let a = Matrix::from_fn(10, 10, |i, j| Qd::ONE / Qd::from((i + j + 1) as f64));
/// let b = Matrix::from_fn(10, 1, |i, _| Qd::from(i as f64));
/// let (x, report) = Solve::new(&a).rhs(&b).run()?;
/// assert_eq!(report.method, Method::Cholesky);
/// assert!(report.correct_digits > 45.0);
/// // Without a right-hand side `B` is `A` times a vector of ones: the solution is known.
/// let (_, report) = Solve::new(&a).device(Device::Cpu).run()?;
/// assert!(report.max_error.unwrap().log10() < -45.0);
/// # assert_eq!(x.shape(), (10, 1));
/// # Ok::<(), nonius::dense::Error>(())
/// ```
#[must_use = "a system is solved by `run`"]
#[derive(Clone, Copy, Debug)]
pub struct Solve<'a, T: Element> {
    a: MatRef<'a, T>,
    b: Option<MatRef<'a, T>>,
    method: Method,
    products: Products,
    device: Device,
    /// Bytes for matrices on a device, in place of those that it has.
    pub(super) room: Option<usize>,
}

/// How a system was solved, and how good the solution is.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
pub struct SolveReport {
    /// The method used; never [`Method::Auto`].
    pub method: Method,
    /// Why Cholesky, which [`Method::Auto`] tried first, had to be given up.
    pub rejected: Option<Error>,
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
    /// Additions and multiplications of the method, to leading order.
    pub operations: f64,
    /// Time for factors and solution, without a GPU's start.
    pub solve_time: Duration,
    /// Time for the condition and the residual.
    pub check_time: Duration,
}

impl<'a, T: Number> Solve<'a, T> {
    /// A system with the matrix `A`, `n × n`. The right-hand side is `A` times a vector of ones,
    /// until [`rhs`](Self::rhs) gives another.
    pub fn new(a: impl Into<MatRef<'a, T>>) -> Self {
        let (method, products) = (Method::Auto, Products::default());
        Self { a: a.into(), b: None, method, products, device: Device::Auto, room: None }
    }

    /// The right-hand sides `B`, `n × k`.
    pub fn rhs(mut self, b: impl Into<MatRef<'a, T>>) -> Self {
        self.b = Some(b.into());
        self
    }

    /// The method, [`Method::Auto`] by default: Cholesky for a symmetric matrix that is positive
    /// definite, LU for any other.
    pub fn method(mut self, method: Method) -> Self {
        self.method = method;
        self
    }

    setters!(products);
    setters!(device);

    /// Asks for proved digits of every entry of `X`, in place of one precision: the entries of `A`
    /// and `B` count as exact. The proof chooses method and products itself.
    ///
    /// ```
    /// use nonius::prelude::*;
    ///
    /// let a = matrix![[2.0, 1.0], [1.0, 3.0]];
    /// let (solution, _) = Solve::new(&a).rhs(&matrix![[1.0], [0.0]]).digits(40).run()?;
    /// assert!(solution.digits.is_none_or(|digits| digits >= 40));
    /// assert!((solution.x.at(0, 0).to_f64() - 0.6).abs() < 1e-15);
    /// # Ok::<(), nonius::certified::Refusal>(())
    /// ```
    pub fn digits(self, digits: u32) -> certified::Solve<'a> {
        let a = Data::from_matrix(self.a);
        let b = self.b.map_or_else(|| a.row_sums(), Data::from_matrix);
        certified::Solve::owning(a, b, digits).device(self.device)
    }

    /// Solves the system. Returns `X`, `n × k`, and the report.
    ///
    /// # Errors
    /// As [`dense::solve_on`]; [`Error::NoRoom`] where memory does not do; [`Error::Device`] where
    /// the device asked for cannot be had or fails.
    pub fn run(self) -> Result<(Matrix<T>, SolveReport), Error> {
        let Self { a, b, method, products, device, room } = self;
        // Before the device: what is asked for cannot be had on any.
        products.check::<T>()?;
        let precision = T::precision(a.format());
        let product;
        let (b, known) = match b {
            Some(b) => (b, false),
            None => {
                product = times_ones(a)?;
                (product.view(), true)
            }
        };
        // Factors, the solution and its residual.
        let (square, tall) = (a.shape(), (a.cols(), b.cols()));
        crate::room::check::<T>(a.format(), "factors and the solution", &[square, tall, tall])?;
        let work = Work::new(
            precision,
            operations(method, a.rows(), b.cols()),
            a.rows() as f64 * (a.cols() as f64 + 2.0 * b.cols() as f64),
        );
        let system = System { a, b, method, products, room };
        let ((solution, out_of_core), place) = device.share(work, system, |job| Ok(*job))?;
        let dense::Solution { x, report } = solution;
        let max_error = known.then(|| error_beside_ones(&x));
        let report = SolveReport {
            correct_digits: report.correct_digits().min(f64::from(precision.digits())),
            relative_residual: report.relative_residual,
            condition_estimate: report.condition_estimate,
            forward_error_estimate: report.forward_error_estimate,
            max_error,
            precision,
            arithmetic: products.arithmetic,
            place: Place { out_of_core, ..place },
            method: report.method,
            rejected: report.rejected,
            operations: operations(report.method, a.rows(), b.cols()),
            solve_time: report.solve_time,
            check_time: report.check_time,
        };
        Ok((x, report))
    }
}

/// Solves a system.
#[derive(Clone, Copy)]
struct System<'a, T: Element> {
    a: MatRef<'a, T>,
    b: MatRef<'a, T>,
    method: Method,
    products: Products,
    room: Option<usize>,
}

impl<T, B> DeviceJob<B> for System<'_, T>
where
    T: Number + Systems<B::Dense> + Systems<B::OutOfCore>,
    B: Machine,
{
    type Output = (dense::Solution<T>, bool);

    fn run(&mut self, backend: &B) -> Result<Self::Output, Error> {
        let &mut Self { a, b, method, products, room } = self;
        let size = Size::System { order: a.rows(), columns: b.cols() };
        Ok(match backend.fit::<T>(products, a.format(), size, room)? {
            Fit::InCore(dense) => (<T as Systems<B::Dense>>::solve(dense, a, b, method)?, false),
            Fit::OutOfCore(large) => {
                (<T as Systems<B::OutOfCore>>::solve(large, a, b, method)?, true)
            }
        })
    }
}

pub(super) fn times_ones<T: Number>(a: MatRef<'_, T>) -> Result<Matrix<T>, Error> {
    let ones = Matrix::from_fn_in(a.format(), a.cols(), 1, |_, _| T::ONE);
    let mut b = Matrix::try_zeros_in(a.format(), a.rows(), 1)?;
    let no = Transpose::No;
    gemm(no, no, T::ONE, a, ones.view(), T::ZERO, b.view_mut())?;
    if T::are_finite(b.numbers().as_slice()) {
        Ok(b)
    } else {
        Err(Error::Overflow { operand: "A · ones", column: 0 })
    }
}

/// The largest error of an entry of a solution that is all ones.
pub(super) fn error_beside_ones<T: Number>(x: &Matrix<T>) -> Reading {
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
