//! Prices of what happens on dates: exercise, barriers and dividends, in markets that are constant
//! piece by piece.
//!
//! Between dates the logarithm of the underlying is normal, so that the price before is an integral
//! of the price after with a normal density: Gauss–Legendre on panels of at most a standard
//! deviation, between the kinks and jumps, which are found beforehand. Nothing is interpolated:
//! prices are computed where the quadrature of the date before needs them.

use nonius_option::{Amount, Contract, Exercise, Kind, Knock, Monitoring, Side, Terms, Volatility};

use super::legendre::{NODES, panel};

/// Standard deviations that count.
const DEVIATIONS: f64 = 9.0;

/// The part of the strike below which the underlying is worthless.
const WORTHLESS: f64 = 1e-14;

/// What happens between two dates.
#[derive(Clone, Copy, Debug)]
struct Gap {
    /// Of the logarithm of the underlying.
    mean: f64,
    deviation: f64,
    discount: f64,
}

/// Prices after a date, where the quadrature needs them.
struct Prices {
    /// The logarithm of the underlying, the weight and the price.
    points: Vec<(f64, f64, f64)>,
    /// The price of a worthless underlying.
    zero: f64,
}

/// A price, delta and gamma.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) value: f64,
    pub(crate) delta: f64,
    pub(crate) gamma: f64,
}

/// A contract with European or Bermudan exercise, and a barrier that knocks out on dates or none;
/// nothing for others, and where panels are too many.
pub(crate) fn price(contract: &Contract<f64>) -> Option<Found> {
    let mut contract = contract.clone();
    let knock_in = contract.barrier.clone().filter(|barrier| barrier.knock == Knock::In);
    if let Some(barrier) = knock_in {
        // What is knocked in is what is not knocked out; the rebate is paid at maturity, as a bond
        // would.
        if contract.exercise != Exercise::European {
            return None;
        }
        contract.barrier = None;
        let plain = price(&contract)?;
        contract.barrier =
            Some(nonius_option::Barrier { knock: Knock::Out, rebate: 0.0, ..barrier.clone() });
        let out = price(&contract)?;
        let alive = Setting::new(&contract)?.price(|_| barrier.rebate)?;
        let of = |f: fn(&Found) -> f64| f(&plain) - f(&out) + f(&alive);
        return Some(Found {
            value: of(|x| x.value),
            delta: of(|x| x.delta),
            gamma: of(|x| x.gamma),
        });
    }
    let payoff = |spot: f64| contract.payoff(spot);
    Setting::new(&contract)?.price(payoff)
}

struct Setting<'a> {
    contract: &'a Contract<f64>,
    volatility: &'a Terms<f64>,
    /// Dates at which something happens, up to maturity.
    dates: Vec<f64>,
}

fn integral(terms: &Terms<f64>, from: f64, to: f64, of: impl Fn(f64) -> f64) -> f64 {
    let pieces = terms.pieces();
    let (mut sum, mut begin) = (0.0, from);
    for (i, piece) in pieces.iter().enumerate() {
        let end = if i + 1 == pieces.len() { to } else { piece.until.min(to) };
        if end > begin {
            sum += of(piece.value) * (end - begin);
            begin = end;
        }
    }
    sum
}

impl<'a> Setting<'a> {
    fn new(contract: &'a Contract<f64>) -> Option<Self> {
        let Volatility::Terms(volatility) = &contract.volatility else { return None };
        let mut dates: Vec<f64> = contract.dividends.iter().map(|dividend| dividend.time).collect();
        match &contract.exercise {
            Exercise::American => return None,
            Exercise::European => {}
            Exercise::Bermudan(of) => dates.extend(of),
        }
        if let Some(barrier) = &contract.barrier {
            match &barrier.monitoring {
                Monitoring::Continuous => return None,
                Monitoring::Dates(of) => dates.extend(of),
            }
        }
        dates.retain(|&date| date < contract.maturity);
        dates.push(contract.maturity);
        dates.sort_by(f64::total_cmp);
        dates.dedup();
        Some(Self { contract, volatility, dates })
    }

