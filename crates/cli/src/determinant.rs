//! `nonius determinant`

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use nonius::certified::{
    DecimalDeterminant, DecimalsError, DeterminantDecimals, Magnitude, Reading,
};
use nonius::dense::{Determinant, DeterminantReport, decimal_determinant};
use nonius::device::Place;
use nonius::files::matrix_market::Dense;
use nonius::num::mp::Bits;
use nonius::{Job, Number, Precision};
use schemars::JsonSchema;
use serde::Serialize;

use crate::command::Command;
use crate::common::{
    Common, ProductFlags, Setting, condition_text, device_text, gflops, reason_text,
};
use crate::digits::{Known, Source, Stage, precision_name, refused, stages};
use crate::failure::Failure;
use crate::input::{self, describe, display_name};
use crate::names::{Contents, Names};
use crate::objects::{Object, Objects};
use crate::output::Output;
use crate::ranks::Sharing;
use crate::report::{Figure, Report};
use crate::summary::{Summary, time_text};

/// Find the determinant of a square matrix, and say how good it is
///
/// The program takes LU factors, and estimates the correct digits. With --digits it proves them: it
/// takes decimals as written, and chooses the precision. The determinant is exact where all of its
/// digits are found.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The matrix; `-` is standard input
    #[arg(value_name = "A")]
    a: PathBuf,

    /// Precision of every number: f64, dd, td, qd, or mp with 64 to 4096 bits, as mp424
    #[arg(long, value_name = "PRECISION", default_value = "dd")]
    precision: Precision,

    /// Prove D correct decimal digits, in whatever precision that takes
    #[arg(long, value_name = "D", conflicts_with_all = ["precision", "arithmetic", "engine", "accuracy", "workspace"])]
    digits: Option<u32>,

    /// With --digits, the highest precision on the way
    #[arg(long, value_name = "PRECISION", default_value = "mp4096", requires = "digits")]
    max_precision: Precision,

    /// Write the determinant to FILE, as a matrix of one entry, which appears complete or not at
    /// all; `-` is standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    products: ProductFlags,

    #[command(flatten)]
    common: Common,
}

/// A determinant in one precision.
#[derive(Serialize, JsonSchema)]
struct Figures {
    /// Time for the factors and the condition number, in seconds, without reading files.
    seconds: f64,
    /// Billions of additions and multiplications a second.
    #[schemars(with = "Figure")]
    gflops: f64,
    /// The determinant in decimal, at full precision and of any exponent.
    determinant: String,
    /// Its sign: -1, 0 or 1.
    sign: i32,
    /// Estimate of the condition number in the 1-norm, which has no unit.
    condition_estimate: Figure,
    #[serde(flatten)]
    setting: Setting,
    /// Rows of the matrix, which has as many columns.
    rows: usize,
    /// Decimal digits that should be right; 0 where nothing is known.
    correct_digits: f64,
}

/// With --digits: a determinant with proved digits.
#[derive(Serialize, JsonSchema)]
struct Proved {
    /// Time of the whole proof in seconds, with reading files.
    seconds: f64,
    /// The determinant in decimal, with the digits promised; with all digits where it is exact.
    determinant: String,
    /// Its sign: -1, 0 or 1.
    sign: i32,
    /// The digits that --digits asks for.
    digits_requested: u32,
    /// The digits that are proved; null where the determinant is exact.
    digits_certified: Option<u32>,
    /// Whether the determinant has no error at all.
    exact: bool,
    /// Proved bound of the relative error.
    #[schemars(with = "Figure")]
    error_bound: f64,
    /// Estimate of the condition number in the 1-norm, which has no unit.
    #[schemars(with = "Figure")]
    condition_estimate: f64,
    /// The precision of the result, as mp424 for 424 bits.
    precision: String,
    /// The stages of the proof.
    route: Vec<Stage>,
    /// Where it was computed: cpu, cuda:0 for the first GPU, or cuda:all for all.
    device: String,
    /// Why --device auto took this device; null where --device names one.
    device_reason: Option<String>,
    /// Rows of the matrix, which has as many columns.
    rows: usize,
}

impl Command for Arguments {
    fn common(&self) -> &Common {
        &self.common
    }

    fn sharing(&self) -> Sharing {
        if self.digits.is_some() { Sharing::Shared } else { Sharing::Refused }
    }

