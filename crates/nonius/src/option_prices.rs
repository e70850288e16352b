//! Prices of options.

use std::time::Instant;

use nonius_linalg::Error;
use nonius_option::{Accuracy, Contract, Grid, Price, Request, price};

use crate::backend::{Backend, DeviceJob};
use crate::device::{Device, Place};
use crate::work::Work;
use crate::{Number, Precision};

/// Where a book was priced, and in what time.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionsReport {
    /// Time for all prices.
    pub seconds: f64,
    /// Where they were computed.
    pub place: Place,
}

/// A contract's price, or why it has none.
pub type OptionPrice<T> = Result<Price<T>, nonius_option::Error>;

/// The prices of contracts, in their order, and what they took. What is wrong with one does not
/// stop the others.
///
/// ```
/// use nonius::option::{Contract, Kind, Request};
/// use nonius::{Device, option_prices};
///
/// let call = Contract::european(Kind::Call, 100.0, 100.0, 1.0, [0.05, 0.0, 0.2]);
/// let bad = Contract::european(Kind::Call, -1.0, 100.0, 1.0, [0.05, 0.0, 0.2]);
/// let (prices, report) = option_prices(&[call, bad], &Request::default(), Device::Cpu)?;
/// assert!((prices[0].as_ref().unwrap().value - 10.450_583_572).abs() < 1e-4);
/// assert!(prices[1].is_err() && report.place.device == Device::Cpu);
/// # Ok::<(), nonius::linalg::Error>(())
/// ```
///
/// # Errors
/// [`Error::Device`] where a GPU is asked for.
pub fn option_prices<T: Number>(
    contracts: &[Contract<T>],
    request: &Request,
    device: Device,
) -> Result<(Vec<OptionPrice<T>>, OptionsReport), Error> {
    let work = work::<T>(contracts, request);
    let ((prices, seconds), place) = device.run(work, Pricing { contracts, request })?;
    Ok((prices, OptionsReport { seconds, place }))
}

/// Prices contracts, in so many seconds.
struct Pricing<'a, T> {
    contracts: &'a [Contract<T>],
    request: &'a Request,
}

impl<T: Number, B: Backend> DeviceJob<B> for Pricing<'_, T> {
    type Output = (Vec<OptionPrice<T>>, f64);

    fn run(&mut self, backend: &B) -> Result<Self::Output, Error> {
        let start = Instant::now();
        let prices = price(backend.evolver::<T>(), self.contracts, self.request)?;
        Ok((prices, start.elapsed().as_secs_f64()))
    }
}

/// What a book may take: on the grids asked for, or on usual ones.
fn work<T: Number>(contracts: &[Contract<T>], request: &Request) -> Work {
    const USUAL_GRID: Grid = Grid { space: 512, time: 256 };
    let Grid { space, time } = match request.accuracy {
        Accuracy::Grid(grid) => grid,
        Accuracy::Tolerance(_) => USUAL_GRID,
    };
    // A contract in other markets for vega and rho.
    let markets = if request.sensitivities { 9.0 } else { 1.0 };
    let nodes = contracts.len() as f64 * markets * space as f64;
    let precision = contracts.first().map(|contract| T::precision(contract.format()));
    Work::evolutions(precision.unwrap_or(Precision::F64), nodes, time as f64)
}
