//! The job of a semidefinite program: solves it in one precision after the other, times it, and says how far it came.

mod point;
mod stages;

use std::fmt;
use std::time::Instant;

use nonius_linalg::backend::{Cone, Cpu};
use nonius_linalg::cone::Program;
use nonius_linalg::cpu::cone::{LimbCone, MpCone};
use nonius_linalg::dense::gemm::Products;
use nonius_linalg::sparse::Values;
use nonius_linalg::sparse::matrix_market::Entry;
use nonius_linalg::{Error, mp};
use nonius_num::mp::Bits;
use nonius_sdp::solver::End;
use nonius_sdp::{Parameters, Problem, Reduced, Report, Row, Solution, Task};

use crate::device::{Device, Engine, Place, Reason};
use crate::{AnyJob, AnyNumber, Number, Precision};

pub(crate) use point::PointNumber;
pub use point::{PointFormat, PointMatrix, SemidefinitePoint};
pub use stages::{SemidefinitePrecision, UnknownSemidefinitePrecision};

/// What is asked of the solution of a semidefinite program.
#[derive(Clone, Copy, Debug)]
pub struct SemidefiniteOptions {
    /// The precision to end in.
    pub precision: SemidefinitePrecision,
    /// Whether to begin in that precision, and not in `f64`. A run that is given a point begins in it anyway.
    pub at_once: bool,
    /// What the method is told, but for the tolerances.
    pub parameters: Parameters,
    /// The gap at which an optimum counts as found; `None` for what the precision reaches as a rule.
    pub gap: Option<f64>,
    /// The infeasibility that counts as none; `None` for ten times the gap.
    pub feasibility: Option<f64>,
    /// Where to compute. There is no way on GPUs yet: [`Device::Auto`] is the CPU.
    pub device: Device,
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
    /// A GPU was asked for.
    NoDevice(Device),
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
            Self::NoDevice(device) => {
                write!(f, "semidefinite programs are solved on the CPU only, not on {device}")
            }
        }
    }
}

impl std::error::Error for SemidefiniteError {}

impl From<Error> for SemidefiniteError {
    fn from(error: Error) -> Self {
        Self::Computing(error)
    }
}

/// The gap that a precision reaches on well-posed problems, about five eighths of its digits: 1e-7 in `f64`, 1e-20 in `dd`, 1e-40 in `qd`, 1e-81 with 424 bits.
pub fn semidefinite_gap(precision: Precision) -> f64 {
    match precision {
        Precision::F64 => 1e-7,
        _ => 10_f64.powi(-(f64::from(precision.bits()) * 0.1925) as i32),
    }
}

/// Yields the current point.
pub type FetchPoint<'a> = &'a dyn Fn() -> Result<SemidefinitePoint, Error>;

