//! One contract on its way to a price.

use core::ops::Range;

use nonius_files::room::{NoRoom, check_memory};
use nonius_linalg::Number;

use crate::boundary::{BoundaryPoint, boundary};
use crate::bounds::Bounds;
use crate::contract::{Contract, Exercise, Volatility};
use crate::convergence::Convergence;
use crate::discretise::{AtDates, Discretisation, discretise};
use crate::error::Error;
use crate::evolve::{Evolution, Failure, Outcome};
use crate::extrapolate::{Extrapolated, extrapolate};
use crate::layout::{Layout, Mesh};
use crate::part::{Part, Sum, parts};
use crate::read::{Reading, read};
use crate::request::{Accuracy, Grid, Price, Request, size_of_price};
use crate::sensitivity::{derivatives, shifted};

/// The coarsest grid of those that are extrapolated from.
pub(crate) const COARSEST: Grid = Grid { space: 64, time: 32 };

/// How often it may be halved, and once more where that should do.
pub(crate) const MOST_HALVINGS: u32 = 7;

/// By how much an error of order 2 shrinks.
const SHRINKS: f64 = 4.0;

/// Grids before the first estimate.
pub(crate) const FIRST: u32 = 3;

/// Numbers that a stage takes about as much memory as.
const STAGE: usize = 12;

/// What the host sets up, the backend's own, and what is set up while that is computed.
const COPIES: u128 = 3;

/// A contract, and what is known of its price.
pub(crate) struct Job<T> {
    request: Request,
    coarsest: Grid,
    parts: Vec<(Part<T>, Layout<T>)>,
    /// The contract in its market, then in shifted ones.
    markets: Vec<Contract<T>>,
    /// For each grid, from the coarsest, the readings of all markets.
    readings: Vec<Vec<Reading<T>>>,
    boundary: Vec<BoundaryPoint<T>>,
    state: State<T>,
    /// How often the coarsest grid may be halved.
    halvings: u32,
}

enum State<T> {
    /// Grids of these levels are to come.
    Wants(Range<u32>),
    /// Nothing is to come.
    Done(Result<Price<T>, Error>),
}

/// What the grids of the first levels say of the price.
struct Estimate<T> {
    levels: usize,
    /// Within the bounds of no arbitrage.
    reading: Reading<T>,
    /// Before the bounds were applied.
    value: T,
    /// An estimate of the price's error, and the part of it that roundings have.
    error: f64,
    rounding: f64,
    /// What tolerances are a part of.
    size: f64,
}

impl<T> Estimate<T> {
    fn allowed(&self, tolerance: f64) -> f64 {
        tolerance * self.size
    }

    fn meets(&self, tolerance: f64) -> bool {
        self.error <= self.allowed(tolerance)
    }
}

/// The grids of one level, and the times of the steps whose obstacle makes the boundary.
pub(crate) struct Grids<T> {
    meshes: Vec<Mesh<T>>,
    times: Vec<T>,
}

impl<T: Number> Job<T> {
    pub(crate) fn new(contract: &Contract<T>, request: Request) -> Self {
        let contract = contract.in_format(contract.format());
        let (coarsest, levels, tolerance) = match request.accuracy {
            Accuracy::Grid(grid) => (grid, 1, 1.0),
            Accuracy::Tolerance(tolerance) => (COARSEST, FIRST, tolerance),
        };
        let mut job = Self {
            request,
            coarsest,
            parts: Vec::new(),
            markets: vec![contract],
            readings: Vec::new(),
            boundary: Vec::new(),
            state: State::Wants(0..levels),
            halvings: MOST_HALVINGS + 1,
        };
        let contract = job.contract();
        if let Err(error) = contract.validate().and_then(|()| request.validate()) {
            job.state = State::Done(Err(error));
            return job;
        }
        match parts(contract) {
            Sum::Due(value) => {
                let zero = request.sensitivities.then_some([T::ZERO; 2]);
                job.state =
                    State::Done(Ok(job.price(Reading::constant(value), Some(0.0), zero, None)));
            }
            Sum::Parts(parts) => {
                let with_layout = |part: Part<T>| {
                    (part, Layout::new(contract, part.barrier, coarsest.space, tolerance))
                };
                let parts = parts.into_iter().map(with_layout).collect();
                let markets = if request.sensitivities { shifted(contract) } else { Vec::new() };
                job.parts = parts;
                job.markets.extend(markets);
            }
        }
        job
    }

