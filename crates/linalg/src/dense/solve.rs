//! `A·X = B`: the choice of a method, the solution, and how good it is.

use core::fmt;
use core::str::FromStr;
use std::time::{Duration, Instant};

use super::solved::Solved;
use crate::backend::{Cpu, Dense};
use crate::{Error, MatRef, Matrix, Scalar};

/// How to solve a system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Cholesky where the matrix is symmetric with a positive diagonal, unless it meets a pivot that is not positive;
    /// LU otherwise.
    #[default]
    Auto,
    /// Gauss–Jordan elimination with partial pivoting.
    GaussJordan,
    /// LU factorisation with partial pivoting.
    Lu,
    /// Cholesky factorisation, for symmetric positive definite matrices.
    Cholesky,
}

impl Method {
    /// All methods.
    pub const ALL: [Method; 4] = [Method::Auto, Method::GaussJordan, Method::Lu, Method::Cholesky];

    /// The spelling everywhere: `auto`, `gauss-jordan`, `lu`, `cholesky`.
    pub fn name(self) -> &'static str {
        match self {
            Method::Auto => "auto",
            Method::GaussJordan => "gauss-jordan",
            Method::Lu => "lu",
            Method::Cholesky => "cholesky",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no [`Method`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownMethod(pub String);

impl fmt::Display for UnknownMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no method is called {:?}; known are", self.0)?;
        Method::ALL.iter().try_for_each(|method| write!(f, " {method}"))
    }
}

impl core::error::Error for UnknownMethod {}

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(text: &str) -> Result<Self, UnknownMethod> {
        let named = Method::ALL.into_iter().find(|method| method.name() == text);
        named.ok_or_else(|| UnknownMethod(text.to_owned()))
    }
}

/// A solution and what is known of its quality.
#[derive(Clone, Debug)]
pub struct Solution<T> {
    /// `X`.
    pub x: Matrix<T>,
    /// How it was found and how good it is.
    pub report: Report,
}

/// How a solution was found and how good it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The method used; never [`Method::Auto`].
    pub method: Method,
    /// Where [`Method::Auto`] tried Cholesky first: the [`Error::NotPositiveDefinite`] that made it turn to LU.
    pub rejected: Option<Error>,
    /// The backward error, by a residual in higher precision: see [`relative_residual`](super::relative_residual).
    pub relative_residual: f64,
    /// An estimate of `κ₁(A)`, seldom less than a third of it, and at most about `1/u` for whatever is worse.
    /// Gauss–Jordan elimination has it from the LU factors that it meets on the way.
    pub condition_estimate: f64,
    /// An estimate of the largest error of a column beside its largest entry, by the residual and by what rounding
    /// the entries of `A` and `B` amounts to; infinite where nothing is known. Seldom below a third of a bound.
    pub forward_error_estimate: f64,
    /// Time for factors and solution.
    pub solve_time: Duration,
    /// Time for the condition and the residual.
    pub check_time: Duration,
}

impl Report {
    /// Decimal digits of the largest entries of the solution that should be right, by the estimate of its error; 0
    /// where none are.
    pub fn correct_digits(&self) -> f64 {
        (-self.forward_error_estimate.log10()).max(0.0)
    }
}

/// Solves `A·X = B` on the host's processor and judges the solution.
///
/// # Errors
/// - [`Error::NotSquare`], [`Error::Shape`] for shapes, [`Error::NotFinite`] for an entry that is infinite or NaN;
/// - [`Error::Singular`] where no pivot is left;
/// - [`Error::NotSymmetric`], [`Error::NotPositiveDefinite`] where [`Method::Cholesky`] was asked for;
/// - [`Error::Overflow`] where the elimination or the solution leaves the range of the format.
pub fn solve<T: Scalar>(
    a: MatRef<'_, T>,
    b: MatRef<'_, T>,
    method: Method,
) -> Result<Solution<T>, Error> {
    solve_on(Cpu::default(), a, b, method)
}

/// [`solve`] on the backend of one's choice.
///
/// # Errors
/// As [`solve`], and [`Error::NoArithmetic`] where numbers of this type do not have the backend's arithmetic.
pub fn solve_on<T: Scalar, B: Dense<T>>(
    backend: B,
    a: MatRef<'_, T>,
    b: MatRef<'_, T>,
    method: Method,
) -> Result<Solution<T>, Error> {
    Error::check_square(a.shape())?;
    Error::check_shape("b", (a.rows(), b.cols()), b.shape())?;
    let columns = b.cols();
    // Columns without entries may be any number: nothing is done for each.
    let b = if b.rows() == 0 { b.block(0, 0, 0, 0) } else { b };
    Error::check_finite("a", a)?;
    Error::check_finite("b", b)?;
    let start = Instant::now();
    let found = Solved::by(&backend, a, b, method)?;
    let report = found.report(a, b, start.elapsed())?;
    let x = if a.rows() == 0 { Matrix::zeros(0, columns) } else { found.x };
    Ok(Solution { x, report })
}
