//! Contracts shared out among ranks.
//!
//! Each rank has contracts whose [efforts](crate::Effort) are together its part of the whole, and
//! some of each kind. All ranks get all prices. Contracts know nothing of each other, so that
//! prices have the bits of one device.
//!
//! Prices travel as words, and so does a refusal for want of memory, which depends on the machine.
//! All other errors follow from the contract alone, most of them before there is a grid: every rank
//! finds these again.

mod letter;

use nonius_comm::dense::Cargo;
use nonius_comm::{Communicator, owners};
use nonius_linalg::threads::{Grain, map};

use crate::contract::Contract;
use crate::error::Error;
use crate::evolve::Evolve;
use crate::implied::{Implied, Quote, implied_volatility_of_own};
use crate::price::{Priced, RequestOf};
use crate::request::{Accuracy, Price, Request};
use letter::{Letter, Words, write};

/// The prices of contracts that every rank has, in their order on every rank; each contract with a
/// request by its place. What is wrong with one does not stop the others. Each rank has a backend
/// of its own, all of one kind.
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
    let cost = |i: usize| request(i).effort(&contracts[i]).node_steps;
    let of = |ranks: &Communicator, places: &[usize]| {
        let own = map(places.len(), Grain::ANY, |at| contracts[places[at]].clone());
        T::price(ranks, backend, &own, &|at| request(places[at]))
    };
    on_ranks(ranks, (contracts.len(), &cost), &|i| contracts[i].format(), of)
}

/// The [implied volatilities](crate::implied_volatility()) of quotes that every rank has, in their
/// order on every rank. Each rank has a backend of its own, all of one kind.
///
/// # Errors
/// [`nonius_linalg::Error::Device`], of the backend as a whole, or where a rank is lost.
pub fn implied_volatility_on_ranks<T: Priced + Cargo>(
    ranks: &Communicator,
    backend: &dyn Evolve<T>,
    quotes: &[Quote<T>],
    tolerance: f64,
) -> Result<Vec<Result<Implied<T>, Error>>, nonius_linalg::Error> {
    let request = Request { accuracy: Accuracy::Tolerance(tolerance), ..Request::default() };
    let cost = |i: usize| request.effort(&quotes[i].with_least()).node_steps;
    let of = |ranks: &Communicator, places: &[usize]| {
        let own = map(places.len(), Grain::ANY, |at| quotes[places[at]].clone());
        implied_volatility_of_own(ranks, backend, &own, tolerance)
    };
    on_ranks(ranks, (quotes.len(), &cost), &|i| quotes[i].format(), of)
}

/// The outcomes of `count` items by what each costs, on every rank in their order. `of` finds those
/// of some places, on some ranks together.
fn on_ranks<T: Cargo, L: Letter<T>>(
    ranks: &Communicator,
    (count, cost): (usize, &(dyn Fn(usize) -> f64 + Sync)),
    format: &(dyn Fn(usize) -> T::Format + Sync),
    of: impl Fn(&Communicator, &[usize]) -> Result<Vec<Result<L, Error>>, nonius_linalg::Error>,
) -> Result<Vec<Result<L, Error>>, nonius_linalg::Error> {
    if ranks.size() == 1 {
        return of(ranks, &Vec::from_iter(0..count));
    }
    let owners = owners(&map(count, Grain::ANY, cost), ranks.size());
    let places: Vec<usize> = (0..count).filter(|&i| owners[i] == ranks.rank()).collect();
    let outcomes = of(ranks, &places)?;
    let letters = map(places.len(), Grain::ANY, |at| {
        let mut words = Vec::new();
        write(format(places[at]), &outcomes[at], &mut words);
        words
    });
    let lengths: Vec<u64> = letters.iter().map(|words| words.len() as u64).collect();
    let lengths = ranks.all_gather_lists(&lengths)?;
    let letters = ranks.all_gather_lists(&letters.concat())?;
    // Where the letter of each item begins, among its rank's.
    let mut next: Vec<_> = lengths.iter().map(|lengths| (0, lengths.iter())).collect();
    let begin = |&owner: &usize| {
        let (at, lengths) = &mut next[owner];
        let begin = *at;
        *at += lengths.next().map_or(0, |&length| length as usize);
        begin
    };
    let begins: Vec<usize> = owners.iter().map(begin).collect();
    let mut found = map(count, Grain::ANY, |i| {
        Words(letters[owners[i]].get(begins[i]..).unwrap_or_default()).outcome(format(i))
    });
    let again: Vec<usize> = (0..count).filter(|&i| found[i].is_none()).collect();
    for (&i, outcome) in again.iter().zip(of(&Communicator::alone(), &again)?) {
        found[i] = Some(outcome);
    }
    Ok(found.into_iter().flatten().collect())
}