    fn contract(&self) -> &Contract<T> {
        &self.markets[0]
    }

    /// The levels of the grids that are to come.
    pub(crate) fn wanted(&self) -> Range<u32> {
        match &self.state {
            State::Wants(levels) => levels.clone(),
            State::Done(_) => 0..0,
        }
    }

    /// About how many numbers the evolutions on the grids of a level have.
    pub(crate) fn size(&self, level: u32) -> usize {
        // Vector, obstacle, generator; of a volatility that is local a generator for each step.
        let vectors = match &self.contract().volatility {
            Volatility::Terms(_) => 5,
            Volatility::Local(surface) if surface.times().len() == 1 => 5,
            Volatility::Local(_) => 2 + 3 * (self.coarsest.time << level),
        };
        (self.coarsest.space << level) * vectors * self.evolutions()
    }

    /// Stops where the grids to come find no memory: with the estimate there is, or with none.
    pub(crate) fn check_room(&mut self) {
        let State::Wants(levels) = &self.state else { return };
        let Some(level) = levels.clone().last() else { return };
        let numbers = self.size(level) as u128 + (STAGE * (self.coarsest.time << level)) as u128;
        let bytes = numbers * size_of::<T>() as u128 * COPIES;
        let space = self.coarsest.space << level;
        let what =
            format_args!("a grid of {space} intervals and {} steps", self.coarsest.time << level);
        if let Err(refused) = check_memory(what, bytes) {
            self.refuse(refused);
        }
    }

    fn refuse(&mut self, refused: NoRoom) {
        if self.readings.len() < FIRST as usize {
            self.state = State::Done(Err(Error::NoRoom(refused)));
        } else {
            self.halvings = self.readings.len() as u32 - 1;
            self.judge();
        }
    }

    /// The grids of a level and the evolutions on them: of every market all parts.
    pub(crate) fn set_up(&self, level: u32) -> (Grids<T>, Vec<Evolution<T>>) {
        let meshes: Vec<Mesh<T>> =
            self.parts.iter().map(|(_, layout)| layout.mesh(level)).collect();
        let mut grids = Grids { meshes, times: Vec::new() };
        let mut evolutions = Vec::with_capacity(self.evolutions());
        let steps = (self.coarsest.time, level);
        for market in &self.markets {
            for ((part, layout), mesh) in self.parts.iter().zip(&grids.meshes) {
                let grid = (layout, mesh);
                let Discretisation { evolution, times } =
                    discretise(market, part, grid, steps, AtDates::Floor);
                if evolutions.is_empty() {
                    grids.times = times;
                }
                evolutions.push(evolution);
            }
        }
        if self.looks_at_dates()
            && let ([(part, layout), ..], [mesh, ..]) = (&self.parts[..], &grids.meshes[..])
        {
            let grid = (layout, mesh);
            let Discretisation { evolution, times } =
                discretise(self.contract(), part, grid, steps, AtDates::Step);
            grids.times = times;
            evolutions.push(evolution);
        }
        (grids, evolutions)
    }

    /// How many evolutions there are on each grid.
    pub(crate) fn evolutions(&self) -> usize {
        self.markets.len() * self.parts.len() + usize::from(self.looks_at_dates())
    }

    /// Whether the boundary has points just before dividends, which another evolution finds: the
    /// last.
    fn looks_at_dates(&self) -> bool {
        self.has_boundary() && self.contract().effective_dividends().next().is_some()
    }

