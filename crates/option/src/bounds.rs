//! Between what prices and deltas lie, whatever the volatility: no arbitrage.
//!
//! With the discount factor `D(t)` and what is left of one underlying, `Q(t)`, after yields and
//! proportional dividends, whoever exercises at a fixed time `t` gets `S·Q(t) − c(t) − K·D(t)` for
//! a call at least, where `c(t)` is the value of dividends in money, and `K·D(t) − S·Q(t)` for a
//! put. No call is worth more than `S·Q(t)`, no put more than `K·D(t)`, at the best time of those
//! allowed (Merton, *Theory of rational option pricing*, 1973). Slopes lie between those of the
//! payoff times `Q(t)`, and prices of diffusions are convex where payoffs are (Bergman, Grundy and
//! Wiener, *General properties of option prices*, 1996); a put is not where a dividend may take the
//! underlying to zero.

use nonius_linalg::Number;

use crate::contract::{Amount, Barrier, Contract, Exercise, Kind, Knock, Monitoring, Side};
use crate::read::Reading;

/// Ranges that hold a price and its derivatives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds<T> {
    pub(crate) value: [T; 2],
    delta: Option<[T; 2]>,
    pub(crate) is_convex: bool,
}

impl<T: Number> Bounds<T> {
    /// Of a valid contract.
    pub(crate) fn new(contract: &Contract<T>) -> Self {
        let Some(barrier) = &contract.barrier else { return Self::plain(contract) };
        let zero = T::ZERO;
        let plain = Self::plain(contract).value[1];
        let rebate = barrier.rebate;
        let (least, greatest) = match barrier.knock {
            Knock::In => (zero, plain + rebate * discount(contract, contract.maturity)),
            Knock::Out => {
                let discount = best_discount(contract);
                let payoff = most_inside(contract, barrier).map_or(plain, |most| {
                    let most = most * discount;
                    if most < plain { most } else { plain }
                });
                let now = contract.payoff(contract.spot);
                let least = if contract.exercise == Exercise::American { now } else { zero };
                (least, payoff + rebate * discount)
            }
        };
        Self { value: [least, greatest], delta: None, is_convex: false }
    }

    fn plain(contract: &Contract<T>) -> Self {
        let (spot, strike, zero) = (contract.spot, contract.strike, T::ZERO);
        let (mut least, mut greatest, mut steepest) = (zero, zero, zero);
        for time in exercise_times(contract) {
            let (discounted, share) = (strike * discount(contract, time), share(contract, time));
            let (exercised, most) = match contract.kind {
                Kind::Call => (spot * share - paid(contract, time) - discounted, spot * share),
                Kind::Put => (discounted - spot * share, discounted),
            };
            least = greater(least, exercised);
            greatest = greater(greatest, most);
            steepest = greater(steepest, share);
        }
        let (delta, is_convex) = match contract.kind {
            Kind::Call => ([zero, steepest], true),
            Kind::Put => ([-steepest, zero], contract.cash() == zero),
        };
        Self { value: [least, greatest], delta: Some(delta), is_convex }
    }

    /// A reading inside, and how far the price was outside.
    pub(crate) fn confine(&self, reading: &Reading<T>) -> (Reading<T>, f64) {
        let value = within(reading.value, self.value);
        let delta = self.delta.map_or(reading.delta, |range| within(reading.delta, range));
        let negative = self.is_convex && reading.gamma < T::ZERO;
        let gamma = if negative { T::ZERO } else { reading.gamma };
        let outside = (value - reading.value).abs().to_f64();
        (Reading { value, delta, gamma, ..*reading }, outside)
    }
}

/// The times of exercise at which a bound can be the sharpest: at others it lies between.
fn exercise_times<T: Number>(contract: &Contract<T>) -> Vec<T> {
    let mut times = vec![contract.maturity];
    match &contract.exercise {
        Exercise::European => {}
        Exercise::Bermudan(dates) => times.extend(dates),
        Exercise::American => {
            times.push(T::ZERO);
            times.extend(contract.rates.changes().chain(contract.yields.changes()));
            times.extend(contract.effective_dividends().map(|dividend| dividend.time));
            times.retain(|&time| time <= contract.maturity);
        }
    }
    times
}

/// What a sum of money due at a time is worth.
fn discount<T: Number>(contract: &Contract<T>, time: T) -> T {
    (-contract.rates.integral(time, |x| x)).exp()
}

/// The greatest discount factor up to maturity.
fn best_discount<T: Number>(contract: &Contract<T>) -> T {
    let changes = contract.rates.changes().filter(|&time| time < contract.maturity);
    changes
        .chain([contract.maturity])
        .fold(T::ONE, |best, time| greater(best, discount(contract, time)))
}

/// What one underlying that is delivered at a time, before dividends of that time, is worth,
/// dividends in money aside.
fn share<T: Number>(contract: &Contract<T>, time: T) -> T {
    let left = (-contract.yields.integral(time, |x| x)).exp();
    contract.effective_dividends().filter(|dividend| dividend.time < time).fold(
        left,
        |left, dividend| match dividend.amount {
            Amount::Cash(_) => left,
            Amount::Proportional(part) => left * (T::ONE - part),
        },
    )
}

/// What dividends in money before a time are worth at most.
fn paid<T: Number>(contract: &Contract<T>, time: T) -> T {
    let all = share(contract, time);
    let before = contract.effective_dividends().filter(|dividend| dividend.time < time);
    before.fold(T::ZERO, |sum, dividend| match dividend.amount {
        // Of dividends at one date the proportional ones may come before or after: the greater sum.
        Amount::Cash(cash) => {
            let left = all / share_after(contract, dividend.time);
            sum + cash * discount(contract, dividend.time) * left
        }
        Amount::Proportional(_) => sum,
    })
}

/// As [`share`], after dividends of that time.
fn share_after<T: Number>(contract: &Contract<T>, time: T) -> T {
    contract.effective_dividends().filter(|dividend| dividend.time == time).fold(
        share(contract, time),
        |left, dividend| match dividend.amount {
            Amount::Cash(_) => left,
            Amount::Proportional(part) => left * (T::ONE - part),
        },
    )
}

/// What the option pays at most while the underlying stays inside a barrier that is looked at
/// always, where that is a limit.
fn most_inside<T: Number>(contract: &Contract<T>, barrier: &Barrier<T>) -> Option<T> {
    let is_limit = barrier.monitoring == Monitoring::Continuous
        && matches!(
            (contract.kind, barrier.side),
            (Kind::Call, Side::Up) | (Kind::Put, Side::Down)
        );
    is_limit.then(|| contract.payoff(barrier.level))
}

fn greater<T: Number>(a: T, b: T) -> T {
    if b > a { b } else { a }
}

fn within<T: Number>(x: T, [least, greatest]: [T; 2]) -> T {
    if x < least {
        least
    } else if x > greatest {
        greatest
    } else {
        x
    }
}
