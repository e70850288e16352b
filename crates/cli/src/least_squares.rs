//! `nonius solve` for a matrix that is not square.

use nonius::dense::{LeastSquares, LeastSquaresReport, Products};
use nonius::files::matrix_market::Header;
use nonius::num::Element;
use nonius::{Matrix, Number};
use schemars::JsonSchema;
use serde::Serialize;

use crate::common::{Common, Setting, condition_text, gflops};
use crate::failure::Failure;
use crate::input::describe;
use crate::output::Output;
use crate::report::{Figure, Report};
use crate::summary::{Summary, time_text};

/// What was read.
pub(crate) struct System<'a, T: Element> {
    pub(crate) a: &'a Matrix<T>,
    pub(crate) header: &'a Header,
    pub(crate) name: &'a str,
    pub(crate) b: Option<&'a Matrix<T>>,
    pub(crate) b_text: String,
}

/// The solution of a system that is not square: of least squares, or the shortest one.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Figures {
    /// Time of the computation in seconds, without reading and writing files.
    seconds: f64,
    /// Billions of additions and multiplications a second.
    #[schemars(with = "Figure")]
    gflops: f64,
    /// The largest 2-norm of a column of B − A · X.
    residual_norm: Figure,
    /// The largest 2-norm of a column of B − A · X, beside that of the column of B.
    relative_residual: Figure,
    /// Estimate of the condition number, the columns (of wide matrices the rows) scaled to one
    /// size.
    condition_estimate: Figure,
    #[serde(flatten)]
    setting: Setting,
    /// The method: qr.
    method: &'static str,
    /// Rows of the matrix.
    rows: usize,
    /// Columns of the matrix.
    columns: usize,
    /// The number of right-hand sides.
    right_hand_sides: usize,
    /// Estimate of the largest error of a column beside its largest entry; null where unknown.
    forward_error_estimate: Figure,
    /// Decimal digits of the largest entries that should be right; 0 where nothing is known.
    correct_digits: f64,
    /// Largest error of an entry, where the solution is known: all ones; else null.
    max_error: Option<Figure>,
    /// Time for the figures that say how good the result is, in seconds.
    check_seconds: f64,
}

pub(crate) fn run<T: Number>(
    system: System<'_, T>,
    products: Products,
    output: &Output,
    common: &Common,
) -> Result<Report, Failure> {
    let System { a, header, name, b, b_text } = system;
    let (m, n) = a.shape();
    let progress = common.progress();
    let bar = progress
        .work(format!("solving {m} equations with {n} unknowns in {}", T::precision(a.format())));
    let mut problem = LeastSquares::new(a).products(products);
    if let Some(b) = b {
        problem = problem.rhs(b);
    }
    let solved = problem.device(common.device).run();
    bar.finish_and_clear();
    let (x, report) = solved.map_err(|error| Failure::computing(name, &error))?;
    common.explain("the solution", &report.place);
    let bar = progress.work("writing".into());
    output.write_matrix(report.precision, &x)?;
    bar.finish_and_clear();
    let mut summary = Summary::default();
    summary.line("A", format!("{name}: {}", describe(header)));
    summary.line("B", b_text);
    summarize(&report, m > n, &mut summary);
    summary.result("solution", &x, output);
    let figures = figures(&report, (m, n), x.cols());
    Ok(Report::new(figures).with_summary(summary).beside([output]))
}

fn figures(
    report: &LeastSquaresReport,
    (rows, columns): (usize, usize),
    right_hand_sides: usize,
) -> Figures {
    Figures {
        seconds: report.solve_time.as_secs_f64(),
        gflops: gflops(report.operations, report.solve_time),
        residual_norm: Figure(report.residual_norm),
        relative_residual: Figure(report.relative_residual),
        condition_estimate: Figure(report.condition_estimate),
        setting: Setting::new(report.precision, report.arithmetic, &report.place),
        method: "qr",
        rows,
        columns,
        right_hand_sides,
        forward_error_estimate: Figure(report.forward_error_estimate),
        correct_digits: report.correct_digits,
        max_error: report.max_error.map(Figure),
        check_seconds: report.check_time.as_secs_f64(),
    }
}

fn summarize(report: &LeastSquaresReport, tall: bool, summary: &mut Summary) {
    let precision = report.precision;
    summary.setting(precision, report.arithmetic, (&report.place, report.solve_time.as_secs_f64()));
    let kind = if tall { "least squares" } else { "the shortest solution" };
    summary.line("method", format!("qr ({kind})"));
    let (solving, checking) =
        (time_text(report.solve_time.as_secs_f64()), time_text(report.check_time.as_secs_f64()));
    let rate = gflops(report.operations, report.solve_time);
    summary.line("time", format!("{solving}, {rate:.3} GFLOPS; checks {checking}"));
    let (norm, relative) = (report.residual_norm, report.relative_residual);
    summary.line("residual", format!("{norm:.6e} in the 2-norm, {relative:.1e} of B"));
    summary.line("condition estimate", condition_text(report.condition_estimate, precision));
    let digits = report.correct_digits.floor();
    summary.line("correct digits", format!("about {digits} of {}", precision.digits()));
    if let Some(error) = report.max_error {
        summary.line("largest error", format!("{error:.1e} (the solution is known: all ones)"));
    }
}
