//! Requests for prices, and prices.

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

/// How accurately prices are computed.
///
/// ```
/// use nonius_linalg::backend::Cpu;
/// use nonius_num::Dd;
/// use nonius_option::{Accuracy, Contract, Grid, Kind, Request, price};
///
/// // A grid of one's own, without an estimate of the error, in double-double.
/// let market = [0.05, 0.0, 0.2].map(Dd::from);
/// let call = Contract::european(Kind::Call, Dd::from(100), Dd::from(100), Dd::ONE, market);
/// let accuracy = Accuracy::Grid(Grid { space: 64, time: 32 });
/// let prices = price(&Cpu::default(), &[call], &Request { accuracy, ..Request::default() })?;
/// let price = prices[0].as_ref().unwrap();
/// assert!((price.value - 10.45).abs().to_f64() < 0.2 && price.error.is_none());
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
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

/// What to compute for each contract, and how accurately.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Request {
    /// How accurately.
    pub accuracy: Accuracy,
    /// Whether to compute vega and rho, which takes prices in eight other markets.
    pub sensitivities: bool,
    /// Whether to compute the boundary of early exercise.
    pub boundary: bool,
}

impl Default for Request {
    fn default() -> Self {
        Self { accuracy: Accuracy::Tolerance(1e-6), sensitivities: false, boundary: false }
    }
}

/// A price, its sensitivities and an estimate of its error.
///
/// ```
/// use nonius_linalg::backend::Cpu;
/// use nonius_option::{Contract, Kind, Request, price};
///
/// let call = Contract::european(Kind::Call, 100.0, 100.0, 1.0, [0.05, 0.0, 0.2]);
/// let request = Request { sensitivities: true, ..Request::default() };
/// let prices = price(&Cpu::default(), &[call], &request)?;
/// let price = prices[0].as_ref().unwrap();
/// // By the formula of Black and Scholes.
/// assert!((price.delta - 0.636_830_651).abs() < 1e-4);
/// assert!((price.vega.unwrap() - 37.524_034_692).abs() < 1e-2);
/// assert!((price.rho.unwrap() - 53.232_481_545).abs() < 1e-2);
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
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
