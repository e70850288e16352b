//! `nonius option price`

use std::path::PathBuf;

use clap::Args;
use nonius::files::matrix_market::WriteError;
use nonius::option::{Price, Prices, Request, book};
use nonius::{Job, Number, Precision};
use schemars::JsonSchema;
use serde::Serialize;

use super::book::read_book;
use super::exactness::Exactness;
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

/// Price the contracts of a book, with their sensitivities
///
/// The book is CSV with the columns type (call, put), exercise (european, american,
/// bermudan:0.25;0.5), spot, strike, rate, dividend (a continuous yield), volatility, maturity (in
/// years), barrier (down-out:90, up-in:130@0.25;0.5), rebate and dividends (0.5:2.0;0.75:1%).
/// Rates, yields and volatilities may be pieces with the time until which each holds
/// (0.25:0.02;1:0.03). A volatility may be surface:FILE, a CSV file relative to the folder of the
/// book: a cell that is ignored and prices of the underlying, then rows of a time and a volatility
/// for each price, prices and times increasing. A row with an error is named, and does not stop the
/// others. Theta is per year.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The book; `-` is standard input
    #[arg(value_name = "BOOK.csv")]
    book: PathBuf,

    #[command(flatten)]
    exactness: Exactness,

    /// Compute vega and rho, too, per 1 (100 %) of the volatility and of the rate; this prices
    /// every contract in eight other markets
    #[arg(long)]
    sensitivities: bool,

    /// Precision of every number: f64, dd, td, qd, or mp with 64 to 4096 bits, as mp424
    #[arg(long, value_name = "PRECISION", default_value = "f64")]
    precision: Precision,

    /// Write the prices to FILE, which appears complete or not at all; `-` is standard output
    /// [default: standard output; with --json, no file]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Write the boundaries of American exercise to FILE: CSV of row, time in years from today, and
    /// the price of the underlying at which the holder exercises, exact to two nodes of the grid.
    /// At the time of a dividend the first point is that after it, the second that just before
    #[arg(long, value_name = "FILE")]
    boundary: Option<PathBuf>,

    #[command(flatten)]
    common: Common,
}

/// A contract: its price, or why it has none.
#[derive(Serialize, JsonSchema)]
struct Priced {
    /// The line of the book on which its row begins.
    row: u64,
    /// The price, in the currency of the book.
    #[schemars(with = "Figure")]
    #[serde(skip_serializing_if = "Option::is_none")]
    price: Option<f64>,
    /// Derivative of the price with respect to that of the underlying.
    #[schemars(with = "Figure")]
    #[serde(skip_serializing_if = "Option::is_none")]
    delta: Option<f64>,
    /// Second derivative of the price with respect to that of the underlying.
    #[schemars(with = "Figure")]
    #[serde(skip_serializing_if = "Option::is_none")]
    gamma: Option<f64>,
    /// Derivative of the price with respect to time, per year.
    #[schemars(with = "Figure")]
    #[serde(skip_serializing_if = "Option::is_none")]
    theta: Option<f64>,
    /// Derivative of the price with respect to the volatility, per 1 (100 %).
    #[schemars(with = "Figure")]
    #[serde(skip_serializing_if = "Option::is_none")]
    vega: Option<f64>,
    /// Derivative of the price with respect to the rate, per 1 (100 %).
    #[schemars(with = "Figure")]
    #[serde(skip_serializing_if = "Option::is_none")]
    rho: Option<f64>,
    /// Estimate of the absolute error of the price.
    #[schemars(with = "Figure")]
    #[serde(skip_serializing_if = "Option::is_none")]
    error_estimate: Option<f64>,
    /// Whether the estimate is within the tolerance.
    #[serde(skip_serializing_if = "Option::is_none")]
    converged: Option<bool>,
    /// The finest grid: intervals of the underlying x time steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    grid: Option<String>,
    /// Why there is no price.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

/// A book was priced.
#[derive(Serialize, JsonSchema)]
struct Figures {
    /// Contracts of the book.
    contracts: usize,
    /// Contracts that have a price.
    priced: usize,
    /// Prices within the tolerance.
    converged: usize,
    /// Time of the computation in seconds, without reading and writing files.
    seconds: f64,
    /// Contracts priced a second.
    #[schemars(with = "Figure")]
    contracts_per_second: f64,
    /// The precision of the numbers: f64, dd, td, qd, or mp424 for 424 bits.
    precision: String,
    /// Where it was computed: cpu, cuda:0 for the first GPU, or cuda:all for all.
    device: String,
    /// Why --device auto took this device; null where --device names one.
    device_reason: Option<String>,
    /// The contracts; empty where a file has the prices.
    prices: Vec<Priced>,
}

const NOUNS: Nouns =
    Nouns { rows: "contracts", result: "price", results: "prices", found: "priced" };

impl Command for Arguments {
    fn common(&self) -> &Common {
        &self.common
    }

