//! What is asked for, and what comes of it.

use nonius_linalg::Number;

use crate::boundary::BoundaryPoint;

/// Intervals of the underlying and steps in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grid {
    /// Intervals of the underlying, 16 at least.
    pub space: usize,
    /// Steps until maturity, 2 at least; dividends and other events add some.
    pub time: usize,
}

/// How exactly prices are computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Accuracy {
    /// On this grid, without extrapolation or estimate.
    Grid(Grid),
    /// By extrapolation from grids that are refined until the estimate of the error is at most this
    /// part of the price, or of a ten-thousandth of the strike where the price is less. Where no
    /// grid is enough, the price is the one with the least estimate.
    Tolerance(f64),
}

/// Prices below this part of the strike have the tolerance of one that is as large.
const LEAST_PRICE_OF_STRIKE: f64 = 1e-4;

/// What the tolerance of a price is a part of.
pub(crate) fn size_of_price<T: Number>(price: T, strike: T) -> f64 {
    price.to_f64().abs().max(strike.to_f64() * LEAST_PRICE_OF_STRIKE)
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Request {
    /// How exactly.
    pub accuracy: Accuracy,
    /// Whether vega and rho are, for which every contract is priced in eight other markets.
    pub sensitivities: bool,
    /// Whether the boundary of early exercise is.
    pub boundary: bool,
}

impl Default for Request {
    fn default() -> Self {
        Self { accuracy: Accuracy::Tolerance(1e-6), sensitivities: false, boundary: false }
    }
}

/// A price and what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Price<T> {
    /// The price.
    pub value: T,
    /// Its derivative with respect to the spot.
    pub delta: T,
    /// Its second derivative with respect to the spot.
    pub gamma: T,
    /// Its derivative with respect to time, per year.
    pub theta: T,
    /// Its derivative with respect to the volatility, all of it together, per 1 (100 %), where
    /// asked for.
    pub vega: Option<T>,
    /// Its derivative with respect to the rate, all of it together, per 1 (100 %), where asked for.
    pub rho: Option<T>,
    /// The estimate of the price's absolute error, where a tolerance was asked for.
    pub error: Option<f64>,
    /// Whether the estimate is within the tolerance; true where none was asked for.
    pub converged: bool,
    /// The finest grid that has a part in the price; nothing where the price needed none.
    pub grid: Option<Grid>,
    /// The boundary of early exercise, from maturity to today, where asked for and where there is
    /// one.
    pub boundary: Vec<BoundaryPoint<T>>,
}
