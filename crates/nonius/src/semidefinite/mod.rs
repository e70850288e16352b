//! The job of a semidefinite program: solves it in one precision after the other, times it, and says how far it came.

mod certify;
mod changes;
mod checkpoint;
mod cones;
mod cost;
mod ladder;
mod point;
mod stages;

use std::fmt;
use std::time::Instant;

use nonius_files::room::{NoRoom, check_memory};
use nonius_linalg::Error;
use nonius_sdp::equalities::Contradiction;
use nonius_sdp::solver::Phase;
use nonius_sdp::{Misfit, Parameters, Problem, Report, Row, Units};

use self::changes::{Way, left, moved, restored};
use self::cones::Placed;
use self::ladder::Ladder;
use crate::Precision;
use crate::device::{Device, Engine, Place};
use crate::threads::inside;

pub use certify::certify_semidefinite;
pub use checkpoint::SemidefiniteCheckpoint;
pub(crate) use point::PointNumber;
pub use point::{PointFormat, PointMatrix, SemidefinitePoint};
pub use stages::{SemidefinitePrecision, UnknownSemidefinitePrecision};

/// What is asked of the solution of a semidefinite program.
#[derive(Clone, Copy, Debug)]
pub struct SemidefiniteOptions {
    /// The precision to end in.
    pub precision: SemidefinitePrecision,
    /// Whether to begin in that precision, and not in `f64`. A run that is given a point begins in it anyway; one that goes on does so in the precision in which it was left.
    pub at_once: bool,
    /// What the method is told, but for the tolerances. The most iterations are those of all precisions and of the run before a checkpoint.
    pub parameters: Parameters,
    /// The gap at which an optimum counts as found; `None` for what the precision reaches as a rule.
    pub gap: Option<f64>,
    /// The infeasibility that counts as none; `None` for ten times the gap.
    pub feasibility: Option<f64>,
    /// Where to compute. Numbers of chosen bits stay on the CPU: [`SemidefinitePrecision::Auto`] goes back to it for them.
    pub device: Device,
}

/// Where a run begins.
#[derive(Clone, Debug)]
pub enum SemidefiniteStart {
    /// At a point, in the precision to end in.
    Point(SemidefinitePoint),
    /// Where another run of the same problem was left: in the precision of its point, or in the next one that there is, and counting its iterations.
    Checkpoint(SemidefiniteCheckpoint),
}

impl SemidefiniteStart {
    /// The point.
    pub fn point(&self) -> &SemidefinitePoint {
        match self {
            Self::Point(point) | Self::Checkpoint(SemidefiniteCheckpoint { point, .. }) => point,
        }
    }

    /// How many iterations led there, as far as they count.
    pub fn iterations(&self) -> u64 {
        match self {
            Self::Point(_) => 0,
            Self::Checkpoint(checkpoint) => checkpoint.iterations,
        }
    }

    /// The same at the point that another problem has in its place.
    fn at(self, change: impl FnOnce(&SemidefinitePoint) -> Option<SemidefinitePoint>) -> Self {
        let Some(point) = change(self.point()) else { return self };
        match self {
            Self::Point(_) => Self::Point(point),
            Self::Checkpoint(checkpoint) => {
                Self::Checkpoint(SemidefiniteCheckpoint { point, ..checkpoint })
            }
        }
    }
}

/// Why a program is not solved.
#[derive(Clone, Debug, PartialEq)]
pub enum SemidefiniteError {
    /// What hindered the computation.
    Computing(Error),
    /// All matrices are zero.
    Empty,
    /// The matrix of this constraint, counted from 1, is zero and its number in the objective is not: the dual problem has no feasible point, and
    /// the primal one no bound.
    Contradiction(usize),
    /// The same, once equality constraints are eliminated.
    Dependent(usize),
    /// Equality constraints that no `x` meets.
    Equalities(Contradiction),
    /// A point that is not one of the problem.
    Shape(Misfit),
    /// A run takes more memory than there is.
    NoRoom(NoRoom),
    /// A GPU was asked for, and a precision that it does not have.
    NoDevice(Device, Precision),
}

