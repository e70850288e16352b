//! `nonius option price`

use std::path::PathBuf;

use clap::Args;
use nonius::linalg::sparse::matrix_market::WriteError;
use nonius::option::{Price, Request, book};
use nonius::{Job, Number, Precision, option_prices};
use serde::Serialize;

use super::book::read_book;
use super::exactness::Exactness;
use crate::common::{Common, device_text, precision_text, reason_text};
use crate::failure::Failure;
use crate::input::display_name;
use crate::names::{Contents, Names};
use crate::output::{Output, Summary, print_json, time_text};

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

    /// Vega and rho as well, per 1 (100 %) of the volatility and of the rate, for which every
    /// contract is priced in eight other markets
    #[arg(long)]
    sensitivities: bool,

    /// Precision: f64, dd, td, qd, or mp followed by 64 to 4096 bits, such as mp424
    #[arg(long, value_name = "PRECISION", default_value = "f64")]
    precision: Precision,

    /// Write the prices to FILE, which appears complete or not at all [default: standard output,
    /// without --json]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Write the boundaries of American exercise to FILE, CSV of row, time (in years from today,
    /// from maturity to today) and the price of the underlying at which the contract is exercised,
    /// exact to two nodes of the grid
    #[arg(long, value_name = "FILE")]
    boundary: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Serialize)]
struct Priced {
    row: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    price: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    delta: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gamma: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    theta: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    vega: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rho: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_estimate: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    converged: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    grid: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

#[derive(Serialize)]
struct Json {
    contracts: usize,
    priced: usize,
    converged: usize,
    seconds: f64,
    contracts_per_second: f64,
    precision: String,
    device: String,
    device_reason: Option<String>,
    prices: Vec<Priced>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    Names::default()
        .read("BOOK", &arguments.book)
        .written("--output", Contents::Table, output(arguments).output.as_ref())
        .written("--boundary", Contents::Table, arguments.boundary.as_ref())
        .check(arguments.common.json)?;
    arguments.common.run(|| Book(arguments).at(arguments.precision))
}

/// Where prices go: nowhere, where the JSON object has them.
fn output(arguments: &Arguments) -> Output {
    let standard = || (!arguments.common.json).then(|| PathBuf::from("-"));
    Output { output: arguments.output.clone().or_else(standard) }
}

struct Book<'a>(&'a Arguments);

impl Job for Book<'_> {
    type Output = Result<(), Failure>;

    fn run<T: Number>(self, format: T::Format) -> Result<(), Failure> {
        let Arguments { common, exactness, .. } = self.0;
        let rows = read_book::<T>(format, &self.0.book)?;
        let request = Request {
            accuracy: exactness.accuracy(),
            sensitivities: self.0.sensitivities,
            boundary: self.0.boundary.is_some(),
        };
        let contracts: Vec<_> =
            rows.iter().filter_map(|row| row.contract.as_ref().ok().cloned()).collect();
        let bar = common.progress().work(format!("pricing {} contracts", contracts.len()));
        let found = option_prices(&contracts, &request, common.device);
        bar.finish_and_clear();
        let (prices, report) = found.map_err(Failure::input)?;
        common.explain("the prices", &report.place);
        let mut prices = prices.into_iter();
        let results: Vec<(u64, Result<Price<T>, String>)> = rows
            .into_iter()
            .map(|row| match row.contract {
                Err(error) => (row.line, Err(error.to_string())),
                Ok(_) => {
                    let price = prices.next().map_or(Err(String::new()), |price| {
                        price.map_err(|error| format!("row {}: {error}", row.line))
                    });
                    (row.line, price)
                }
            })
            .collect();

        let output = output(self.0);
        let kept = results.clone();
        output.write(|out| book::write(out, kept).map_err(WriteError::Io))?;
        let known = results.iter().filter_map(|(row, price)| Some((*row, price.as_ref().ok()?)));
        let boundary = Output::beside(self.0.boundary.as_ref());
        boundary.write(|out| book::write_boundaries(out, known).map_err(WriteError::Io))?;
        let priced = results.iter().filter(|(_, price)| price.is_ok()).count();
        let is_converged = |(_, price): &&(u64, Result<Price<T>, String>)| {
            price.as_ref().is_ok_and(|price| price.converged)
        };
        let converged = results.iter().filter(is_converged).count();
        let rate = contracts.len() as f64 / report.seconds;
        let name = display_name(&self.0.book);
        let json = common.json.then(|| Json {
            contracts: results.len(),
            priced,
            converged,
            seconds: report.seconds,
            contracts_per_second: rate,
            precision: self.0.precision.to_string(),
            device: report.place.device.to_string(),
            device_reason: reason_text(&report.place),
            prices: if self.0.output.is_some() {
                Vec::new()
            } else {
                results.iter().map(of_row).collect()
            },
        });
        if json.is_none() && !common.quiet {
            let mut summary = Summary::default();
            summary.line("book", format!("{name}: {} contracts, {priced} priced", results.len()));
            summary.line("precision", precision_text(self.0.precision));
            summary.line("device", device_text(&report.place));
            let time = time_text(report.seconds);
            summary.line("time", format!("{time}, {rate:.0} contracts a second"));
            Output::print_summary_beside([&output, &boundary], &summary)?;
        }
        let message = match results.iter().find_map(|(_, price)| price.as_ref().err()) {
            Some(first) => {
                let failed = results.len() - priced;
                format!(
                    "{name}: {failed} of {} contracts have no price, the first: {first}",
                    results.len()
                )
            }
            None if converged < priced => format!(
                "{name}: {} of {priced} prices are not within the tolerance",
                priced - converged
            ),
            None => return json.map_or(Ok(()), |json| print_json(&json)),
        };
        Err(match json.and_then(|json| serde_json::to_value(json).ok()) {
            Some(known) => Failure::numerical(message).knowing(known),
            None => Failure::numerical(message),
        })
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
            grid: price.grid.map(|grid| format!("{}x{}", grid.space, grid.time)),
            ..none
        },
    }
}
