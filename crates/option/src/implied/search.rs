//! The search of one volatility.

use nonius_linalg::{Number, Size};

use super::quote::{Implied, LEAST, Quote};
use crate::bounds::Bounds;
use crate::contract::Contract;
use crate::error::Error;
use crate::request::{Accuracy, Grid, Price, Request, size_of_price};

/// The greatest volatility that is searched, and the standard deviations up to maturity that it has
/// at most, of ten that contracts may have.
const GREATEST: f64 = 8.0;
const MOST_DEVIATIONS: f64 = 9.0;

/// Where the search begins, and the tolerance of its first price.
const START: f64 = 0.25;
const COARSE: f64 = 1e-2;

/// The quotient of a bracket's ends from which on prices are nearly straight between them.
const NEAR: f64 = 1.25;

/// The part of the wanted error of the volatility that the error of its price may make.
const PART_OF_PRICE: f64 = 0.25;

/// What of the least excess known so far is asked for as the error of the next price.
const PART_OF_EXCESS: f64 = 1.0 / 16.0;

/// How much better a price is asked for that cannot be told from the quote.
const REFINED: f64 = 1.0 / 64.0;

/// A volatility, and by how much its price is more than the quote.
#[derive(Clone, Copy)]
struct Sample<T> {
    volatility: T,
    excess: f64,
    /// The estimate of the price's error.
    error: f64,
}

impl<T: Number> Sample<T> {
    /// Whether the excess is more than the price's error, so that its sign is known.
    fn is_sure(&self) -> bool {
        self.excess.abs() > self.error
    }

    /// How far another volatility is.
    fn distance(&self, other: T) -> f64 {
        (self.volatility - other).abs().to_f64()
    }

    /// The slope of the price between two volatilities that its errors leave at least, if they
    /// leave half of it.
    fn least_slope(&self, other: &Self) -> Option<f64> {
        let errors = self.error + other.error;
        let rise = (self.excess - other.excess).abs() - errors;
        (rise > errors).then(|| rise / self.distance(other.volatility))
    }
}

/// Where a volatility is looked for.
#[derive(Clone, Copy)]
enum Direction {
    Down,
    Up,
}

/// An end of the bracket.
#[derive(Clone, Copy)]
struct End<T> {
    sample: Sample<T>,
    /// Its excess, as interpolation takes it.
    weight: f64,
}

/// The search of one volatility.
pub(super) struct Search<T> {
    /// With all numbers in the widest format of these, in which the volatility is found.
    quote: Quote<T>,
    tolerance: f64,
    limits: [T; 2],
    /// What the tolerance of a price is a part of.
    size: f64,
    trial: T,
    /// The error that the price at the trial may have, as a part of the size, and the least that
    /// roundings leave.
    asked: f64,
    roundings: f64,
    /// A volatility at which no grid had so small an error as was asked for, and the error, as a
    /// part of the size, that the best one had.
    stuck: Option<(T, f64)>,
    below: Option<End<T>>,
    above: Option<End<T>>,
    /// All samples of which the sign is known.
    known: Vec<Sample<T>>,
    /// Of the samples that no grid makes sure the one of the least excess, and the ends of all.
    vague: Option<(Sample<T>, [T; 2])>,
    /// The width of the bracket some steps ago, and how many.
    width: f64,
    steps: usize,
    /// Whether the trial comes from interpolation, and the end that moved last.
    is_interpolated: bool,
    last_was_below: bool,
    grid: Option<Grid>,
    pub(super) outcome: Option<Result<Implied<T>, Error>>,
}

impl<T: Number> Search<T> {
    pub(super) fn new(quote: &Quote<T>, tolerance: f64) -> Self {
        let (contract, format) = (quote.with_least(), quote.format());
        let number = |x: f64| T::from_f64(x).to_format(format);
        let (contract, price) = (contract.in_format(format), quote.price.to_format(format));
        let most = number(MOST_DEVIATIONS) / contract.maturity.sqrt();
        let at_most = |x: f64| if most < number(x) { most } else { number(x) };
        let request = Request { accuracy: Accuracy::Tolerance(tolerance), ..Request::default() };
        let sound = quote.validate().and_then(|()| request.validate());
        let roundoff = T::unit_roundoff(format).to_f64();
        Self {
            outcome: sound.and_then(|()| check(&contract, price)).err().map(Err),
            size: size_of_price(price, contract.strike),
            quote: Quote { contract, price },
            tolerance,
            limits: [number(LEAST), at_most(GREATEST)],
            trial: at_most(START),
            asked: COARSE,
            roundings: (4.0 * roundoff).max(f64::MIN_POSITIVE),
            stuck: None,
            below: None,
            above: None,
            known: Vec::new(),
            vague: None,
            width: f64::INFINITY,
            steps: 0,
            is_interpolated: false,
            last_was_below: false,
            grid: None,
        }
    }

