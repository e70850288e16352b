//! How exactly prices are computed.

use clap::Args;
use nonius::option::{Accuracy, Grid};

/// How exactly prices are computed.
#[derive(Args)]
pub(super) struct Exactness {
    /// Compute on one grid of N intervals of the underlying and M time steps, as in 1000x500,
    /// without an estimate of the error
    #[arg(long, value_name = "NxM", value_parser = grid, conflicts_with = "tolerance")]
    grid: Option<Grid>,

    /// Refine grids until the estimated error of a price is at most this part of the price, or of a
    /// ten-thousandth of the strike where the price is less
    #[arg(long, value_name = "T", default_value = "1e-6", value_parser = tolerance)]
    tolerance: f64,
}

impl Exactness {
    pub(super) fn accuracy(&self) -> Accuracy {
        self.grid.map_or(Accuracy::Tolerance(self.tolerance), Accuracy::Grid)
    }
}

pub(super) fn grid(text: &str) -> Result<Grid, String> {
    let expected = || "expected intervals and steps such as 1000x500, at least 16x2".to_string();
    let (space, time) = text.split_once('x').ok_or_else(expected)?;
    let number = |text: &str| text.parse::<usize>().map_err(|_| expected());
    let grid = Grid { space: number(space)?, time: number(time)? };
    if grid.space < 16 || grid.time < 2 { Err(expected()) } else { Ok(grid) }
}

pub(super) fn tolerance(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|&t: &f64| t > 0.0 && t < 1.0);
    number.ok_or_else(|| "expected a number between 0 and 1 such as 1e-6".to_string())
}
