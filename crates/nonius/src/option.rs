//! Options: books, prices, implied volatilities.
//!
//! [`Prices`] takes [`Contract`]s and [`ImpliedVolatilities`] takes [`Quote`]s. What is wrong with
//! one does not stop the others.

use std::ops::{ControlFlow, Range};
use std::time::{Duration, Instant};

use nonius_linalg::Error as DeviceError;

pub use nonius_option::{
    Accuracy, BoundaryPoint, Contract, Effort, Error, Exercise, Field, Grid, Implied, Kind, Piece,
    Price, Quote, Request, Surface, Terms, book,
};

use crate::backend::{DeviceJob, Machine};
use crate::device::{Device, Place};
use crate::setters::setters;
use crate::work::Work;
use crate::{Number, Precision};

/// A contract's price, or why it has none.
pub type PriceResult<T> = Result<Price<T>, Error>;

/// A quote's implied volatility, or why it has none.
pub type ImpliedResult<T> = Result<Implied<T>, Error>;

/// Where prices or volatilities were computed, and in what time.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Where they were computed.
    pub place: Place,
    /// Time for all, without a GPU's start.
    pub time: Duration,
}

/// The prices of contracts.
///
/// ```
/// use nonius::Device;
/// use nonius::option::{Contract, Kind, Prices};
///
/// let call = Contract::european(Kind::Call, 100.0, 100.0, 1.0, [0.05, 0.0, 0.2]);
/// let bad = Contract::european(Kind::Call, -1.0, 100.0, 1.0, [0.05, 0.0, 0.2]);
/// let (prices, report) = Prices::new(&[call, bad]).tolerance(1e-6).run()?;
/// assert!((prices[0].as_ref().unwrap().value - 10.450_583_572).abs() < 1e-4);
/// assert!(prices[1].is_err() && report.place.device == Device::Cpu);
/// # Ok::<(), nonius::dense::Error>(())
/// ```
#[must_use = "prices are computed by `run`"]
#[derive(Clone, Copy, Debug)]
pub struct Prices<'a, T> {
    contracts: &'a [Contract<T>],
    request: Request,
    device: Device,
}

impl<'a, T: Number> Prices<'a, T> {
    /// Of these contracts, as [`Request::default`] says.
    pub fn new(contracts: &'a [Contract<T>]) -> Self {
        Self { contracts, request: Request::default(), device: Device::Auto }
    }

    /// What to compute for each contract, and how accurately.
    pub fn request(mut self, request: Request) -> Self {
        self.request = request;
        self
    }

    /// The largest estimate of an error beside the price: [`Accuracy::Tolerance`].
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.request.accuracy = Accuracy::Tolerance(tolerance);
        self
    }

    /// Whether to compute vega and rho too.
    pub fn sensitivities(mut self, sensitivities: bool) -> Self {
        self.request.sensitivities = sensitivities;
        self
    }

    /// Whether to compute the boundary of early exercise.
    pub fn boundary(mut self, boundary: bool) -> Self {
        self.request.boundary = boundary;
        self
    }

    setters!(device);

    /// Computes the prices. Returns for each contract, in their order, its price or why it has
    /// none, and the report.
    ///
    /// # Errors
    /// [`Error::Device`](DeviceError::Device) where the device asked for cannot be had or fails.
    pub fn run(self) -> Result<(Vec<PriceResult<T>>, Report), DeviceError> {
        let Self { contracts, request, device } = self;
        let work = work(contracts.iter(), &request, 1.0);
        let job = Pricing { contracts, request: &request };
        let ((prices, time), place) = device.share(work, job, |job| Ok(*job))?;
        Ok((prices, Report { place, time }))
    }

    /// As [`run`](Self::run), in groups of contracts that take about a second. `watch` hears
    /// after each how many contracts are done, and may stop the rest. The list then ends there.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_watched(
        self,
        mut watch: impl FnMut(usize) -> ControlFlow<()>,
    ) -> Result<(Vec<PriceResult<T>>, Report), DeviceError> {
        let Self { contracts, request, device } = self;
        let work = work(contracts.iter(), &request, 1.0);
        let job = InGroups {
            count: contracts.len(),
            seconds: |i: usize| seconds(&contracts[i], &request, 1.0),
            of_group: |group| Pricing { contracts: &contracts[group], request: &request },
            watch: &mut watch,
        };
        let ((prices, time), place) = device.share(work, job, |job| Ok(job.unwatched()))?;
        Ok((prices, Report { place, time }))
    }
}