    /// The contract that wants a price.
    pub(super) fn contract(&self) -> Contract<T> {
        self.quote.with(self.trial)
    }

    /// The tolerance of that price.
    pub(super) fn tolerance_of_price(&self) -> f64 {
        self.asked.max(self.least_asked())
    }

    /// What there is no use to ask for less than, at the trial.
    fn least_asked(&self) -> f64 {
        let is_near = |at: T| (at - self.trial).abs() <= self.trial.ldexp(-1);
        let stuck = self.stuck.filter(|&(at, _)| is_near(at));
        stuck.map_or(self.roundings, |(_, part)| part)
    }

    /// Takes the price at the trial.
    pub(super) fn learn(&mut self, price: Result<Price<T>, Error>) {
        let price = match price {
            Ok(price) => price,
            Err(error) => {
                self.outcome = Some(Err(error));
                return;
            }
        };
        let error = price.error.unwrap_or(f64::INFINITY);
        let excess = (price.value - self.quote.price).to_f64();
        let sample = Sample { volatility: self.trial, excess, error };
        self.grid = price.grid;
        if !price.converged && error.is_finite() {
            self.stuck = Some((self.trial, (error / self.size).clamp(self.roundings, COARSE)));
        }
        let [below, above] = self.slopes(&sample);
        let slope = below.zip(above).map(|(below, above)| below.min(above));
        let found = slope.map(|slope| (excess.abs() + error) / slope);
        if let Some(found) = found.filter(|&found| found <= self.allowed()) {
            return self.finish(self.trial, found);
        }
        if sample.is_sure() {
            self.place(sample);
        } else if price.converged && self.asked > self.least_asked() {
            let needed = slope.map_or(0.0, |slope| self.needed(slope));
            return self.ask((error * REFINED).max(needed));
        } else {
            self.note(sample);
        }
        self.go_on(price.value);
    }

    /// Notes a volatility that no price tells from the right one.
    fn note(&mut self, sample: Sample<T>) {
        let (nearest, [least, greatest]) = self.vague.unwrap_or((sample, [sample.volatility; 2]));
        let is_nearer = sample.excess.abs() < nearest.excess.abs();
        let least = if self.trial < least { self.trial } else { least };
        let greatest = if self.trial > greatest { self.trial } else { greatest };
        self.vague = Some((if is_nearer { sample } else { nearest }, [least, greatest]));
    }

    /// The error that the volatility may have.
    fn allowed(&self) -> f64 {
        self.tolerance * self.trial.to_f64()
    }

    /// The error that the price may have for that, where its slope is so large.
    fn needed(&self, slope: f64) -> f64 {
        PART_OF_PRICE * self.allowed() * slope
    }

    /// Asks for a price of at most so large an error, which none before was asked to have less of.
    fn ask(&mut self, error: f64) {
        let part = error / self.size;
        self.asked = self.asked.min(part.max(self.roundings));
    }

    /// The least slope of the price from a sample to the nearest known one whose excess is such.
    fn slope_towards(&self, sample: &Sample<T>, is_side: fn(f64) -> bool) -> Option<f64> {
        let mut side: Vec<_> = self.known.iter().filter(|known| is_side(known.excess)).collect();
        side.sort_by(|a, b| {
            let distance = |x: &Sample<T>| sample.distance(x.volatility);
            distance(a).total_cmp(&distance(b))
        });
        side.into_iter().find_map(|known| sample.least_slope(known))
    }

    /// The least slopes of the price from a sample towards the prices below and above the quote.
    fn slopes(&self, sample: &Sample<T>) -> [Option<f64>; 2] {
        [self.slope_towards(sample, |x| x < 0.0), self.slope_towards(sample, |x| x > 0.0)]
    }

    /// Makes a sample an end of the bracket.
    fn place(&mut self, sample: Sample<T>) {
        let is_below = sample.excess < 0.0;
        // The other end's weight shrinks where the same end moves twice (Anderson and Björck).
        if self.is_interpolated && self.last_was_below == is_below {
            let (same, other) = if is_below {
                (self.below, &mut self.above)
            } else {
                (self.above, &mut self.below)
            };
            if let (Some(same), Some(other)) = (same, other.as_mut()) {
                let factor = 1.0 - sample.excess / same.weight;
                other.weight *= if factor > 0.0 { factor } else { 0.5 };
            }
        }
        self.last_was_below = is_below;
        let end = Some(End { sample, weight: sample.excess });
        *(if is_below { &mut self.below } else { &mut self.above }) = end;
        self.known.push(sample);
    }