    fn gap(&self, from: f64, to: f64) -> Gap {
        let rate = integral(&self.contract.rates, from, to, |x| x);
        let dividend_yield = integral(&self.contract.yields, from, to, |x| x);
        let variance = integral(self.volatility, from, to, |x| x * x);
        Gap {
            mean: rate - dividend_yield - 0.5 * variance,
            deviation: variance.sqrt(),
            discount: (-rate).exp(),
        }
    }

    /// With another payoff at maturity.
    fn price(&self, payoff: impl Fn(f64) -> f64) -> Option<Found> {
        let contract = self.contract;
        let last = self.dates.len() - 1;
        let gaps: Vec<Gap> = (0..=last)
            .map(|i| self.gap(if i == 0 { 0.0 } else { self.dates[i - 1] }, self.dates[i]))
            .collect();
        // What can be reached at each date, forwards.
        let floor = (contract.strike * WORTHLESS).ln();
        let mut reach = Vec::new();
        let (mut low, mut high, mut variance) = (contract.spot.ln(), contract.spot.ln(), 0.0);
        let mut paid: f64 = 0.0;
        for (i, gap) in gaps.iter().enumerate() {
            variance += gap.deviation * gap.deviation;
            low += gap.mean.min(0.0);
            high += gap.mean.max(0.0) + gap.deviation * gap.deviation;
            let wide = DEVIATIONS * variance.sqrt();
            reach.push(((low - wide).max(floor), high + wide));
            let cash = contract.dividends.iter().filter(|d| d.time == self.dates[i]);
            for dividend in cash {
                match dividend.amount {
                    Amount::Cash(cash) => paid += cash * (high - low + 2.0 * wide).exp(),
                    Amount::Proportional(part) => low += (1.0 - part).ln(),
                }
            }
            if paid > 0.0 {
                let lowest = ((low - wide).exp() - paid).max(0.0).ln().max(floor);
                low = lowest.max(low - 40.0) + wide;
            }
        }
        let mut after: Option<Prices> = None;
        for i in (0..=last).rev() {
            let date = self.dates[i];
            let gap = gaps[i];
            let next = after.as_ref().map(|prices| (prices, gaps[i + 1]));
            let held = |spot: f64| match next {
                None => payoff(spot),
                Some((prices, gap)) => {
                    let paid = self.paid(date, spot);
                    if paid <= contract.strike * WORTHLESS {
                        gap.discount * prices.zero
                    } else {
                        value(prices, gap, paid.ln()).value
                    }
                }
            };
            let may = i < last
                && matches!(&contract.exercise, Exercise::Bermudan(dates) if dates.contains(&date));
            let decided = |spot: f64| {
                let held = held(spot);
                if may { held.max(contract.payoff(spot)) } else { held }
            };
            let barrier = contract.barrier.as_ref().filter(
                |barrier| matches!(&barrier.monitoring, Monitoring::Dates(dates) if dates.contains(&date)),
            );
            let looked = |spot: f64| match barrier {
                Some(barrier) if is_beyond(barrier.side, spot, barrier.level) => barrier.rebate,
                _ => decided(spot),
            };
            // Kinks and jumps.
            let (low, high) = reach[i];
            let width = next.map_or(gap.deviation, |(_, next)| gap.deviation.min(next.deviation));
            let count = ((high - low) / width).ceil();
            if count > 1500.0 {
                return None;
            }
            let count = count as usize;
            let mut edges: Vec<f64> =
                (0..=count).map(|k| low + (high - low) * k as f64 / count as f64).collect();
            if may {
                let excess = |x: f64| {
                    let spot = x.exp();
                    held(spot) - contract.intrinsic(spot)
                };
                let scanned: Vec<(f64, f64)> = edges.iter().map(|&x| (x, excess(x))).collect();
                for pair in scanned.windows(2) {
                    let ((mut a, at_a), (mut b, at_b)) = (pair[0], pair[1]);
                    if (at_a > 0.0) != (at_b > 0.0) {
                        for _ in 0..45 {
                            let middle = 0.5 * (a + b);
                            if (excess(middle) > 0.0) == (at_a > 0.0) {
                                a = middle
                            } else {
                                b = middle
                            }
                        }
                        edges.push(a);
                    }
                }
            }
            edges.extend(barrier.map(|barrier| barrier.level.ln()));
            if i == last || may {
                edges.push(contract.strike.ln());
            }
            if i < last {
                let paid: f64 = contract
                    .dividends
                    .iter()
                    .filter(|d| d.time == date)
                    .map(|d| match d.amount {
                        Amount::Cash(cash) => cash,
                        Amount::Proportional(_) => 0.0,
                    })
                    .sum();
                if paid > 0.0 {
                    edges.push(paid.ln());
                }
            }
            edges.retain(|&x| x >= low && x <= high);
            edges.sort_by(f64::total_cmp);
            edges.dedup();
            let mut points = Vec::with_capacity(edges.len() * NODES);
            for pair in edges.windows(2) {
                points.extend(
                    panel(pair[0], pair[1]).map(|(x, weight)| (x, weight, looked(x.exp()))),
                );
            }
            let zero = {
                let held = match next {
                    None => payoff(0.0),
                    Some((prices, gap)) => gap.discount * prices.zero,
                };
                let decided = if may { held.max(contract.payoff(0.0)) } else { held };
                match barrier {
                    Some(barrier) if barrier.side == Side::Down => barrier.rebate,
                    _ => decided,
                }
            };
            after = Some(Prices { points, zero });
        }
        Some(value(&after?, gaps[0], contract.spot.ln()))
    }

