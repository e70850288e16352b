//! Points of a problem and of one that is solved in its place, in any precision.

use nonius_linalg::Number;

use super::error::Error;
use super::numbers::{PointJob, PointNumber};
use super::point::AnyPoint;
use crate::equalities::Eliminated;
use crate::{Misfit, Parameters, Problem, Reduced, Report, Solution, Units};

/// What is left of a problem to be solved, if there is something.
pub(super) fn left(problem: &Problem) -> Result<(Eliminated<'_>, Reduced), Error> {
    let eliminated = Eliminated::new(problem).map_err(Error::Equalities)?;
    let left = eliminated.problem();
    let reduced = Reduced::new(left);
    let is_zero = |problem: &Problem, number: u32| problem.numbers().is_zero(number);
    if let Some(&k) = reduced.idle().iter().find(|&&k| !is_zero(left, left.objective()[k])) {
        let mut entries = problem.matrix(k + 1).iter();
        return Err(if entries.all(|entry| is_zero(problem, entry.value)) {
            Error::Contradiction(k + 1)
        } else {
            Error::Dependent(k + 1)
        });
    }
    if reduced.order() == 0 {
        return Err(Error::Empty);
    }
    Ok((eliminated, reduced))
}

/// A problem that is solved in the place of another.
pub(super) trait Change: Sync {
    /// Whether it is the same one.
    fn is_whole(&self) -> bool;

    /// The point of the problem to be solved.
    fn restrict<T: Number>(&self, solution: Solution<T>) -> Result<Solution<T>, Misfit>;

    /// The point of the problem that there was.
    fn restore<T: Number>(&self, solution: Solution<T>) -> Result<Solution<T>, Misfit>;

    /// What is said of the problem that there was.
    fn report<T: Number>(
        &self,
        report: Report,
        parameters: &Parameters,
        format: T::Format,
    ) -> Report;
}

macro_rules! changes {
    ($($change:ident)*) => {$(
        impl Change for $change<'_> {
            fn is_whole(&self) -> bool {
                $change::is_whole(self)
            }

            fn restrict<T: Number>(&self, solution: Solution<T>) -> Result<Solution<T>, Misfit> {
                $change::restrict(self, solution)
            }

            fn restore<T: Number>(&self, solution: Solution<T>) -> Result<Solution<T>, Misfit> {
                $change::restore(self, solution)
            }

            fn report<T: Number>(
                &self,
                report: Report,
                parameters: &Parameters,
                format: T::Format,
            ) -> Report {
                $change::report::<T>(self, report, parameters, format)
            }
        }
    )*};
}

changes!(Eliminated Units);

/// Which way a point goes.
#[derive(Clone, Copy)]
pub(super) enum Way {
    /// To the problem that is left.
    Restrict,
    /// To the problem that there was.
    Restore,
}

/// The point of the other problem; `None` where that is the same one, or where it has another
/// shape, which points are checked for before.
pub(super) fn moved(change: &impl Change, point: &AnyPoint, way: Way) -> Option<AnyPoint> {
    let moved = Moved { change, point, way };
    if change.is_whole() { None } else { moved.at(point.precision()).ok() }
}

struct Moved<'a, C> {
    change: &'a C,
    point: &'a AnyPoint,
    way: Way,
}

impl<C: Change> PointJob for Moved<'_, C> {
    type Output = Result<AnyPoint, Misfit>;

    fn run<T: PointNumber>(self, format: T::Format) -> Self::Output {
        let solution = self.point.to::<T>(format);
        let moved = match self.way {
            Way::Restrict => self.change.restrict(solution),
            Way::Restore => self.change.restore(solution),
        };
        moved.map(AnyPoint::of)
    }
}

/// What is said of the problem that there was, and the point of it.
pub(super) fn restored(
    change: &impl Change,
    (report, point): (Report, AnyPoint),
    parameters: &Parameters,
) -> (Report, AnyPoint) {
    let precision = point.precision();
    let report = Reported { change, report, parameters }.at(precision);
    (report, moved(change, &point, Way::Restore).unwrap_or(point))
}

struct Reported<'a, C> {
    change: &'a C,
    report: Report,
    parameters: &'a Parameters,
}

impl<C: Change> PointJob for Reported<'_, C> {
    type Output = Report;

    fn run<T: PointNumber>(self, format: T::Format) -> Report {
        self.change.report::<T>(self.report, self.parameters, format)
    }
}
