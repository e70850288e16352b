//! One precision after the other.

use std::time::Instant;

use nonius_linalg::Error as LinalgError;

use super::cones::Placed;
use super::cost::{Cost, Size};
use super::numbers::{PointJob, PointNumber};
use super::options::{Options, Start};
use super::point::{AnyPoint, FetchPoint};
use super::precision::usual_gap;
use super::prove::proof_precision;
use super::stages::{expected, stages};
use crate::machine::Machine;
use crate::solver::{End, Phase};
use crate::{Parameters, Problem, Reduced, Report, Row, Task};

/// Iterations that lead nowhere before the next precision goes on.
const PATIENCE: u64 = 8;

/// Hears of every iteration, may have the point that it led to, and says whether to go on.
pub type Observe<'a> = dyn FnMut(&Row, FetchPoint<'_>) -> bool + Send + 'a;

/// A run through precisions.
#[derive(Debug)]
pub struct Ladder<'a> {
    pub(super) problem: &'a Problem,
    pub(super) reduced: Reduced,
    pub(super) size: Size,
    pub(super) options: &'a Options,
    pub(super) start: Option<Start>,
    pub(super) began: Instant,
}

impl Ladder<'_> {
    /// What the run costs.
    pub fn cost(&self) -> Cost {
        self.size.cost(&expected(self.options, self.start.as_ref()))
    }

    /// Solves the problem in one precision after the other. Where a point is no start in these
    /// precisions, as one with numbers far beyond what is to be met, the run begins again without
    /// it, and the better of both ends counts.
    ///
    /// # Errors
    /// What hindered it.
    pub fn climb<M: Machine>(
        &self,
        machine: &M,
        observe: &mut Observe<'_>,
    ) -> Result<(Report, AnyPoint), LinalgError> {
        let mut history: Vec<Row> = Vec::new();
        let start = self.start.as_ref();
        let found = self.climb_from(start, &mut history, machine, observe)?;
        let is_point = matches!(start, Some(Start::Point(_)));
        if !is_point || found.0.end != End::Exhausted {
            return Ok(found);
        }
        let again = self.climb_from(None, &mut history, machine, observe)?;
        let error = |report: &Report| {
            let errors = report.dimacs_errors.map(|x| if x.is_nan() { f64::INFINITY } else { x });
            errors.into_iter().fold(0.0, |x: f64, y| x.max(y.abs()))
        };
        let is_better =
            again.0.end.is_answer() || f64::total_cmp(&error(&again.0), &error(&found.0)).is_lt();
        let (mut report, point) = if is_better { again } else { found };
        report.iterations = history.last().map_or(0, |row| row.number);
        report.history = history;
        Ok((report, point))
    }

    /// The same from this start.
    fn climb_from<M: Machine>(
        &self,
        start: Option<&Start>,
        history: &mut Vec<Row>,
        machine: &M,
        observe: &mut Observe<'_>,
    ) -> Result<(Report, AnyPoint), LinalgError> {
        let Self { problem, reduced, options, began, .. } = self;
        let gap = options.gap();
        let feasibility = options.feasibility.unwrap_or(10.0 * gap);
        let stages = stages(options, start);
        let proof = stages.last().filter(|_| options.then_proved).copied().map(proof_precision);
        let expected: Vec<_> = expected(options, start).into_iter().chain(proof).collect();
        machine.prepare(&expected);
        let mut found: Option<(Report, AnyPoint)> = None;
        for (number, &precision) in stages.iter().enumerate() {
            let reached = usual_gap(precision);
            let is_last = number + 1 == stages.len();
            let first = start.map_or(0, Start::iterations);
            let done = history.last().map_or(first, |row| row.number);
            let parameters = Parameters {
                gap: if is_last { gap } else { gap.max(reached) },
                feasibility: if is_last { feasibility } else { feasibility.max(reached) },
                patience: if is_last { options.parameters.patience } else { PATIENCE },
                most_iterations: options.parameters.most_iterations.saturating_sub(done),
                ..options.parameters
            };
            if !expected.contains(&precision) {
                machine.prepare(&[precision]);
            }
            let placed = Placed { problem, reduced, machine };
            let point = found.as_ref().map(|(_, point)| point);
            let point = point.or_else(|| start.map(Start::point));
            let stage = Stage {
                placed,
                parameters: &parameters,
                began: *began,
                point,
                done,
                history,
                observe,
            };
            let (mut report, best) = stage.at(precision)?;
            let meets = |row: &Row| {
                row.relative_gap <= gap && row.infeasibilities.iter().all(|x| *x <= feasibility)
            };
            let solved = report.end == End::Solved && report.history.last().is_some_and(meets);
            report.history.clone_from(history);
            report.iterations = history.last().map_or(done, |row| row.number);
            // Not what was left for this stage.
            report.parameters = Parameters { gap, feasibility, ..options.parameters };
            // That there is no feasible point few bits say of problems whose solutions are far
            // away, too.
            let is_final = is_last
                || precision.bits() >= options.precision.default_end().bits()
                || matches!(report.phase, Phase::PrimalUnbounded | Phase::DualUnbounded);
            let ends = match report.end {
                End::Interrupted | End::Iterations => true,
                End::Decided => is_final,
                End::Solved | End::Exhausted => false,
            };
            found = Some((report, best));
            if ends || solved {
                break;
            }
        }
        // There is a stage at least.
        found.ok_or(LinalgError::TooLarge { rows: 0, cols: 0 })
    }
}

/// One precision's part of a run.
struct Stage<'a, 'b, M> {
    placed: Placed<'a, M>,
    parameters: &'a Parameters,
    began: Instant,
    point: Option<&'a AnyPoint>,
    /// How many iterations there were before.
    done: u64,
    /// Those of all stages so far.
    history: &'a mut Vec<Row>,
    observe: &'a mut Observe<'b>,
}

impl<M: Machine> PointJob for Stage<'_, '_, M> {
    type Output = Result<(Report, AnyPoint), LinalgError>;

    fn run<T: PointNumber>(self, format: T::Format) -> Self::Output {
        let Self { placed, parameters, began, point, done, history, observe } = self;
        let Placed { problem, reduced, .. } = placed;
        let cone = placed.cone::<T>(format)?;
        let start = point.map(|point| point.on(&cone, reduced)).transpose()?;
        let task = Task { problem, reduced, parameters, began };
        let (report, solution) = task.run_from(&cone, start, |row, fetch| {
            // The point that the stage before ended at.
            if row.number == 0 && !history.is_empty() {
                return true;
            }
            let row = Row { number: done + row.number, ..row.clone() };
            let fetch = || Ok(AnyPoint::of(fetch()?));
            let goes_on = placed.machine.lead(&fetch, &mut |fetch| observe(&row, fetch));
            history.push(row);
            goes_on
        })?;
        Ok((report, AnyPoint::of(solution)))
    }
}
