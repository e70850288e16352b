//! Implied volatilities.
//!
//! **Method.** The price grows with the volatility, and the root of price minus quote is bracketed:
//! doubling and halving the volatility, then bisection until the ends differ by a quarter, then the
//! method of Anderson and Björck (*A new high order method of regula falsi type*, 1973) in the
//! logarithm of the volatility, with a bisection where three steps do not halve the bracket. Every
//! step prices all contracts that are left in one batch, each to the tolerance that its own step
//! needs: coarse ones far from the root, and near it what the volatility's tolerance asks for.
//!
//! **Error.** Computed prices have errors, so that a volatility belongs to an end of the bracket
//! only where its price differs from the quote by more than the estimate of that price's error. The
//! estimate of the volatility's error is `(|P − quote| + e)/s`, with the price `P`, the estimate
//! `e` of its error and the least slope `s` of the price towards both sides of the bracket, the
//! errors of all prices taken off. On a side without such a slope, it is the way to the bracket's
//! end. It rests on the estimates of prices and is no bound.
//!
//! **Preconditions.** Prices grow with the volatility where payoffs and what becomes of them at
//! dividends are convex (Bergman, Grundy and Wiener, *General properties of option prices*, 1996).
//! A put whose underlying a dividend in money may take to zero is the exception: of several
//! volatilities one is found. Options with a barrier are refused.

mod quote;
mod search;

use nonius_comm::{Communicator, Reduction};

use crate::error::Error;
use crate::evolve::Evolve;
use crate::price::Priced;
use crate::request::{Accuracy, Request};

pub use quote::{Implied, Quote};
use search::Search;

/// Steps before the search is given up: three bisections bring three bits at least.
const MOST_STEPS: usize = 120;

/// The constant volatilities with which contracts have their quoted prices, in the order of the
/// quotes, each with an estimated error of at most the tolerance times the volatility. What is
/// wrong with one does not stop the others.
///
/// Volatilities from 0.001 to 8 are searched, and at most nine standard deviations up to maturity.
///
/// ```
/// use nonius_linalg::backend::Cpu;
/// use nonius_option::{Contract, Kind, Quote, implied_volatility};
///
/// let contract = Contract::european(Kind::Call, 100.0, 100.0, 1.0, [0.05, 0.0, 0.5]);
/// let quotes = [10.45058, 4.0].map(|price| Quote { contract: contract.clone(), price });
/// let found = implied_volatility(&Cpu::default(), &quotes, 1e-5)?;
/// assert!((found[0].as_ref().unwrap().volatility - 0.2).abs() < 2e-6);
/// // A call is worth the forward's value at least: 100 − 100·e^(−0.05).
/// assert!(found[1].as_ref().unwrap_err().to_string().contains("above 4.877"));
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
///
/// # Errors
/// [`nonius_linalg::Error::Device`], of the backend as a whole.
pub fn implied_volatility<T: Priced>(
    backend: &dyn Evolve<T>,
    quotes: &[Quote<T>],
    tolerance: f64,
) -> Result<Vec<Result<Implied<T>, Error>>, nonius_linalg::Error> {
    implied_volatility_of_own(&Communicator::alone(), backend, quotes, tolerance)
}

/// As [`implied_volatility`], on all ranks together, each with quotes of its own.
pub(crate) fn implied_volatility_of_own<T: Priced>(
    ranks: &Communicator,
    backend: &dyn Evolve<T>,
    quotes: &[Quote<T>],
    tolerance: f64,
) -> Result<Vec<Result<Implied<T>, Error>>, nonius_linalg::Error> {
    let mut searches: Vec<Search<T>> =
        quotes.iter().map(|quote| Search::new(quote, tolerance)).collect();
    for _ in 0..MOST_STEPS {
        let mut asking: Vec<&mut Search<T>> =
            searches.iter_mut().filter(|search| search.outcome.is_none()).collect();
        let mut all = [asking.len() as u64];
        ranks.all_reduce(Reduction::Sum, &mut all)?;
        if all[0] == 0 {
            break;
        }
        let contracts: Vec<_> = asking.iter().map(|search| search.contract()).collect();
        let tolerances: Vec<f64> =
            asking.iter().map(|search| search.tolerance_of_price()).collect();
        let request = |i: usize| Request {
            accuracy: Accuracy::Tolerance(tolerances[i]),
            ..Request::default()
        };
        let prices = T::price(ranks, backend, &contracts, &request)?;
        asking.iter_mut().zip(prices).for_each(|(search, price)| search.learn(price));
    }
    let unfinished = || Err(Error::NoConvergence { steps: MOST_STEPS });
    Ok(searches.into_iter().map(|search| search.outcome.unwrap_or_else(unfinished)).collect())
}
