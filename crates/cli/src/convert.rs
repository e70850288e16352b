//! `nonius convert`

use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueEnum};
use nonius::linalg::sparse::matrix_market::{
    self, Style, Symmetry as FileSymmetry, write_coordinate, write_dense,
};
use nonius::{Device, Job, Number, Precision};
use schemars::JsonSchema;
use serde::Serialize;

use crate::command::Command;
use crate::common::{Common, precision_text};
use crate::failure::Failure;
use crate::input::{self, describe, display_name};
use crate::names::{Contents, Names};
use crate::objects::{Object, Objects};
use crate::output::{Output, comment};
use crate::report::Report;
use crate::summary::{Summary, time_text};

/// Rewrite a matrix in another format, symmetry or precision
///
/// The program reads a Matrix Market file, compressed or not, and rounds every number to the
/// precision. Each number is written so that it reads back as the same number. Entries listed more
/// than once are summed.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The matrix; `-` is standard input
    #[arg(value_name = "INPUT")]
    input: PathBuf,

    /// List every entry (array) or those that are not zero (coordinate) [default: as in INPUT]
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,

    /// Which entries to list; the matrix must have the symmetry [default: as in INPUT]
    #[arg(long, value_name = "SYMMETRY")]
    symmetry: Option<Symmetry>,

    /// Precision of every number: f64, dd, td, qd, or mp with 64 to 4096 bits, as mp424
    #[arg(long, value_name = "PRECISION", default_value = "qd")]
    precision: Precision,

    /// Write the matrix to FILE, which appears complete or not at all; `-` is standard output
    /// [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    common: Common,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    Coordinate,
    Array,
}

#[derive(Clone, Copy, ValueEnum)]
enum Symmetry {
    General,
    Symmetric,
    SkewSymmetric,
}

impl From<Format> for matrix_market::Format {
    fn from(format: Format) -> Self {
        match format {
            Format::Coordinate => Self::Coordinate,
            Format::Array => Self::Array,
        }
    }
}

impl From<Symmetry> for FileSymmetry {
    fn from(symmetry: Symmetry) -> Self {
        match symmetry {
            Symmetry::General => Self::General,
            Symmetry::Symmetric => Self::Symmetric,
            Symmetry::SkewSymmetric => Self::SkewSymmetric,
        }
    }
}

/// A matrix was written.
#[derive(Serialize, JsonSchema)]
struct Figures {
    /// Time of the conversion in seconds, with reading and writing files.
    seconds: f64,
    /// The precision of the numbers: f64, dd, td, qd, or mp424 for 424 bits.
    precision: String,
    /// Where it was computed: cpu.
    device: String,
    /// Rows of the matrix.
    rows: usize,
    /// Columns of the matrix.
    columns: usize,
    /// The format of the file: coordinate or array.
    format: &'static str,
    /// The symmetry of the file: general, symmetric or skew-symmetric.
    symmetry: &'static str,
}

impl Command for Arguments {
    fn common(&self) -> &Common {
        &self.common
    }

    fn run(&self) -> Result<Report, Failure> {
        let Self { input, common, precision, .. } = self;
        common.refuse_gpu("a conversion")?;
        let output = &Output::or_standard(self.output.as_ref(), false);
        Names::default()
            .read("INPUT", input)
            .written("--output", Contents::Matrix, output.output.as_ref())
            .check(common.json)?;
        common.run_at(*precision, Convert { arguments: self, output })
    }

    fn objects() -> Objects {
        Objects::Of(vec![Object::of_success::<Figures>()])
    }
}

struct Convert<'a> {
    arguments: &'a Arguments,
    output: &'a Output,
}

impl Job for Convert<'_> {
    type Output = Result<Report, Failure>;

    fn run<T: Number>(self, format: T::Format) -> Result<Report, Failure> {
        let Self { arguments: Arguments { input, common, precision, .. }, output } = self;
        let start = Instant::now();
        let progress = common.progress();
        let stored = input::read::<T>(format, input, progress)?;
        let header = *stored.header();
        let format = self.arguments.format.map_or(header.format, Into::into);
        let symmetry = self.arguments.symmetry.map_or(header.symmetry, Into::into);
        let style = Style { symmetry, comment: comment(*precision) };

        let too_large = |error| Failure::input(format!("{}: {error}", display_name(input)));
        let bar = progress.work("writing".into());
        match format {
            matrix_market::Format::Coordinate => {
                let matrix = stored.into_coo().map_err(too_large)?;
                output.write(|mut out| write_coordinate(&mut out, matrix, &style))?;
            }
            matrix_market::Format::Array => {
                let matrix = stored.into_dense().map_err(too_large)?;
                output.check_disk(&matrix)?;
                output.write(|mut out| write_dense(&mut out, &matrix, &style))?;
            }
        }
        bar.finish_and_clear();
        let seconds = start.elapsed().as_secs_f64();
        common.note("the conversion ran on cpu: it has no work for a GPU");

        let figures = Figures {
            seconds,
            precision: precision.to_string(),
            device: Device::Cpu.to_string(),
            rows: header.rows,
            columns: header.cols,
            format: format.name(),
            symmetry: symmetry.name(),
        };
        let mut summary = Summary::default();
        summary.line("read", format!("{}: {}", display_name(input), describe(&header)));
        summary.line("written", format!("{symmetry} {format} file"));
        summary.line("precision", precision_text(*precision));
        summary.line("time", time_text(seconds));
        Ok(Report::new(figures).with_summary(summary).beside([output]))
    }
}
