//! Points of a problem and of what is left of it without equality constraints, in any precision.

use nonius_sdp::equalities::Eliminated;
use nonius_sdp::{Misfit, Parameters, Problem, Reduced, Report};

use super::{SemidefiniteError, SemidefinitePoint};
use crate::{AnyJob, AnyNumber};

/// What is left of a problem to be solved, if there is something.
pub(super) fn left(problem: &Problem) -> Result<(Eliminated<'_>, Reduced), SemidefiniteError> {
    let eliminated = Eliminated::new(problem).map_err(SemidefiniteError::Equalities)?;
    let left = eliminated.problem();
    let reduced = Reduced::new(left);
    let is_zero = |problem: &Problem, number: u32| problem.numbers().is_zero(number);
    if let Some(&k) = reduced.idle().iter().find(|&&k| !is_zero(left, left.objective()[k])) {
        let mut entries = problem.matrix(k + 1).iter();
        return Err(if entries.all(|entry| is_zero(problem, entry.value)) {
            SemidefiniteError::Contradiction(k + 1)
        } else {
            SemidefiniteError::Dependent(k + 1)
        });
    }
    if reduced.order() == 0 {
        return Err(SemidefiniteError::Empty);
    }
    Ok((eliminated, reduced))
}

/// Which way a point goes.
#[derive(Clone, Copy)]
pub(super) enum Way {
    /// To the problem that is left.
    Restrict,
    /// To the problem that there was.
    Restore,
}

/// The point of the other problem; `None` where that is the same one, or where it has another shape, which points are checked for before.
pub(super) fn moved(
    eliminated: &Eliminated<'_>,
    point: &SemidefinitePoint,
    way: Way,
) -> Option<SemidefinitePoint> {
    let moved = Moved { eliminated, point, way };
    if eliminated.is_whole() { None } else { point.precision().run_any(moved).ok() }
}

struct Moved<'a> {
    eliminated: &'a Eliminated<'a>,
    point: &'a SemidefinitePoint,
    way: Way,
}

impl AnyJob for Moved<'_> {
    type Output = Result<SemidefinitePoint, Misfit>;

    fn run<T: AnyNumber>(self, format: T::Format) -> Self::Output {
        let solution = self.point.to::<T>(format);
        let moved = match self.way {
            Way::Restrict => self.eliminated.restrict(solution, format),
            Way::Restore => self.eliminated.restore(solution, format),
        };
        moved.map(SemidefinitePoint::of)
    }
}

/// What is said of the problem that there was, and the point of it.
pub(super) fn restored(
    eliminated: &Eliminated<'_>,
    (report, point): (Report, SemidefinitePoint),
    parameters: &Parameters,
) -> (Report, SemidefinitePoint) {
    let precision = point.precision();
    let report = precision.run_any(Reported { eliminated, report, parameters });
    (report, moved(eliminated, &point, Way::Restore).unwrap_or(point))
}

struct Reported<'a> {
    eliminated: &'a Eliminated<'a>,
    report: Report,
    parameters: &'a Parameters,
}

impl AnyJob for Reported<'_> {
    type Output = Report;

    fn run<T: AnyNumber>(self, format: T::Format) -> Report {
        self.eliminated.report::<T>(self.report, self.parameters, format)
    }
}
