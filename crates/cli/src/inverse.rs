//! `nonius inverse`

use std::path::PathBuf;

use clap::Args;
use nonius::{InverseReport, Job, Number, Precision};
use serde::Serialize;

use crate::common::{Common, ProductFlags, Setting, condition_text};
use crate::failure::Failure;
use crate::input::{self, describe, display_name};
use crate::names::{Contents, Names};
use crate::output::{Figure, Output, Summary, print_json, time_text};

/// Invert a square matrix, and say how good the inverse is
///
/// By Cholesky factors where the matrix is symmetric and positive definite, else by LU. The
/// residual is computed in higher precision.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The matrix; `-` is standard input
    #[arg(value_name = "A")]
    a: PathBuf,

    /// Precision of the arithmetic and of every number: f64, dd, td, qd or mp424 for 424 bits
    #[arg(long, value_name = "PRECISION", default_value = "dd")]
    precision: Precision,

    #[command(flatten)]
    products: ProductFlags,

    #[command(flatten)]
    output: Output,

    #[command(flatten)]
    pub(crate) common: Common,
}

/// Numbers that are infinite become null.
#[derive(Serialize)]
struct Report {
    seconds: f64,
    gflops: f64,
    relative_residual: Figure,
    condition_estimate: Figure,
    #[serde(flatten)]
    setting: Setting,
    method: &'static str,
    rows: usize,
    forward_error_estimate: Figure,
    correct_digits: f64,
    check_seconds: f64,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    Names::default()
        .read("A", &arguments.a)
        .written("--output", Contents::Matrix, arguments.output.output.as_ref())
        .check(arguments.common.json)?;
    arguments.common.run_at(arguments.precision, Invert(arguments))
}

struct Invert<'a>(&'a Arguments);

impl Job for Invert<'_> {
    type Output = Result<(), Failure>;

    fn run<T: Number>(self, format: T::Format) -> Result<(), Failure> {
        let Arguments { common, output, .. } = self.0;
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
        let found = nonius::inverse(&a, products, common.device);
        bar.finish_and_clear();
        let (x, report) = found.map_err(|error| Failure::computing(&name, &error))?;
        common.explain("the inverse", &report.place);
        let bar = progress.work("writing".into());
        output.write_matrix(report.precision, &x)?;
        bar.finish_and_clear();

        if common.json {
            return print_json(&json(&report, a.rows()));
        }
        if common.quiet {
            return Ok(());
        }
        let mut summary = Summary::default();
        summary.line("A", format!("{name}: {}", describe(&header)));
        summarize(&report, &mut summary);
        output.print_summary(&summary)
    }
}

fn json(report: &InverseReport, rows: usize) -> Report {
    Report {
        seconds: report.seconds,
        gflops: report.gflops,
        relative_residual: Figure(report.relative_residual),
        condition_estimate: Figure(report.condition_estimate),
        setting: Setting::new(report.precision, report.arithmetic, &report.place),
        method: report.method.name(),
        rows,
        forward_error_estimate: Figure(report.forward_error_estimate),
        correct_digits: report.correct_digits,
        check_seconds: report.check_seconds,
    }
}

fn summarize(report: &InverseReport, summary: &mut Summary) {
    let precision = report.precision;
    summary.setting(precision, report.arithmetic, &report.place);
    summary.line("method", report.method);
    let (inverting, checking) = (time_text(report.seconds), time_text(report.check_seconds));
    summary.line("time", format!("{inverting}, {:.3} GFLOPS; check {checking}", report.gflops));
    summary.line("relative residual", format!("{:.1e}", report.relative_residual));
    summary.line("condition estimate", condition_text(report.condition_estimate, precision));
    let digits = report.correct_digits.floor();
    summary.line("correct digits", format!("about {digits} of {}", precision.digits()));
}
