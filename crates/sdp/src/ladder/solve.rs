//! A program solved in one precision after the other.

use std::time::Instant;

use nonius_files::room::check_memory;

use super::changes::{Way, left, moved, restored};
use super::climb::{Ladder, Observe};
use super::cones::program;
use super::cost::Size;
use super::error::Error;
use super::options::{Options, Start};
use super::point::{AnyPoint, FetchPoint};
use crate::machine::Machine;
use crate::{Problem, Report, Row, Units};

/// Solves a semidefinite program on a machine, from a point, from where another run was left, or
/// from multiples of the identity.
///
/// Lower precisions go first, each to what it reaches, and hand over their best point: an iteration
/// in `f64` takes a fraction of the time, and half of all can be done there.
///
/// A program without a feasible point is found to be infeasible:
///
/// ```
/// use nonius_linalg::backend::Cpu;
/// use nonius_sdp::solver::Phase;
/// use nonius_sdp::{FetchPoint, Options, Parameters, Row, input, solve_on};
///
/// // x ≥ 1 and −x ≥ 0
/// let problem = input::read_sparse("1\n1\n-2\n1\n0 1 1 1 1\n1 1 1 1 1\n1 1 2 2 -1\n".as_bytes())?;
/// let options = Options {
///     precision: "f64".parse()?,
///     at_once: true,
///     then_proved: false,
///     parameters: Parameters::default(),
///     gap: None,
///     feasibility: None,
/// };
/// let mut iterations = 0;
/// let mut observe = |_: &Row, _: FetchPoint<'_>| {
///     iterations += 1;
///     true // go on
/// };
/// let (report, _) = solve_on(&Cpu::default(), &problem, &options, None, &mut observe)?;
/// assert_eq!(report.phase, Phase::PrimalInfeasible);
/// assert!(iterations > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`Error`] says.
pub fn solve_on<M: Machine>(
    machine: &M,
    problem: &Problem,
    options: &Options,
    start: Option<Start>,
    observe: &mut Observe<'_>,
) -> Result<(Report, AnyPoint), Error> {
    let climb =
        |ladder: &Ladder<'_>, observe: &mut Observe<'_>| Ok((ladder.climb(machine, observe)?, ()));
    let (report, point, ()) = solve(problem, options, start, observe, climb)?;
    Ok((report, point))
}

/// The same where `climb` chooses the machine, once it is known what is left to be computed.
///
/// # Errors
/// As [`Error`] says.
pub fn solve<R>(
    problem: &Problem,
    options: &Options,
    start: Option<Start>,
    observe: &mut Observe<'_>,
    climb: impl FnOnce(&Ladder<'_>, &mut Observe<'_>) -> Result<((Report, AnyPoint), R), Error>,
) -> Result<(Report, AnyPoint, R), Error> {
    let began = Instant::now();
    if let Some(point) = &start {
        point.point().check(problem)?;
    }
    let units = Units::new(problem);
    let (eliminated, reduced) = left(units.problem())?;
    let parameters = eliminated.parameters(&units.parameters(&options.parameters));
    let start = start
        .map(|start| start.at(|point| moved(&units, point, Way::Restrict)))
        .map(|start| start.at(|point| moved(&eliminated, point, Way::Restrict)));
    let size = Size::of(eliminated.problem(), &program::<f64>(eliminated.problem(), &reduced, ())?);
    let last = options.precision.default_end();
    check_memory(format_args!("a run in {last}"), size.bytes(last))?;
    let ladder = Ladder {
        problem: eliminated.problem(),
        reduced,
        size,
        options: &Options { parameters, ..*options },
        start,
        began,
    };
    let restored_point = |point: AnyPoint| {
        let point = moved(&eliminated, &point, Way::Restore).unwrap_or(point);
        moved(&units, &point, Way::Restore).unwrap_or(point)
    };
    let mut observe = |row: &Row, fetch: FetchPoint<'_>| {
        observe(&units.row(&eliminated.row(row)), &|| Ok(restored_point(fetch()?)))
    };
    let (found, place) = climb(&ladder, &mut observe)?;
    let found = restored(&eliminated, found, &units.parameters(&options.parameters));
    let (report, point) = restored(&units, found, &options.parameters);
    Ok((report, point, place))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Parameters;
    use crate::solver::Phase;
    use nonius_linalg::backend::Cpu;

    /// `x ≥ 1` and `10⁻²⁰·x ≥ 1`: the solution is beyond all that `f64` can tell from none.
    #[test]
    fn what_few_bits_call_infeasible_more_bits_have_to_confirm() {
        let text = "1\n1\n2\n1\n0 1 1 1 1\n0 1 2 2 1\n1 1 1 1 1\n1 1 2 2 1e-20\n";
        let problem = crate::input::read_sparse(&mut text.as_bytes()).unwrap();
        for (precision, phase) in
            [("f64", Phase::PrimalInfeasible), ("dd", Phase::Optimal), ("auto", Phase::Optimal)]
        {
            let options = Options {
                precision: precision.parse().unwrap(),
                at_once: false,
                then_proved: false,
                parameters: Parameters::default(),
                gap: None,
                feasibility: None,
            };
            let (report, _) =
                solve_on(&Cpu::default(), &problem, &options, None, &mut |_, _| true).unwrap();
            assert_eq!(report.phase, phase, "{precision}: {report:?}");
        }
    }
}
