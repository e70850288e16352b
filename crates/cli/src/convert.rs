//! `nonius convert`

use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueEnum};
use nonius::linalg::sparse::matrix_market::{
    self, Style, Symmetry as FileSymmetry, write_coordinate, write_dense,
};
use nonius::{Device, Job, Number, Precision};
use serde::Serialize;

use crate::common::{Common, precision_text};
use crate::failure::Failure;
use crate::input::{self, describe, display_name};
use crate::names::{Contents, Names};
use crate::output::{Output, Summary, comment, print_json, time_text};

/// Rewrite a matrix in another format, symmetry or precision
///
/// Reads a Matrix Market file, compressed or not, rounds every number to the precision, and writes
/// it so that it reads back as the same number. Entries listed more than once are summed.
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

    /// Precision of the numbers: f64, dd, td, qd or mp followed by bits, as mp424
    #[arg(long, value_name = "PRECISION", default_value = "qd")]
    precision: Precision,

    #[command(flatten)]
    output: Output,

    #[command(flatten)]
    pub(crate) common: Common,
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

#[derive(Serialize)]
struct Report {
    seconds: f64,
    precision: String,
    device: String,
    rows: usize,
    cols: usize,
    format: &'static str,
    symmetry: &'static str,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { common, precision, .. } = arguments;
    let output = Output {
        output: Some(arguments.output.output.clone().unwrap_or_else(|| PathBuf::from("-"))),
    };
    Names::default()
        .read("INPUT", &arguments.input)
        .written("--output", Contents::Matrix, output.output.as_ref())
        .check(common.json)?;
    common.run(|| Convert { arguments, output: &output }.at(*precision))
}

struct Convert<'a> {
    arguments: &'a Arguments,
    output: &'a Output,
}

impl Job for Convert<'_> {
    type Output = Result<(), Failure>;

    fn run<T: Number>(self, format: T::Format) -> Result<(), Failure> {
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

        if common.json {
            return print_json(&Report {
                seconds,
                precision: precision.to_string(),
                device: Device::Cpu.to_string(),
                rows: header.rows,
                cols: header.cols,
                format: format.name(),
                symmetry: symmetry.name(),
            });
        }
        if common.quiet {
            return Ok(());
        }
        let mut summary = Summary::default();
        summary.line("read", format!("{}: {}", display_name(input), describe(&header)));
        summary.line("written", format!("{symmetry} {format} file"));
        summary.line("precision", precision_text(*precision));
        summary.line("time", time_text(seconds));
        output.print_summary(&summary)
    }
}
