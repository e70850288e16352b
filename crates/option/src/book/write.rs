//! Prices, boundaries of early exercise and implied volatilities as CSV.

use core::fmt::Display;
use std::io::{self, Write};

use nonius_linalg::Number;
use nonius_num::Decimal;

use crate::implied::Implied;
use crate::request::{Grid, Price};

/// The names of the columns of prices.
const NAMES: [&str; 11] = [
    "row",
    "price",
    "delta",
    "gamma",
    "theta",
    "vega",
    "rho",
    "error",
    "converged",
    "grid",
    "message",
];

/// Writes prices row by row, with theta per year, vega and rho per 1 (100 %): the number of the row
/// in its book, price and sensitivities, the estimate of the price's error and whether it is within
/// the tolerance, the finest grid as `space`x`time`, and, where there is no price, why. What was
/// not asked for is empty. Numbers read back as the same.
///
/// ```
/// use std::path::Path;
///
/// use nonius_linalg::backend::Cpu;
/// use nonius_option::{Request, book, price};
///
/// let text = "type,spot,strike,rate,volatility,maturity\ncall,100,105,0.05,0.2,1\n";
/// let rows = book::read::<f64>((), text.as_bytes(), Path::new(""))?;
/// let contracts: Vec<_> = rows.into_iter().filter_map(|row| row.found.ok()).collect();
/// let prices = price(&Cpu::default(), &contracts, &Request::default())?;
/// let mut output = Vec::new();
/// book::write(&mut output, (2..).zip(prices))?;
/// let output = String::from_utf8(output)?;
/// assert!(output.starts_with("row,price,delta,gamma,theta,"));
/// assert!(output.lines().nth(1).is_some_and(|line| line.starts_with("2,8.0213")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Of the output.
pub fn write<T: Number, E: Display>(
    output: impl Write,
    prices: impl IntoIterator<Item = (u64, Result<Price<T>, E>)>,
) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(output);
    writer.write_record(NAMES)?;
    for (row, price) in prices {
        let row = row.to_string();
        match price {
            Ok(price) => {
                let optional = |x: Option<T>| x.map_or_else(String::new, text);
                let error = price.error.map_or_else(String::new, |error| format!("{error:.1e}"));
                writer.write_record([
                    row,
                    text(price.value),
                    text(price.delta),
                    text(price.gamma),
                    text(price.theta),
                    optional(price.vega),
                    optional(price.rho),
                    error,
                    price.converged.to_string(),
                    of_grid(price.grid),
                    String::new(),
                ])?;
            }
            Err(error) => writer.write_record(refused::<{ NAMES.len() }>(row, &error))?,
        }
    }
    writer.flush()
}

/// Writes the boundaries of early exercise of prices that have one, point by point from maturity to
/// today: the number of the row in its book, the time in years from today, and the price of the
/// underlying [at which the contract is exercised](crate::BoundaryPoint). Numbers read back as the
/// same.
///
/// # Errors
/// Of the output.
pub fn write_boundaries<'a, T: Number>(
    output: impl Write,
    prices: impl IntoIterator<Item = (u64, &'a Price<T>)>,
) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(output);
    writer.write_record(["row", "time", "spot"])?;
    for (row, price) in prices {
        let row = row.to_string();
        for point in &price.boundary {
            writer.write_record([&row, &text(point.time), &text(point.spot)])?;
        }
    }
    writer.flush()
}

/// The names of the columns of volatilities.
const NAMES_OF_VOLATILITIES: [&str; 6] =
    ["row", "volatility", "error", "converged", "grid", "message"];

/// Writes implied volatilities row by row: the number of the row in its book, the volatility a
/// year, the estimate of its error and whether it is within the tolerance, the finest grid of the
/// last price as `space`x`time`, and, where there is no volatility, why. Numbers read back as the
/// same.
///
/// # Errors
/// Of the output.
pub fn write_volatilities<T: Number, E: Display>(
    output: impl Write,
    volatilities: impl IntoIterator<Item = (u64, Result<Implied<T>, E>)>,
) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(output);
    writer.write_record(NAMES_OF_VOLATILITIES)?;
    for (row, implied) in volatilities {
        let row = row.to_string();
        match implied {
            Ok(implied) => writer.write_record([
                row,
                text(implied.volatility),
                format!("{:.1e}", implied.error),
                implied.converged.to_string(),
                of_grid(implied.grid),
                String::new(),
            ])?,
            Err(error) => {
                writer.write_record(refused::<{ NAMES_OF_VOLATILITIES.len() }>(row, &error))?;
            }
        }
    }
    writer.flush()
}

/// The cells of a row without a result: the first names it, and the last says why.
fn refused<const COLUMNS: usize>(row: String, error: &impl Display) -> [String; COLUMNS] {
    let mut cells = [const { String::new() }; COLUMNS];
    cells[0] = row;
    cells[COLUMNS - 1] = error.to_string();
    cells
}

fn of_grid(grid: Option<Grid>) -> String {
    grid.map_or_else(String::new, |grid| format!("{}x{}", grid.space, grid.time))
}

fn text<T: Decimal>(x: T) -> String {
    let mut text = Vec::new();
    x.append_decimal(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}
