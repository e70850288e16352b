//! Reading a system, and solving it at one precision.

use std::ops::ControlFlow;
use std::path::Path;

use nonius::dense::Error;
use nonius::files::matrix_market::{Dense, Header};
use nonius::sparse::{self, Preconditioning, Step, Values};
use nonius::{Job, Matrix, Number, Precision};

use super::arguments::{Arguments, Width};
use super::outcome::{Run, is_interrupted};
use crate::failure::Failure;
use crate::input::{self, check_square, describe, display_name, is_standard};
use crate::interruption;
use crate::output::Output;
use crate::progress::Progress;
use crate::summary::Summary;

/// Iterations after which the progress line is written anew.
const REFRESH: usize = 32;

pub(super) fn solve(arguments: &Arguments, precision: Precision) -> Result<Run, Failure> {
    Solve(arguments).at(precision)
}

struct Solve<'a>(&'a Arguments);

impl Job for Solve<'_> {
    type Output = Result<Run, Failure>;

    fn run<T: Number>(self, format: T::Format) -> Result<Run, Failure> {
        let arguments = self.0;
        let common = &arguments.common;
        let progress = common.progress();
        let name = display_name(&arguments.a);
        let (header, a) = read_matrix::<T>(arguments, format, progress)?;
        check_square(&name, (header.rows, header.cols))?;
        let n = header.rows;
        let (precision, options) = (T::precision(format), arguments.options()?);
        sparse::check_room(precision, &a, &options)
            .map_err(|error| Failure::input(format!("{name}: {error}")))?;
        let b = match arguments.rhs_file() {
            Some(path) => read_vector::<T>(path, format, (&name, n), progress)?,
            None => {
                let mut ones = Matrix::try_zeros_in(format, n, 1).map_err(Failure::input)?;
                (0..n).for_each(|i| ones.set(i, 0, T::ONE));
                ones
            }
        };
        let x0 = match &arguments.x0 {
            Some(path) => read_vector::<T>(path, format, (&name, n), progress)?,
            None => Matrix::try_zeros_in(format, n, 1).map_err(Failure::input)?,
        };

        let doing = format!("solving {n} equations in {precision}");
        let bar = progress.work(doing.clone());
        let (unit, refresh) = match options.refine {
            Some(_) => ("step", 1),
            None => ("iteration", REFRESH),
        };
        interruption::wait_for_it();
        let mut observe = |step| {
            let Step { iteration, inner, relative_residual: residual } = step;
            if inner.is_none() && iteration.is_multiple_of(refresh) {
                bar.set_message(format!("{doing}: {unit} {iteration}, residual {residual:.1e}"));
            }
            if interruption::noted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let system = sparse::Solve::of(a, &b).start(&x0).options(options);
        let solved = system.device(common.device).observe(&mut observe).run();
        bar.finish_and_clear();
        let (x, report) = solved.map_err(|error| failure(arguments, &name, &error))?;
        common.explain(&format!("the solution in {precision}"), &report.place);
        let bar = progress.work("writing".into());
        let output = Output::beside(arguments.output.as_ref());
        output.write_matrix(precision, &x)?;
        bar.finish_and_clear();
        let matrix = format!("{name}: {}", describe(&header));
        let mut solution = Summary::default();
        let is_unfinished = is_interrupted(&report);
        let label = if is_unfinished { "unfinished solution" } else { "solution" };
        if arguments.compares() {
            // One that is long goes nowhere: -o takes the solution of one precision.
            let entry = |i, j, out: &mut Vec<u8>| Dense::print(&x, i, j, out);
            solution.entries(label, x.shape(), entry);
        } else {
            solution.result(label, &x, &output);
            if let (true, Some(path)) = (is_unfinished, &arguments.output) {
                solution.line(label, format!("written to {}", output_name(path)));
            }
        }
        Ok(Run { report, rows: n, matrix, solution })
    }
}

fn output_name(path: &Path) -> String {
    if is_standard(path) { "standard output".into() } else { path.display().to_string() }
}

/// Why a system was not solved, and where it is the method's fault, which one to take.
fn failure(arguments: &Arguments, name: &str, error: &Error) -> Failure {
    let Error::NotSymmetric { .. } = error else { return Failure::computing(name, error) };
    let factored = arguments.preconditioner == Preconditioning::IncompleteCholesky;
    let (what, instead) = match (arguments.method.needs_symmetry(), factored) {
        (true, false) => {
            (format!("--method {}", arguments.method.name()), "--method bicgstab or gmres")
        }
        (true, true) => (
            format!("--method {} and --preconditioner ic0", arguments.method.name()),
            "--method bicgstab or gmres, and --preconditioner jacobi or block-jacobi:16, say",
        ),
        _ => ("--preconditioner ic0".into(), "--preconditioner jacobi or block-jacobi:16, say"),
    };
    let verb = if factored && arguments.method.needs_symmetry() { "need" } else { "needs" };
    Failure::input(format!("{name}: {error}, and {what} {verb} a symmetric one: take {instead}"))
}

fn read_matrix<T: Number>(
    arguments: &Arguments,
    format: T::Format,
    progress: Progress,
) -> Result<(Header, Values<T>), Failure> {
    let path = &arguments.a;
    let fits = |error| Failure::input(format!("{}: {error}", display_name(path)));
    Ok(match arguments.values {
        Width::Short => {
            let stored = input::read::<f64>((), path, progress)?;
            (*stored.header(), Values::Short(stored.into_coo().map_err(fits)?))
        }
        Width::Full => {
            let stored = input::read::<T>(format, path, progress)?;
            (*stored.header(), Values::Full(stored.into_coo().map_err(fits)?))
        }
    })
}

/// A vector for a matrix of that name and order.
fn read_vector<T: Number>(
    path: &Path,
    format: T::Format,
    (name, n): (&str, usize),
    progress: Progress,
) -> Result<Matrix<T>, Failure> {
    let (header, x) = input::read_right::<T>(format, path, n, progress)?;
    if (header.rows, header.cols) != (n, 1) {
        let (path, Header { rows, cols, .. }) = (display_name(path), header);
        return Err(Failure::input(format!(
            "{path}: expected a vector of {n} rows and 1 column, as {name} has {n} rows, found {rows} × {cols}"
        )));
    }
    Ok(x)
}
