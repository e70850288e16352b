//! Bounds of an optimum that are proved, from a solution.

use std::time::Instant;

use nonius_linalg::Error;
use nonius_num::mp::Bits;
use nonius_sdp::certify::{Certificate, Correction, Corrector, certify};
use nonius_sdp::cone::Cone;
use nonius_sdp::cone::Program;
use nonius_sdp::solver::{Phase, Point};
use nonius_sdp::{BlockValues, Problem, Solution, Units};

use super::changes::{Way, left, moved};
use super::cones::{ConeJob, Placed};
use super::{SemidefiniteError, SemidefinitePoint};
use crate::device::{Device, Engine, open};
use crate::threads::inside;
use crate::{AnyJob, AnyNumber, Precision};

/// What is proved of a problem from a point, of which a solver says that it is in this phase: bounds of the optimum and how many digits of it they share, or that a problem is infeasible.
///
/// Proofs are found in twice the bits of the point, in `dd` for one in `f64` and in `qd` for one in `dd`, on the device, or where that has no such numbers and for [`Device::Auto`] on the CPU. They take some hundredths of
/// the time that the solution took, a tenth where steps of Newton's method are needed.
///
/// # Errors
/// As [`SemidefiniteError`] says.
pub fn certify_semidefinite(
    problem: &Problem,
    (point, phase): (&SemidefinitePoint, Phase),
    device: Device,
) -> Result<Certificate, SemidefiniteError> {
    let began = Instant::now();
    point.check(problem)?;
    let units = Units::new(problem);
    let in_units = moved(&units, point, Way::Restrict);
    let point = in_units.as_ref().unwrap_or(point);
    let (eliminated, reduced) = left(units.problem())?;
    let moved = moved(&eliminated, point, Way::Restrict);
    let point = moved.as_ref().unwrap_or(point);
    let narrow = point.precision();
    let wide = doubled(narrow);
    let certificate = inside(|| {
        let engine = match (device, wide) {
            (
                Device::Cuda(ordinal),
                Precision::F64 | Precision::Dd | Precision::Td | Precision::Qd,
            ) => open(ordinal)?,
            _ => Engine::Cpu,
        };
        let placed = Placed { problem: eliminated.problem(), reduced: &reduced, engine: &engine };
        let rounded = placed.program::<Vec<f64>>(())?;
        // Newton's method in `f64` has no digits to spare.
        let steps = if narrow == Precision::F64 { wide } else { narrow };
        let job = Certify { placed, program: &rounded, point, phase, steps };
        wide.run_any(job)
    })?;
    let certificate = units.certificate(eliminated.certificate(certificate));
    Ok(Certificate { seconds: began.elapsed().as_secs_f64(), ..certificate })
}

/// The precision with about twice the bits.
fn doubled(precision: Precision) -> Precision {
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
#[derive(Clone, Copy)]
struct Certify<'a> {
    placed: Placed<'a>,
    /// With numbers rounded to `f64`.
    program: &'a Program<Vec<f64>>,
    point: &'a SemidefinitePoint,
    phase: Phase,
    /// The precision of Newton's method.
    steps: Precision,
}

impl AnyJob for Certify<'_> {
    type Output = Result<Certificate, Error>;

    fn run<T: AnyNumber>(self, format: T::Format) -> Self::Output {
        T::on_cone(self.placed, format, self)
    }
}

impl<T: AnyNumber> ConeJob<T> for Certify<'_> {
    type Output = Certificate;

    fn run<C: Cone<Number = T> + 'static>(
        self,
        cone: C,
        format: T::Format,
    ) -> Result<Certificate, Error> {
        let Self { placed, program, point, phase, steps } = self;
        let at = upload(&cone, placed, point, format)?;
        // Most points are not corrected.
        let mut corrections: Option<Corrections> = None;
        let mut correct = |residual: &[T], target: Option<f64>| {
            let corrections = match &mut corrections {
                Some(corrections) => corrections,
                none => none.insert(steps.run_any(Prepare { placed, point })?),
            };
            let change = corrections(&host(residual.to_vec(), Vec::new()), target)?;
            Ok(change.map(|change| entries(change.to(format))))
        };
        certify(&cone, format, program, (at, phase), &mut correct)
    }
}

