//! `nonius tridiag`

mod arguments;
mod report;

use std::path::Path;

use nonius::Device;
use nonius::dense::{Error, Numbers};
use nonius::tridiag::{
    self, Form, Job, Order, Systems, Transfer, check_room, dominance, read_arrays_from, residual,
    write_unknowns,
};

pub(crate) use arguments::Arguments;

use crate::command::Command;
use crate::common::Common;
use crate::failure::Failure;
use crate::input::{display_name, open};
use crate::names::{Contents, Names};
use crate::objects::{Object, Objects};
use crate::output::Output;
use crate::ranks::Sharing;
use crate::report::{Figure, Report};
use report::Checks;

impl Command for Arguments {
    fn common(&self) -> &Common {
        &self.common
    }

    fn sharing(&self) -> Sharing {
        Sharing::Shared
    }

    fn run(&self) -> Result<Report, Failure> {
        let Self { lower, diagonal, upper, right, output, common, .. } = self;
        if lower.is_none() && self.systems.is_none() {
            return Err(Failure::input(
                "expected --systems and --size, or --lower, --diagonal, --upper and --right",
            ));
        }
        Names::default()
            .read("--lower", lower.as_ref())
            .read("--diagonal", diagonal.as_ref())
            .read("--upper", upper.as_ref())
            .read("--right", right.as_ref())
            .written("--output", Contents::Array, output.as_ref())
            .check(common.json)?;
        common.run(|| self.precision.run(Solve(self)))
    }

    fn objects() -> Objects {
        Objects::Of(vec![Object::of_any_end::<report::Figures>()])
    }
}

struct Solve<'a>(&'a Arguments);

impl Job for Solve<'_> {
    type Output = Result<Report, Failure>;

    fn run<T: tridiag::Number>(self, format: T::Format) -> Result<Report, Failure> {
        let arguments = self.0;
        let Arguments { common, method, periodic, pivoting, transfer, .. } = arguments;
        let progress = common.progress();
        if arguments.lower.is_none() {
            let (m, n, _) = rule(arguments);
            check_room::<T>(format, (m, n)).map_err(Failure::input)?;
        }
        let failed = |error| failure(arguments, &error);
        let formed_there = matches!(arguments.form, Form::Statements(_))
            || *transfer == Transfer::Device && arguments.lower.is_none();
        let (systems, x, report) = if formed_there && common.device != Device::Cpu {
            let (m, n, order) = rule(arguments);
            let bar = progress.work(format!("solving {m} systems of {n} equations"));
            let batch = tridiag::SolveFormed::new(&arguments.form, m, n).order(order);
            let batch = batch.method(*method).periodic(*periodic).pivoting(*pivoting);
            let found = batch.device(common.device).run::<T>(format);
            bar.finish_and_clear();
            let (x, report) = found.map_err(failed)?;
            let none = || Numbers::new(format);
            let matrix = [none(), none(), none()];
            let shape = Systems { systems: m, size: n, order, matrix, right: none() };
            (shape, x, report)
        } else {
            let systems = coefficients::<T>(format, arguments)?;
            let (m, n) = (systems.systems, systems.size);
            let bar = progress.work(format!("solving {m} systems of {n} equations"));
            let batch = tridiag::Solve::new(&systems).transfer(*transfer);
            let batch = batch.method(*method).periodic(*periodic).pivoting(*pivoting);
            let found = batch.device(common.device).run();
            bar.finish_and_clear();
            let (x, report) = found.map_err(failed)?;
            (systems, x, report)
        };
        common.explain("the systems", &report.place);
        let is_solved = report.outcome.failures.len() < systems.systems || x.is_empty();
        let checks = match arguments.check {
            true => Some(check(arguments, &systems, &x, is_solved)?),
            false => None,
        };
        let shape = (systems.systems, systems.size);
        let output = Output::beside(arguments.output.as_ref());
        let name = output.name();
        output.write(|out| Ok(write_unknowns(out, name, shape, systems.order, x.as_slice())?))?;
        let mut summary = report::summarize(arguments, &systems, &report, checks.as_ref());
        if output.output.is_none() {
            report::unknowns(&mut summary, shape, systems.order, &x);
        }
        let failure = report::failure(systems.systems, &report);
        let figures = report::figures(arguments, &systems, &report, checks);
        Ok(Report::new(figures).with_summary(summary).with_failure(failure).beside([&output]))
    }
}

fn rule(arguments: &Arguments) -> (usize, usize, Order) {
    (arguments.systems.unwrap_or(0), arguments.size.unwrap_or(0), arguments.order)
}

fn coefficients<T: tridiag::Number>(
    format: T::Format,
    arguments: &Arguments,
) -> Result<Systems<T>, Failure> {
    let Arguments { lower, diagonal, upper, right, .. } = arguments;
    if let (Some(lower), Some(diagonal), Some(upper), Some(right)) = (lower, diagonal, upper, right)
    {
        let named = [lower, diagonal, upper, right].map(|path| (display_name(path), open(path)));
        let [(a, lower), (b, diagonal), (c, upper), (d, right)] = named;
        let inputs = [(&a, lower?.1), (&b, diagonal?.1), (&c, upper?.1), (&d, right?.1)]
            .map(|(name, input)| (Path::new(name.as_str()), input));
        let bar = arguments.common.progress().work("reading arrays".into());
        let systems = read_arrays_from(format, inputs);
        bar.finish_and_clear();
        return Ok(systems?);
    }
    let (m, n, order) = rule(arguments);
    let formed = arguments.form.coefficients(format, (m, n), order);
    formed.map_err(|error| failure(arguments, &error))
}

/// Why the systems were not solved, and what to do without a GPU.
fn failure(arguments: &Arguments, error: &Error) -> Failure {
    let by_statements = matches!(arguments.form, Form::Statements(_));
    let needs = matches!(error, Error::NeedsGpu { .. } | Error::Device(_));
    let asked = arguments.common.device;
    let is_there = || asked != Device::Cpu && Device::Cuda(0).check().is_ok();
    if by_statements && needs && !is_there() {
        return Failure::input(format!(
            "tridiagonal systems: {error}: take --form poisson or random, or arrays by --lower, --diagonal, --upper and --right"
        ));
    }
    Failure::computing("tridiagonal systems", error)
}

/// The checks, those of the unknowns where a system is solved.
fn check<T: tridiag::Number>(
    arguments: &Arguments,
    systems: &Systems<T>,
    x: &Numbers<T>,
    is_solved: bool,
) -> Result<Checks, Failure> {
    let formed;
    let systems = if systems.right.is_empty() && !x.is_empty() {
        formed = coefficients::<T>(x.format(), arguments)?;
        &formed
    } else {
        systems
    };
    let batch = systems.batch().map_err(Failure::input)?;
    let least = dominance(&batch, arguments.periodic);
    let left = residual(&batch, arguments.periodic, x).map_err(Failure::input)?;
    Ok(Checks {
        least_dominance: least.map(|least| least.least),
        least_dominant_system: least.map(|least| least.system + 1),
        least_dominant_row: least.map(|least| least.row + 1),
        relative_residual: is_solved.then_some(Figure(left.relative)),
        backward_error: is_solved.then_some(Figure(left.backward_error)),
    })
}
