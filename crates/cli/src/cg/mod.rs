//! `nonius cg`

mod arguments;
mod history;
mod outcome;
mod plot;
mod report;
mod system;

pub(crate) use arguments::Arguments;

use crate::failure::Failure;
use crate::input::is_standard;
use crate::names::{Contents, Names};
use crate::output::Output;
use outcome::Run;

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { a, common, output, history, plot, .. } = arguments;
    let precision = arguments.precisions()?;
    arguments.algorithm()?;
    let files = [Some(a), arguments.rhs_file(), arguments.x0.as_ref()];
    let further = [history.as_ref(), plot.as_ref()].map(Output::beside);
    Names::default()
        .read("A", a)
        .read("--rhs", arguments.rhs_file())
        .read("--x0", arguments.x0.as_ref())
        .written("--output", Contents::Matrix, output.output.as_ref())
        .written("--history", Contents::Table, history.as_ref())
        .written("--plot", Contents::Picture, plot.as_ref())
        .check(common.json)?;
    if precision.len() > 1 && files.into_iter().flatten().any(|path| is_standard(path)) {
        return Err(Failure::input(
            "standard input can be read once: give a file for several precisions",
        ));
    }
    if precision.len() > 1 && output.output.is_some() {
        return Err(Failure::input("-o takes the solution of one precision, not of several"));
    }
    if arguments.arithmetic.is_for_dd() {
        let arithmetic = arguments.arithmetic;
        return Err(Failure::input(format!(
            "--arithmetic {arithmetic} is not for cg: expected delayed or ieee"
        )));
    }
    common.run(|| {
        let runs: Vec<Run> =
            precision.iter().map(|&p| system::solve(arguments, p)).collect::<Result<_, _>>()?;
        further[0].write(|out| Ok(history::write(out, &runs)?))?;
        if plot.is_some() {
            let title = a.file_name().map(|name| name.to_string_lossy());
            let picture = plot::draw(&title.unwrap_or_default(), &runs)?;
            further[1].write(|out| Ok(out.write_all(picture.as_bytes())?))?;
        }
        report::report(arguments, &runs, &further)
    })
}
