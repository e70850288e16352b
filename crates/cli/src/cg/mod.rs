//! `nonius cg`

mod history;
mod plot;
mod system;

use std::path::PathBuf;

use clap::Args;
use nonius::linalg::dense::gemm::Arithmetic;
use nonius::linalg::krylov::{self, Residual};
use nonius::{CgOptions, CgReport, Precision, Preconditioning, SparseFormat};
use serde::Serialize;

use crate::common::{Common, device_text, precision_text, reason_text};
use crate::failure::Failure;
use crate::input::{Rhs, display_name, is_standard};
use crate::output::{Output, Summary, print_json, time_text};

/// Solve a sparse symmetric system A · x = b by conjugate gradients
///
/// More bits keep the directions of the iteration orthogonal for longer: it takes fewer iterations, and its solution is better. Several precisions,
/// separated by commas, are compared with each other. An indefinite matrix is solved formally, and said to be one.
/// Exit status 1 where the residual did not become small enough.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The matrix of the system, symmetric; `-` is standard input
    #[arg(value_name = "A")]
    a: PathBuf,

    /// The right-hand side: a file, or `ones` for a vector of ones
    #[arg(long, value_name = "ones|FILE", default_value = "ones")]
    rhs: Rhs,

    /// Where to start [default: zero]
    #[arg(long, value_name = "FILE")]
    x0: Option<PathBuf>,

    /// Precision of the vectors: f64, dd, td, qd or mp followed by bits, as mp424; several, separated by commas, are compared
    #[arg(long, value_name = "PRECISION,…", default_value = "dd", value_delimiter = ',')]
    precision: Vec<Precision>,

    /// Values of the matrix: short (each decimal rounded to f64), or full (rounded to the precision of the vectors)
    #[arg(long, value_name = "short|full", default_value = "short", value_parser = short_or_full)]
    values: Width,

    /// What makes it converge faster: none, jacobi, block-jacobi:16 (blocks of 16 rows, say), or ic0 (incomplete Cholesky)
    #[arg(long, value_name = "NAME", default_value = "none")]
    preconditioner: Preconditioning,

    /// Precision of jacobi and ic0: short (f64), or full (that of the vectors)
    #[arg(long, value_name = "short|full", default_value = "short", value_parser = short_or_full)]
    preconditioner_values: Width,

    /// How the matrix lies in memory: csr, ell, jad or dia
    #[arg(long, value_name = "FORMAT", default_value = "csr")]
    format: SparseFormat,

    /// Sums at mp precisions: delayed rounds a sum of products once, ieee every product and every addition, as programs in
    /// MPFR do
    #[arg(long, value_name = "ARITHMETIC", default_value = "delayed")]
    arithmetic: Arithmetic,

    /// Stop at a residual of so much beside the first one
    #[arg(long, value_name = "R", default_value = "1e-8", allow_negative_numbers = true, value_parser = tolerance)]
    rtol: f64,

    /// Stop at a residual of so much [default: as --rtol says]
    #[arg(long, value_name = "R", conflicts_with = "rtol", allow_negative_numbers = true, value_parser = tolerance)]
    atol: Option<f64>,

    /// Which residual stops: recursive, the one that the iteration updates, or true, b − A · x
    #[arg(long, value_name = "recursive|true", default_value = "recursive", value_parser = residual)]
    residual: Residual,

    /// Stop after so many iterations
    #[arg(long, value_name = "N", default_value = "15000")]
    max_iterations: usize,

    /// Fail where the matrix is seen not to be positive definite
    #[arg(long)]
    require_spd: bool,

    /// Write the residuals of all iterations to FILE, as CSV
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,

    /// Draw the residuals of all iterations into FILE, as SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    #[command(flatten)]
    output: Output,

    #[command(flatten)]
    pub(crate) common: Common,
}

/// How many bits a number has: those of an `f64`, or of the vectors.
#[derive(Clone, Copy, PartialEq)]
enum Width {
    Short,
    Full,
}

fn short_or_full(text: &str) -> Result<Width, String> {
    match text {
        "short" => Ok(Width::Short),
        "full" => Ok(Width::Full),
        _ => Err("expected short or full".into()),
    }
}

fn residual(text: &str) -> Result<Residual, String> {
    match text {
        "recursive" => Ok(Residual::Recursive),
        "true" => Ok(Residual::True),
        _ => Err("expected recursive or true".into()),
    }
}

fn tolerance(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|r: &f64| r.is_finite() && *r >= 0.0);
    number.ok_or_else(|| "expected a number that is not negative".into())
}

/// One precision's members of the JSON object.
#[derive(Serialize)]
struct Report {
    iterations: usize,
    converged: bool,
    relative_residual_recursive: f64,
    relative_residual_true: f64,
    seconds: f64,
    seconds_per_iteration: f64,
    first_residual: f64,
    non_positive_iterations: usize,
    first_non_positive_iteration: Option<usize>,
    setup_seconds: f64,
    rows: usize,
    entries: usize,
    precision: String,
    arithmetic: &'static str,
    preconditioner: String,
    format: &'static str,
    device: String,
    device_reason: Option<String>,
}

#[derive(Serialize)]
struct Reports {
    runs: Vec<Report>,
}

