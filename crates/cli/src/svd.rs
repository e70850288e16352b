//! `nonius svd`

use std::path::PathBuf;

use clap::Args;
use nonius::linalg::backend::Reading;
use nonius::linalg::dense::Vectors;
use nonius::{Job, Matrix, Number, Precision};
use serde::Serialize;

use crate::common::{Common, ProductFlags, Setting, condition_text};
use crate::failure::Failure;
use crate::input::{self, describe, display_name};
use crate::names::{Contents, Names};
use crate::output::{Figure, Output, Summary, decimal_text, print_json, time_text};

/// Find the singular values of a matrix, in descending order, and its singular vectors
///
/// The rank counts the values that exceed what rounding errors leave in place of zero: the larger
/// dimension times the unit roundoff times the largest value.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The matrix, of any shape; `-` is standard input
    #[arg(value_name = "A")]
    a: PathBuf,

    /// Find no singular vectors, which takes a fraction of the time, but leaves nothing to judge
    /// the values by
    #[arg(long, conflicts_with_all = ["left", "right"])]
    values_only: bool,

    /// Write the left singular vectors to FILE, column by column in the order of the values
    #[arg(long, value_name = "FILE")]
    left: Option<PathBuf>,

    /// Write the right singular vectors to FILE, likewise
    #[arg(long, value_name = "FILE")]
    right: Option<PathBuf>,

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
    rows: usize,
    columns: usize,
    largest: Figure,
    smallest: Figure,
    condition: Figure,
    rank: usize,
    relative_residual: Option<Figure>,
    orthogonality: Option<Figure>,
    #[serde(flatten)]
    setting: Setting,
    check_seconds: f64,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let [left, right] = [&arguments.left, &arguments.right].map(|x| Output::beside(x.as_ref()));
    Names::default()
        .read("A", &arguments.a)
        .written("--output", Contents::Matrix, arguments.output.output.as_ref())
        .written("--left", Contents::Matrix, left.output.as_ref())
        .written("--right", Contents::Matrix, right.output.as_ref())
        .check(arguments.common.json)?;
    arguments.common.run_at(arguments.precision, Find { arguments, left, right })
}

struct Find<'a> {
    arguments: &'a Arguments,
    /// Where the singular vectors go.
    left: Output,
    right: Output,
}

impl Job for Find<'_> {
    type Output = Result<(), Failure>;

    fn run<T: Number>(self, format: T::Format) -> Result<(), Failure> {
        let Arguments { common, output, values_only, .. } = self.arguments;
        let products = self.arguments.products.of::<T>()?;
        let progress = common.progress();
        let name = display_name(&self.arguments.a);
        let (header, a) = input::read_dense::<T>(format, &self.arguments.a, progress)?;
        let (m, n) = a.shape();
        if m == 0 || n == 0 {
            return Err(Failure::input(format!(
                "{name}: expected a matrix of at least one row and column, found {m} × {n}"
            )));
        }

        let wanted = if *values_only { Vectors::No } else { Vectors::Yes };
        let bar = progress
            .work(format!("singular values of {m} × {n} numbers in {}", T::precision(format)));
        let found = nonius::svd(&a, wanted, products, common.device);
        bar.finish_and_clear();
        let (found, report) = found.map_err(|error| Failure::computing(&name, &error))?;
        common.explain("the singular values", &report.place);
        let bar = progress.work("writing".into());
        let values = Matrix::from_fn_in(format, found.values.len(), 1, |i, _| found.values[i]);
        output.write_matrix(report.precision, &values)?;
        if let Some((left, right)) = &found.vectors {
            self.left.write_matrix(report.precision, left)?;
            self.right.write_matrix(report.precision, right)?;
        }
        bar.finish_and_clear();

        let (largest, smallest) = (values.at(0, 0), values.at(values.rows() - 1, 0));
        let condition = (largest / smallest).leading();
        // A quotient of zeros is no number.
        let condition = if condition.significand.is_nan() { Reading::INFINITY } else { condition };
        let u = T::from_size(T::unit_roundoff(format));
        let least = largest * (T::from_f64(m.max(n) as f64) * u);
        let rank = found.values.iter().filter(|&&x| x > least).count();
        if common.json {
            return print_json(&Report {
                seconds: report.seconds,
                rows: m,
                columns: n,
                largest: Figure(largest.leading()),
                smallest: Figure(smallest.leading()),
                condition: Figure(condition),
                rank,
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
        summary.line("largest", decimal_text(largest));
        summary.line("smallest", decimal_text(smallest));
        summary.line("condition", condition_text(condition, report.precision));
        summary.line("rank", format!("{rank} of {}", m.min(n)));
        summary.quality(&report);
        Output::print_summary_beside([output, &self.left, &self.right], &summary)
    }
}