/// Solves a semidefinite program, from a point or from multiples of the identity. `observe` hears of every iteration, may have the point that it led to, and says whether to go on.
///
/// Lower precisions go first, each to what it reaches, and hand over their best point: an iteration in `f64` takes a fraction of the time, and half of all can be done there.
///
/// # Errors
/// As [`SemidefiniteError`] says.
pub fn semidefinite(
    problem: &Problem,
    options: &SemidefiniteOptions,
    start: Option<SemidefinitePoint>,
    observe: &mut dyn FnMut(&Row, FetchPoint<'_>) -> bool,
) -> Result<(Report, SemidefinitePoint, Place), SemidefiniteError> {
    let began = Instant::now();
    if matches!(options.device, Device::Cuda(_)) {
        return Err(SemidefiniteError::NoDevice(options.device));
    }
    let reduced = Reduced::new(problem);
    let zero = |&k: &usize| problem.numbers().is_zero(problem.objective()[k]);
    if let Some(k) = reduced.idle().iter().find(|k| !zero(k)) {
        return Err(SemidefiniteError::Contradiction(k + 1));
    }
    if reduced.order() == 0 {
        return Err(SemidefiniteError::Empty);
    }
    let stages = stages::stages(options, start.as_ref());
    let gap = options.gap.unwrap_or_else(|| semidefinite_gap(options.precision.default_end()));
    let feasibility = options.feasibility.unwrap_or(10.0 * gap);
    let mut point = start;
    let mut history: Vec<Row> = Vec::new();
    let mut found = None;
    for (number, &precision) in stages.iter().enumerate() {
        let reached = semidefinite_gap(precision);
        let is_last = number + 1 == stages.len();
        let done = history.last().map_or(0, |row| row.number);
        let parameters = Parameters {
            gap: if is_last { gap } else { gap.max(reached) },
            feasibility: if is_last { feasibility } else { feasibility.max(reached) },
            most_iterations: options.parameters.most_iterations.saturating_sub(done),
            ..options.parameters
        };
        let task = Task { problem, reduced: &reduced, parameters: &parameters, began };
        let stage = Stage { task, point: point.as_ref(), history: &mut history, observe };
        let (mut report, best) = precision.run_any(stage)?;
        report.history.clone_from(&history);
        report.iterations = history.last().map_or(0, |row| row.number);
        point = Some(best);
        let solved = report.end == End::Solved && report.relative_gap <= gap;
        let ends = matches!(report.end, End::Interrupted | End::Decided | End::Iterations);
        found = Some(report);
        if ends || solved {
            break;
        }
    }
    match (found, point) {
        (Some(report), Some(point)) => {
            Ok((report, point, Place { device: Device::Cpu, reason: Reason::Asked }))
        }
        // There is a stage at least.
        _ => Err(SemidefiniteError::Empty),
    }
}

/// One precision's part of a run.
#[doc(hidden)]
#[expect(missing_debug_implementations, reason = "what observes")]
pub struct Stage<'a, 'b> {
    task: Task<'a>,
    point: Option<&'a SemidefinitePoint>,
    /// The iterations of all stages so far.
    history: &'a mut Vec<Row>,
    observe: &'a mut (dyn FnMut(&Row, FetchPoint<'_>) -> bool + 'b),
}

impl AnyJob for Stage<'_, '_> {
    type Output = Result<(Report, SemidefinitePoint), Error>;

    fn run<T: AnyNumber>(self, format: T::Format) -> Self::Output {
        T::solve_semidefinite(&Engine::Cpu, format, self)
    }
}

impl Stage<'_, '_> {
    /// Solves the problem with numbers of limbs.
    pub(crate) fn with_limbs<T>(self, _: &Engine) -> Result<(Report, SemidefinitePoint), Error>
    where
        T: Number,
    {
        let cone = LimbCone::new(self.program::<Vec<T>>(())?, Cpu::default());
        self.on(&cone, ())
    }

    /// Solves the problem with numbers of so many bits.
    pub(crate) fn with_bits(
        self,
        _: &Engine,
        bits: Bits,
    ) -> Result<(Report, SemidefinitePoint), Error> {
        let cone = MpCone::new(self.program::<mp::Numbers>(bits)?, Products::default());
        self.on(&cone, bits)
    }

    /// The program with the problem's numbers in this precision.
    fn program<V: Values>(&self, format: <V::Item as Entry>::Format) -> Result<Program<V>, Error> {
        let Task { problem, reduced, .. } = self.task;
        let numbers = problem.numbers().values::<V>(format);
        let m = reduced.constraints().len();
        let program = numbers.and_then(|numbers| reduced.program(problem, &numbers));
        program.ok_or(Error::TooLarge { rows: m, cols: m })
    }

    /// Solves the problem on a cone of numbers of this precision.
    fn on<T: AnyNumber, C: Cone<Number = T>>(
        self,
        cone: &C,
        format: T::Format,
    ) -> Result<(Report, SemidefinitePoint), Error> {
        let Self { task, point, history, observe } = self;
        let start: Option<Solution<T>> = point.map(|point| point.to(format));
        let before = history.last().map_or(0, |row| row.number);
        let (report, solution) = task.run(cone, format, start.as_ref(), |row, fetch| {
            if row.number == 0 && before > 0 {
                return true;
            }
            let row = Row { number: before + row.number, ..row.clone() };
            let goes_on = observe(&row, &|| Ok(SemidefinitePoint::of(fetch()?)));
            history.push(row);
            goes_on
        })?;
        Ok((report, SemidefinitePoint::of(solution)))
    }
}
