//! Prices and sensitivities of many contracts, to a tolerance or on a given grid.
//!
//! All grids of all contracts, and of the contracts in shifted markets, are one batch for the backend; contracts whose estimate is above their tolerance come back with a finer grid.

use nonius_linalg::Scalar;
use nonius_linalg::evolve::Evolve;
use rayon::prelude::*;

use crate::boundary::BoundaryPoint;
use crate::contract::Contract;
use crate::error::Error;
use crate::job::Job;

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
    /// By extrapolation from grids that are refined until the estimate of the error is at most this part of the price, or of a ten-thousandth of the strike where the price is less.
    Tolerance(f64),
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
    /// Its derivative with respect to time, a year.
    pub theta: T,
    /// Its derivative with respect to the volatility, all of it together, where asked for.
    pub vega: Option<T>,
    /// Its derivative with respect to the rate, all of it together, where asked for.
    pub rho: Option<T>,
    /// The estimate of the price's absolute error, where a tolerance was asked for.
    pub error: Option<f64>,
    /// Whether the estimate is within the tolerance; true where none was asked for.
    pub converged: bool,
    /// The finest grid; nothing where the price needed none.
    pub grid: Option<Grid>,
    /// The boundary of early exercise, from maturity to today, where asked for and where there is one.
    pub boundary: Vec<BoundaryPoint<T>>,
}

/// Numbers of evolutions that are in memory together: 128 MB in `f64`. One grid may need more by itself.
const TOGETHER: usize = 1 << 24;

/// The prices of contracts, in their order. What is wrong with one does not stop the others.
///
/// ```
/// use nonius_linalg::backend::Cpu;
/// use nonius_option::{Accuracy, Contract, Kind, Request, price};
///
/// let call = Contract::european(Kind::Call, 100.0, 100.0, 1.0, [0.05, 0.0, 0.2]);
/// let request = Request { accuracy: Accuracy::Tolerance(1e-8), ..Request::default() };
/// let prices = price(&Cpu::default(), &[call], &request)?;
/// assert!((prices[0].as_ref().unwrap().value - 10.450_583_572_185_567).abs() < 1e-7);
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
///
/// # Errors
/// [`nonius_linalg::Error::Device`], of the backend as a whole.
pub fn price<T: Scalar, B: Evolve<T>>(
    backend: &B,
    contracts: &[Contract<T>],
    request: &Request,
) -> Result<Vec<Result<Price<T>, Error>>, nonius_linalg::Error> {
    let mut jobs: Vec<_> =
        contracts.par_iter().map(|contract| Job::new(contract, request)).collect();
    loop {
        let wanted = wanted(&jobs);
        if wanted.is_empty() {
            return Ok(jobs.into_iter().map(Job::finish).collect());
        }
        let mut evolutions = Vec::new();
        let set_up: Vec<_> = wanted.par_iter().map(|&(i, level)| jobs[i].set_up(level)).collect();
        let mut solved = Vec::with_capacity(set_up.len());
        for (grids, of_job) in set_up {
            solved.push((grids, of_job.len()));
            evolutions.extend(of_job);
        }
        let mut outcomes = backend.evolve(&evolutions)?.into_iter();
        for (&(i, _), (grids, count)) in wanted.iter().zip(&solved) {
            let of_job: Result<Vec<_>, _> = outcomes.by_ref().take(*count).collect();
            jobs[i].take(grids, of_job);
        }
    }
}

/// The next grids that jobs want, by number of the job and level, as many as are to be in memory together.
fn wanted<T: Scalar>(jobs: &[Job<'_, T>]) -> Vec<(usize, u32)> {
    let mut size = 0;
    let grids = jobs.iter().enumerate().flat_map(|(i, job)| job.wanted().map(move |l| (i, job, l)));
    let fitting = grids.take_while(|&(_, job, level)| {
        let is_first = size == 0;
        size += job.size(level);
        is_first || size <= TOGETHER
    });
    fitting.map(|(i, _, level)| (i, level)).collect()
}