impl fmt::Display for SemidefiniteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Computing(error) => error.fmt(f),
            Self::Empty => f.write_str("all matrices are zero: there is nothing to be solved"),
            Self::Contradiction(k) => write!(
                f,
                "the matrix of constraint {k} is zero and its right-hand side is not: the dual problem is infeasible"
            ),
            Self::Dependent(k) => write!(
                f,
                "without what the equality constraints determine the matrix of constraint {k} is zero and its right-hand side is not: the dual problem is infeasible"
            ),
            Self::Equalities(contradiction) => contradiction.fmt(f),
            Self::Shape(misfit) => misfit.fmt(f),
            Self::NoRoom(room) => room.fmt(f),
            Self::NoDevice(device, precision) => write!(
                f,
                "semidefinite programs in {precision} are solved on the CPU only, not on {device}"
            ),
        }
    }
}

impl SemidefiniteError {
    /// The phase of a problem of which it is seen before anything is computed, exactly, that it is infeasible.
    pub fn phase(&self) -> Option<Phase> {
        match self {
            Self::Contradiction(_) | Self::Dependent(_) => Some(Phase::DualInfeasible),
            Self::Equalities(_) => Some(Phase::PrimalInfeasible),
            Self::Computing(_)
            | Self::Empty
            | Self::Shape(_)
            | Self::NoRoom(_)
            | Self::NoDevice(..) => None,
        }
    }
}

impl std::error::Error for SemidefiniteError {}

impl From<Error> for SemidefiniteError {
    fn from(error: Error) -> Self {
        Self::Computing(error)
    }
}

impl From<NoRoom> for SemidefiniteError {
    fn from(room: NoRoom) -> Self {
        Self::NoRoom(room)
    }
}

impl From<Misfit> for SemidefiniteError {
    fn from(misfit: Misfit) -> Self {
        Self::Shape(misfit)
    }
}

/// The least gap that can be asked for: gaps are numbers in `f64`, whose range ends not far below.
pub const LEAST_SEMIDEFINITE_GAP: f64 = 1e-300;

/// The gap that a precision reaches on well-posed problems, about five eighths of its digits: 1e-7 in `f64`, 1e-20 in `dd`, 1e-40 in `qd`, 1e-81 with 424 bits. It is not below [`LEAST_SEMIDEFINITE_GAP`], which numbers of 1564 bits and more have.
pub fn semidefinite_gap(precision: Precision) -> f64 {
    match precision {
        Precision::F64 => 1e-7,
        _ => {
            let digits = (f64::from(precision.bits()) * 0.1925) as i32;
            10_f64.powi(-digits).max(LEAST_SEMIDEFINITE_GAP)
        }
    }
}

/// Iterations after which a run is given up unless it is told otherwise: 200, and one for each digit of the gap, which is about what a digit takes.
pub fn semidefinite_iterations(precision: SemidefinitePrecision, gap: Option<f64>) -> u64 {
    let gap = gap.unwrap_or_else(|| semidefinite_gap(precision.default_end()));
    // What is no gap has no digits.
    200 + (-gap.log10()).ceil().clamp(0.0, 400.0) as u64
}

/// Yields the current point.
pub type FetchPoint<'a> = &'a dyn Fn() -> Result<SemidefinitePoint, Error>;

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

    #[test]
    fn gaps_and_iterations_of_all_precisions() {
        let mp = |bits| Precision::Mp(Bits::new(bits).unwrap());
        let near = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-12;
        for (precision, gap) in [
            (Precision::F64, 1e-7),
            (Precision::Dd, 1e-20),
            (Precision::Qd, 1e-40),
            (mp(424), 1e-81),
            (mp(1500), 1e-288),
            (mp(1606), 1e-300),
            (mp(2048), 1e-300),
            (mp(Bits::MOST), 1e-300),
        ] {
            assert!(near(semidefinite_gap(precision), gap), "{precision}");
        }
        let most =
            |precision, gap| semidefinite_iterations(SemidefinitePrecision::Fixed(precision), gap);
        assert!((220..=221).contains(&most(Precision::Dd, None)));
        assert!((500..=501).contains(&most(mp(2048), None)));
        assert_eq!(most(mp(2048), Some(1e-9)), 209);
        assert_eq!(most(mp(2048), Some(0.0)), 600);
        assert_eq!(most(mp(2048), Some(f64::NAN)), 200);
        assert_eq!(semidefinite_iterations(SemidefinitePrecision::Auto, Some(1e-9)), 209);
    }

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
