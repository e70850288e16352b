//! `A·X = B`: the choice of a method, the solution, and how good it is.

use nonius_num::Element;
use std::time::Instant;

use super::balance::Rights;
use super::solved::Solved;
use super::{Method, Report};
use crate::backend::{Cpu, Dense, Task};
use crate::{Error, MatRef, Matrix, Number};

/// A solution and what is known of its quality.
#[derive(Clone, Debug)]
pub struct Solution<T: Element> {
    /// `X`.
    pub x: Matrix<T>,
    /// How it was found and how good it is.
    pub report: Report,
}

/// Solves `A·X = B` on the host's processor and judges the solution.
///
/// ```
/// use nonius_linalg::dense::{Method, solve};
/// use nonius_linalg::{Error, Matrix};
/// use nonius_num::Dd;
///
/// let a = Matrix::from_fn(2, 2, |i, j| Dd::from([[2.0, 1.0], [1.0, 3.0]][i][j]));
/// let b = Matrix::from_fn(2, 1, |i, _| Dd::from([3.0, 4.0][i]));
/// let solution = solve(a.view(), b.view(), Method::Auto)?;
/// assert!((solution.x[(0, 0)] - 1.0).abs().to_f64() < 1e-30);
/// assert_eq!(solution.report.method, Method::Cholesky);
/// // A matrix without an inverse is an error.
/// let a = Matrix::from_fn(2, 2, |_, _| Dd::ONE);
/// let refused = solve(a.view(), b.view(), Method::Lu).err();
/// assert!(matches!(refused, Some(Error::Singular { .. })));
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
///
/// # Errors
/// - [`Error::NotSquare`], [`Error::Shape`] for shapes, [`Error::Precision`] where `B` has another
///   precision than `A`, [`Error::NotFinite`] for an entry that is infinite or NaN;
/// - [`Error::Singular`] where no pivot is left;
/// - [`Error::NotSymmetric`], [`Error::NotPositiveDefinite`] where [`Method::Cholesky`] was asked
///   for;
/// - [`Error::Overflow`] where the elimination or the solution leaves the range of the format.
pub fn solve<T: Number>(
    a: MatRef<'_, T>,
    b: MatRef<'_, T>,
    method: Method,
) -> Result<Solution<T>, Error> {
    solve_on(Cpu::default(), a, b, method)
}

/// [`solve`] on the backend of one's choice.
///
/// ```
/// use nonius_linalg::Matrix;
/// use nonius_linalg::backend::Reference;
/// use nonius_linalg::dense::{Method, solve_on};
/// use nonius_num::Qd;
///
/// let a = Matrix::from_fn(2, 2, |i, j| Qd::from([[0.0, 2.0], [4.0, 0.0]][i][j]));
/// let b = Matrix::from_fn(2, 1, |_, _| Qd::ONE);
/// let x = solve_on(Reference, a.view(), b.view(), Method::Lu)?.x;
/// assert_eq!(x.as_slice(), [0.25, 0.5].map(Qd::from));
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
///
/// # Errors
/// As [`solve`], and [`Error::NoArithmetic`] where numbers of this type do not have the backend's
/// arithmetic.
pub fn solve_on<T: Number, B: Dense<T>>(
    backend: B,
    a: MatRef<'_, T>,
    b: MatRef<'_, T>,
    method: Method,
) -> Result<Solution<T>, Error> {
    Error::check_square(a.shape())?;
    Error::check_shape("b", (a.rows(), b.cols()), b.shape())?;
    Error::check_format::<T>("b", a.format(), b.format())?;
    let columns = b.cols();
    // Columns without entries may be any number: nothing is done for each.
    let b = if b.rows() == 0 { b.block(0, 0, 0, 0) } else { b };
    Error::check_finite("a", a)?;
    Error::check_finite("b", b)?;
    let start = Instant::now();
    backend.prepare(Task::Eliminate, a.format(), a.rows(), columns);
    let found = Solved::by(&backend, a, Rights::Given(b), method)?;
    let report = found.report(a, b, start.elapsed())?;
    let x = if a.rows() == 0 { Matrix::zeros_in(a.format(), 0, columns) } else { found.x };
    Ok(Solution { x, report })
}