/// Yields changes for a residual, both in the form of [`host`], and a target.
type Corrections =
    Box<dyn FnMut(&SemidefinitePoint, Option<f64>) -> Result<Option<SemidefinitePoint>, Error>>;

/// Prepares corrections in the precision that it is run with.
#[derive(Clone, Copy)]
struct Prepare<'a> {
    placed: Placed<'a>,
    point: &'a SemidefinitePoint,
}

impl AnyJob for Prepare<'_> {
    type Output = Result<Corrections, Error>;

    fn run<T: AnyNumber>(self, format: T::Format) -> Self::Output {
        T::on_cone(self.placed, format, self)
    }
}

impl<T: AnyNumber> ConeJob<T> for Prepare<'_> {
    type Output = Corrections;

    fn run<C: Cone<Number = T> + 'static>(
        self,
        cone: C,
        format: T::Format,
    ) -> Result<Corrections, Error> {
        let corrector = Corrector::new(&cone, upload(&cone, self.placed, self.point, format)?)?;
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

/// Copies a point to a cone.
fn upload<T: AnyNumber, C: Cone<Number = T>>(
    cone: &C,
    placed: Placed<'_>,
    point: &SemidefinitePoint,
    format: T::Format,
) -> Result<Point<C>, Error> {
    let (x, [primal, dual]) = placed.reduced.restrict(&point.to::<T>(format))?;
    Ok(Point {
        x: cone.upload_vector(&x)?,
        primal: cone.upload_blocks(&primal)?,
        dual: cone.upload_blocks(&dual)?,
    })
}

/// Numbers of a cone in a precision that is known when the program runs: a vector, and a matrix's blocks as lists.
fn host<T: AnyNumber>(x: Vec<T>, dual: Vec<Vec<T>>) -> SemidefinitePoint {
    let dual = dual.into_iter().map(BlockValues::Diagonal).collect();
    SemidefinitePoint::of(Solution { x, primal: Vec::new(), dual })
}

/// The numbers of [`host`].
fn entries<T>(solution: Solution<T>) -> Correction<T> {
    let list = |block| match block {
        BlockValues::Dense { entries, .. } | BlockValues::Diagonal(entries) => entries,
    };
    (solution.x, solution.dual.into_iter().map(list).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::semidefinite::{
        SemidefiniteOptions, SemidefinitePrecision, SemidefiniteStart, semidefinite,
    };
    use nonius_sdp::input::MatrixName;
    use nonius_sdp::{Misfit, Parameters};

    #[test]
    fn points_of_another_problem_are_refused() {
        let text = "1\n1\n1\n1\n0 1 1 1 1\n1 1 1 1 1\n";
        let problem = nonius_sdp::input::read_sparse(&mut text.as_bytes()).unwrap();
        let none = Solution { x: vec![1.0], primal: Vec::new(), dual: Vec::new() };
        let point = SemidefinitePoint::of(none);
        let misfit = Misfit::Blocks { matrix: MatrixName::X, expected: 1, found: 0 };
        let refused = SemidefiniteError::Shape(misfit);
        let certified = certify_semidefinite(&problem, (&point, Phase::Optimal), Device::Cpu);
        assert_eq!(certified.unwrap_err(), refused);
        let options = SemidefiniteOptions {
            precision: SemidefinitePrecision::Fixed(Precision::F64),
            at_once: true,
            parameters: Parameters::default(),
            gap: None,
            feasibility: None,
            device: Device::Cpu,
        };
        let solved =
            semidefinite(&problem, &options, Some(SemidefiniteStart::Point(point)), &mut |_, _| {
                true
            });
        assert_eq!(solved.unwrap_err(), refused);
    }
}