/// Prices contracts, and measures the time.
#[derive(Clone, Copy)]
struct Pricing<'a, T> {
    contracts: &'a [Contract<T>],
    request: &'a Request,
}

impl<T: Number, B: Machine> DeviceJob<B> for Pricing<'_, T> {
    type Output = (Vec<PriceResult<T>>, Duration);

    fn run(&mut self, backend: &B) -> Result<Self::Output, DeviceError> {
        let start = Instant::now();
        let prices = backend.price(self.contracts, self.request)?;
        Ok((prices, start.elapsed()))
    }
}

/// Jobs of groups one after the other, until whoever watches stops them.
struct InGroups<S, J, W> {
    count: usize,
    /// What the contract at a place may take the CPU.
    seconds: S,
    of_group: J,
    watch: W,
}

impl<S: Copy, J: Copy, W> InGroups<S, J, W> {
    /// The same, which nobody watches.
    fn unwatched(&self) -> InGroups<S, J, fn(usize) -> ControlFlow<()>> {
        let &Self { count, seconds, of_group, .. } = self;
        InGroups { count, seconds, of_group, watch: |_| ControlFlow::Continue(()) }
    }
}

impl<B, S, J, D, W, R> DeviceJob<B> for InGroups<S, J, W>
where
    B: Machine,
    S: Fn(usize) -> f64,
    J: Fn(Range<usize>) -> D,
    D: DeviceJob<B, Output = (Vec<R>, Duration)>,
    W: FnMut(usize) -> ControlFlow<()>,
{
    type Output = (Vec<R>, Duration);

    fn run(&mut self, backend: &B) -> Result<Self::Output, DeviceError> {
        // Groups grow and shrink with the time that they take, whatever the estimate says.
        const FIRST: f64 = 0.05;
        const SHORT: f64 = 0.25;
        const LONG: f64 = 1.0;
        let (mut all, mut time) = (Vec::new(), Duration::ZERO);
        let (mut first, mut size) = (0, FIRST);
        while first < self.count {
            let end = end_of_group(first, self.count, size, &self.seconds);
            let (results, took) = (self.of_group)(first..end).run(backend)?;
            all.extend(results);
            time += took;
            let factor = match took.as_secs_f64() {
                long if long > LONG => 0.5,
                short if short < SHORT => 2.0,
                _ => 1.0,
            };
            size *= f64::from_bits(backend.agree(f64::to_bits(factor))?);
            first = end;
            let is_over = (self.watch)(first).is_break();
            if backend.agree(is_over.into())? > 0 {
                break;
            }
        }
        Ok((all, time))
    }
}

/// The volatilities that quotes imply.
///
/// ```
/// use nonius::option::{Contract, ImpliedVolatilities, Kind, Quote};
///
/// let contract = Contract::european(Kind::Call, 100.0, 100.0, 1.0, [0.05, 0.0, 0.3]);
/// let quotes = [Quote { contract, price: 10.450_583_572 }];
/// let (found, _) = ImpliedVolatilities::new(&quotes).tolerance(1e-6).run()?;
/// assert!((found[0].as_ref().unwrap().volatility - 0.2).abs() < 1e-5);
/// # Ok::<(), nonius::dense::Error>(())
/// ```
#[must_use = "volatilities are found by `run`"]
#[derive(Clone, Copy, Debug)]
pub struct ImpliedVolatilities<'a, T> {
    quotes: &'a [Quote<T>],
    tolerance: f64,
    device: Device,
}

impl<'a, T: Number> ImpliedVolatilities<'a, T> {
    /// Of these quotes, each to a ten-thousandth of it.
    pub fn new(quotes: &'a [Quote<T>]) -> Self {
        Self { quotes, tolerance: 1e-4, device: Device::Auto }
    }

