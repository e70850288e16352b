//! How the error of a contract's price shrinks as grids get finer, and from which grid on.

use nonius_linalg::Scalar;
use nonius_linalg::evolve::End;

use crate::contract::{Contract, Exercise, Side, Volatility};
use crate::discretise::exercise_end;
use crate::extrapolate::Smoothness;
use crate::layout::Layout;
use crate::part::Part;

/// Nodes of the finest grid in a standard deviation, of which a quarter lie in the coarsest that
/// extrapolation uses.
const RESOLVED: f64 = 4.0;

/// Standard deviations from which on a spot is far from the strike, and how much more its estimate
/// says.
const FAR: f64 = 3.0;
const CAUTION: f64 = 16.0;

/// Roundings of an entry of the generator, and of a step at a node.
const ROUNDINGS: f64 = 2.0;

/// A contract on grids that are halved.
pub(crate) struct Convergence<'a, T> {
    pub(crate) contract: &'a Contract<T>,
    /// What its price is the sum of, and the coarsest grids.
    pub(crate) parts: &'a [(Part<T>, Layout<T>)],
}

impl<T: Scalar> Convergence<'_, T> {
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

    /// Whether the finest grid sees nothing of a layer that decides of the price: that at a
    /// boundary of exercise, or the kink that dividends in money leave next to zero.
    pub(crate) fn misses_layers(&self, level: u32) -> bool {
        let (strike, spot) = (self.contract.strike, self.contract.spot);
        let paid = self.contract.cash();
        let (layer, early) = (self.layer(), self.contract.exercise != Exercise::European);
        self.parts.iter().any(|(_, layout)| {
            let distance = |at: T| Self::distance(layout, at, level);
            (early && distance(strike) > layer * strike.to_f64())
                || (spot < paid.ldexp(10) && distance(spot) > spot.to_f64())
        })
    }

    /// By how much more than elsewhere an estimate has to say, where the spot is far from the
    /// strike: the expansion of the error there sets in at finer grids.
    pub(crate) fn caution(&self) -> f64 {
        let contract = self.contract;
        let distance = (contract.spot / contract.strike).to_f64().ln().abs();
        let [rate, dividend_yield] = [&contract.rates, &contract.yields]
            .map(|terms| terms.integral(contract.maturity, |x| x).to_f64());
        let is_far = distance + (rate - dividend_yield).abs() > FAR * contract.deviation().to_f64();
        if is_far { CAUTION } else { 1.0 }
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
        ROUNDINGS * T::UNIT_ROUNDOFF * (steps + most * most)
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
        let is_regular = self.parts.iter().all(|(_, layout)| layout.is_regular);
        let pays = contract.effective_dividends().next().is_some();
        let varies = match &contract.volatility {
            Volatility::Terms(_) => false,
            Volatility::Local(surface) => surface.range().0 != surface.range().1,
        };
        // A dividend may take the underlying across a barrier.
        let jumps = pays && contract.barrier.is_some();
        match contract.exercise {
            Exercise::American if self.is_detached() => Smoothness::First,
            _ if !is_regular || jumps => Smoothness::Kinks,
            _ if varies => Smoothness::Surface,
            Exercise::Bermudan(_) => Smoothness::Dates,
            Exercise::European if pays => Smoothness::Dates,
            Exercise::European => Smoothness::Even,
            Exercise::American => Smoothness::Boundary,
        }
    }
}
