//! `nonius convert`

use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueEnum};
use nonius::files::matrix_market::{self, Header, Style, Symmetry as FileSymmetry};
use nonius::files::{self, Form};
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
use crate::ranks::Sharing;
use crate::report::Report;
use crate::summary::{Summary, time_text};

/// Rewrite a matrix in another format, symmetry or precision
///
/// The program reads a matrix, compressed or not, and rounds every number to the precision. Each
/// number is written so that it reads back as the same number. The ending of a name says the form:
/// .npy, .npz or .csv, else Matrix Market. Entries listed more than once are summed.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The matrix; `-` is standard input
    #[arg(value_name = "INPUT")]
    input: PathBuf,

    /// List every entry (array) or those that are not zero (coordinate; .npz as SciPy does)
    /// [default: as in INPUT]
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,

    /// Which entries to list; the matrix must have the symmetry; other forms than Matrix Market
    /// have none [default: as in INPUT]
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

    fn sharing(&self) -> Sharing {
        Sharing::First
    }

    fn run(&self) -> Result<Report, Failure> {
        let Self { input, common, precision, .. } = self;
        common.refuse_gpu("a conversion")?;
        let output = &Output::or_standard(self.output.as_ref(), false);
        Names::default()
            .read("INPUT", input)
            .written("--output", Contents::Matrix, output.output.as_ref())
            .check(common.json)?;
        self.check_form(output)?;
        common.run_at(*precision, Convert { arguments: self, output })
    }

    fn objects() -> Objects {
        Objects::Of(vec![Object::of_success::<Figures>()])
    }
}

/// Whether files of a form can list entries that are not zero alone.
fn has_coordinates(output: &Output) -> bool {
    let name = output.name();
    match name.form_written() {
        Form::MatrixMarket => true,
        Form::Npz => name.array.is_none(),
        Form::Npy | Form::Csv => false,
    }
}

fn has_symmetry(output: &Output) -> bool {
    output.name().form_written() == Form::MatrixMarket
}

impl Arguments {
    /// Refuses what the form of the output cannot say.
    fn check_form(&self, output: &Output) -> Result<(), Failure> {
        let path = output.output.as_deref().map(display_name).unwrap_or_default();
        let refused = match (self.format, self.symmetry) {
            (Some(Format::Coordinate), _) if !has_coordinates(output) => {
                "--format coordinate: expected array"
            }
            (_, Some(Symmetry::Symmetric)) if !has_symmetry(output) => {
                "--symmetry symmetric: expected general"
            }
            (_, Some(Symmetry::SkewSymmetric)) if !has_symmetry(output) => {
                "--symmetry skew-symmetric: expected general"
            }
            _ => return Ok(()),
        };
        Err(Failure::input(format!("{refused}, for {path} lists every entry")))
    }

    /// The format and the symmetry of the output.
    fn layout(&self, header: &Header, output: &Output) -> (matrix_market::Format, FileSymmetry) {
        let format = match self.format {
            Some(format) => format.into(),
            None if has_coordinates(output) => header.format,
            None => matrix_market::Format::Array,
        };
        let symmetry = match self.symmetry {
            Some(symmetry) => symmetry.into(),
            None if has_symmetry(output) => header.symmetry,
            None => FileSymmetry::General,
        };
        (format, symmetry)
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
        let (format, symmetry) = self.arguments.layout(&header, output);
        let name = output.name();
        let style = Style { symmetry, comment: comment(*precision) };

        let too_large = |error| Failure::input(format!("{}: {error}", display_name(input)));
        let bar = progress.work("writing".into());
        match format {
            matrix_market::Format::Coordinate => {
                let matrix = stored.into_coo().map_err(too_large)?;
                output.write(|out| files::write_sparse(out, name, matrix, &style))?;
            }
            matrix_market::Format::Array => {
                let matrix = stored.into_dense().map_err(too_large)?;
                output.check_disk(&matrix)?;
                output.write(|out| files::write_dense(out, name, &matrix, &style))?;
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
