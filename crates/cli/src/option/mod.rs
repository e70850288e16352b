//! `nonius option`

mod plot;
mod price;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use clap::{Args, Subcommand};
use nonius::Number;
use nonius::option::book::{self, Row};
use nonius::option::{Accuracy, Grid};

use crate::failure::Failure;
use crate::input::{display_name, is_standard};

/// Price options by finite differences
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Price(price::Arguments),
    Plot(plot::Arguments),
}

impl Arguments {
    pub(crate) fn json(&self) -> bool {
        match &self.command {
            Command::Price(arguments) => arguments.common.json,
            Command::Plot(arguments) => arguments.common.json,
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Command::Price(arguments) => price::run(arguments),
        Command::Plot(arguments) => plot::run(arguments),
    }
}

/// How exactly prices are computed.
#[derive(Args)]
struct Exactness {
    /// Compute on a grid of N intervals of the underlying and M steps in time, as in 1000x500, without an estimate of the error
    #[arg(long, value_name = "NxM", value_parser = grid, conflicts_with = "tolerance")]
    grid: Option<Grid>,

    /// Refine grids until the estimate of a price's error is at most this part of it (of a ten-thousandth of the strike where the price is less)
    #[arg(long, value_name = "T", default_value = "1e-6", value_parser = tolerance)]
    tolerance: f64,
}

impl Exactness {
    fn accuracy(&self) -> Accuracy {
        self.grid.map_or(Accuracy::Tolerance(self.tolerance), Accuracy::Grid)
    }
}

fn grid(text: &str) -> Result<Grid, String> {
    let expected = || "expected intervals and steps such as 1000x500, at least 16x2".to_string();
    let (space, time) = text.split_once('x').ok_or_else(expected)?;
    let number = |text: &str| text.parse::<usize>().map_err(|_| expected());
    let grid = Grid { space: number(space)?, time: number(time)? };
    if grid.space < 16 || grid.time < 2 { Err(expected()) } else { Ok(grid) }
}

fn tolerance(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|&t: &f64| t > 0.0 && t < 1.0);
    number.ok_or_else(|| "expected a number between 0 and 1 such as 1e-6".to_string())
}

/// The rows of a book.
fn read_book<T: Number>(path: &Path) -> Result<Vec<Row<T>>, Failure> {
    let name = display_name(path);
    let input: Box<dyn Read> = if is_standard(path) {
        Box::new(io::stdin().lock())
    } else {
        let file = File::open(path);
        Box::new(
            file.map_err(|error| Failure::input(format!("{name}: cannot be opened: {error}")))?,
        )
    };
    let folder = path.parent().unwrap_or(Path::new(""));
    book::read(input, folder).map_err(|error| Failure::input(format!("{name}: {error}")))
}
