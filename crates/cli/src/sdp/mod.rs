//! `nonius sdp`

mod arguments;
mod checkpoints;
mod files;
mod found;
mod plot;
mod report;
mod table;

use nonius::sdp::solver::End;
use nonius::sdp::{self, Certify, Error, FetchPoint, Options, Row};

pub(crate) use arguments::Arguments;

use crate::command::Command;
use crate::common::Common;
use crate::failure::Failure;
use crate::input::display_name;
use crate::interruption;
use crate::objects::{Object, Objects};
use crate::ranks::{self, Sharing};
use crate::report::Report;
use checkpoints::Checkpoints;
use files::Files;
use found::Found;
use table::Table;

impl Command for Arguments {
    fn common(&self) -> &Common {
        &self.common
    }

    fn sharing(&self) -> Sharing {
        Sharing::Shared
    }

    fn run(&self) -> Result<Report, Failure> {
        let files = Files::check(self)?;
        let report = self.common.run(|| solve(self, &files))?;
        Ok(report.beside(files.all()))
    }

    fn objects() -> Objects {
        Objects::Of(vec![Object::of_any_end::<report::Figures>()])
    }
}

fn solve(arguments: &Arguments, files: &Files) -> Result<Report, Failure> {
    let name = display_name(&arguments.problem);
    let problem = files::problem(arguments)?;
    let told = files::parameters(arguments)?;
    let start = files::start(arguments, &problem)?;
    let options = Options {
        precision: arguments.precision,
        at_once: arguments.at_once,
        then_proved: arguments.certify,
        parameters: told.parameters,
        gap: told.gap,
        feasibility: told.feasibility,
    };
    let mut table = Table::new(&arguments.common, files.all());
    let mut checkpoints = Checkpoints::new(arguments, &name, &problem);
    let most = options.parameters.most_iterations;
    interruption::wait_for_it();
    let device = arguments.common.device;
    let mut observe = |row: &Row, fetch: FetchPoint<'_>| {
        table.row(row);
        checkpoints.observe(row, most, fetch)
    };
    let mut program = sdp::Solve::new(&problem).options(options).device(device);
    if let Some(start) = start {
        program = program.start(start);
    }
    let solved = program.observe(&mut observe).run();
    let failed = |error: &Error| match error {
        Error::Computing(error) => Failure::computing(&name, error),
        error => Failure::input(format!("{name}: {error}")),
    };
    let (report, point, place) = match solved {
        Ok(solved) => solved,
        Err(error) => {
            return match error.phase() {
                Some(phase) => {
                    files.leave();
                    Ok(report::seen(arguments, &problem, phase, &error))
                }
                None => Err(failed(&error)),
            };
        }
    };
    checkpoints.end(&report, &point);
    let mut failures = files.write(&name, &report, &point);
    // Whoever interrupts a run does not want to wait for proofs.
    let certificate = if !arguments.certify || report.end == End::Interrupted {
        None
    } else if ranks::agreed(interruption::noted()) {
        let message = format!("{name}: interrupted before anything was proved");
        failures.insert(0, Failure::Interrupted(message));
        None
    } else {
        let certificate = Certify::new(&problem, &point, report.phase).device(place.device).run();
        certificate.map_err(|error| failures.push(failed(&error))).ok()
    };
    arguments.common.explain("the program", &place);
    arguments.common.note(&format!("the program took {:.1e} s", report.seconds));
    let shown = files.unwritten(&point);
    let found = Found { report, place, certificate, shown };
    // The first failure decides how the program ends. That of the checkpoint was told when it
    // happened.
    let mut failures = report::failure(&found, &name).into_iter().chain(failures);
    let first = failures.next();
    for failure in failures {
        failure.tell();
    }
    let report = report::report(&problem, found);
    Ok(report.with_failure(first.or(checkpoints.failure())))
}
