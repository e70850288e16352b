//! What is known of a solution.

use std::time::Duration;

use super::Method;
use crate::Error;
use crate::backend::Reading;

/// How a solution was found and how good it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The method used; never [`Method::Auto`].
    pub method: Method,
    /// Where [`Method::Auto`] tried Cholesky first: the [`Error::NotPositiveDefinite`] that made it
    /// turn to LU.
    pub rejected: Option<Error>,
    /// The backward error, by a residual in higher precision: see
    /// [`relative_residual`](super::relative_residual).
    pub relative_residual: Reading,
    /// An estimate of `κ₁(A)`, seldom less than a third of it, and at most about `1/u` for whatever
    /// is worse. Gauss–Jordan elimination has it from the LU factors that it meets on the way.
    pub condition_estimate: Reading,
    /// An estimate of the largest error of a column beside its largest entry, by the residual and
    /// by what rounding the entries of `A` and `B` amounts to; infinite where nothing is known.
    /// Seldom below a third of a bound.
    pub forward_error_estimate: Reading,
    /// Time for factors and solution.
    pub solve_time: Duration,
    /// Time for the condition and the residual.
    pub check_time: Duration,
}

impl Report {
    /// Decimal digits of the largest entries of the solution that should be right, by the estimate
    /// of its error; 0 where none are.
    pub fn correct_digits(&self) -> f64 {
        (-self.forward_error_estimate.log10()).max(0.0)
    }
}