    /// What the underlying is after the dividends of a date.
    fn paid(&self, date: f64, spot: f64) -> f64 {
        self.contract
            .dividends
            .iter()
            .filter(|d| d.time == date && date < self.contract.maturity)
            .fold(spot, |spot, dividend| match dividend.amount {
                Amount::Cash(cash) => (spot - cash).max(0.0),
                Amount::Proportional(part) => spot * (1.0 - part),
            })
    }
}

fn is_beyond(side: Side, spot: f64, level: f64) -> bool {
    match side {
        Side::Up => spot >= level,
        Side::Down => spot <= level,
    }
}

/// The integral, and its derivatives with respect to the underlying.
fn value(prices: &Prices, gap: Gap, x: f64) -> Found {
    let centre = x + gap.mean;
    let (mut value, mut first, mut second) = (0.0, 0.0, 0.0);
    let reach = (DEVIATIONS + 1.0) * gap.deviation;
    let begin = prices
        .points
        .partition_point(|point| point.0 < centre - reach - gap.deviation * gap.deviation);
    for &(y, weight, price) in &prices.points[begin..] {
        if y > centre + reach + gap.deviation * gap.deviation {
            break;
        }
        let d = (y - centre) / gap.deviation;
        let mass = weight * price * (-0.5 * d * d).exp();
        value += mass;
        first += mass * d;
        second += mass * (d * d - 1.0);
    }
    let scale = gap.discount / (gap.deviation * core::f64::consts::TAU.sqrt());
    // Of the logarithm.
    let (first, second) =
        (first * scale / gap.deviation, second * scale / (gap.deviation * gap.deviation));
    let below = prices.points.first().map_or(0.0, |first| {
        let d = (first.0 - centre) / gap.deviation;
        0.5 * libm::erfc(-d / core::f64::consts::SQRT_2)
    });
    let spot = x.exp();
    Found {
        value: value * scale + gap.discount * prices.zero * below,
        delta: first / spot,
        gamma: (second - first) / (spot * spot),
    }
}

#[test]
fn a_single_gap_is_black_and_scholes() {
    let contract = Contract::european(Kind::Call, 100.0, 105.0, 0.7, [0.05, 0.02, 0.3]);
    let found = price(&contract).unwrap();
    let terms = super::closed::Terms { terms: [100.0, 105.0, 0.7], market: [0.05, 0.02, 0.3] };
    let exact = terms.greeks(Kind::Call);
    // The quadrature errs by rounding. Prices are sums of some hundred products and are below the
    // strike. Derivatives are below one, divided by the deviation, a quarter, once or twice.
    let roundings = 800.0 * f64::EPSILON / 2.0;
    assert!((found.value - exact.value).abs() < roundings * contract.strike, "{found:?} {exact:?}");
    assert!((found.delta - exact.delta).abs() < 10.0 * roundings);
    assert!((found.gamma - exact.gamma).abs() < 10.0 * roundings);
}
