//! `nonius determinant`

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use nonius::certified::{DigitsIn, Magnitude, Options, Reading};
use nonius::linalg::sparse::matrix_market::Dense;
use nonius::num::mp::Bits;
use nonius::{
    DecimalDeterminant, DeterminantReport, Job, Number, Place, Precision, determinant_decimals,
};
use serde::Serialize;

use crate::common::{Common, ProductFlags, Setting, condition_text, device_text, reason_text};
use crate::digits::{Source, Stage, failure, precision_name, stages};
use crate::failure::Failure;
use crate::input::{self, describe, display_name};
use crate::names::{Contents, Names};
use crate::output::{Figure, Output, Summary, print_json, time_text};

/// Find the determinant of a square matrix, and say how good it is
///
/// By LU factors, with an estimate of the correct digits. With --digits these are proved instead,
/// decimals are taken as written, and the precision is what that takes; the determinant is exact
/// where it has no more digits than come out.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The matrix; `-` is standard input
    #[arg(value_name = "A")]
    a: PathBuf,

    /// Precision of the arithmetic and of every number: f64, dd, td, qd or mp424 for 424 bits
    #[arg(long, value_name = "PRECISION", default_value = "dd")]
    precision: Precision,

    /// Prove that the determinant has so many correct decimal digits, with whatever precision that
    /// takes
    #[arg(long, value_name = "D", conflicts_with_all = ["precision", "arithmetic", "engine", "accuracy", "workspace"])]
    digits: Option<u32>,

    /// With --digits, the highest precision on the way
    #[arg(long, value_name = "PRECISION", default_value = "mp4096", requires = "digits")]
    max_precision: Precision,

    #[command(flatten)]
    products: ProductFlags,

    #[command(flatten)]
    output: Output,

    #[command(flatten)]
    pub(crate) common: Common,
}

/// Numbers that are infinite become null.
#[derive(Serialize)]
struct Report<'a> {
    seconds: f64,
    gflops: f64,
    determinant: &'a str,
    sign: i32,
    condition_estimate: Figure,
    #[serde(flatten)]
    setting: Setting,
    rows: usize,
    correct_digits: f64,
}

/// Numbers that are infinite become null, and so do the digits of an exact determinant.
#[derive(Serialize)]
struct Proved {
    seconds: f64,
    determinant: String,
    sign: i32,
    digits_requested: u32,
    digits_certified: Option<u32>,
    exact: bool,
    error_bound: f64,
    condition_estimate: f64,
    precision: String,
    route: Vec<Stage>,
    device: String,
    device_reason: Option<String>,
    rows: usize,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    Names::default()
        .read("A", &arguments.a)
        .written("--output", Contents::Matrix, arguments.output.output.as_ref())
        .check(arguments.common.json)?;
    if let Some(digits) = arguments.digits {
        return arguments.common.run(|| prove(arguments, digits));
    }
    arguments.common.run_at(arguments.precision, Determine(arguments))
}

/// A number as a matrix of one entry.
struct Entry(String);

impl Dense for Entry {
    fn shape(&self) -> (usize, usize) {
        (1, 1)
    }

    fn is_finite(&self, _: usize, _: usize) -> bool {
        true
    }

    fn mirrors(&self, _: usize, _: usize, _: bool) -> bool {
        false
    }

    fn print(&self, _: usize, _: usize, out: &mut Vec<u8>) {
        out.extend_from_slice(self.0.as_bytes());
    }
}

struct Determine<'a>(&'a Arguments);

