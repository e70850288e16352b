//! Semidefinite programs in the formats of SDPA: solved to any gap, and proved.
//!
//! [`Solve`] finds a point, in one precision after the other, and [`Certify`] proves bounds of the
//! optimum from it. [`Problem::with_second_order`] makes diagonal blocks second-order cones.

use std::fmt;

use nonius_linalg::Error as LinalgError;
use nonius_sdp::{Ladder, solve};

/// The numbers of points: those of [`nonius::Number`](crate::Number).
pub use nonius_linalg::{Number, Numbers};
pub use nonius_sdp::certify::{Certificate, Unproved};
pub use nonius_sdp::solver::{End, Phase};
pub use nonius_sdp::{
    AnyPoint, Block, BlockValues, Checkpoint, Entry, Error, FetchPoint, Fingerprint, Interior,
    LEAST_GAP, LastPrecision, Literals, NotDiagonal, Observe, Options, Parameters, PointFormat,
    PointMatrix, PointNumber, Problem, Report, Row, Side, Solution, Start, Units,
    UnknownLastPrecision, WriteMatrix, certify, input, output, proof_precision, seal, solver,
    usual_gap, usual_iterations,
};

use crate::backend::{DeviceJob, Machine};
use crate::device::{Device, Place};
use crate::setters::setters;
use crate::threads::inside;
use crate::work::Work;

/// A semidefinite program, to be solved as [`nonius_sdp::solve()`] says.
///
/// ```
/// use nonius::{Device, Precision};
/// use nonius::sdp::{Certify, Phase, Solve, input};
///
/// // The least x + y where [x 1; 1 y] is positive semidefinite is 2.
/// let text = "2\n1\n2\n1 1\n0 1 1 2 -1\n1 1 1 1 1\n2 1 2 2 1\n";
/// let problem = input::read_sparse(text.as_bytes())?;
/// let solve = Solve::new(&problem).precision(Precision::Qd).then_proved(true);
/// let (report, point, _) = solve.device(Device::Cpu).run()?;
/// assert_eq!(report.phase, Phase::Optimal);
/// let proof = Certify::new(&problem, &point, report.phase).run()?;
/// assert!(proof.digits().is_some_and(|digits| digits > 35.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "a program is solved by `run`"]
pub struct Solve<'a> {
    problem: &'a Problem,
    options: Options,
    start: Option<Start>,
    device: Device,
    observe: Option<&'a mut Observe<'a>>,
}

impl<'a> Solve<'a> {
    /// This program, as [`Options::default`] says: in double-double, to a gap of 1e-20.
    pub fn new(problem: &'a Problem) -> Self {
        let options = Options::default();
        Self { problem, options, start: None, device: Device::Auto, observe: None }
    }

    /// The precision of the last iterations.
    pub fn precision(mut self, precision: impl Into<LastPrecision>) -> Self {
        self.options.precision = precision.into();
        self
    }

    /// The relative gap at which the program is solved; by default what the precision allows.
    pub fn gap(mut self, gap: f64) -> Self {
        self.options.gap = Some(gap);
        self
    }

    /// Whether a proof follows: iterations then end where proofs succeed.
    pub fn then_proved(mut self, then_proved: bool) -> Self {
        self.options.then_proved = then_proved;
        self
    }

    /// All options at once, in place of those set before.
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Where to begin.
    pub fn start(mut self, start: Start) -> Self {
        self.start = Some(start);
        self
    }

    setters!(device);

    /// Has `observe` hear of every iteration, and stop the run by `false`.
    pub fn observe(mut self, observe: &'a mut Observe<'a>) -> Self {
        self.observe = Some(observe);
        self
    }

    /// Solves the program. Returns the report, the point and the place.
    ///
    /// # Errors
    /// As [`Error`] says.
    pub fn run(self) -> Result<(Report, AnyPoint, Place), Error> {
        let Self { problem, options, start, device, observe } = self;
        let climb = |ladder: &Ladder<'_>, observe: &mut Observe<'_>| {
            let cost = ladder.cost();
            let seconds = [cost.shared, cost.others, cost.on_gpu];
            let work = Work::measured(cost.last, seconds, cost.numbers);
            let job = Climb { ladder, observe: Some(observe) };
            let solved =
                inside(|| device.share(work, job, |job| Ok(Climb { observe: None, ..*job })));
            Ok(solved?)
        };
        match observe {
            Some(observe) => solve(problem, &options, start, observe, climb),
            None => solve(problem, &options, start, &mut |_, _| true, climb),
        }
    }
}

impl fmt::Debug for Solve<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solve")
            .field("options", &self.options)
            .field("device", &self.device)
            .finish_non_exhaustive()
    }
}

/// Climbs a ladder of precisions.
struct Climb<'a, 'b, 'c> {
    ladder: &'a Ladder<'b>,
    observe: Option<&'a mut Observe<'c>>,
}

impl<B: Machine> DeviceJob<B> for Climb<'_, '_, '_> {
    type Output = (Report, AnyPoint);

    fn run(&mut self, backend: &B) -> Result<Self::Output, LinalgError> {
        match &mut self.observe {
            Some(observe) => backend.climb(self.ladder, *observe),
            None => backend.climb(self.ladder, &mut |_, _| true),
        }
    }
}

/// What can be proved of a program from a point, as [`nonius_sdp::prove()`] says.
#[must_use = "bounds are proved by `run`"]
#[derive(Clone, Copy, Debug)]
pub struct Certify<'a> {
    problem: &'a Problem,
    found: (&'a AnyPoint, Phase),
    device: Device,
}

impl<'a> Certify<'a> {
    /// From a point of [`Solve::run`], and its phase.
    pub fn new(problem: &'a Problem, point: &'a AnyPoint, phase: Phase) -> Self {
        Self { problem, found: (point, phase), device: Device::Auto }
    }

    /// The device, by default the CPU: that of the solution is best.
    pub fn device(mut self, device: Device) -> Self {
        self.device = device;
        self
    }

    /// Proves what can be proved.
    ///
    /// # Errors
    /// As [`Error`] says.
    pub fn run(self) -> Result<Certificate, Error> {
        let Self { problem, found, device } = self;
        inside(|| device.share_here(Proof { problem, found }, |job| Ok(*job)))?
    }
}

/// Proves bounds.
#[derive(Clone, Copy)]
struct Proof<'a> {
    problem: &'a Problem,
    found: (&'a AnyPoint, Phase),
}

impl<B: Machine> DeviceJob<B> for Proof<'_> {
    type Output = Result<Certificate, Error>;

    fn run(&mut self, backend: &B) -> Result<Self::Output, LinalgError> {
        Ok(backend.prove(self.problem, self.found))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Precision;
    use nonius_num::mp::Bits;

    #[test]
    fn numbers_of_chosen_bits() {
        let text = "1\n1\n1\n1\n0 1 1 1 1\n1 1 1 1 1\n";
        let problem = input::read_sparse(&mut text.as_bytes()).unwrap();
        let precision = Precision::Mp(Bits::new(424).unwrap());
        // A GPU's start takes longer.
        let (report, point, place) = Solve::new(&problem).precision(precision).run().unwrap();
        assert_eq!(place.device, Device::Cpu);
        let gap = 10.0 * usual_gap(precision);
        assert!(report.relative_gap <= gap, "{}", report.relative_gap);
        let proved = Certify::new(&problem, &point, report.phase).run().unwrap();
        assert!(proved.digits().is_some_and(|digits| digits >= -gap.log10()), "{proved:?}");
    }
}
