//! Bounds of an optimum that are proved, from a solution.

use std::time::Instant;

use nonius_linalg::{Error as LinalgError, Numbers};
use nonius_num::Precision;
use nonius_num::mp::Bits;

use super::changes::{Way, left, moved};
use super::cones::{Placed, program};
use super::error::Error;
use super::numbers::{PointJob, PointNumber};
use super::point::AnyPoint;
use crate::certify::{Certificate, Correction, Corrector, certify};
use crate::cone::{Cone, Program};
use crate::machine::Machine;
use crate::solver::Phase;
use crate::{BlockValues, Problem, Solution, Units};

/// What is proved of a problem from a point, of which a solver says that it is in this phase:
/// bounds of the optimum and how many digits of it they share, or that a problem is infeasible.
///
/// Proofs are found in [the precision](proof_precision) of about twice the bits of the point. They
/// take some hundredths of the time that the solution took, a tenth where steps of Newton's method
/// are needed.
///
/// A proof needs no trust in the solver. This point is made by hand:
///
/// ```
/// use nonius_linalg::backend::Cpu;
/// use nonius_sdp::solver::Phase;
/// use nonius_sdp::{AnyPoint, BlockValues, Solution, input, prove};
///
/// // The least x where x ≥ 1: X = x − 1 and Y = 1.
/// let problem = input::read_sparse("1\n1\n-1\n1\n0 1 1 1 1\n1 1 1 1 1\n".as_bytes())?;
/// let block = |x: f64| vec![BlockValues::Diagonal(vec![x].into())];
/// let x = 1.0 + 1e-9;
/// let point = Solution { x: vec![x].into(), primal: block(x - 1.0), dual: block(1.0) };
/// let found = (&AnyPoint::of(point), Phase::Optimal);
/// let proof = prove(&Cpu::default(), &problem, found)?;
/// let upper: f64 = proof.upper.as_ref().map_err(|reason| reason.to_string())?.parse()?;
/// assert!(upper >= 1.0 && proof.digits().is_some_and(|digits| digits > 8.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`Error`] says.
pub fn prove<M: Machine>(
    machine: &M,
    problem: &Problem,
    (point, phase): (&AnyPoint, Phase),
) -> Result<Certificate, Error> {
    let began = Instant::now();
    point.check(problem)?;
    let units = Units::new(problem);
    let in_units = moved(&units, point, Way::Restrict);
    let point = in_units.as_ref().unwrap_or(point);
    let (eliminated, reduced) = left(units.problem())?;
    let moved = moved(&eliminated, point, Way::Restrict);
    let point = moved.as_ref().unwrap_or(point);
    let narrow = point.precision();
    let wide = proof_precision(narrow);
    let placed = Placed { problem: eliminated.problem(), reduced: &reduced, machine };
    let rounded = program::<f64>(placed.problem, &reduced, ())?;
    // Newton's method in `f64` has no digits to spare.
    let steps = if narrow == Precision::F64 { wide } else { narrow };
    machine.prepare(&[wide, steps]);
    let job = Certify { placed, program: &rounded, point, phase, steps };
    let certificate = units.certificate(eliminated.certificate(job.at(wide)?));
    Ok(Certificate { seconds: began.elapsed().as_secs_f64(), ..certificate })
}

/// The precision in which something is proved from a point in another: the one with about twice the
/// bits, `dd` for `f64` and `qd` for `dd`.
///
/// ```
/// use nonius_num::Precision;
/// use nonius_sdp::proof_precision;
///
/// assert_eq!(proof_precision(Precision::F64), Precision::Dd);
/// assert_eq!(proof_precision(Precision::Qd), "mp416".parse()?);
/// # Ok::<(), nonius_num::UnknownPrecision>(())
/// ```
pub fn proof_precision(precision: Precision) -> Precision {
    match precision {
        Precision::F64 => Precision::Dd,
        Precision::Dd => Precision::Qd,
        Precision::Td | Precision::Qd | Precision::Mp(_) => {
            let bits = (2 * precision.bits()).clamp(Bits::LEAST, Bits::MOST);
            Bits::new(bits).map_or(precision, Precision::Mp)
        }
    }
}