impl Job for Determine<'_> {
    type Output = Result<(), Failure>;

    fn run<T: Number>(self, format: T::Format) -> Result<(), Failure> {
        let Arguments { common, output, .. } = self.0;
        let products = self.0.products.of::<T>()?;
        let progress = common.progress();
        let name = display_name(&self.0.a);
        let (header, a) = input::read_dense::<T>(format, &self.0.a, progress)?;
        input::check_square(&name, a.shape())?;

        let bar = progress.work(format!(
            "factoring a matrix of order {} in {}",
            a.rows(),
            T::precision(format)
        ));
        let found = nonius::determinant(&a, products, common.device);
        bar.finish_and_clear();
        let (value, report) = found.map_err(|error| Failure::computing(&name, &error))?;
        common.explain("the determinant", &report.place);
        output.write_matrix(report.precision, &Entry(report.text.clone()))?;

        if common.json {
            return print_json(&Report {
                seconds: report.seconds,
                gflops: report.gflops,
                determinant: &report.text,
                sign: value.sign(),
                condition_estimate: Figure(report.condition_estimate),
                setting: Setting::new(report.precision, report.arithmetic, &report.place),
                rows: a.rows(),
                correct_digits: report.correct_digits,
            });
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

fn summarize(report: &DeterminantReport, summary: &mut Summary) {
    let precision = report.precision;
    summary.setting(precision, report.arithmetic, &report.place);
    summary.line("determinant", &report.text);
    summary.line("time", format!("{}, {:.3} GFLOPS", time_text(report.seconds), report.gflops));
    summary.line("condition estimate", condition_text(report.condition_estimate, precision));
    let digits = report.correct_digits.floor();
    summary.line("correct digits", format!("about {digits} of {}", precision.digits()));
}

fn prove(arguments: &Arguments, digits: u32) -> Result<(), Failure> {
    let Arguments { common, output, .. } = arguments;
    let most_bits = Bits::new(arguments.max_precision.bits().max(Bits::LEAST));
    let most_bits = most_bits.map_err(Failure::input)?;
    let options = Options { digits, digits_in: DigitsIn::Entry, most_bits };
    let progress = common.progress();
    let a = Source::new(&arguments.a)?;
    let start = Instant::now();
    let bar = progress.work(format!("finding {digits} digits of the determinant"));
    let mut heard = |bits| bar.println(format!("trying {}", precision_name(Some(bits))));
    let mut rows = 0;
    let read = |reading: Reading| {
        let a = a.read(reading, progress)?;
        input::check_square(&arguments.a.display().to_string(), Dense::shape(&a))?;
        rows = Dense::shape(&a).0;
        Ok::<_, Failure>(a)
    };
    let found = determinant_decimals(read, options, common.device, &mut heard)?;
    bar.finish_and_clear();
    let (found, place) = found.map_err(|refusal| failure(&a.name(), &refusal))?;
    let seconds = start.elapsed().as_secs_f64();
    common.explain("the determinant", &place);

    let precision = Precision::Mp(found.scaled.value.bits());
    output.write_matrix(precision, &Entry(found.text()))?;
    if common.json {
        return print_json(&json(&found, &place, rows, digits, seconds));
    }
    if common.quiet {
        return Ok(());
    }
    let mut summary = Summary::default();
    summary.line("A", format!("{}: {rows} × {rows}", a.name()));
    summary.line("determinant", found.text());
    summary.line(
        "digits",
        match found.scaled.digits {
            Some(proved) => format!("{proved} proved, {digits} asked for"),
            None => "all: the determinant is exact".into(),
        },
    );
    summary.line("error bound", format!("{} relative", found.scaled.error_bound));
    summary.line("condition estimate", found.scaled.condition);
    for stage in &found.scaled.route {
        let (name, time) = (precision_name(stage.bits), time_text(stage.time.as_secs_f64()));
        summary.line("route", format!("{} in {name}, {time}", stage.by));
    }
    summary.line("device", device_text(&place));
    summary.line("time", time_text(seconds));
    output.print_summary(&summary)
}

fn json(
    found: &DecimalDeterminant,
    place: &Place,
    rows: usize,
    digits: u32,
    seconds: f64,
) -> Proved {
    Proved {
        seconds,
        determinant: found.text(),
        sign: found.sign(),
        digits_requested: digits,
        digits_certified: found.scaled.digits,
        exact: found.scaled.digits.is_none(),
        error_bound: Magnitude::to_f64(found.scaled.error_bound),
        condition_estimate: Magnitude::to_f64(found.scaled.condition),
        precision: Precision::Mp(found.scaled.value.bits()).to_string(),
        route: stages(&found.scaled.route),
        device: place.device.to_string(),
        device_reason: reason_text(place),
        rows,
    }
}
