//! How the error of a contract's price shrinks as grids get finer, and from which grid on.

use nonius_linalg::{Number, Size};

use crate::contract::{Contract, Exercise, Kind, Monitoring, Side, Volatility};
use crate::discretise::exercise_end;
use crate::evolve::End;
use crate::extrapolate::Smoothness;
use crate::layout::Layout;
use crate::part::Part;

/// Nodes of the finest grid in a standard deviation, of which a quarter lie in the coarsest that
/// extrapolation uses.
const RESOLVED: f64 = 4.0;

/// The part of the way to rest, as an exponent, from which on a boundary of exercise hardly moves.
const SETTLED: f64 = 0.125;

/// Standard deviations within which a barrier counts.
const REACH: f64 = 7.0;

/// Standard deviations from which on a spot is far from the strike, and how much more its estimate
/// says.
const FAR_DEVIATIONS: f64 = 3.0;
const CAUTION: f64 = 16.0;

/// The standard deviation from which on prices spread far.
const WIDE_DEVIATION: f64 = 2.0;

/// Roundings of an entry of the generator, and of a step at a node.
const ROUNDINGS: f64 = 2.0;

/// A contract on grids that are halved.
pub(crate) struct Convergence<'a, T> {
    pub(crate) contract: &'a Contract<T>,
    /// What its price is the sum of, and the coarsest grids.
    pub(crate) parts: &'a [(Part<T>, Layout<T>)],
}

