//! The job of a semidefinite program: solves it in one precision after the other on a device, and
//! proves how far it came.

use nonius_linalg::Error as LinalgError;
use nonius_sdp::certify::Certificate;
use nonius_sdp::solver::Phase;
use nonius_sdp::{AnyPoint, Error, Ladder, Observe, Options, Problem, Report, Start, solve};

use crate::backend::{Backend, DeviceJob};
use crate::device::{Device, Place};
use crate::threads::inside;
use crate::work::Work;

/// Solves a semidefinite program, as [`solve`] says, and says where.
///
/// ```
/// use nonius::sdp::solver::Phase;
/// use nonius::sdp::{Options, Parameters, input};
/// use nonius::{Device, certify_semidefinite, semidefinite};
///
/// // The least x + y where [x 1; 1 y] is positive semidefinite is 2.
/// let text = "2\n1\n2\n1 1\n0 1 1 2 -1\n1 1 1 1 1\n2 1 2 2 1\n";
/// let problem = input::read_sparse(text.as_bytes())?;
/// let options = Options {
///     precision: "qd".parse()?,
///     at_once: false,
///     then_proved: true,
///     parameters: Parameters::default(),
///     gap: None,
///     feasibility: None,
/// };
/// let (report, point, _) = semidefinite(&problem, &options, Device::Cpu, None, &mut |_, _| true)?;
/// assert_eq!(report.phase, Phase::Optimal);
/// let proof = certify_semidefinite(&problem, (&point, report.phase), Device::Cpu)?;
/// assert!(proof.digits().is_some_and(|digits| digits > 35.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`Error`] says.
pub fn semidefinite(
    problem: &Problem,
    options: &Options,
    device: Device,
    start: Option<Start>,
    observe: &mut Observe<'_>,
) -> Result<(Report, AnyPoint, Place), Error> {
    solve(problem, options, start, observe, |ladder: &Ladder<'_>, observe: &mut Observe<'_>| {
        let cost = ladder.cost();
        let seconds = [cost.shared, cost.others, cost.on_gpu];
        let work = Work::measured(cost.last, seconds, cost.numbers);
        Ok(inside(|| device.run(work, Climb { ladder, observe }))?)
    })
}

/// Climbs a ladder of precisions.
struct Climb<'a, 'b, 'c> {
    ladder: &'a Ladder<'b>,
    observe: &'a mut Observe<'c>,
}

impl<B: Backend> DeviceJob<B> for Climb<'_, '_, '_> {
    type Output = (Report, AnyPoint);

    fn run(&mut self, backend: &B) -> Result<Self::Output, LinalgError> {
        backend.climb(self.ladder, self.observe)
    }
}

/// What is proved of a problem from a point, as [`prove`](nonius_sdp::prove) says: on the device,
/// for [`Device::Auto`] on the CPU.
///
/// # Errors
/// As [`Error`] says.
pub fn certify_semidefinite(
    problem: &Problem,
    found: (&AnyPoint, Phase),
    device: Device,
) -> Result<Certificate, Error> {
    inside(|| device.run_here(Proof { problem, found }))?
}

/// Proves what a point shows.
struct Proof<'a> {
    problem: &'a Problem,
    found: (&'a AnyPoint, Phase),
}

impl<B: Backend> DeviceJob<B> for Proof<'_> {
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
    use nonius_sdp::{LastPrecision, Parameters};

    #[test]
    fn numbers_of_chosen_bits() {
        let text = "1\n1\n1\n1\n0 1 1 1 1\n1 1 1 1 1\n";
        let problem = nonius_sdp::input::read_sparse(&mut text.as_bytes()).unwrap();
        let precision = Precision::Mp(Bits::new(424).unwrap());
        let options = Options {
            precision: LastPrecision::Fixed(precision),
            at_once: false,
            then_proved: false,
            parameters: Parameters::default(),
            gap: None,
            feasibility: None,
        };
        // A GPU's start takes longer.
        let (report, point, place) =
            semidefinite(&problem, &options, Device::Auto, None, &mut |_, _| true).unwrap();
        assert_eq!(place.device, Device::Cpu);
        let gap = 10.0 * nonius_sdp::usual_gap(precision);
        assert!(report.relative_gap <= gap, "{}", report.relative_gap);
        let found = (&point, report.phase);
        let proved = certify_semidefinite(&problem, found, Device::Auto).unwrap();
        assert!(proved.digits().is_some_and(|digits| digits >= -gap.log10()), "{proved:?}");
    }
}
