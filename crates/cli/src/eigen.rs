//! `nonius eigen`

use std::path::PathBuf;

use clap::Args;
use nonius::dense::{Eigenvalues, Vectors};
use nonius::{Job, Matrix, Number, Precision};
use schemars::JsonSchema;
use serde::Serialize;

use crate::command::Command;
use crate::common::{Common, ProductFlags, Setting};
use crate::failure::Failure;
use crate::input::{self, describe, display_name};
use crate::names::{Contents, Names};
use crate::objects::{Object, Objects};
use crate::output::{Output, decimal_text};
use crate::report::{Figure, Report};
use crate::summary::{Summary, time_text};

/// Find the eigenvalues and eigenvectors of a symmetric matrix
///
/// The eigenvalues are in ascending order. The residual of the eigenvectors bounds the errors of
/// the eigenvalues, relative to the norm of the matrix.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The matrix; `-` is standard input
    #[arg(value_name = "A")]
    a: PathBuf,

    /// Find no eigenvectors: this takes a fraction of the time, but leaves nothing to judge the
    /// values by
    #[arg(long, conflicts_with = "vectors")]
    values_only: bool,

    /// Write the eigenvectors to FILE, column by column in the order of the values
    #[arg(long, value_name = "FILE")]
    vectors: Option<PathBuf>,

    /// Precision of every number: f64, dd, td, qd, or mp with 64 to 4096 bits, as mp424
    #[arg(long, value_name = "PRECISION", default_value = "dd")]
    precision: Precision,

    /// Write the eigenvalues to FILE, which appears complete or not at all; `-` is standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    products: ProductFlags,

    #[command(flatten)]
    common: Common,
}

/// The eigenvalues of a symmetric matrix.
#[derive(Serialize, JsonSchema)]
struct Figures {
    /// Time of the computation in seconds, without reading and writing files.
    seconds: f64,
    /// Rows of the matrix, which has as many columns.
    rows: usize,
    /// The smallest eigenvalue, rounded to f64.
    smallest: Figure,
    /// The largest eigenvalue, rounded to f64.
    largest: Figure,
    /// Bound of the errors of the values beside the norm of the matrix; null without eigenvectors.
    relative_residual: Option<Figure>,
    /// Distance of the eigenvectors from orthonormal ones; null without eigenvectors.
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
            .written("--vectors", Contents::Matrix, self.vectors.as_ref())
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
        let Arguments { common, output, vectors, values_only, .. } = self.0;
        let [output, to_vectors] = [output, vectors].map(|path| Output::beside(path.as_ref()));
        let products = self.0.products.of::<T>()?;
        let progress = common.progress();
        let name = display_name(&self.0.a);
        let (header, a) = input::read_dense::<T>(format, &self.0.a, progress)?;
        input::check_square(&name, a.shape())?;

        let wanted = if *values_only { Vectors::No } else { Vectors::Yes };
        let bar =
            progress.work(format!("eigenvalues of order {} in {}", a.rows(), T::precision(format)));
        let found =
            Eigenvalues::new(&a).vectors(wanted).products(products).device(common.device).run();
        bar.finish_and_clear();
        let (found, report) = found.map_err(|error| Failure::computing(&name, &error))?;
        common.explain("the eigenvalues", &report.place);
        let bar = progress.work("writing".into());
        let values = Matrix::from_fn_in(format, found.values.len(), 1, |i, _| found.values[i]);
        output.write_matrix(report.precision, &values)?;
        if let Some(vectors) = &found.vectors {
            to_vectors.write_matrix(report.precision, vectors)?;
        }
        bar.finish_and_clear();

        let (smallest, largest) = (values.at(0, 0), values.at(values.rows() - 1, 0));
        let figures = Figures {
            seconds: report.solve_time.as_secs_f64(),
            rows: a.rows(),
            smallest: Figure(smallest.leading()),
            largest: Figure(largest.leading()),
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
        summary.line("smallest", decimal_text(smallest));
        summary.line("largest", decimal_text(largest));
        summary.quality(&report);
        if found.vectors.is_some() && to_vectors.output.is_none() {
            summary.line("eigenvectors", "not written: give --vectors FILE");
        }
        summary.result("eigenvalues", &values, &output);
        Ok(Report::new(figures).with_summary(summary).beside([&output, &to_vectors]))
    }
}
