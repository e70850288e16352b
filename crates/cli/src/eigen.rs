//! `nonius eigen`

use std::path::PathBuf;

use clap::Args;
use nonius::linalg::dense::Vectors;
use nonius::{Job, Matrix, Number, Precision};
use serde::Serialize;

use crate::common::{Common, ProductFlags, Setting};
use crate::failure::Failure;
use crate::input::{self, describe, display_name};
use crate::names::{Contents, Names};
use crate::output::{Figure, Output, Summary, decimal_text, print_json, time_text};

/// Find the eigenvalues of a symmetric matrix, in ascending order, and its eigenvectors
///
/// The residual of the eigenvectors bounds the errors of the eigenvalues: those beside the norm of
/// the matrix.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The matrix; `-` is standard input
    #[arg(value_name = "A")]
    a: PathBuf,

    /// Find no eigenvectors, which takes a fraction of the time, but leaves nothing to judge the
    /// values by
    #[arg(long, conflicts_with = "vectors")]
    values_only: bool,

    /// Write the eigenvectors to FILE, column by column in the order of the values
    #[arg(long, value_name = "FILE")]
    vectors: Option<PathBuf>,

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

#[derive(Serialize)]
struct Report {
    seconds: f64,
    rows: usize,
    smallest: Figure,
    largest: Figure,
    relative_residual: Option<Figure>,
    orthogonality: Option<Figure>,
    #[serde(flatten)]
    setting: Setting,
    check_seconds: f64,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let vectors = Output::beside(arguments.vectors.as_ref());
    Names::default()
        .read("A", &arguments.a)
        .written("--output", Contents::Matrix, arguments.output.output.as_ref())
        .written("--vectors", Contents::Matrix, vectors.output.as_ref())
        .check(arguments.common.json)?;
    arguments.common.run_at(arguments.precision, Find { arguments, vectors })
}

struct Find<'a> {
    arguments: &'a Arguments,
    /// Where the eigenvectors go.
    vectors: Output,
}

impl Job for Find<'_> {
    type Output = Result<(), Failure>;

    fn run<T: Number>(self, format: T::Format) -> Result<(), Failure> {
        let Arguments { common, output, values_only, .. } = self.arguments;
        let products = self.arguments.products.of::<T>()?;
        let progress = common.progress();
        let name = display_name(&self.arguments.a);
        let (header, a) = input::read_dense::<T>(format, &self.arguments.a, progress)?;
        input::check_square(&name, a.shape())?;

        let wanted = if *values_only { Vectors::No } else { Vectors::Yes };
        let bar =
            progress.work(format!("eigenvalues of order {} in {}", a.rows(), T::precision(format)));
        let found = nonius::eigen(&a, wanted, products, common.device);
        bar.finish_and_clear();
        let (found, report) = found.map_err(|error| Failure::computing(&name, &error))?;
        common.explain("the eigenvalues", &report.place);
        let bar = progress.work("writing".into());
        let values = Matrix::from_fn_in(format, found.values.len(), 1, |i, _| found.values[i]);
        output.write_matrix(report.precision, &values)?;
        if let Some(vectors) = &found.vectors {
            self.vectors.write_matrix(report.precision, vectors)?;
        }
        bar.finish_and_clear();

        let (smallest, largest) = (values.at(0, 0), values.at(values.rows() - 1, 0));
        if common.json {
            return print_json(&Report {
                seconds: report.seconds,
                rows: a.rows(),
                smallest: Figure(smallest.leading()),
                largest: Figure(largest.leading()),
                relative_residual: report.relative_residual.map(Figure),
                orthogonality: report.orthogonality.map(Figure),
                setting: Setting::new(report.precision, report.arithmetic, &report.place),
                check_seconds: report.check_seconds,
            });
        }
        if common.quiet {
            return Ok(());
        }
        let mut summary = Summary::default();
        summary.line("A", format!("{name}: {}", describe(&header)));
        summary.setting(report.precision, report.arithmetic, &report.place);
        let (finding, checking) = (time_text(report.seconds), time_text(report.check_seconds));
        summary.line("time", format!("{finding}; checks {checking}"));
        summary.line("smallest", decimal_text(smallest));
        summary.line("largest", decimal_text(largest));
        summary.quality(&report);
        Output::print_summary_beside([output, &self.vectors], &summary)
    }
}
