//! From a problem to a report and a solution, on a cone of any backend.

use std::time::Instant;

use nonius_linalg::{Error, Number};

use crate::cone::Cone;
use crate::solver::{self, Iteration, Point};
use crate::text::text;
use crate::{Interior, Parameters, Problem, Reduced, Report, Row, Solution};

/// A problem and what is left of it to be computed with.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// What is left of it.
    pub reduced: &'a Reduced,
    /// What the solver is told.
    pub parameters: &'a Parameters,
    /// When the run began.
    pub began: Instant,
}

/// Yields the current point.
pub type Fetch<'a, T> = &'a dyn Fn() -> Result<Solution<T>, Error>;

impl Task<'_> {
    /// Solves the problem, from a point or from multiples of the identity. `observe` hears of every
    /// iteration, may have the point that it led to, and says whether to go on.
    ///
    /// # Errors
    /// [`Error::TooLarge`], [`Error::Device`]; [`Error::Shape`] where the start is no point of the
    /// problem.
    pub fn run<T: Number, C: Cone<Number = T>>(
        &self,
        cone: &C,
        start: Option<&Solution<T>>,
        observe: impl FnMut(&Row, Fetch<'_, T>) -> bool,
    ) -> Result<(Report, Solution<T>), Error> {
        let start = start.map(|solution| uploaded(cone, self.reduced, solution)).transpose()?;
        self.run_from(cone, start, observe)
    }

    /// The same from a point of the cone.
    ///
    /// # Errors
    /// [`Error::TooLarge`], [`Error::Device`].
    pub fn run_from<T: Number, C: Cone<Number = T>>(
        &self,
        cone: &C,
        start: Option<Point<C>>,
        mut observe: impl FnMut(&Row, Fetch<'_, T>) -> bool,
    ) -> Result<(Report, Solution<T>), Error> {
        let Self { problem, reduced, parameters, began } = *self;
        Solution::<T>::check_memory(problem, cone.format())?;
        let precision = T::precision(cone.format()).to_string();
        let point = match start {
            Some(point) => point,
            None => {
                let [primal, dual] = match parameters.start {
                    Some(start) => [start; 2],
                    None => reduced.start(problem)?,
                };
                solver::start(cone, primal, dual)?
            }
        };
        let fetch = |point: &Point<C>| {
            let blocks = [&point.primal, &point.dual].map(|a| cone.download_blocks(a));
            let [primal, dual] = blocks;
            reduced.expand(problem, (cone.download_vector(&point.x)?, [primal?, dual?]))
        };
        let mut history = Vec::new();
        let outcome = solver::solve(cone, point, parameters, |iteration, point| {
            let row = row(iteration, began, precision.clone());
            let goes_on = observe(&row, &|| fetch(point));
            history.push(row);
            goes_on
        })?;
        let measures = &outcome.measures;
        let solution = fetch(&outcome.point)?;
        let traces = [&solution.primal, &solution.dual]
            .map(|blocks| Solution::eigenvalues(problem, blocks).map(T::to_f64).sum());
        let report = Report {
            phase: outcome.phase,
            end: outcome.end,
            iterations: outcome.iterations,
            mu: measures.mu(),
            objectives: [measures.primal_objective, measures.dual_objective].map(text),
            gap: measures.gap,
            relative_gap: measures.relative_gap(),
            infeasibilities: measures.infeasibilities,
            dimacs_errors: measures.dimacs_errors(),
            interior: Interior::new(measures, traces, cone.constraints()),
            equalities: [0; 2],
            seconds: began.elapsed().as_secs_f64(),
            precision,
            unit_roundoff: cone.unit_roundoff(),
            parameters: *parameters,
            history,
        };
        Ok((report, solution))
    }
}

/// A point on a cone.
///
/// # Errors
/// [`Error::TooLarge`], [`Error::Device`]; [`Error::Shape`] where it is no point of the problem.
pub(crate) fn uploaded<T: Number, C: Cone<Number = T>>(
    cone: &C,
    reduced: &Reduced,
    solution: &Solution<T>,
) -> Result<Point<C>, Error> {
    let (x, [primal, dual]) = reduced.restrict(solution, cone.format())?;
    Ok(Point {
        x: cone.upload_vector(&x)?,
        primal: cone.upload_blocks(&primal)?,
        dual: cone.upload_blocks(&dual)?,
    })
}

fn row<N>(iteration: &Iteration<N>, began: Instant, precision: String) -> Row {
    let measures = &iteration.measures;
    Row {
        number: iteration.number,
        mu: measures.mu(),
        infeasibilities: measures.relative_infeasibilities(),
        objectives: measures.objectives,
        relative_gap: measures.relative_gap(),
        centring: iteration.centring,
        steps: iteration.steps,
        seconds: began.elapsed().as_secs_f64(),
        precision,
    }
}
