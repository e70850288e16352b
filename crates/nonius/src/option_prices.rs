//! Prices of options, and the volatilities that prices imply.

use std::time::Instant;

use nonius_linalg::Error;
use nonius_option::{
    Accuracy, Contract, Implied, Price, Quote, Request, implied_volatility, price,
};

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
    let work = work(contracts.iter(), request, 1.0);
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

/// A quote's implied volatility, or why it has none.
pub type ImpliedVolatility<T> = Result<Implied<T>, nonius_option::Error>;

/// The volatilities that quotes imply, in their order, each to the tolerance as a part of it, and
/// what they took. What is wrong with one does not stop the others.
///
/// # Errors
/// [`Error::Device`] where a GPU is asked for.
pub fn implied_volatilities<T: Number>(
    quotes: &[Quote<T>],
    tolerance: f64,
    device: Device,
) -> Result<(Vec<ImpliedVolatility<T>>, OptionsReport), Error> {
    // Prices of a search, those of coarse tolerances counted as parts of one.
    const PRICES: f64 = 4.0;
    let request = Request { accuracy: Accuracy::Tolerance(tolerance), ..Request::default() };
    let contracts = quotes.iter().map(|quote| &quote.contract);
    let work = work(contracts, &request, PRICES);
    let ((volatilities, seconds), place) = device.run(work, Implying { quotes, tolerance })?;
    Ok((volatilities, OptionsReport { seconds, place }))
}

/// Finds volatilities, in so many seconds.
struct Implying<'a, T> {
    quotes: &'a [Quote<T>],
    tolerance: f64,
}

impl<T: Number, B: Backend> DeviceJob<B> for Implying<'_, T> {
    type Output = (Vec<ImpliedVolatility<T>>, f64);

    fn run(&mut self, backend: &B) -> Result<Self::Output, Error> {
        let start = Instant::now();
        let found = implied_volatility(backend.evolver::<T>(), self.quotes, self.tolerance)?;
        Ok((found, start.elapsed().as_secs_f64()))
    }
}

/// What a book may take that is priced so many times.
fn work<'a, T: Number>(
    contracts: impl Iterator<Item = &'a Contract<T>> + Clone,
    request: &Request,
    times: f64,
) -> Work {
    let first = contracts.clone().next().map(|contract| T::precision(contract.format()));
    let efforts = contracts.map(|contract| request.effort(contract));
    let [nodes, node_steps] = efforts.fold([0.0; 2], |[nodes, node_steps], effort| {
        [nodes + effort.nodes, node_steps + effort.node_steps]
    });
    let precision = first.unwrap_or(Precision::F64);
    Work::evolutions(precision, times * nodes, times * node_steps)
}
