//! Prices of options.

use std::time::Instant;

use nonius_linalg::Error;
use nonius_option::{Contract, Price, Request, price};

use crate::backend::{Backend, DeviceJob};
use crate::device::{Device, Place};
use crate::work::Work;
use crate::{Number, Precision};

/// What a book took.
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
/// # Errors
/// [`Error::Device`] where a GPU is asked for.
pub fn option_prices<T: Number>(
    contracts: &[Contract<T>],
    request: &Request,
    device: Device,
) -> Result<(Vec<OptionPrice<T>>, OptionsReport), Error> {
    let work = work(contracts, request);
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

/// What a book may take.
fn work<T: Number>(contracts: &[Contract<T>], request: &Request) -> Work {
    let first = contracts.first().map(|contract| T::precision(contract.format()));
    let efforts = contracts.iter().map(|contract| request.effort(contract));
    let [nodes, node_steps] = efforts.fold([0.0; 2], |[nodes, node_steps], effort| {
        [nodes + effort.nodes, node_steps + effort.node_steps]
    });
    let precision = first.unwrap_or(Precision::F64);
    Work::evolutions(precision, nodes, node_steps)
}
