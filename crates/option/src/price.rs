//! Prices and sensitivities of many contracts, to a tolerance or on a given grid.
//!
//! All grids of all contracts, and of the contracts in shifted markets, are one batch for the backend; contracts whose estimate is above their tolerance come back with a finer grid.

use nonius_linalg::Scalar;
use nonius_linalg::evolve::{Evolution, Evolve, Failure, Outcome};
use rayon::prelude::*;

use crate::boundary::BoundaryPoint;
use crate::contract::Contract;
use crate::error::Error;
use crate::job::{Grids, Job};

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
        let wanted = wanted(&jobs, B::TOGETHER);
        if wanted.is_empty() {
            return Ok(jobs.into_iter().map(Job::finish).collect());
        }
        // The host sets up a batch while the backend is at the one before.
        let mut batches = wanted.iter();
        let mut next = batches.next().map(|batch| Batch::new(&jobs, batch));
        while let Some(batch) = next.take() {
            let evolve = || backend.evolve(&batch.evolutions);
            let set_up = || batches.next().map(|batch| Batch::new(&jobs, batch));
            let (outcomes, set_up) = rayon::join(evolve, set_up);
            batch.finish(outcomes?, &mut jobs);
            next = set_up;
        }
    }
}

/// A grid that a job wants: the number of the job, and the level.
type Wanted = (usize, u32);

/// The next grids that all jobs want, in batches of about so many numbers; one grid may have more by itself.
fn wanted<T: Scalar>(jobs: &[Job<'_, T>], together: usize) -> Vec<Vec<Wanted>> {
    let mut batches: Vec<Vec<Wanted>> = Vec::new();
    let mut room = 0;
    for (i, job) in jobs.iter().enumerate() {
        for level in job.wanted() {
            let size = job.size(level);
            match batches.last_mut() {
                Some(batch) if size <= room => batch.push((i, level)),
                _ => {
                    batches.push(vec![(i, level)]);
                    room = together.max(size);
                }
            }
            room -= size;
        }
    }
    batches
}

/// Evolutions that a backend takes together, and the grids of jobs that they are on.
struct Batch<T> {
    /// With the number of the job, and that of its evolutions.
    grids: Vec<(usize, Grids<T>, usize)>,
    evolutions: Vec<Evolution<T>>,
}

impl<T: Scalar> Batch<T> {
    fn new(jobs: &[Job<'_, T>], wanted: &[Wanted]) -> Self {
        let set_up: Vec<_> =
            wanted.par_iter().map(|&(i, level)| (i, jobs[i].set_up(level))).collect();
        let mut batch = Self { grids: Vec::with_capacity(wanted.len()), evolutions: Vec::new() };
        for (i, (grids, of_job)) in set_up {
            batch.grids.push((i, grids, of_job.len()));
            batch.evolutions.extend(of_job);
        }
        batch
    }

    /// Hands what the evolutions came to to the jobs.
    fn finish(self, outcomes: Vec<Result<Outcome<T>, Failure>>, jobs: &mut [Job<'_, T>]) {
        let mut outcomes = outcomes.into_iter();
        for (i, grids, count) in self.grids {
            let of_job: Result<Vec<_>, _> = outcomes.by_ref().take(count).collect();
            jobs[i].take(&grids, of_job);
        }
    }
}