    fn sharing(&self) -> Sharing {
        Sharing::Shared
    }

    fn run(&self) -> Result<Report, Failure> {
        let Self { book, precision, output, boundary, common, .. } = self;
        let output = &Output::or_standard(output.as_ref(), common.json);
        Names::default()
            .read("BOOK", book)
            .written("--output", Contents::Table, output.output.as_ref())
            .written("--boundary", Contents::Table, boundary.as_ref())
            .check(common.json)?;
        common.run_at(*precision, Book { arguments: self, output })
    }

    fn objects() -> Objects {
        Objects::Of(vec![Object::of_any_end::<Figures>()])
    }
}

struct Book<'a> {
    arguments: &'a Arguments,
    /// Where prices go: nowhere, where the JSON object has them.
    output: &'a Output,
}

impl Job for Book<'_> {
    type Output = Result<Report, Failure>;

    fn run<T: Number>(self, format: T::Format) -> Result<Report, Failure> {
        let Self { arguments, output } = self;
        let Arguments { common, exactness, precision, .. } = arguments;
        let name = display_name(&arguments.book);
        let rows = read_book::<T>(format, &arguments.book, common.progress())?;
        let request = Request {
            accuracy: exactness.accuracy(),
            sensitivities: arguments.sensitivities,
            boundary: arguments.boundary.is_some(),
        };
        let contracts: Vec<_> =
            rows.iter().filter_map(|row| row.found.as_ref().ok().cloned()).collect();
        let bar = common.progress().work(format!("pricing {} contracts", contracts.len()));
        let found = Prices::new(&contracts).request(request).device(common.device).run();
        bar.finish_and_clear();
        let (prices, report) = found.map_err(|error| Failure::input(format!("{name}: {error}")))?;
        common.explain("the prices", &report.place);
        let results = Results::new(rows, prices);

        let kept = results.rows.iter().cloned();
        output.write(|out| book::write(out, kept).map_err(WriteError::Io))?;
        let known = results.rows.iter();
        let known = known.filter_map(|(row, price)| Some((*row, price.as_ref().ok()?)));
        let boundary = Output::beside(arguments.boundary.as_ref());
        boundary.write(|out| book::write_boundaries(out, known).map_err(WriteError::Io))?;
        let (count, priced) = (results.rows.len(), results.found());
        let is_converged = |price: &Price<T>| price.converged;
        let rate = contracts.len() as f64 / report.time.as_secs_f64();
        let shown = output.output.is_none();
        let figures = Figures {
            contracts: count,
            priced,
            converged: results.count(is_converged),
            seconds: report.time.as_secs_f64(),
            contracts_per_second: rate,
            precision: precision.to_string(),
            device: report.place.device.to_string(),
            device_reason: reason_text(&report.place),
            prices: results.rows.iter().filter(|_| shown).map(of_row).collect(),
        };
        let (book, took) = ((name.as_str(), *precision), (&report, rate));
        let report = results.report((&NOUNS, is_converged), book, took, figures);
        Ok(report.beside([output, &boundary]))
    }
}

fn of_row<T: Number>((row, price): &(u64, Result<Price<T>, String>)) -> Priced {
    let none = Priced {
        row: *row,
        price: None,
        delta: None,
        gamma: None,
        theta: None,
        vega: None,
        rho: None,
        error_estimate: None,
        converged: None,
        grid: None,
        message: None,
    };
    match price {
        Err(message) => Priced { message: Some(message.clone()), ..none },
        Ok(price) => Priced {
            price: Some(price.value.to_f64()),
            delta: Some(price.delta.to_f64()),
            gamma: Some(price.gamma.to_f64()),
            theta: Some(price.theta.to_f64()),
            vega: price.vega.map(T::to_f64),
            rho: price.rho.map(T::to_f64),
            error_estimate: price.error,
            converged: Some(price.converged),
            grid: price.grid.map(grid_text),
            ..none
        },
    }
}