    fn run(&self) -> Result<Report, Failure> {
        let Self { a, common, precision, output, .. } = self;
        let names = Names::default().read("A", a);
        names.written("--output", Contents::Matrix, output.as_ref()).check(common.json)?;
        match self.digits {
            Some(digits) => common.run(|| prove(self, digits)),
            None => common.run_at(*precision, Determine(self)),
        }
    }

    fn objects() -> Objects {
        Objects::Of(vec![
            Object::of_success::<Figures>(),
            Object::of_success::<Proved>(),
            Object::of_failure::<Known>(),
        ])
    }
}

/// A number as a matrix of one entry.
struct Entry {
    text: String,
    precision: Precision,
}

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
        out.extend_from_slice(self.text.as_bytes());
    }

    /// Determinants of doubles may lie beyond their range.
    fn double(&self, _: usize, _: usize) -> Option<f64> {
        let double = self.text.parse().ok().filter(|x: &f64| x.is_finite());
        double.filter(|_| self.precision == Precision::F64)
    }
}

struct Determine<'a>(&'a Arguments);

impl Job for Determine<'_> {
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
            "factoring a matrix of order {} in {}",
            a.rows(),
            T::precision(format)
        ));
        let found = Determinant::new(&a).products(products).device(common.device).run();
        bar.finish_and_clear();
        let (value, report) = found.map_err(|error| Failure::computing(&name, &error))?;
        common.explain("the determinant", &report.place);
        let precision = report.precision;
        let text = decimal_determinant(&value, precision);
        let text = text.map_err(|error| Failure::computing(&name, &error))?;
        output.write_matrix(precision, &Entry { text: text.clone(), precision })?;

        let mut summary = Summary::default();
        summary.line("A", format!("{name}: {}", describe(&header)));
        summarize(&report, &text, &mut summary);
        let figures = Figures {
            seconds: report.time.as_secs_f64(),
            gflops: gflops(report.operations, report.time),
            sign: value.sign(),
            condition_estimate: Figure(report.condition_estimate),
            setting: Setting::new(report.precision, report.arithmetic, &report.place),
            rows: a.rows(),
            correct_digits: report.correct_digits,
            determinant: text,
        };
        Ok(Report::new(figures).with_summary(summary).beside([&output]))
    }
}

fn summarize(report: &DeterminantReport, text: &str, summary: &mut Summary) {
    let precision = report.precision;
    let seconds = report.time.as_secs_f64();
    summary.setting(precision, report.arithmetic, (&report.place, seconds));
    summary.line("determinant", text);
    let (time, rate) = (time_text(seconds), gflops(report.operations, report.time));
    summary.line("time", format!("{time}, {rate:.3} GFLOPS"));
    summary.line("condition estimate", condition_text(report.condition_estimate, precision));
    let digits = report.correct_digits.floor();
    summary.line("correct digits", format!("about {digits} of {}", precision.digits()));
}

fn prove(arguments: &Arguments, digits: u32) -> Result<Report, Failure> {
    let Arguments { common, output, .. } = arguments;
    let output = Output::beside(output.as_ref());
    let most_bits = Bits::new(arguments.max_precision.bits().max(Bits::LEAST));
    let most_bits = most_bits.map_err(Failure::input)?;
    let progress = common.progress();
    let a = Source::new(&arguments.a)?;
    let start = Instant::now();
    let bar = progress.work(format!("finding {digits} digits of the determinant"));
    let mut heard = |bits| bar.println(format!("trying {}", precision_name(Some(bits))));
    let mut rows = 0;
    let read = |reading: Reading| {
        let matrix = a.read(reading, progress)?;
        input::check_square(&a.name(), Dense::shape(&matrix))?;
        rows = Dense::shape(&matrix).0;
        Ok::<_, Failure>(matrix)
    };
    let determinant = DeterminantDecimals::new(read, digits).most_bits(most_bits);
    let found = determinant.device(common.device).observe(&mut heard).run();
    bar.finish_and_clear();
    let (found, place) = match found {
        Ok(found) => found,
        Err(DecimalsError::Read(failure)) => return Err(failure),
        Err(DecimalsError::Refused(refusal)) => return refused(&a.name(), &refusal),
    };
    let seconds = start.elapsed().as_secs_f64();
    common.explain("the determinant", &place);

    let precision = Precision::Mp(found.scaled.value.bits());
    output.write_matrix(precision, &Entry { text: found.text(), precision })?;
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
    summary.line("device", device_text(&place, seconds));
    summary.line("time", time_text(seconds));
    let figures = figures(&found, &place, rows, digits, seconds);
    Ok(Report::new(figures).with_summary(summary).beside([&output]))
}

fn figures(
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