/// A proof in the precision that it is run with.
struct Certify<'a, M> {
    placed: Placed<'a, M>,
    /// With numbers rounded to `f64`.
    program: &'a Program<f64>,
    point: &'a AnyPoint,
    phase: Phase,
    /// The precision of Newton's method.
    steps: Precision,
}

impl<M: Machine> PointJob for Certify<'_, M> {
    type Output = Result<Certificate, LinalgError>;

    fn run<T: PointNumber>(self, format: T::Format) -> Self::Output {
        let Self { placed, program, point, phase, steps } = self;
        let cone = placed.cone::<T>(format)?;
        let at = point.on(&cone, placed.reduced)?;
        // Most points are not corrected.
        let mut corrections: Option<Corrections> = None;
        let mut correct = |residual: &Numbers<T>, target: Option<f64>| {
            let corrections = match &mut corrections {
                Some(corrections) => corrections,
                none => none.insert(Prepare { placed, point }.at(steps)?),
            };
            let change = corrections(&host(residual.clone(), Vec::new()), target)?;
            Ok(change.map(|change| entries(change.to(format))))
        };
        certify(&cone, program, (at, phase), &mut correct)
    }
}

/// Yields changes for a residual, both in the form of [`host`], and a target.
type Corrections = Box<dyn FnMut(&AnyPoint, Option<f64>) -> Result<Option<AnyPoint>, LinalgError>>;

/// Prepares corrections in the precision that it is run with.
struct Prepare<'a, M> {
    placed: Placed<'a, M>,
    point: &'a AnyPoint,
}

impl<M: Machine> PointJob for Prepare<'_, M> {
    type Output = Result<Corrections, LinalgError>;

    fn run<T: PointNumber>(self, format: T::Format) -> Self::Output {
        let cone = self.placed.cone::<T>(format)?;
        let at = self.point.on(&cone, self.placed.reduced)?;
        let corrector = Corrector::new(&cone, at)?;
        Ok(Box::new(move |residual, target| {
            let Some(corrector) = &corrector else { return Ok(None) };
            let residual = cone.upload_vector(&residual.to::<T>(format).x)?;
            let Some(change) = corrector.correct(&cone, &residual, target)? else {
                return Ok(None);
            };
            let x = cone.download_vector(&change.x)?;
            Ok(Some(host(x, cone.download_blocks(&change.dual)?)))
        }))
    }
}

/// Numbers of a cone in a precision that is known when the program runs: a vector, and a matrix's
/// blocks as lists.
fn host<T: PointNumber>(x: Numbers<T>, dual: Vec<Numbers<T>>) -> AnyPoint {
    let dual = dual.into_iter().map(BlockValues::Diagonal).collect();
    AnyPoint::of(Solution { x, primal: Vec::new(), dual })
}

/// The numbers of [`host`].
fn entries<T: PointNumber>(solution: Solution<T>) -> Correction<T> {
    let list = |block| match block {
        BlockValues::Dense { entries, .. } | BlockValues::Diagonal(entries) => entries,
    };
    (solution.x, solution.dual.into_iter().map(list).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::MatrixName;
    use crate::ladder::{LastPrecision, Options, Start, solve_on};
    use crate::{Misfit, Parameters};
    use nonius_linalg::backend::Cpu;

    #[test]
    fn points_of_another_problem_are_refused() {
        let text = "1\n1\n1\n1\n0 1 1 1 1\n1 1 1 1 1\n";
        let problem = crate::input::read_sparse(&mut text.as_bytes()).unwrap();
        let none = Solution { x: vec![1.0].into(), primal: Vec::new(), dual: Vec::new() };
        let point = AnyPoint::of(none);
        let misfit = Misfit::Blocks { matrix: MatrixName::X, expected: 1, found: 0 };
        let refused = Error::Shape(misfit);
        let machine = Cpu::default();
        let proved = prove(&machine, &problem, (&point, Phase::Optimal));
        assert_eq!(proved.unwrap_err(), refused);
        let options = Options {
            precision: LastPrecision::Fixed(Precision::F64),
            at_once: true,
            then_proved: true,
            parameters: Parameters::default(),
            gap: None,
            feasibility: None,
        };
        let start = Some(Start::Point(point));
        let solved = solve_on(&machine, &problem, &options, start, &mut |_, _| true);
        assert_eq!(solved.unwrap_err(), refused);
    }
}
