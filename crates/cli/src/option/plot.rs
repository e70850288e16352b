//! `nonius option plot`

use std::path::PathBuf;

use clap::Args;
use nonius::option::{Accuracy, Contract, Grid, Price, Prices, Request};
use nonius_figures::{Axis, Curve, Figure, Format, Panel};
use schemars::JsonSchema;
use serde::Serialize;

use super::book::read_book;
use super::exactness::{grid, tolerance};
use crate::command::Command;
use crate::common::{Common, reason_text};
use crate::failure::Failure;
use crate::input::display_name;
use crate::names::{Contents, Names};
use crate::objects::{Object, Objects};
use crate::output::Output;
use crate::ranks::Sharing;
use crate::report::Report;

/// Panels beside one another.
const COLUMNS: usize = 3;

/// Draw price and sensitivities of a contract
///
/// The horizontal axis is the price of the underlying.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The book; `-` is standard input
    #[arg(value_name = "BOOK.csv")]
    book: PathBuf,

    /// The contract, by the line of the book on which its row begins; the column names are line 1
    /// [default: the first]
    #[arg(long, value_name = "LINE")]
    row: Option<u64>,

    /// The lowest price of the underlying [default: half the strike]
    #[arg(long, value_name = "S")]
    from: Option<f64>,

    /// The highest price of the underlying [default: one and a half times the strike]
    #[arg(long, value_name = "S")]
    to: Option<f64>,

    /// How many prices of the underlying, from 2 to 5000
    #[arg(long, value_name = "N", default_value_t = 121, value_parser = clap::value_parser!(u16).range(2..=5000))]
    points: u16,

    /// Compute at each price on one grid of N intervals of the underlying and M time steps
    #[arg(long, value_name = "NxM", default_value = "512x256", value_parser = grid)]
    grid: Grid,

    /// Instead of one grid, refine grids at each price until the estimated error is at most this
    /// part of it, or of a ten-thousandth of the strike where it is less; this takes much longer
    #[arg(long, value_name = "T", value_parser = tolerance, conflicts_with = "grid")]
    tolerance: Option<f64>,

    /// Draw into FILE, .svg or .png, which appears complete or not at all; `-` is standard output,
    /// as SVG
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,

    #[command(flatten)]
    common: Common,
}

/// A picture was drawn.
#[derive(Serialize, JsonSchema)]
struct Figures {
    /// The line of the book on which the row of the contract begins.
    row: u64,
    /// The number of prices of the underlying at which there is a price.
    points: usize,
    /// Time of the computation in seconds, without reading and writing files.
    seconds: f64,
    /// Where it was computed: cpu, or cuda:0 for the first GPU.
    device: String,
    /// Why --device auto took this device; null where --device names one.
    device_reason: Option<String>,
}

impl Command for Arguments {
    fn common(&self) -> &Common {
        &self.common
    }

    fn sharing(&self) -> Sharing {
        Sharing::First
    }

    fn run(&self) -> Result<Report, Failure> {
        let Self { book, output, common, .. } = self;
        Names::default()
            .read("BOOK", book)
            .written("--output", Contents::Picture, output)
            .check(common.json)?;
        common.run(|| draw(self))
    }

    fn objects() -> Objects {
        Objects::Of(vec![Object::of_success::<Figures>()])
    }
}

/// The name of a quantity, and which it is of a price.
type Quantity = (&'static str, fn(&Price<f64>) -> Option<f64>);

const QUANTITIES: [Quantity; 6] = [
    ("price", |price| Some(price.value)),
    ("delta", |price| Some(price.delta)),
    ("gamma", |price| Some(price.gamma)),
    ("theta, per year", |price| Some(price.theta)),
    ("vega, per 1 (100 %) of volatility", |price| price.vega),
    ("rho, per 1 (100 %) of rate", |price| price.rho),
];

fn draw(arguments: &Arguments) -> Result<Report, Failure> {
    let Arguments { common, points, .. } = arguments;
    let name = display_name(&arguments.book);
    let rows = read_book::<f64>((), &arguments.book, arguments.common.progress())?;
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
        return Err(Failure::input(format!("{name}: expected a row below the column names")));
    };
    let (row, last) = (arguments.row.unwrap_or(first.line), last.line);
    let Some(chosen) = rows.into_iter().find(|chosen| chosen.line == row) else {
        let wanted =
            format!("{name}: expected a line on which a row begins, up to {last}, not {row}");
        return Err(Failure::input(wanted));
    };
    let contract = chosen.found.map_err(|error| Failure::input(format!("{name}: {error}")))?;
    let from = arguments.from.unwrap_or(contract.strike / 2.0);
    let to = arguments.to.unwrap_or(contract.strike * 1.5);
    if !(from > 0.0 && from < to && to.is_finite()) {
        return Err(Failure::input(format!("expected 0 < --from < --to, not {from} and {to}")));
    }
    let spot = |i: u16| from + (to - from) * f64::from(i) / f64::from(points - 1);
    let contracts: Vec<Contract<f64>> =
        (0..*points).map(|i| Contract { spot: spot(i), ..contract.clone() }).collect();
    let accuracy = arguments.tolerance.map_or(Accuracy::Grid(arguments.grid), Accuracy::Tolerance);
    let request = Request { accuracy, sensitivities: true, boundary: false };
    let bar = common.progress().work(format!("pricing at {points} prices of the underlying"));
    let found = Prices::new(&contracts).request(request).device(common.device).run();
    bar.finish_and_clear();
    let (prices, report) = found.map_err(Failure::input)?;
    let known: Vec<(f64, Price<f64>)> = contracts
        .iter()
        .zip(prices)
        .filter_map(|(contract, price)| Some((contract.spot, price.ok()?)))
        .collect();
    if known.is_empty() {
        return Err(Failure::numerical(format!("{name}: row {row} has no price anywhere")));
    }
    let figure = figure(format!("{name}, row {row}"), &known, [from, to]);
    let drawn = Format::of(&arguments.output).and_then(|format| figure.draw(format));
    let picture = drawn.map_err(|error| Failure::input(format!("{name}: {error}")))?;
    let output = Output::beside(Some(&arguments.output));
    output.write(|out| Ok(out.write_all(&picture)?))?;
    Ok(Report::new(Figures {
        row,
        points: known.len(),
        seconds: report.time.as_secs_f64(),
        device: report.place.device.to_string(),
        device_reason: reason_text(&report.place),
    }))
}

/// A panel for each quantity, against the price of the underlying.
fn figure(title: String, prices: &[(f64, Price<f64>)], [from, to]: [f64; 2]) -> Figure {
    let curve = |(name, quantity): Quantity| {
        Curve::new(name, prices.iter().filter_map(|(spot, price)| Some((*spot, quantity(price)?))))
    };
    let mut curves: Vec<Curve> = QUANTITIES.into_iter().map(curve).collect();
    // Of a surface of volatilities there is no vega.
    curves.retain(|curve| !curve.points.is_empty());
    let count = curves.len();
    let panel = |(i, curve): (usize, Curve)| {
        // Panels of a column have one horizontal axis, below them.
        let is_last = i + COLUMNS >= count;
        let axis = Axis::linear(if is_last { "price of the underlying" } else { "" });
        Panel {
            title: curve.name.clone(),
            x: axis.reaching(from).reaching(to),
            curves: vec![curve],
            ..Panel::default()
        }
    };
    let panels = curves.into_iter().enumerate().map(panel).collect();
    Figure { title, panels, columns: COLUMNS, width: 940, height: 190, ..Figure::default() }
}
