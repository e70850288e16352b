//! Prices of options.

use std::time::Instant;

use nonius_linalg::Error;
use nonius_linalg::backend::Cpu;
use nonius_option::{Contract, Price, Request, price};

use crate::Number;
use crate::device::{Device, Engine, Place};
use crate::work::Work;

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

/// The prices of contracts, in their order, and what they took. What is wrong with one does not stop the others.
///
/// # Errors
/// [`Error::NeedsHost`] where a GPU is asked for.
pub fn option_prices<T: Number>(
    contracts: &[Contract<T>],
    request: &Request,
    device: Device,
) -> Result<(Vec<OptionPrice<T>>, OptionsReport), Error> {
    // Nothing that a GPU would have to be started for.
    let work = Work::new(T::precision(()), 0.0, 0.0);
    let ((prices, seconds), place) = device.run(work, |engine| match engine {
        Engine::Cpu => {
            let start = Instant::now();
            let prices = price(&Cpu::default(), contracts, request)?;
            Ok((prices, start.elapsed().as_secs_f64()))
        }
        Engine::Cuda(_) => Err(Error::NeedsHost { what: "option prices" }),
    })?;
    Ok((prices, OptionsReport { seconds, place }))
}