    /// Chooses the next trial, after one with this price.
    fn go_on(&mut self, found: T) {
        match (self.below, self.above, self.vague) {
            (Some(below), Some(above), None) => self.between(below, above),
            (Some(below), Some(above), Some((nearest, _))) => self.settle(below, above, nearest),
            (None, ..) => self.outwards(Direction::Down, found),
            (_, None, _) => self.outwards(Direction::Up, found),
        }
    }

    /// Tries a volatility beyond all others, unless one of these is at the limit.
    fn outwards(&mut self, direction: Direction, found: T) {
        let range = self.vague.map_or([self.trial; 2], |(_, range)| range);
        let [least, most] = self.limits;
        let (from, trial) = match direction {
            Direction::Down => {
                let from = if self.trial < range[0] { self.trial } else { range[0] };
                let trial = from.ldexp(-1);
                (from, if trial < least { least } else { trial })
            }
            Direction::Up => {
                let from = if self.trial > range[1] { self.trial } else { range[1] };
                let trial = from.ldexp(1);
                (from, if trial > most { most } else { trial })
            }
        };
        if trial != from {
            self.trial = trial;
            return;
        }
        let price = self.quote.price.to_f64();
        self.outcome = Some(Err(match self.vague {
            Some(_) => {
                let end = |end: Option<End<T>>, limit: T| {
                    end.map_or(limit, |end| end.sample.volatility).to_f64()
                };
                let (least, greatest) = (end(self.below, least), end(self.above, most));
                Error::Undetermined { price, least, greatest }
            }
            None => {
                let (limit, found) = (trial.to_f64(), found.to_f64());
                Error::VolatilityOutside { price, limit, found }
            }
        }));
    }

    /// Tries a volatility inside the bracket.
    fn between(&mut self, below: End<T>, above: End<T>) {
        let (low, high) = (below.sample.volatility, above.sample.volatility);
        let width = above.sample.distance(low);
        let middle = (low * high).sqrt();
        let is_inside = |trial: T| trial > low && trial < high;
        if width <= self.allowed() || !is_inside(middle) {
            let farther = above.sample.distance(middle).max(below.sample.distance(middle));
            return self.finish(middle, farther);
        }
        let excess = below.sample.excess.abs().min(above.sample.excess.abs());
        let needed =
            above.sample.least_slope(&below.sample).map_or(0.0, |slope| self.needed(slope));
        self.ask((excess * PART_OF_EXCESS).max(needed));
        if width > (NEAR - 1.0) * low.to_f64() {
            self.is_interpolated = false;
            self.trial = middle;
            return;
        }
        self.steps += 1;
        let is_slow = self.steps > 3 && width > 0.5 * self.width;
        if self.steps > 3 || self.steps == 1 {
            (self.steps, self.width) = (1, width);
        }
        let part = below.weight / (below.weight - above.weight);
        let (from, to) = (low.ln(), high.ln());
        let trial = (from + T::from_f64(part) * (to - from)).exp();
        self.is_interpolated = !is_slow && is_inside(trial);
        self.trial = if self.is_interpolated { trial } else { middle };
    }

    /// Ends at the nearest volatility of those that prices cannot tell from the right one. That is
    /// inside the bracket, and on either side as near as the slope there says.
    fn settle(&mut self, below: End<T>, above: End<T>, nearest: Sample<T>) {
        let rise = nearest.excess.abs() + nearest.error;
        let reach = |end: End<T>, slope: Option<f64>| {
            let distance = end.sample.distance(nearest.volatility);
            slope.map_or(distance, |slope| distance.min(rise / slope))
        };
        let [down, up] = self.slopes(&nearest);
        self.finish(nearest.volatility, reach(below, down).max(reach(above, up)));
    }

    fn finish(&mut self, volatility: T, error: f64) {
        let converged = error <= self.tolerance * volatility.to_f64();
        self.outcome = Some(Ok(Implied { volatility, error, converged, grid: self.grid }));
    }
}

/// `Ok` for a price between the bounds of no arbitrage.
fn check<T: Number>(contract: &Contract<T>, price: T) -> Result<(), Error> {
    let [least, greatest] = Bounds::new(contract).value;
    if price > least && price < greatest {
        return Ok(());
    }
    let [price, least, greatest] = [price, least, greatest].map(T::to_f64);
    Err(Error::NoVolatility { price, least, greatest })
}