impl<T: Number> Convergence<'_, T> {
    /// Whether the finest grid has enough nodes in a standard deviation at the strike and at the
    /// spot, and where a drift carries prices along.
    pub(crate) fn is_resolved(&self, level: u32) -> bool {
        let (strike, spot) = (self.contract.strike, self.contract.spot);
        let deviation = self.contract.least_deviation();
        let layer = self.layer();
        self.parts.iter().all(|(_, layout)| {
            let distance = |at: T| Self::distance(layout, at, level);
            distance(strike) <= (deviation * strike).to_f64().min(layer * strike.to_f64())
                && distance(spot) <= (deviation * spot).to_f64()
        })
    }

    /// How far the nodes around a price are apart that have to resolve something there.
    fn distance(layout: &Layout<T>, at: T, level: u32) -> f64 {
        layout.slope(at).ldexp(-(level as i32)).to_f64() * RESOLVED
    }

    /// The part of a price over which diffusion and drift are in balance, `σ²/|r − q|` at its
    /// least: central differences need nodes there, and next to it a boundary of exercise lies.
    fn layer(&self) -> f64 {
        let contract = self.contract;
        let [rates, yields] = [&contract.rates, &contract.yields].map(|terms| {
            let (least, greatest) = terms.range();
            [least.to_f64(), greatest.to_f64()]
        });
        let drift = (rates[1] - yields[0]).abs().max((rates[0] - yields[1]).abs());
        contract.volatility.range().0.to_f64().powi(2) / drift
    }

    /// How fast an American option that is held for ever loses its value, nothing where the
    /// boundary of exercise does not come to rest long before today: the exponent `m` of
    /// `(S/K)^(−m)`, with `m = (a + √(a² + 2rσ²))/σ²`, `a = r − q − σ²/2`, for a put. The option is
    /// worth that but for a part of `exp(−(a² + 2rσ²)·T/2σ²)`. A call is a put with `r` and `q`
    /// exchanged (McDonald and Schroder 1998).
    fn rest(&self) -> Option<f64> {
        let contract = self.contract;
        if contract.exercise != Exercise::American {
            return None;
        }
        let [rates, yields] = [&contract.rates, &contract.yields].map(|terms| {
            let (least, greatest) = terms.range();
            [least.to_f64(), greatest.to_f64()]
        });
        let (r, q) = match contract.kind {
            Kind::Put => (rates, yields),
            Kind::Call => (yields, rates),
        };
        let variance = contract.volatility.range().0.to_f64().powi(2);
        let [least, greatest] = [0, 1].map(|i| r[i] - q[1 - i] - 0.5 * variance);
        let square = least.abs().max(greatest.abs()).powi(2) + 2.0 * r[1].max(0.0) * variance;
        let settles = square * contract.maturity.to_f64() > 2.0 * variance * SETTLED;
        settles.then(|| (greatest + square.sqrt()) / variance)
    }

    /// The part of the price that a boundary of exercise may cost which rests next to a node,
    /// within half their distance `h`, on one grid after the other: the value `(K − B)·(S/B)^(−m)`
    /// is largest at the right `B`, and `(m·h/B)²/8` less there.
    pub(crate) fn resting(&self, level: u32) -> f64 {
        let Some(m) = self.rest() else { return 0.0 };
        let strike = self.contract.strike;
        self.parts.iter().fold(0.0, |most: f64, (_, layout)| {
            let distance = layout.slope(strike).ldexp(-(level as i32)) / strike;
            most.max((m * distance.to_f64()).powi(2) / 8.0)
        })
    }

    /// Whether the finest grid sees nothing of what decides of the price: of the layer at a
    /// boundary of exercise, of the kink that dividends in money leave next to zero, or of a
    /// barrier on dates within reach.
    pub(crate) fn misses_layers(&self, level: u32) -> bool {
        let contract = self.contract;
        let (strike, spot) = (contract.strike, contract.spot);
        let paid = contract.cash();
        let (layer, early) = (self.layer(), contract.exercise != Exercise::European);
        let deviation = contract.deviation().to_f64();
        let reach = REACH * deviation + contract.drift().to_f64();
        let barrier = contract.barrier.as_ref().map(|barrier| barrier.level);
        let barrier = barrier.filter(|&level| (level / spot).to_f64().ln().abs() < reach);
        self.parts.iter().any(|(part, layout)| {
            let distance = |at: T| Self::distance(layout, at, level);
            let barrier = barrier.filter(|_| part.barrier);
            (early && distance(strike) > layer * strike.to_f64())
                || (spot < paid.ldexp(10) && distance(spot) > spot.to_f64())
                || barrier.is_some_and(|level| distance(level) > deviation * level.to_f64())
        })
    }

    /// What is paid between strike `K` and barrier `L` is worth at most, where the finest grid sees
    /// nothing of it: the greatest payoff there times a bound of the probability to end there, the
    /// width times the peak of the normal density, `|ln(L/K)|/(σ√(2πT))`.
    pub(crate) fn unseen(&self, level: u32) -> f64 {
        let contract = self.contract;
        let Some(barrier) = &contract.barrier else { return 0.0 };
        let between = match (contract.kind, barrier.side) {
            (Kind::Put, Side::Down) => contract.strike - barrier.level,
            (Kind::Call, Side::Up) => barrier.level - contract.strike,
            _ => T::ZERO,
        };
        let between = between.to_f64().max(0.0);
        let is_unseen = |(part, layout): &(Part<T>, Layout<T>)| {
            let is_coarse = || Self::distance(layout, contract.strike, level) > between;
            part.barrier && !layout.aligned && is_coarse()
        };
        if !self.parts.iter().any(is_unseen) {
            return 0.0;
        }
        let way = (barrier.level / contract.strike).to_f64().ln().abs();
        let peak = contract.least_deviation().to_f64() * core::f64::consts::TAU.sqrt();
        between * contract.drift().to_f64().exp() * (way / peak).min(1.0)
    }

    /// By how much more than at the strike an estimate has to say, the further the spot is from
    /// there and the further prices spread: the expansion of the error sets in at finer grids.
    pub(crate) fn caution(&self) -> f64 {
        let contract = self.contract;
        let distance = (contract.spot / contract.strike).to_f64().ln().abs();
        let [rate, dividend_yield] = [&contract.rates, &contract.yields]
            .map(|terms| terms.integral(contract.maturity, |x| x).to_f64());
        let deviation = contract.deviation().to_f64();
        let part = (distance + (rate - dividend_yield).abs()) / (FAR_DEVIATIONS * deviation);
        CAUTION.powf(part.min(1.0).powi(2)) * (deviation / WIDE_DEVIATION).max(1.0)
    }

    /// The relative error that roundings leave after the steps of the finest grid.
    ///
    /// Entries of the generator are rounded, which is as if the rate were another at each node, by
    /// the part `u` of the entry. The sum of all steps is that of the time times the entry.
    pub(crate) fn roundings(&self, level: u32, steps: usize) -> f64 {
        let steps = steps as f64;
        let deviation = self.contract.deviation().to_f64();
        let most = self.parts.iter().fold(0.0, |most: f64, (_, layout)| {
            most.max(deviation * layout.steepest() / 0.5_f64.powi(level as i32))
        });
        let u = T::unit_roundoff(self.contract.spot.format()).to_f64();
        ROUNDINGS * u * (steps + most * most)
    }

    /// Whether a barrier at the end of exercise pays more than exercise does, so that the option is
    /// held next to it.
    fn is_detached(&self) -> bool {
        self.contract.barrier.as_ref().is_some_and(|barrier| {
            let end = match barrier.side {
                Side::Up => End::High,
                Side::Down => End::Low,
            };
            let payoff = self.contract.payoff(barrier.level);
            end == exercise_end(self.contract.kind) && payoff > T::ZERO && barrier.rebate > payoff
        })
    }

    /// What the error is like.
    pub(crate) fn smoothness(&self) -> Smoothness {
        let contract = self.contract;
        let is_aligned = self.parts.iter().all(|(_, layout)| layout.aligned);
        let pays = contract.effective_dividends().next().is_some();
        let varies = match &contract.volatility {
            Volatility::Terms(_) => false,
            Volatility::Local(surface) => surface.range().0 != surface.range().1,
        };
        let monitoring = contract.barrier.as_ref().map(|barrier| &barrier.monitoring);
        // A dividend may take the underlying across a barrier.
        let is_european = contract.exercise == Exercise::European;
        let jumps = pays
            && (monitoring == Some(&Monitoring::Continuous)
                || (monitoring.is_some() && !is_european));
        let dates = pays || matches!(monitoring, Some(Monitoring::Dates(_)));
        match contract.exercise {
            Exercise::American if self.is_detached() => Smoothness::First,
            _ if !is_aligned || jumps => Smoothness::Kinks,
            _ if varies => Smoothness::Surface,
            Exercise::Bermudan(_) => Smoothness::Dates,
            Exercise::European if dates => Smoothness::Dates,
            Exercise::European => Smoothness::Even,
            Exercise::American if self.rest().is_some() => Smoothness::Settled,
            Exercise::American => Smoothness::Boundary,
        }
    }
}
