//! What is known of factors.

use std::time::{Duration, Instant};

use nonius_linalg::Error;
use nonius_linalg::backend::Reading;
use nonius_linalg::dense::gemm::{Arithmetic, Products};

use crate::Precision;
use crate::device::Place;
use crate::work::Work;

/// What is known of factors, and where they were found.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
pub struct FactorReport {
    /// By LU or Cholesky factors, an estimate of the condition number in the 1-norm.
    pub condition_estimate: Option<Reading>,
    /// The number type.
    pub precision: Precision,
    /// The arithmetic of the sums in products of matrices.
    pub arithmetic: Arithmetic,
    /// Where they were computed.
    pub place: Place,
    /// Additions and multiplications, to leading order.
    pub operations: f64,
    /// Time for the factors and the condition, with that to the host's memory.
    pub time: Duration,
}

/// Factors, the condition where it is estimated, and seconds.
pub(super) type Timed<R> = (R, Option<Reading>, Duration);

/// What a job found, with the time that it took.
pub(super) fn timed<R>(
    find: impl FnOnce() -> Result<(R, Option<Reading>), Error>,
) -> Result<Timed<R>, Error> {
    let start = Instant::now();
    let (found, condition) = find()?;
    Ok((found, condition, start.elapsed()))
}

/// The factors with their report.
pub(super) fn reported<R>(
    (found, condition_estimate, time): Timed<R>,
    place: Place,
    work: Work,
    products: Products,
) -> (R, FactorReport) {
    let report = FactorReport {
        condition_estimate,
        precision: work.precision,
        arithmetic: products.arithmetic,
        place,
        operations: work.operations,
        time,
    };
    (found, report)
}