/// What a run left: its report and the order of the system.
struct Run {
    report: CgReport,
    rows: usize,
    matrix: String,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { a, common, output, precision, history, plot, .. } = arguments;
    let files = [Some(a), arguments.rhs_file(), arguments.x0.as_ref()];
    if files.into_iter().flatten().filter(|path| is_standard(path)).count() > 1 {
        return Err(Failure::input("expected at most one file from standard input"));
    }
    if precision.len() > 1 && files.into_iter().flatten().any(|path| is_standard(path)) {
        return Err(Failure::input(
            "standard input can be read once: give a file for several precisions",
        ));
    }
    if precision.len() > 1 && output.output.is_some() {
        return Err(Failure::input("-o takes the solution of one precision, not of several"));
    }
    let further = [history.as_ref(), plot.as_ref()].map(Output::beside);
    Output::check_all([output, &further[0], &further[1]], common.json)?;
    common.run(|| {
        let runs: Vec<Run> =
            precision.iter().map(|&p| system::solve(arguments, p)).collect::<Result<_, _>>()?;
        further[0].write(|out| Ok(history::write(out, &runs)?))?;
        if plot.is_some() {
            let title = a.file_name().map(|name| name.to_string_lossy());
            let picture = plot::draw(&title.unwrap_or_default(), &runs)?;
            further[1].write(|out| Ok(out.write_all(picture.as_bytes())?))?;
        }
        report(arguments, &runs, &further)
    })
}

impl Arguments {
    fn rhs_file(&self) -> Option<&PathBuf> {
        match &self.rhs {
            Rhs::File(path) => Some(path),
            Rhs::Ones => None,
        }
    }

    fn options(&self) -> CgOptions {
        CgOptions {
            iteration: krylov::Options {
                tolerance: self.atol.unwrap_or(self.rtol),
                relative: self.atol.is_none(),
                residual: self.residual,
                max_iterations: self.max_iterations,
                require_positive_definite: self.require_spd,
                history: self.history.is_some() || self.plot.is_some(),
            },
            preconditioning: self.preconditioner,
            full_preconditioner: self.preconditioner_values == Width::Full,
            format: self.format,
            arithmetic: self.arithmetic,
        }
    }
}

/// Prints what the runs took; fails where one did not converge.
fn report(arguments: &Arguments, runs: &[Run], further: &[Output; 2]) -> Result<(), Failure> {
    let reports: Vec<Report> = runs.iter().map(|run| json(arguments, run)).collect();
    let known = match <[Report; 1]>::try_from(reports) {
        Ok([report]) => serde_json::to_value(report),
        Err(runs) => serde_json::to_value(Reports { runs }),
    };
    let known = known.map_err(std::io::Error::from)?;
    let Arguments { common, output, .. } = arguments;
    let mut lacking = runs.iter().filter(|run| !run.report.iteration.converged);
    let failure = lacking.next().map(|run| {
        let (iteration, precision) = (&run.report.iteration, run.report.precision);
        let (name, residual) = (display_name(&arguments.a), iteration.relative_residual_recursive);
        let after = iteration.iterations;
        format!(
            "{name}: no convergence in {precision} after {after} iterations: the relative residual is {residual:.1e}"
        )
    });
    match failure {
        Some(message) if common.json => return Err(Failure::Refused(message, known)),
        None if common.json => return print_json(&known),
        _ => {}
    }
    if !common.quiet {
        let mut summary = Summary::default();
        summary.line("A", &runs[0].matrix);
        summary.line("b", arguments.rhs_file().map_or("ones".into(), |path| display_name(path)));
        summary.line("preconditioner", arguments.preconditioner);
        summary.line("device", device_text(&runs[0].report.place));
        runs.iter().for_each(|run| summarize(run, &mut summary));
        Output::print_summary_beside([output, &further[0], &further[1]], &summary)?;
    }
    failure.map_or(Ok(()), |message| Err(Failure::Numerical(message)))
}

fn json(arguments: &Arguments, run: &Run) -> Report {
    let CgReport { iteration, seconds, setup_seconds, entries, precision, arithmetic, place } =
        &run.report;
    Report {
        iterations: iteration.iterations,
        converged: iteration.converged,
        relative_residual_recursive: iteration.relative_residual_recursive,
        relative_residual_true: iteration.relative_residual_true,
        seconds: *seconds,
        seconds_per_iteration: seconds / iteration.iterations.max(1) as f64,
        first_residual: iteration.first_residual,
        non_positive_iterations: iteration.non_positive.map_or(0, |found| found.count),
        first_non_positive_iteration: iteration.non_positive.map(|found| found.first),
        setup_seconds: *setup_seconds,
        rows: run.rows,
        entries: *entries,
        precision: precision.to_string(),
        arithmetic: arithmetic.name(),
        preconditioner: arguments.preconditioner.to_string(),
        format: arguments.format.name(),
        device: place.device.to_string(),
        device_reason: reason_text(place),
    }
}

fn summarize(run: &Run, summary: &mut Summary) {
    let CgReport { iteration, seconds, precision, arithmetic, .. } = &run.report;
    summary.line("precision", precision_text(*precision));
    if matches!(precision, Precision::Mp(_)) {
        summary.line("arithmetic", arithmetic);
    }
    let ended = if iteration.converged { "converged" } else { "not converged" };
    summary.line("iterations", format!("{}, {ended}", iteration.iterations));
    let each = time_text(seconds / iteration.iterations.max(1) as f64);
    summary.line("time", format!("{}, {each} an iteration", time_text(*seconds)));
    let (recursive, real) =
        (iteration.relative_residual_recursive, iteration.relative_residual_true);
    summary.line("relative residual", format!("{recursive:.1e} by recursion, {real:.1e} true"));
    if let Some(found) = iteration.non_positive {
        let (first, count) = (found.first, found.count);
        summary.line(
            "warning",
            format!(
                "A is not positive definite: p · Ap < 0 in {count} iterations, first in {first}"
            ),
        );
    }
}
