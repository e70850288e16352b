//! `nonius option plot`

use std::path::PathBuf;

use clap::Args;
use nonius::files::printable;
use nonius::option::{Contract, Price, Request};
use nonius::option_prices;
use plotters::coord::Shift;
use plotters::prelude::*;
use serde::Serialize;

use super::book::read_book;
use super::exactness::Exactness;
use crate::common::Common;
use crate::failure::Failure;
use crate::input::display_name;
use crate::names::{Contents, Names};
use crate::output::{Output, print_json};

const SIZE: (u32, u32) = (1080, 620);
/// Units of the drawing in one of the picture: plotters has no coordinates between whole ones.
const UNITS: u32 = 8;
const COLOUR: RGBColor = RGBColor(0, 114, 178);

/// Draw price and sensitivities of a contract against the price of the underlying
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

    /// How many prices of the underlying
    #[arg(long, value_name = "N", default_value_t = 121, value_parser = clap::value_parser!(u16).range(2..=5000))]
    points: u16,

    #[command(flatten)]
    exactness: Exactness,

    /// The picture, an SVG, which appears complete or not at all; `-` is standard output
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,

    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Serialize)]
struct Json {
    row: u64,
    points: usize,
    seconds: f64,
    device: String,
}

/// The name of a figure, and which it is of a price.
type Figure = (&'static str, fn(&Price<f64>) -> Option<f64>);

const FIGURES: [Figure; 6] = [
    ("price", |price| Some(price.value)),
    ("delta", |price| Some(price.delta)),
    ("gamma", |price| Some(price.gamma)),
    ("theta, per year", |price| Some(price.theta)),
    ("vega, per 1 (100 %) of volatility", |price| price.vega),
    ("rho, per 1 (100 %) of rate", |price| price.rho),
];

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    Names::default()
        .read("BOOK", &arguments.book)
        .written("--output", Contents::Picture, &arguments.output)
        .check(arguments.common.json)?;
    arguments.common.run(|| draw(arguments))
}

fn draw(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { common, exactness, points, .. } = arguments;
    let name = display_name(&arguments.book);
    let rows = read_book::<f64>((), &arguments.book)?;
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
        return Err(Failure::input(format!("{name}: expected a row below the column names")));
    };
    let (row, last) = (arguments.row.unwrap_or(first.line), last.line);
    let Some(found) = rows.into_iter().find(|found| found.line == row) else {
        let wanted =
            format!("{name}: expected a line on which a row begins, up to {last}, not {row}");
        return Err(Failure::input(wanted));
    };
    let contract = found.contract.map_err(|error| Failure::input(format!("{name}: {error}")))?;
    let from = arguments.from.unwrap_or(contract.strike / 2.0);
    let to = arguments.to.unwrap_or(contract.strike * 1.5);
    if !(from > 0.0 && from < to && to.is_finite()) {
        return Err(Failure::input(format!("expected 0 < --from < --to, not {from} and {to}")));
    }
    let spot = |i: u16| from + (to - from) * f64::from(i) / f64::from(points - 1);
    let contracts: Vec<Contract<f64>> =
        (0..*points).map(|i| Contract { spot: spot(i), ..contract.clone() }).collect();
    let request = Request { accuracy: exactness.accuracy(), sensitivities: true, boundary: false };
    let bar = common.progress().work(format!("pricing at {points} prices of the underlying"));
    let found = option_prices(&contracts, &request, common.device);
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
    let name = printable(&name);
    let title = format!("{name}, row {row}, against the price of the underlying");
    let picture = picture(&title, &known, (from, to))
        .map_err(|error| Failure::input(format!("the picture cannot be drawn: {error}")))?;
    let output = Output::beside(Some(&arguments.output));
    output.write(|out| Ok(out.write_all(picture.as_bytes())?))?;
    if common.json {
        let (seconds, device) = (report.seconds, report.place.device.to_string());
        return print_json(&Json { row, points: known.len(), seconds, device });
    }
    Ok(())
}

/// An SVG of a panel for each figure.
fn picture(
    title: &str,
    prices: &[(f64, Price<f64>)],
    range: (f64, f64),
) -> Result<String, Box<dyn std::error::Error>> {
    let units = (SIZE.0 * UNITS, SIZE.1 * UNITS);
    let mut text = String::new();
    panels(title, prices, range, SVGBackend::with_string(&mut text, units).into_drawing_area())?;
    let size = |(width, height): (u32, u32)| format!("width=\"{width}\" height=\"{height}\"");
    Ok(text.replacen(&size(units), &size(SIZE), 1))
}

fn panels(
    title: &str,
    prices: &[(f64, Price<f64>)],
    (from, to): (f64, f64),
    area: DrawingArea<SVGBackend<'_>, Shift>,
) -> Result<(), Box<dyn std::error::Error>> {
    area.fill(&WHITE)?;
    let area = area.margin(12 * UNITS, 0, 0, 0).titled(title, ("sans-serif", 18 * UNITS))?;
    let parts = area.margin(8 * UNITS, 0, 0, 0).split_evenly((2, 3));
    for (part, (name, figure)) in parts.iter().zip(FIGURES) {
        let points = || prices.iter().filter_map(|(s, price)| Some((*s, figure(price)?)));
        let (low, high) = points()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), (_, y)| (l.min(y), h.max(y)));
        let room = if high > low { (high - low) / 20.0 } else { high.abs().max(1.0) / 20.0 };
        let mut chart = ChartBuilder::on(part)
            .margin(10 * UNITS)
            .caption(name, ("sans-serif", 16 * UNITS))
            .x_label_area_size(30 * UNITS)
            .y_label_area_size(60 * UNITS)
            .build_cartesian_2d(from..to, low - room..high + room)?;
        chart
            .configure_mesh()
            .light_line_style(WHITE.mix(0.0))
            .bold_line_style(BLACK.mix(0.2).stroke_width(UNITS))
            .axis_style(BLACK.stroke_width(UNITS))
            .set_all_tick_mark_size(5 * UNITS)
            .x_labels(6)
            .y_labels(6)
            .x_label_formatter(&|&x| label(x, to - from))
            .y_label_formatter(&|&y| label(y, high - low))
            .label_style(("sans-serif", 13 * UNITS))
            .draw()?;
        chart.draw_series(LineSeries::new(points(), COLOUR.stroke_width(2 * UNITS)))?;
    }
    area.present()?;
    Ok(())
}

/// A number below this part of the axis' length is a zero that rounding moved.
const ZERO: f64 = 1e-6;

/// A number on an axis of such a length, without what rounding left of zero and of decimals.
fn label(x: f64, length: f64) -> String {
    if x.abs() < length * ZERO {
        return "0".into();
    }
    let x = format!("{x:.6e}").parse().unwrap_or(x);
    if (1e-4..1e7).contains(&x.abs()) { x.to_string() } else { format!("{x:e}") }
}
