//! `nonius sdp`

mod arguments;
mod collisions;
mod files;
mod plot;
mod report;
mod table;

use std::time::Instant;

use nonius::sdp::certify::Certificate;
use nonius::sdp::{Report, Row};
use nonius::{
    FetchPoint, Place, SemidefiniteError, SemidefiniteOptions, certify_semidefinite, semidefinite,
};

pub(crate) use arguments::Arguments;

use crate::failure::Failure;
use crate::input::display_name;
use crate::interruption;
use crate::output::Output;
use files::Files;
use table::Table;

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let files = Files::check(arguments)?;
    arguments.common.run(|| solve(arguments, &files))
}

fn solve(arguments: &Arguments, files: &Files) -> Result<(), Failure> {
    let name = display_name(&arguments.problem);
    let problem = files::problem(arguments)?;
    let told = files::parameters(arguments)?;
    let start = files::start(arguments, &problem)?;
    let options = SemidefiniteOptions {
        precision: arguments.precision,
        at_once: arguments.at_once,
        parameters: told.parameters,
        gap: told.gap,
        feasibility: told.feasibility,
        device: arguments.common.device,
    };
    let mut table = Table::new(&arguments.common, files.all());
    let mut checkpoints = Checkpoints { arguments, name: &name, last: Instant::now() };
    let mut failure = None;
    interruption::wait_for_it();
    let solved = semidefinite(&problem, &options, start, &mut |row, fetch| {
        table.row(row);
        let kept = checkpoints.keep(row, fetch);
        let goes_on = kept.is_ok() && !interruption::noted();
        failure = kept.err();
        goes_on
    });
    let failed = |error: &SemidefiniteError| match error {
        SemidefiniteError::Computing(error) => Failure::computing(&name, error),
        error => Failure::input(format!("{name}: {error}")),
    };
    let (report, point, place) = solved.map_err(|error| failed(&error))?;
    if let Some(failure) = failure {
        return Err(failure);
    }
    files.write(&name, &report, &point)?;
    let certify = || certify_semidefinite(&problem, (&point, report.phase), place.device);
    let certificate = arguments.certify.then(certify).transpose();
    let certificate = certificate.map_err(|error| failed(&error))?;
    report::report(arguments, &problem, files, &Found { report, place, certificate })
}

/// What is said of a run.
struct Found {
    report: Report,
    place: Place,
    certificate: Option<Certificate>,
}

/// The points that are kept on the way.
struct Checkpoints<'a> {
    arguments: &'a Arguments,
    name: &'a str,
    last: Instant,
}

impl Checkpoints<'_> {
    /// Writes the point if it is time to.
    fn keep(&mut self, row: &Row, fetch: FetchPoint<'_>) -> Result<(), Failure> {
        let Arguments { checkpoint, every, .. } = self.arguments;
        if checkpoint.is_none() || row.number == 0 || self.last.elapsed().as_secs_f64() < *every {
            return Ok(());
        }
        let point = fetch().map_err(|error| Failure::computing(self.name, &error))?;
        self.last = Instant::now();
        Output::beside(checkpoint.as_ref()).write(|out| Ok(files::write_point(out, &point)?))
    }
}
