//! `nonius svd`

mod plot;

use std::path::PathBuf;

use clap::Args;
use nonius::dense::{Reading, SingularValues, Vectors};
use nonius::{Job, Matrix, Number, Precision};
use schemars::JsonSchema;
use serde::Serialize;

use crate::command::Command;
use crate::common::{Common, ProductFlags, Setting, condition_text};
use crate::failure::Failure;
use crate::input::{self, describe, display_name};
use crate::names::{Contents, Names};
use crate::objects::{Object, Objects};
use crate::output::{Output, decimal_text};
use crate::report::{Figure, Report};
use crate::summary::{Summary, time_text};

/// Find the singular values and singular vectors of a matrix
///
/// The singular values are in descending order. The rank counts the values above the rounding
/// errors of zero: the larger dimension times the unit roundoff times the largest value.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The matrix, of any shape; `-` is standard input
    #[arg(value_name = "A")]
    a: PathBuf,

    /// Find no singular vectors: this takes a fraction of the time, but leaves nothing to judge the
    /// values by
    #[arg(long, conflicts_with_all = ["left", "right"])]
    values_only: bool,

    /// Write the left singular vectors to FILE, column by column in the order of the values
    #[arg(long, value_name = "FILE")]
    left: Option<PathBuf>,

    /// Write the right singular vectors to FILE, column by column in the order of the values
    #[arg(long, value_name = "FILE")]
    right: Option<PathBuf>,

    /// Draw the singular values into FILE, .svg or .png; `-` is standard output, as SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    /// Precision of every number: f64, dd, td, qd, or mp with 64 to 4096 bits, as mp424
    #[arg(long, value_name = "PRECISION", default_value = "dd")]
    precision: Precision,

    /// Write the singular values to FILE, which appears complete or not at all; `-` is standard
    /// output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    products: ProductFlags,

    #[command(flatten)]
    common: Common,
}

/// The singular values of a matrix.
#[derive(Serialize, JsonSchema)]
struct Figures {
    /// Time of the computation in seconds, without reading and writing files.
    seconds: f64,
    /// Rows of the matrix.
    rows: usize,
    /// Columns of the matrix.
    columns: usize,
    /// The largest singular value, rounded to f64.
    largest: Figure,
    /// The smallest singular value, rounded to f64.
    smallest: Figure,
    /// The largest singular value over the smallest one.
    condition: Figure,
    /// The number of singular values above the rounding errors of zero.
    rank: usize,
    /// Bound of the errors of the values beside the norm of the matrix; null without singular
    /// vectors.
    relative_residual: Option<Figure>,
    /// Distance of the singular vectors from orthonormal ones; null without singular vectors.
    orthogonality: Option<Figure>,
    #[serde(flatten)]
    setting: Setting,
    /// Time for the figures that say how good the result is, in seconds.
    check_seconds: f64,
}

impl Command for Arguments {
    fn common(&self) -> &Common {
        &self.common
    }

    fn run(&self) -> Result<Report, Failure> {
        Names::default()
            .read("A", &self.a)
            .written("--output", Contents::Matrix, self.output.as_ref())
            .written("--left", Contents::Matrix, self.left.as_ref())
            .written("--right", Contents::Matrix, self.right.as_ref())
            .written("--plot", Contents::Picture, self.plot.as_ref())
            .check(self.common.json)?;
        self.common.run_at(self.precision, Find(self))
    }

    fn objects() -> Objects {
        Objects::Of(vec![Object::of_success::<Figures>()])
    }
}

struct Find<'a>(&'a Arguments);

