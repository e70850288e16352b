//! The job of a semidefinite program: solves it in one precision after the other, times it, and says how far it came.

mod certify;
mod changes;
mod checkpoint;
mod cones;
mod cost;
mod error;
mod ladder;
mod numbers;
mod options;
mod point;
mod precision;
mod stages;

use std::time::Instant;

use nonius_files::room::check_memory;
use nonius_sdp::{Problem, Report, Row, Units};

use self::changes::{Way, left, moved, restored};
use self::cones::Placed;
use self::ladder::Ladder;
use crate::Precision;
use crate::device::{Device, Engine, Place};
use crate::threads::inside;

pub use certify::certify_semidefinite;
pub use checkpoint::SemidefiniteCheckpoint;
pub use error::SemidefiniteError;
pub(crate) use numbers::PointNumber;
pub use options::{SemidefiniteOptions, SemidefiniteStart};
pub use point::{FetchPoint, PointFormat, PointMatrix, SemidefinitePoint};
pub use precision::{
    LEAST_SEMIDEFINITE_GAP, SemidefinitePrecision, UnknownSemidefinitePrecision, semidefinite_gap,
    semidefinite_iterations,
};

/// Solves a semidefinite program, from a point, from where another run was left, or from multiples of the identity. `observe` hears of every iteration, may have the point that it led to, and says whether to go on.
///
/// Lower precisions go first, each to what it reaches, and hand over their best point: an iteration in `f64` takes a fraction of the time, and half of all can be done there.
///
/// # Errors
/// As [`SemidefiniteError`] says.
pub fn semidefinite(
    problem: &Problem,
    options: &SemidefiniteOptions,
    start: Option<SemidefiniteStart>,
    observe: &mut (dyn FnMut(&Row, FetchPoint<'_>) -> bool + Send),
) -> Result<(Report, SemidefinitePoint, Place), SemidefiniteError> {
    let began = Instant::now();
    let device = match (options.device, options.precision) {
        (Device::Cuda(_), SemidefinitePrecision::Fixed(precision @ Precision::Mp(_))) => {
            return Err(SemidefiniteError::NoDevice(options.device, precision));
        }
        (Device::Auto, SemidefinitePrecision::Fixed(Precision::Mp(_))) => Device::Cpu,
        (device, _) => device,
    };
    if let Some(point) = &start {
        point.point().check(problem)?;
    }
    let units = Units::new(problem);
    let parameters = units.parameters(&options.parameters);
    let in_units = &SemidefiniteOptions { parameters, device, ..*options };
    let start = start.map(|start| start.at(|point| moved(&units, point, Way::Restrict)));
    let mut observe = |row: &Row, fetch: FetchPoint<'_>| {
        let fetch = || {
            let point = fetch()?;
            Ok(moved(&units, &point, Way::Restore).unwrap_or(point))
        };
        observe(&units.row(row), &fetch)
    };
    let (report, point, place) =
        without_equalities(units.problem(), in_units, start, began, &mut observe)?;
    let (report, point) = restored(&units, (report, point), &options.parameters);
    Ok((report, point, place))
}

/// The same for a problem in its own units, on a device that has its numbers.
fn without_equalities(
    problem: &Problem,
    options: &SemidefiniteOptions,
    start: Option<SemidefiniteStart>,
    began: Instant,
    observe: &mut (dyn FnMut(&Row, FetchPoint<'_>) -> bool + Send),
) -> Result<(Report, SemidefinitePoint, Place), SemidefiniteError> {
    let (eliminated, reduced) = left(problem)?;
    let parameters = eliminated.parameters(&options.parameters);
    let ladder = Ladder {
        problem: eliminated.problem(),
        reduced,
        options: &SemidefiniteOptions { parameters, ..*options },
        start: start.map(|start| start.at(|point| moved(&eliminated, point, Way::Restrict))),
        began,
    };
    let mut observe = |row: &Row, fetch: FetchPoint<'_>| {
        let fetch = || {
            let point = fetch()?;
            Ok(moved(&eliminated, &point, Way::Restore).unwrap_or(point))
        };
        observe(&eliminated.row(row), &fetch)
    };
    let placed = Placed { problem: ladder.problem, reduced: &ladder.reduced, engine: &Engine::Cpu };
    let size = placed.size()?;
    let last = options.precision.default_end();
    check_memory(format_args!("a run in {last}"), size.bytes(last))?;
    let work = size.work(options, ladder.start.as_ref());
    let climb = || options.device.run(work, |engine| ladder.climb(engine, &mut observe));
    let (found, place) = inside(climb)?;
    let (report, point) = restored(&eliminated, found, &options.parameters);
    Ok((report, point, place))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonius_num::mp::Bits;
    use nonius_sdp::Parameters;
    use nonius_sdp::solver::Phase;

    /// `x ≥ 1` and `10⁻²⁰·x ≥ 1`: the solution is beyond all that `f64` can tell from none.
    #[test]
    fn what_few_bits_call_infeasible_more_bits_have_to_confirm() {
        let text = "1\n1\n2\n1\n0 1 1 1 1\n0 1 2 2 1\n1 1 1 1 1\n1 1 2 2 1e-20\n";
        let problem = nonius_sdp::input::read_sparse(&mut text.as_bytes()).unwrap();
        for (precision, phase) in
            [("f64", Phase::PrimalInfeasible), ("dd", Phase::Optimal), ("auto", Phase::Optimal)]
        {
            let options = SemidefiniteOptions {
                precision: precision.parse().unwrap(),
                at_once: false,
                parameters: Parameters::default(),
                gap: None,
                feasibility: None,
                device: Device::Cpu,
            };
            let (report, ..) = semidefinite(&problem, &options, None, &mut |_, _| true).unwrap();
            assert_eq!(report.phase, phase, "{precision}: {report:?}");
        }
    }

    #[test]
    fn numbers_of_chosen_bits_stay_on_the_cpu() {
        let text = "1\n1\n1\n1\n0 1 1 1 1\n1 1 1 1 1\n";
        let problem = nonius_sdp::input::read_sparse(&mut text.as_bytes()).unwrap();
        let precision = Precision::Mp(Bits::new(424).unwrap());
        let options = SemidefiniteOptions {
            precision: SemidefinitePrecision::Fixed(precision),
            at_once: false,
            parameters: Parameters::default(),
            gap: None,
            feasibility: None,
            device: Device::Cuda(0),
        };
        let error = semidefinite(&problem, &options, None, &mut |_, _| true).unwrap_err();
        assert_eq!(error, SemidefiniteError::NoDevice(Device::Cuda(0), precision));
        let options = SemidefiniteOptions { device: Device::Auto, ..options };
        let (report, _, place) = semidefinite(&problem, &options, None, &mut |_, _| true).unwrap();
        assert_eq!(place.device, Device::Cpu);
        assert!(report.relative_gap <= 1e-80, "{}", report.relative_gap);
    }
}
