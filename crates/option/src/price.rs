//! Prices and sensitivities of many contracts, to a tolerance or on a given grid.
//!
//! All grids of all contracts, and of the contracts in shifted markets, are one batch for the
//! backend; contracts whose estimate is above their tolerance come back with a finer grid.
//!
//! Ranks that share contracts out come back together: how many evolutions they have among them
//! decides how backends compute these.

use core::ops::Range;

use nonius_comm::{Communicator, Reduction};
use nonius_linalg::Number;
use nonius_linalg::threads::{Grain, for_each, join, map, map_parts};
use nonius_num::{Dd, Mp, Qd, Td};

use crate::contract::Contract;
use crate::cpu::Kernels;
use crate::error::Error;
use crate::evolve::{Evolution, Evolve, Failure, Outcome};
use crate::job::{Grids, Job};
use crate::request::{Price, Request};

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
pub fn price<T: Priced>(
    backend: &dyn Evolve<T>,
    contracts: &[Contract<T>],
    request: &Request,
) -> Result<Vec<Result<Price<T>, Error>>, nonius_linalg::Error> {
    T::price(&Communicator::alone(), backend, contracts, &|_| *request)
}

/// What is asked for of the contract at a place.
pub type RequestOf<'a> = dyn Fn(usize) -> Request + Sync + 'a;

/// Numbers whose contracts are priced by code that is compiled with this crate.
pub trait Priced: Kernels {
    /// As [`price`], with a request for each contract by its place. All ranks call it together,
    /// each with contracts of its own.
    ///
    /// # Errors
    /// As [`price`]; where a rank is lost.
    fn price(
        ranks: &Communicator,
        backend: &dyn Evolve<Self>,
        contracts: &[Contract<Self>],
        request: &RequestOf<'_>,
    ) -> Result<Vec<Result<Price<Self>, Error>>, nonius_linalg::Error>;
}

macro_rules! priced {
    ($($number:ident)*) => {$(
        impl Priced for $number {
            fn price(
                ranks: &Communicator,
                backend: &dyn Evolve<Self>,
                contracts: &[Contract<Self>],
                request: &RequestOf<'_>,
            ) -> Result<Vec<Result<Price<Self>, Error>>, nonius_linalg::Error> {
                price_all(ranks, backend, contracts, request)
            }
        }
    )*};
}

priced! { f64 Dd Td Qd Mp }

fn price_all<T: Number>(
    ranks: &Communicator,
    backend: &dyn Evolve<T>,
    contracts: &[Contract<T>],
    request: &RequestOf<'_>,
) -> Result<Vec<Result<Price<T>, Error>>, nonius_linalg::Error> {
    let mut jobs = map(contracts.len(), Grain::ANY, |i| Job::new(&contracts[i], request(i)));
    loop {
        jobs.iter_mut().for_each(Job::check_room);
        let of = members(ranks, &jobs)?;
        if of == 0 {
            return Ok(consume(jobs, Job::finish));
        }
        // Large numbers come in smaller batches.
        let together = backend.together() / (size_of::<T>() / LARGE).max(1);
        let wanted = wanted(&jobs, together);
        // The host sets up a batch while the backend is at the one before.
        let mut batches = wanted.iter();
        let mut next = batches.next().map(|batch| Batch::new(&jobs, batch));
        while let Some(batch) = next.take() {
            let evolve = || backend.evolve(&batch.evolutions, of);
            let set_up = || batches.next().map(|batch| Batch::new(&jobs, batch));
            let (outcomes, set_up) = join(evolve, set_up);
            let outcomes = outcomes?;
            batch.finish(&outcomes, &mut jobs);
            consume(outcomes, drop);
            next = set_up;
        }
    }
}

/// Bytes of a number that batches have as many of as the backend asks for. One of any precision
/// takes as much memory as 16 of these, whatever its bits.
const LARGE: usize = size_of::<Qd>();

/// How many evolutions the jobs of all ranks want next.
fn members<T: Number>(
    ranks: &Communicator,
    jobs: &[Job<T>],
) -> Result<usize, nonius_linalg::Error> {
    let own = jobs.iter().map(|job| job.wanted().len() * job.evolutions()).sum::<usize>();
    let mut sum = [own as u64];
    ranks.all_reduce(Reduction::Sum, &mut sum)?;
    Ok(sum[0] as usize)
}

/// A grid that a job wants: the number of the job, and the level.
type Wanted = (usize, u32);

/// The next grids that all jobs want, in batches of about `together` numbers. One grid may have
/// more by itself.
fn wanted<T: Number>(jobs: &[Job<T>], together: usize) -> Vec<Vec<Wanted>> {
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

/// With the numbers of the evolutions on them.
type GridsOfJob<T> = Vec<(Grids<T>, Range<usize>)>;

/// Evolutions that a backend takes together, and the grids of jobs that they are on.
struct Batch<T> {
    jobs: Vec<(usize, GridsOfJob<T>)>,
    evolutions: Vec<Evolution<T>>,
}

impl<T: Number> Batch<T> {
    fn new(jobs: &[Job<T>], wanted: &[Wanted]) -> Self {
        let set_up = map(wanted.len(), Grain::ANY, |at| {
            let (i, level) = wanted[at];
            jobs[i].set_up(level)
        });
        let mut batch = Self { jobs: Vec::new(), evolutions: Vec::new() };
        for (&(i, _), (grids, of_grids)) in wanted.iter().zip(set_up) {
            let first = batch.evolutions.len();
            batch.evolutions.extend(of_grids);
            let of_grids = (grids, first..batch.evolutions.len());
            match batch.jobs.last_mut() {
                Some((job, of_job)) if *job == i => of_job.push(of_grids),
                _ => batch.jobs.push((i, vec![of_grids])),
            }
        }
        batch
    }

    /// Hands what the evolutions came to to the jobs.
    fn finish(self, outcomes: &[Result<Outcome<T>, Failure>], jobs: &mut [Job<T>]) {
        let mut all = jobs.iter_mut().enumerate();
        let named = |(i, grids)| all.find(|&(at, _)| at == i).map(|(_, job)| (job, grids));
        let mut jobs: Vec<_> = self.jobs.into_iter().filter_map(named).collect();
        for_each(&mut jobs[..], Grain::ANY, |_, (job, grids)| {
            for (grids, range) in core::mem::take(grids) {
                let outcomes = outcomes[range].iter().map(|o| o.as_ref().map_err(|&f| f)).collect();
                job.take(&grids, outcomes);
            }
        });
        consume(self.evolutions, drop);
    }
}

/// What `work` makes of each item, on all threads: a million pieces of memory are long in going.
fn consume<I: Send, R: Send>(items: Vec<I>, work: impl Fn(I) -> R + Sync) -> Vec<R> {
    let mut items: Vec<Option<I>> = items.into_iter().map(Some).collect();
    let found = map_parts(&mut items[..], Grain::ANY, |_, item| item.take().map(&work));
    found.into_iter().flatten().collect()
}