    /// Whether the boundary of exercise is asked for, and there may be one.
    fn has_boundary(&self) -> bool {
        self.request.boundary && self.contract().exercise == Exercise::American
    }

    /// Takes what the evolutions of the next level came to.
    pub(crate) fn take(&mut self, grids: &Grids<T>, outcomes: Result<Vec<&Outcome<T>>, Failure>) {
        let State::Wants(levels) = &mut self.state else { return };
        let outcomes = match outcomes {
            Ok(outcomes) => outcomes,
            Err(failure) => {
                self.state = State::Done(Err(failure.into()));
                return;
            }
        };
        levels.start += 1;
        if self.has_boundary() {
            let of_boundary = if self.looks_at_dates() { outcomes.len() - 1 } else { 0 };
            self.boundary =
                boundary(self.contract(), &grids.meshes[0], outcomes[of_boundary], &grids.times);
        }
        let mut outcomes = outcomes.into_iter();
        let of_market = |market: &Contract<T>| {
            let terms: Vec<_> = (self.parts.iter().zip(&grids.meshes).zip(&mut outcomes))
                .map(|(((part, _), mesh), outcome)| {
                    let sign = if part.is_negative { -T::ONE } else { T::ONE };
                    (sign, read(market, mesh, outcome))
                })
                .collect();
            // Of what may be exercised early there is one part.
            let is_due = terms.iter().any(|(_, reading)| reading.is_due);
            Reading { is_due, ..Reading::sum(terms.iter().map(|(sign, reading)| (*sign, reading))) }
        };
        let readings = self.markets.iter().map(of_market).collect();
        self.readings.push(readings);
        if self.wanted().is_empty() {
            self.judge();
        }
    }

    /// Whether another grid is needed.
    fn judge(&mut self) {
        let levels = self.readings.len();
        let mut best = self.estimate(levels);
        let mut is_met = true;
        if let Accuracy::Tolerance(tolerance) = self.request.accuracy {
            if !best.meets(tolerance) && self.promises(levels, &best, tolerance) {
                self.state = State::Wants(levels as u32..levels as u32 + 1);
                return;
            }
            // Finer grids have more roundings.
            let coarser = (FIRST as usize..levels).rev().map(|levels| self.estimate(levels));
            best =
                coarser.fold(best, |best, next| if next.error < best.error { next } else { best });
            is_met = best.meets(tolerance);
        }
        self.state = State::Done(self.priced(&best, is_met));
    }

    /// What the grids of the first levels say together.
    fn estimate(&self, levels: usize) -> Estimate<T> {
        let level = levels as u32 - 1;
        let contract = self.contract();
        let convergence = Convergence { contract, parts: &self.parts };
        let Extrapolated { reading: found, error } = self.extrapolated(0, levels);
        let (reading, outside) = Bounds::new(contract).confine(&found);
        let gross = found.gross.to_f64();
        let rounding = convergence.roundings(level, self.coarsest.time << level) * gross;
        let error = if convergence.misses_layers(level) { f64::INFINITY } else { error };
        let (resting, unseen) = (convergence.resting(level) * gross, convergence.unseen(level));
        let error = error * convergence.caution();
        let method = [outside, resting, unseen].into_iter().fold(error, f64::max);
        let size = size_of_price(reading.value, contract.strike);
        Estimate { levels, value: found.value, reading, error: method + rounding, rounding, size }
    }

    /// The reading of a market that the grids of the first levels make together.
    fn extrapolated(&self, market: usize, levels: usize) -> Extrapolated<T> {
        let contract = self.contract();
        let convergence = Convergence { contract, parts: &self.parts };
        let length = contract.deviation().to_f64().min(1.0) * contract.spot.to_f64() / 8.0;
        let is_resolved = convergence.is_resolved(levels as u32 - 1);
        let readings: Vec<_> =
            self.readings[..levels].iter().map(|readings| readings[market]).collect();
        extrapolate(&readings, convergence.smoothness(), length, is_resolved)
    }