impl Job for Find<'_> {
    type Output = Result<Report, Failure>;

    fn run<T: Number>(self, format: T::Format) -> Result<Report, Failure> {
        let Arguments { common, output, left, right, plot, values_only, .. } = self.0;
        let [output, to_left, to_right, to_plot] =
            [output, left, right, plot].map(|path| Output::beside(path.as_ref()));
        let products = self.0.products.of::<T>()?;
        let progress = common.progress();
        let name = display_name(&self.0.a);
        let (header, a) = input::read_dense::<T>(format, &self.0.a, progress)?;
        let (m, n) = a.shape();
        if m == 0 || n == 0 {
            return Err(Failure::input(format!(
                "{name}: expected a matrix of at least one row and column, found {m} × {n}"
            )));
        }

        let wanted = if *values_only { Vectors::No } else { Vectors::Yes };
        let bar = progress
            .work(format!("singular values of {m} × {n} numbers in {}", T::precision(format)));
        let found =
            SingularValues::new(&a).vectors(wanted).products(products).device(common.device).run();
        bar.finish_and_clear();
        let (found, report) = found.map_err(|error| Failure::computing(&name, &error))?;
        common.explain("the singular values", &report.place);
        let bar = progress.work("writing".into());
        let values = Matrix::from_fn_in(format, found.values.len(), 1, |i, _| found.values[i]);
        output.write_matrix(report.precision, &values)?;
        if let Some((left, right)) = &found.vectors {
            to_left.write_matrix(report.precision, left)?;
            to_right.write_matrix(report.precision, right)?;
        }
        bar.finish_and_clear();

        let (largest, smallest) = (values.at(0, 0), values.at(values.rows() - 1, 0));
        let u = T::from_size(T::unit_roundoff(format));
        let least = largest * (T::from_f64(m.max(n) as f64) * u);
        if let Some(path) = plot {
            let values: Vec<f64> = found.values.iter().map(|value| value.to_f64()).collect();
            let title = format!("{name}, {}", report.precision);
            let picture = plot::draw(&title, &values, least.to_f64(), path)?;
            to_plot.write(|out| Ok(out.write_all(&picture)?))?;
        }
        let rank = found.values.iter().filter(|&&x| x > least).count();
        // A smallest value below the rounding errors of zero says nothing but that.
        let is_full = rank == m.min(n);
        let condition = (largest / if is_full { smallest } else { least }).leading();
        // A quotient of zeros is no number.
        let condition = if condition.significand.is_nan() { Reading::INFINITY } else { condition };
        let figures = Figures {
            seconds: report.solve_time.as_secs_f64(),
            rows: m,
            columns: n,
            largest: Figure(largest.leading()),
            smallest: Figure(smallest.leading()),
            condition: Figure(condition),
            rank,
            relative_residual: report.relative_residual.map(Figure),
            orthogonality: report.orthogonality.map(Figure),
            setting: Setting::new(report.precision, report.arithmetic, &report.place),
            check_seconds: report.check_time.as_secs_f64(),
        };
        let mut summary = Summary::default();
        summary.line("A", format!("{name}: {}", describe(&header)));
        summary.setting(
            report.precision,
            report.arithmetic,
            (&report.place, report.solve_time.as_secs_f64()),
        );
        let (finding, checking) = (
            time_text(report.solve_time.as_secs_f64()),
            time_text(report.check_time.as_secs_f64()),
        );
        summary.line("time", format!("{finding}; checks {checking}"));
        summary.line("largest", decimal_text(largest));
        summary.line("smallest", decimal_text(smallest));
        let text = match is_full || !condition.is_finite() {
            true => condition_text(condition, report.precision),
            false => format!("at least {condition:.1e}"),
        };
        summary.line("condition", text);
        summary.line("rank", format!("{rank} of {}", m.min(n)));
        summary.quality(&report);
        let missing = [(&to_left, "--left FILE"), (&to_right, "--right FILE")];
        let missing = missing.iter().filter(|(output, _)| output.output.is_none());
        let missing: Vec<&str> = missing.map(|(_, flag)| *flag).collect();
        if found.vectors.is_some() && !missing.is_empty() {
            let flags = missing.join(" and ");
            summary.line("singular vectors", format!("not written: give {flags}"));
        }
        summary.result("singular values", &values, &output);
        Ok(Report::new(figures)
            .with_summary(summary)
            .beside([&output, &to_left, &to_right, &to_plot]))
    }
}
