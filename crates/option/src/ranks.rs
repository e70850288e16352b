//! Contracts shared out among ranks.
//!
//! Each rank prices a run of the contracts, as long as its [effort](crate::Effort) is its part of
//! the whole, and all ranks get all prices. Contracts know nothing of each other, so that prices
//! have the bits of one device.
//!
//! Prices travel as words, and so does a refusal for want of memory, which depends on the machine.
//! All other errors follow from the contract alone, most of them before there is a grid: every rank
//! finds these again.

mod letter;

use nonius_comm::dense::Cargo;
use nonius_comm::{Communicator, shares};
use nonius_linalg::threads::{Grain, map};

use crate::contract::Contract;
use crate::error::Error;
use crate::evolve::Evolve;
use crate::price::{Priced, RequestOf};
use crate::request::Price;
use letter::{Words, write};

/// The prices of contracts that every rank has, in their order on every rank; each contract with a
/// request by its place. What is wrong with one does not stop the others.
///
/// ```
/// use nonius_comm::threads;
/// use nonius_linalg::backend::Cpu;
/// use nonius_option::{Contract, Kind, Request, price, price_on_ranks};
///
/// let strikes = [90.0, 100.0, 110.0];
/// let call = |k| Contract::european(Kind::Call, 100.0, k, 1.0, [0.05, 0.0, 0.2]);
/// let calls = strikes.map(call);
/// let request = Request::default();
/// let on_ranks = threads::run(2, |ranks| {
///     price_on_ranks(ranks, &Cpu::default(), &calls, &|_| request)
/// });
/// let expected = price(&Cpu::default(), &calls, &request)?;
/// assert_eq!(on_ranks?, [expected.clone(), expected]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`nonius_linalg::Error::Device`], of the backend as a whole, or where a rank is lost.
pub fn price_on_ranks<T: Priced + Cargo>(
    ranks: &Communicator,
    backend: &dyn Evolve<T>,
    contracts: &[Contract<T>],
    request: &RequestOf<'_>,
) -> Result<Vec<Result<Price<T>, Error>>, nonius_linalg::Error> {
    if ranks.size() == 1 {
        return T::price(backend, contracts, request);
    }
    let cost = |i: usize| request(i).effort(&contracts[i]).node_steps;
    let runs = shares(&map(contracts.len(), Grain::ANY, cost), ranks.size());
    let first = runs[ranks.rank()].start;
    let own = &contracts[runs[ranks.rank()].clone()];
    let own_prices = T::price(backend, own, &|i| request(first + i))?;
    let mut words = Vec::new();
    for (contract, outcome) in own.iter().zip(&own_prices) {
        write(contract.format(), outcome, &mut words);
    }
    let words = ranks.all_gather_lists(&words)?.concat();
    let mut words = Words(&words);
    let mut all = Vec::with_capacity(contracts.len());
    for (i, contract) in contracts.iter().enumerate() {
        match words.outcome(contract.format()) {
            Some(outcome) => all.push(outcome),
            None => all.extend(T::price(backend, &contracts[i..=i], &|_| request(i))?),
        }
    }
    Ok(all)
}
