//! `nonius option implied`

use std::path::PathBuf;

use clap::Args;
use nonius::files::matrix_market::WriteError;
use nonius::option::{Implied, ImpliedVolatilities, book};
use nonius::{Job, Number, Precision};
use schemars::JsonSchema;
use serde::Serialize;

use super::book::read_quotes;
use super::exactness::tolerance;
use super::results::{Nouns, Results, grid_text};
use crate::command::Command;
use crate::common::{Common, reason_text};
use crate::failure::Failure;
use crate::input::display_name;
use crate::names::{Contents, Names};
use crate::objects::{Object, Objects};
use crate::output::Output;
use crate::ranks::Sharing;
use crate::report::{Figure, Report};

/// Find the volatilities that the prices of a book imply
///
/// The book is CSV as for `option price`, with a column price. A column volatility may be there and
/// is not read. Each contract gets the constant volatility with which its price is the quoted one,
/// early exercise and dividends included, and an estimate of the volatility's error. A price
/// without arbitrage has one volatility at most; a row with another price is named with its bounds,
/// and does not stop the others. Options with a barrier are refused: their prices need not grow
/// with the volatility. Volatilities from 0.001 to 8 are searched, and at most 9 standard
/// deviations up to maturity.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The book; `-` is standard input
    #[arg(value_name = "QUOTES.csv")]
    book: PathBuf,

    /// Refine grids until the estimated error of a volatility is at most this part of it
    #[arg(long, value_name = "T", default_value = "1e-4", value_parser = tolerance)]
    tolerance: f64,

    /// Precision of every number: f64, dd, td, qd, or mp with 64 to 4096 bits, as mp424
    #[arg(long, value_name = "PRECISION", default_value = "f64")]
    precision: Precision,

    /// Write the volatilities to FILE, which appears complete or not at all; `-` is standard output
    /// [default: standard output; with --json, no file]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    common: Common,
}

/// What was found for a quote.
#[derive(Serialize, JsonSchema)]
struct Found {
    /// The line of the book on which the row begins.
    row: u64,
    /// The volatility a year; absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    volatility: Option<f64>,
    /// Estimate of the volatility's error.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Figure")]
    error_estimate: Option<f64>,
    /// Whether that is within the tolerance.
    #[serde(skip_serializing_if = "Option::is_none")]
    converged: Option<bool>,
    /// The finest grid, as 256x128; absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    grid: Option<String>,
    /// Why there is no volatility.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

/// Volatilities of a book of quotes.
#[derive(Serialize, JsonSchema)]
struct Figures {
    /// The number of quotes.
    quotes: usize,
    /// Quotes with a volatility.
    found: usize,
    /// Quotes with a volatility within the tolerance.
    converged: usize,
    /// Time of the search in seconds, without reading and writing files.
    seconds: f64,
    /// Quotes a second.
    #[schemars(with = "Figure")]
    quotes_per_second: f64,
    /// The precision of the numbers: f64, dd, td, qd, or mp424 for 424 bits.
    precision: String,
    /// Where it was computed: cpu, cuda:0 for the first GPU, or cuda:all for all.
    device: String,
    /// Why --device auto took this device; null where --device names one.
    device_reason: Option<String>,
    /// What was found for each quote; empty where a file has it.
    volatilities: Vec<Found>,
}

const NOUNS: Nouns =
    Nouns { rows: "quotes", result: "volatility", results: "volatilities", found: "volatilities" };

impl Command for Arguments {
    fn common(&self) -> &Common {
        &self.common
    }

    fn sharing(&self) -> Sharing {
        Sharing::Shared
    }

    fn run(&self) -> Result<Report, Failure> {
        let Self { book, precision, output, common, .. } = self;
        let output = &Output::or_standard(output.as_ref(), common.json);
        Names::default()
            .read("QUOTES", book)
            .written("--output", Contents::Table, output.output.as_ref())
            .check(common.json)?;
        common.run_at(*precision, Quotes { arguments: self, output })
    }

    fn objects() -> Objects {
        Objects::Of(vec![Object::of_any_end::<Figures>()])
    }
}

struct Quotes<'a> {
    arguments: &'a Arguments,
    /// Where volatilities go: nowhere, where the JSON object has them.
    output: &'a Output,
}

impl Job for Quotes<'_> {
    type Output = Result<Report, Failure>;

    fn run<T: Number>(self, format: T::Format) -> Result<Report, Failure> {
        let Self { arguments, output } = self;
        let Arguments { common, precision, tolerance, .. } = arguments;
        let name = display_name(&arguments.book);
        let rows = read_quotes::<T>(format, &arguments.book, common.progress())?;
        let quotes: Vec<_> =
            rows.iter().filter_map(|row| row.found.as_ref().ok().cloned()).collect();
        let bar = common.progress().work(format!("volatilities of {} quotes", quotes.len()));
        let search = ImpliedVolatilities::new(&quotes).tolerance(*tolerance);
        let found = search.device(common.device).run();
        bar.finish_and_clear();
        let (found, report) = found.map_err(|error| Failure::input(format!("{name}: {error}")))?;
        common.explain("the search", &report.place);
        let results = Results::new(rows, found);

        let kept = results.rows.iter().cloned();
        output.write(|out| book::write_volatilities(out, kept).map_err(WriteError::Io))?;
        let is_converged = |implied: &Implied<T>| implied.converged;
        let rate = quotes.len() as f64 / report.time.as_secs_f64();
        let shown = output.output.is_none();
        let figures = Figures {
            quotes: results.rows.len(),
            found: results.found(),
            converged: results.count(is_converged),
            seconds: report.time.as_secs_f64(),
            quotes_per_second: rate,
            precision: precision.to_string(),
            device: report.place.device.to_string(),
            device_reason: reason_text(&report.place),
            volatilities: results.rows.iter().filter(|_| shown).map(of_row).collect(),
        };
        let (book, took) = ((name.as_str(), *precision), (&report, rate));
        let report = results.report((&NOUNS, is_converged), book, took, figures);
        Ok(report.beside([output]))
    }
}

fn of_row<T: Number>((row, found): &(u64, Result<Implied<T>, String>)) -> Found {
    let none = Found {
        row: *row,
        volatility: None,
        error_estimate: None,
        converged: None,
        grid: None,
        message: None,
    };
    match found {
        Err(message) => Found { message: Some(message.clone()), ..none },
        Ok(implied) => Found {
            volatility: Some(implied.volatility.to_f64()),
            error_estimate: Some(implied.error),
            converged: Some(implied.converged),
            grid: implied.grid.map(grid_text),
            ..none
        },
    }
}
