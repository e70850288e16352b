//! `nonius cg`

mod arguments;
mod history;
mod outcome;
mod plot;
mod report;
mod system;

pub(crate) use arguments::Arguments;

use crate::command::Command;
use crate::common::Common;
use crate::failure::Failure;
use crate::input::is_standard;
use crate::interruption;
use crate::names::{Contents, Names};
use crate::objects::Objects;
use crate::output::Output;
use crate::ranks::{self, Sharing};
use crate::report::Report;
use nonius::Precision;
use outcome::{Outcome, runs};

impl Command for Arguments {
    fn common(&self) -> &Common {
        &self.common
    }

    fn sharing(&self) -> Sharing {
        Sharing::Shared
    }

    fn run(&self) -> Result<Report, Failure> {
        run(self)
    }

    fn objects() -> Objects {
        report::objects()
    }
}

fn run(arguments: &Arguments) -> Result<Report, Failure> {
    let Arguments { a, common, output, history, plot, .. } = arguments;
    let precision = arguments.precisions()?;
    arguments.algorithm()?;
    let files = [Some(a), arguments.rhs_file(), arguments.x0.as_ref()];
    let outputs = [output, history, plot].map(|path| Output::beside(path.as_ref()));
    let [_, to_history, to_plot] = &outputs;
    Names::default()
        .read("A", a)
        .read("--rhs", arguments.rhs_file())
        .read("--x0", arguments.x0.as_ref())
        .written("--output", Contents::Matrix, output.as_ref())
        .written("--history", Contents::Table, history.as_ref())
        .written("--plot", Contents::Picture, plot.as_ref())
        .check(common.json)?;
    if precision.len() > 1 && files.into_iter().flatten().any(|path| is_standard(path)) {
        return Err(Failure::input(
            "standard input can be read once: give a file for several precisions",
        ));
    }
    if precision.len() > 1 && output.is_some() {
        let refused = "-o takes the solution of one precision, not of several";
        return Err(Failure::input(refused));
    }
    if arguments.arithmetic.is_for_dd() {
        let arithmetic = arguments.arithmetic;
        return Err(Failure::input(format!(
            "--arithmetic {arithmetic} is not for cg: expected delayed or ieee"
        )));
    }
    common.run(|| {
        let outcomes = outcomes(arguments, &precision)?;
        if runs(&outcomes).next().is_some() {
            to_history.write(|out| Ok(history::write(out, runs(&outcomes))?))?;
            if let Some(path) = plot {
                let title = a.file_name().map(|name| name.to_string_lossy());
                let picture = plot::draw(&title.unwrap_or_default(), runs(&outcomes), path)?;
                to_plot.write(|out| Ok(out.write_all(&picture)?))?;
            }
        }
        Ok(report::report(arguments, outcomes, precision.len()).beside(&outputs))
    })
}

/// Solves the system in each precision, until a signal ends one. Of several, those whose numbers
/// do not allow a solution do not keep the others from theirs.
fn outcomes(arguments: &Arguments, precisions: &[Precision]) -> Result<Vec<Outcome>, Failure> {
    let mut outcomes = Vec::new();
    for &precision in precisions {
        if ranks::agreed(interruption::noted()) {
            break;
        }
        let run = system::solve(arguments, precision);
        match run {
            Ok(_) => {}
            Err(Failure::Numerical(_)) if precisions.len() > 1 => {}
            Err(failure) => return Err(failure),
        }
        outcomes.push(Outcome { precision, run });
    }
    Ok(outcomes)
}