    /// The largest estimate of an error beside the volatility.
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.tolerance = tolerance;
        self
    }

    setters!(device);

    /// Finds the volatilities. Returns for each quote, in their order, its volatility or why it has
    /// none, and the report.
    ///
    /// # Errors
    /// [`Error::Device`](DeviceError::Device) where the device asked for cannot be had or fails.
    pub fn run(self) -> Result<(Vec<ImpliedResult<T>>, Report), DeviceError> {
        let Self { quotes, tolerance, device } = self;
        let contracts = quotes.iter().map(|quote| &quote.contract);
        let work = work(contracts, &to_tolerance(tolerance), PRICES);
        let job = Implying { quotes, tolerance };
        let ((volatilities, time), place) = device.share(work, job, |job| Ok(*job))?;
        Ok((volatilities, Report { place, time }))
    }

    /// As [`run`](Self::run), in groups of quotes that take about a second. `watch` hears
    /// after each how many quotes are done, and may stop the rest. The list then ends there.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_watched(
        self,
        mut watch: impl FnMut(usize) -> ControlFlow<()>,
    ) -> Result<(Vec<ImpliedResult<T>>, Report), DeviceError> {
        let Self { quotes, tolerance, device } = self;
        let request = to_tolerance(tolerance);
        let contracts = quotes.iter().map(|quote| &quote.contract);
        let work = work(contracts, &request, PRICES);
        let job = InGroups {
            count: quotes.len(),
            seconds: |i: usize| seconds(&quotes[i].contract, &request, PRICES),
            of_group: |group| Implying { quotes: &quotes[group], tolerance },
            watch: &mut watch,
        };
        let ((volatilities, time), place) = device.share(work, job, |job| Ok(job.unwatched()))?;
        Ok((volatilities, Report { place, time }))
    }
}

/// Prices of a search, those of coarse tolerances counted as parts of one.
const PRICES: f64 = 4.0;

fn to_tolerance(tolerance: f64) -> Request {
    Request { accuracy: Accuracy::Tolerance(tolerance), ..Request::default() }
}

/// Finds volatilities, and measures the time.
#[derive(Clone, Copy)]
struct Implying<'a, T> {
    quotes: &'a [Quote<T>],
    tolerance: f64,
}

impl<T: Number, B: Machine> DeviceJob<B> for Implying<'_, T> {
    type Output = (Vec<ImpliedResult<T>>, Duration);

    fn run(&mut self, backend: &B) -> Result<Self::Output, DeviceError> {
        let start = Instant::now();
        let found = backend.imply(self.quotes, self.tolerance)?;
        Ok((found, start.elapsed()))
    }
}

/// What a book may take that is priced `times` times.
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

/// Seconds that a contract that is priced `times` times may take the CPU.
fn seconds<T: Number>(contract: &Contract<T>, request: &Request, times: f64) -> f64 {
    work(std::iter::once(contract), request, times).estimate().cpu_seconds
}

/// Where the group ends that begins at `first` and may take so many seconds; it has one contract at
/// least.
fn end_of_group(first: usize, count: usize, size: f64, seconds: impl Fn(usize) -> f64) -> usize {
    let mut sum = 0.0;
    let is_within = |&i: &usize| {
        sum += seconds(i);
        sum <= size
    };
    (first + (first..count).take_while(is_within).count()).max(first + 1)
}

#[cfg(test)]
mod tests {
    use nonius_linalg::backend::Cpu;

    use super::*;

    #[test]
    fn groups_take_so_many_seconds() {
        assert_eq!(end_of_group(0, 5, 1.0, |_| 0.4), 2);
        assert_eq!(end_of_group(3, 5, 1.0, |_| 0.4), 5);
        assert_eq!(end_of_group(2, 5, 1.0, |_| 9.0), 3);
        assert_eq!(end_of_group(0, 4, 0.0, |_| 0.0), 4);
    }

    /// Prices are those of one run, and whoever watches stops at a group's end.
    #[test]
    fn groups_are_watched() {
        use crate::option::Kind::Put;
        let contract =
            |i: usize| Contract::american(Put, 100.0, 90.0 + i as f64, 1.0, [0.05, 0.0, 0.2]);
        let contracts: Vec<_> = (0..20).map(contract).collect();
        let task = Prices::new(&contracts).tolerance(1e-4).device(Device::Cpu);
        let at_once = task.run().unwrap().0;
        let mut heard = Vec::new();
        let in_groups = task.run_watched(|done| {
            heard.push(done);
            ControlFlow::Continue(())
        });
        assert_eq!(in_groups.unwrap().0, at_once);
        assert_eq!(heard.last(), Some(&20));
        let request = &task.request;
        let mut stopped = InGroups {
            count: contracts.len(),
            seconds: |_: usize| 0.02,
            of_group: |group: Range<usize>| Pricing { contracts: &contracts[group], request },
            watch: |done| if done > 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) },
        };
        let (prices, _) = stopped.run(&Cpu::default()).unwrap();
        assert!((6..20).contains(&prices.len()));
        assert_eq!(prices, at_once[..prices.len()]);
    }
}
