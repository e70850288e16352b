//! Systems with a rectangular matrix: the best solution, and how good it is.

use nonius_num::Element;
use std::time::{Duration, Instant};

use super::error::Quality;
use super::{Qr, exponents, scaled};
use crate::backend::{Cpu, Reading, Reflecting, Task};
use crate::cpu::reduce::nrm2;
use crate::dense::residual;
use crate::{Error, MatRef, Matrix, Number};

/// A solution and what is known of its quality.
#[derive(Clone, Debug)]
pub struct LeastSquares<T: Element> {
    /// `X`.
    pub x: Matrix<T>,
    /// How good it is.
    pub report: LeastSquaresReport,
}

/// How good a solution is.
#[derive(Clone, Debug)]
pub struct LeastSquaresReport {
    /// `‖b_j − A·x_j‖₂` for each column, from a residual in twice the precision.
    pub residual_norms: Vec<Reading>,
    /// The largest over `j` of `‖b_j − A·x_j‖₂ / ‖b_j‖₂`.
    pub relative_residual: Reading,
    /// See [`Qr::condition_estimate`]; for fewer rows than columns that of the transpose.
    pub condition_estimate: Reading,
    /// An estimate of the largest error of a column beside its largest entry, by the residual, by
    /// how far that is from orthogonal to the columns, and by what rounding the entries of `A` and
    /// `B` amounts to: it grows with the square of the condition where the residual is large
    /// (Wedin). Infinite where nothing is known. Seldom below a third of a bound.
    pub forward_error_estimate: Reading,
    /// Time for factors and solution.
    pub solve_time: Duration,
    /// Time for the condition and the residual.
    pub check_time: Duration,
}

impl LeastSquaresReport {
    /// Decimal digits of the largest entries of the solution that should be right, by the estimate
    /// of its error; 0 where none are.
    pub fn correct_digits(&self) -> f64 {
        (-self.forward_error_estimate.log10()).max(0.0)
    }
}

/// Minimises `‖B − A·X‖₂`, column by column, on the host's processor, and judges the solution.
/// Where `A` has fewer rows than columns, `X` is the shortest solution of `A·X = B`.
///
/// ```
/// use nonius_linalg::Matrix;
/// use nonius_linalg::dense::least_squares;
/// use nonius_num::Fixed;
///
/// // The line through (0, 1), (1, 3), (2, 5) and (3, 7).
/// let a = Matrix::from_fn(4, 2, |i, j| if j == 0 { 1.0 } else { i as f64 });
/// let b = Matrix::from_fn(4, 1, |i, _| 1.0 + 2.0 * i as f64);
/// let line = least_squares(a.view(), b.view())?;
/// assert!((line.x[(1, 0)] - 2.0).abs() < 80.0 * f64::UNIT_ROUNDOFF);
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
///
/// # Errors
/// - [`Error::Shape`], [`Error::Precision`] where `B` has another precision than `A`,
///   [`Error::NotFinite`] for an entry that is infinite or NaN;
/// - [`Error::RankDeficient`] where the columns, or for fewer rows than columns the rows, depend
///   linearly on each other to working precision, so that there is no single best solution;
/// - [`Error::Overflow`] where the solution leaves the range of the format.
pub fn least_squares<T: Number>(
    a: MatRef<'_, T>,
    b: MatRef<'_, T>,
) -> Result<LeastSquares<T>, Error> {
    least_squares_on(Cpu::default(), a, b)
}

/// [`least_squares`] on the backend of one's choice.
///
/// # Errors
/// As [`least_squares`], and [`Error::NoArithmetic`] where numbers of this type do not have the
/// backend's arithmetic.
pub fn least_squares_on<T: Number, B: Reflecting<T>>(
    backend: B,
    a: MatRef<'_, T>,
    b: MatRef<'_, T>,
) -> Result<LeastSquares<T>, Error> {
    let (m, n) = a.shape();
    Error::check_shape("b", (m, b.cols()), b.shape())?;
    Error::check_format::<T>("b", a.format(), b.format())?;
    Error::check_finite("a", a)?;
    Error::check_finite("b", b)?;
    let start = Instant::now();
    backend.prepare(Task::Reflect, a.format(), m.min(n), b.cols());
    let transposed = (m < n).then(|| a.transposed());
    let tall = transposed.as_ref().map_or(a, |a| a.view());
    let qr = Qr::factor_on(backend, tall)?;
    let factor_time = start.elapsed();
    let start = Instant::now();
    let condition = qr.condition();
    check_rank(tall, condition)?;
    let mut check_time = start.elapsed();
    let start = Instant::now();
    let x = if m < n { qr.solve_transposed(b)? } else { qr.solve(b)? };
    if let Err(Error::NotFinite { col, .. }) = Error::check_finite("x", x.view()) {
        return Err(Error::Overflow { operand: "x", column: col });
    }
    let solve_time = factor_time + start.elapsed();
    let start = Instant::now();
    let r = residual(a, x.view(), b)?;
    let residual_norms = (0..b.cols()).map(|j| nrm2(r.column(j)).leading()).collect();
    let Quality { relative_residual, forward_error } = if m < n {
        qr.quality_of_shortest(tall, &x, b, condition)?
    } else {
        qr.quality(tall, &x, b, condition)?
    };
    check_time += start.elapsed();
    let report = LeastSquaresReport {
        residual_norms,
        relative_residual: relative_residual.into(),
        condition_estimate: condition.into(),
        forward_error_estimate: forward_error.into(),
        solve_time,
        check_time,
    };
    Ok(LeastSquares { x, report })
}

/// Where the condition says that the columns may depend on each other, asks a factorisation with
/// pivoting, of columns of one size.
pub(crate) fn check_rank<T: Number>(a: MatRef<'_, T>, condition: T::Size) -> Result<(), Error> {
    let (m, n) = a.shape();
    let tolerance = T::Size::from(m as f64) * T::unit_roundoff(a.format());
    if condition * tolerance < 1.0.into() {
        return Ok(());
    }
    let scaled = scaled(a, &exponents(a));
    let rank = Qr::factor_pivoted(scaled.view())?.rank(tolerance);
    if rank < n { Err(Error::RankDeficient { rank, needed: n }) } else { Ok(()) }
}
