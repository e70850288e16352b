//! `nonius inverse`

use std::path::PathBuf;

use clap::Args;
use nonius::dense::{Inverse, InverseReport};
use nonius::{Job, Number, Precision};
use schemars::JsonSchema;
use serde::Serialize;

use crate::command::Command;
use crate::common::{Common, ProductFlags, Setting, condition_text, gflops};
use crate::failure::Failure;
use crate::input::{self, describe, display_name};
use crate::names::{Contents, Names};
use crate::objects::{Object, Objects};
use crate::output::Output;
use crate::ranks::Sharing;
use crate::report::{Figure, Report};
use crate::summary::{Summary, time_text};

/// Invert a square matrix, and say how good the inverse is
///
/// The program takes Cholesky factors where the matrix is symmetric and positive definite, else LU
/// factors. It computes the residual in higher precision.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The matrix; `-` is standard input
    #[arg(value_name = "A")]
    a: PathBuf,

    /// Precision of every number: f64, dd, td, qd, or mp with 64 to 4096 bits, as mp424
    #[arg(long, value_name = "PRECISION", default_value = "dd")]
    precision: Precision,

    /// Write the inverse to FILE, which appears complete or not at all; `-` is standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    products: ProductFlags,

    #[command(flatten)]
    common: Common,
}

/// The inverse of a matrix.
#[derive(Serialize, JsonSchema)]
struct Figures {
    /// Time of the computation in seconds, without reading and writing files.
    seconds: f64,
    /// Billions of additions and multiplications a second.
    #[schemars(with = "Figure")]
    gflops: f64,
    /// Backward error of the columns of the inverse, from I − A · X in higher precision.
    relative_residual: Figure,
    /// Estimate of the condition number in the 1-norm, which has no unit.
    condition_estimate: Figure,
    #[serde(flatten)]
    setting: Setting,
    /// The method that the program used, never auto.
    method: &'static str,
    /// Rows of the matrix, which has as many columns.
    rows: usize,
    /// Estimate of the largest error of a column beside its largest entry; null where unknown.
    forward_error_estimate: Figure,
    /// Decimal digits of the largest entries that should be right; 0 where nothing is known.
    correct_digits: f64,
    /// Time for the figures that say how good the result is, in seconds.
    check_seconds: f64,
}

impl Command for Arguments {
    fn common(&self) -> &Common {
        &self.common
    }

    fn sharing(&self) -> Sharing {
        Sharing::Shared
    }

    fn run(&self) -> Result<Report, Failure> {
        let Self { a, common, precision, output, .. } = self;
        let names = Names::default().read("A", a);
        names.written("--output", Contents::Matrix, output.as_ref()).check(common.json)?;
        common.run_at(*precision, Invert(self))
    }

    fn objects() -> Objects {
        Objects::Of(vec![Object::of_success::<Figures>()])
    }
}

struct Invert<'a>(&'a Arguments);

impl Job for Invert<'_> {
    type Output = Result<Report, Failure>;

    fn run<T: Number>(self, format: T::Format) -> Result<Report, Failure> {
        let Arguments { common, output, .. } = self.0;
        let output = Output::beside(output.as_ref());
        let products = self.0.products.of::<T>()?;
        let progress = common.progress();
        let name = display_name(&self.0.a);
        let (header, a) = input::read_dense::<T>(format, &self.0.a, progress)?;
        input::check_square(&name, a.shape())?;

        let bar = progress.work(format!(
            "inverting a matrix of order {} in {}",
            a.rows(),
            T::precision(format)
        ));
        let found = Inverse::new(&a).products(products).device(common.device).run();
        bar.finish_and_clear();
        let (x, report) = found.map_err(|error| Failure::computing(&name, &error))?;
        common.explain("the inverse", &report.place);
        let bar = progress.work("writing".into());
        output.write_matrix(report.precision, &x)?;
        bar.finish_and_clear();

        let mut summary = Summary::default();
        summary.line("A", format!("{name}: {}", describe(&header)));
        summarize(&report, &mut summary);
        summary.result("inverse", &x, &output);
        let figures = figures(&report, a.rows());
        Ok(Report::new(figures).with_summary(summary).beside([&output]))
    }
}

fn figures(report: &InverseReport, rows: usize) -> Figures {
    Figures {
        seconds: report.solve_time.as_secs_f64(),
        gflops: gflops(report.operations, report.solve_time),
        relative_residual: Figure(report.relative_residual),
        condition_estimate: Figure(report.condition_estimate),
        setting: Setting::new(report.precision, report.arithmetic, &report.place),
        method: report.method.name(),
        rows,
        forward_error_estimate: Figure(report.forward_error_estimate),
        correct_digits: report.correct_digits,
        check_seconds: report.check_time.as_secs_f64(),
    }
}

fn summarize(report: &InverseReport, summary: &mut Summary) {
    let precision = report.precision;
    summary.setting(precision, report.arithmetic, (&report.place, report.solve_time.as_secs_f64()));
    summary.line("method", report.method);
    let (inverting, checking) =
        (time_text(report.solve_time.as_secs_f64()), time_text(report.check_time.as_secs_f64()));
    let rate = gflops(report.operations, report.solve_time);
    summary.line("time", format!("{inverting}, {rate:.3} GFLOPS; check {checking}"));
    summary.line("relative residual", format!("{:.1e}", report.relative_residual));
    summary.line("condition estimate", condition_text(report.condition_estimate, precision));
    let digits = report.correct_digits.floor();
    summary.line("correct digits", format!("about {digits} of {}", precision.digits()));
}