    /// Whether a finer grid may meet the tolerance where the grids of `levels` levels do not.
    fn promises(&self, levels: usize, found: &Estimate<T>, tolerance: f64) -> bool {
        let levels = levels as u32;
        let allowed = found.allowed(tolerance);
        let is_near = levels <= MOST_HALVINGS || found.error <= SHRINKS * allowed;
        // The next grid has four times the roundings.
        let is_rounded =
            found.rounding > allowed && SHRINKS * found.rounding >= found.error - found.rounding;
        is_near && !is_rounded && levels <= self.halvings
    }

    /// The price of an estimate.
    fn priced(&mut self, found: &Estimate<T>, is_met: bool) -> Result<Price<T>, Error> {
        let contract = self.contract();
        let level = found.levels - 1;
        let grid = Grid { space: self.coarsest.space << level, time: self.coarsest.time << level };
        let derivatives = self.request.sensitivities.then(|| {
            let value = |market| self.extrapolated(market, found.levels).reading.value;
            let values: Vec<T> = (1..self.markets.len()).map(value).collect();
            derivatives(contract, found.value, &values).map(|[vega, rho]| {
                let negative = Bounds::new(contract).is_convex && vega < T::ZERO;
                [if negative { T::ZERO } else { vega }, rho]
            })
        });
        let mut price =
            self.price(found.reading, Some(found.error), derivatives.flatten(), Some(grid));
        let numbers = [Some(price.value), Some(price.delta), Some(price.gamma), Some(price.theta)];
        let mut numbers = numbers.into_iter().chain([price.vega, price.rho]).flatten();
        if !numbers.all(T::is_finite) {
            return Err(Error::NotFinite);
        }
        price.converged = is_met;
        price.boundary = core::mem::take(&mut self.boundary);
        Ok(price)
    }

    /// All numbers have the format of the contract. Bounds and sums that are due may have fewer
    /// bits.
    fn price(
        &self,
        reading: Reading<T>,
        error: Option<f64>,
        derivatives: Option<[T; 2]>,
        grid: Option<Grid>,
    ) -> Price<T> {
        let format = self.contract().spot.format();
        let number = |x: T| x.to_format(format);
        let Reading { value, delta, gamma, theta, .. } = reading;
        let [vega, rho] = [0, 1].map(|i| derivatives.map(|both| number(both[i])));
        Price {
            value: number(value),
            delta: number(delta),
            gamma: number(gamma),
            theta: number(theta),
            vega,
            rho,
            error: error.filter(|_| matches!(self.request.accuracy, Accuracy::Tolerance(_))),
            converged: true,
            grid,
            boundary: Vec::new(),
        }
    }

    /// The price, when nothing is to come.
    pub(crate) fn finish(self) -> Result<Price<T>, Error> {
        match self.state {
            State::Done(outcome) => outcome,
            // Whoever finishes a job too early has no price.
            State::Wants(_) => {
                Err(Error::Grid { space: self.coarsest.space, time: self.coarsest.time })
            }
        }
    }
}

impl Request {
    /// `Ok` for a request that can be met.
    ///
    /// # Errors
    /// [`Error::Grid`], [`Error::Tolerance`].
    pub fn validate(&self) -> Result<(), Error> {
        match self.accuracy {
            Accuracy::Grid(Grid { space, time }) => {
                let fits = (16..=1 << 16).contains(&space) && (2..=1 << 20).contains(&time);
                if fits { Ok(()) } else { Err(Error::Grid { space, time }) }
            }
            Accuracy::Tolerance(value) => {
                if value > 0.0 && value < 1.0 {
                    Ok(())
                } else {
                    Err(Error::Tolerance { value })
                }
            }
        }
    }
}
