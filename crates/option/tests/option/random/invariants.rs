//! What holds without an oracle: bounds of no arbitrage, in + out = plain, rights that are worth
//! more, units of money, finer tolerances.

use nonius_linalg::backend::Cpu;
use nonius_option::{
    Amount, Contract, Exercise, Kind, Knock, Monitoring, Price, Surface, Terms, Volatility, price,
};
use nonius_testkit::{Random, random_cases};

use super::SMALL;
use super::draw::Draw;
use crate::common::request;

/// A price, where the contract is one that has a price.
fn found(contract: &Contract<f64>, tolerance: f64) -> Option<Price<f64>> {
    contract.validate().ok()?;
    let contracts = core::slice::from_ref(contract);
    let found = price(&Cpu::default(), contracts, &request(tolerance)).unwrap().remove(0);
    Some(found.unwrap_or_else(|error| panic!("{error}: {contract:?}")))
}

/// How far a price may be from the exact one.
fn error(contract: &Contract<f64>, found: &Price<f64>, tolerance: f64) -> f64 {
    let allowed = tolerance * found.value.abs().max(SMALL * contract.strike);
    // A bound by no arbitrage has the roundings of its numbers.
    let rounding = 8.0 * f64::EPSILON * (contract.spot + contract.strike);
    allowed.max(found.error.unwrap()) + rounding
}

/// A contract of any kind.
fn any(draw: &mut Draw<'_>) -> Contract<f64> {
    let mut contract = draw.contract(4.0);
    let deviation = match &contract.volatility {
        Volatility::Terms(terms) => terms.pieces()[0].value * contract.maturity.sqrt(),
        Volatility::Local(_) => 1.0,
    };
    if draw.once_in(3) {
        draw.change(&mut contract);
    }
    if draw.once_in(2) {
        contract.exercise = Exercise::American;
    } else {
        draw.exercise(&mut contract);
    }
    if draw.once_in(3) {
        contract.dividends = draw.dividends(&contract);
    }
    if draw.once_in(2) {
        let mut barrier = draw.barrier(&contract, deviation);
        if contract.exercise != Exercise::American && draw.once_in(2) {
            barrier.monitoring = Monitoring::Dates(draw.dates(contract.maturity, 3));
        }
        if contract.exercise != Exercise::European {
            barrier.knock = Knock::Out;
        }
        contract.barrier = Some(barrier);
    }
    if draw.once_in(6) {
        let about = deviation / contract.maturity.sqrt();
        let spots: Vec<f64> = [0.5, 0.8, 1.0, 1.3, 2.0].map(|part| part * contract.strike).to_vec();
        let times = draw.dates(contract.maturity, 3);
        let values = (0..spots.len() * times.len()).map(|_| about * draw.between(0.7, 1.3));
        let values = values.collect();
        contract.volatility = Volatility::Local(Surface::new(spots, times, values).unwrap());
    }
    contract
}

/// The discount factor or what is left of one underlying, the greatest up to maturity.
fn greatest(terms: &Terms<f64>, maturity: f64) -> f64 {
    let (mut sum, mut before, mut least) = (0.0, 0.0, 0.0_f64);
    let pieces = terms.pieces();
    for (i, piece) in pieces.iter().enumerate() {
        let end = if i + 1 == pieces.len() { maturity } else { piece.until.min(maturity) };
        if end > before {
            sum += piece.value * (end - before);
            before = end;
            least = least.min(sum);
        }
    }
    (-least).exp()
}

fn bounds(random: &mut Random) {
    let mut draw = Draw(random);
    let contract = any(&mut draw);
    let Some(found) = found(&contract, 1e-3) else { return };
    let discount = greatest(&contract.rates, contract.maturity);
    let share = greatest(&contract.yields, contract.maturity);
    let rebate = contract.barrier.as_ref().map_or(0.0, |barrier| barrier.rebate) * discount;
    let most = match contract.kind {
        Kind::Call => contract.spot * share,
        Kind::Put => contract.strike * discount,
    };
    let rounding = 64.0 * f64::EPSILON * (contract.spot + contract.strike) * discount.max(share);
    let least = match contract.exercise {
        Exercise::American if found.grid.is_some() => contract.payoff(contract.spot),
        _ => 0.0,
    };
    assert!(
        found.value >= least - rounding && found.value <= most + rebate + rounding,
        "{} outside {least} to {most} + {rebate}: {contract:?} {found:?}",
        found.value
    );
    if contract.barrier.is_none() {
        let sign = if contract.kind == Kind::Call { 1.0 } else { -1.0 };
        let delta = sign * found.delta;
        assert!(
            delta >= 0.0 && delta <= share * (1.0 + 64.0 * f64::EPSILON),
            "{contract:?} {found:?}"
        );
    }
}

/// Rounding errors of values, deltas and gammas, in units of the strike and the spot. Each
/// derivative divides them by the distance of nodes, about a thousandth.
const OF_VALUES: [f64; 3] = [1e-13, 1e-10, 1e-7];

/// Powers of two scale every number of money and nothing else: to the last bit, but for what
/// underflows far from the strike and is taken from there to the spot.
fn units(random: &mut Random) {
    let mut draw = Draw(random);
    let contract = any(&mut draw);
    let unit = 2f64.powi(draw.between(-30.0, 30.0) as i32);
    let mut scaled = contract.clone();
    scaled.spot *= unit;
    scaled.strike *= unit;
    if let Some(barrier) = &mut scaled.barrier {
        barrier.level *= unit;
        barrier.rebate *= unit;
    }
    for dividend in &mut scaled.dividends {
        if let Amount::Cash(cash) = &mut dividend.amount {
            *cash *= unit;
        }
    }
    if matches!(contract.volatility, Volatility::Local(_)) {
        return;
    }
    let (Some(one), Some(other)) = (found(&contract, 1e-3), found(&scaled, 1e-3)) else { return };
    let near = |x: f64, y: f64, size: f64, part: f64| {
        let most = part * size.max(x.abs());
        assert!((x - y).abs() <= most, "{x} {y}: {contract:?} {one:?} {other:?}");
    };
    let size = contract.strike + contract.spot;
    near(one.value, other.value / unit, size, OF_VALUES[0]);
    near(one.delta, other.delta, 1.0, OF_VALUES[1]);
    near(one.gamma * size, other.gamma * unit * size, 1.0, OF_VALUES[2]);
}

/// More rights are worth more, a barrier that knocks in and one that knocks out are none, and a
/// finer tolerance confirms a coarser one.
fn relations(random: &mut Random) {
    let mut draw = Draw(random);
    let mut contract = any(&mut draw);
    let tolerance = draw.magnitude(1e-5, 1e-3);
    let Some(one) = found(&contract, tolerance) else { return };
    if !one.converged {
        return;
    }
    let own = error(&contract, &one, tolerance);
    let fine = found(&contract, tolerance / 30.0).unwrap();
    if fine.converged {
        let both = own + error(&contract, &fine, tolerance / 30.0);
        let difference = (one.value - fine.value).abs();
        assert!(difference <= both, "{difference} of {both}: {contract:?} {one:?} {fine:?}");
    }
    let european = Contract { exercise: Exercise::European, ..contract.clone() };
    // What is knocked out pays its rebate whether exercised or not.
    if contract.exercise != Exercise::European
        && contract.barrier.as_ref().is_none_or(|barrier| barrier.rebate == 0.0)
        && let Some(less) = found(&european, tolerance)
        && less.converged
    {
        let both = own + error(&european, &less, tolerance);
        assert!(one.value >= less.value - both, "{contract:?} {one:?} {less:?}");
    }
    if contract.exercise == Exercise::European
        && let Some(barrier) = &mut contract.barrier
    {
        barrier.rebate = 0.0;
        let mut sum = 0.0;
        let mut all = 0.0;
        for knock in [Some(Knock::In), Some(Knock::Out), None] {
            let mut part = contract.clone();
            match knock {
                Some(knock) => part.barrier.as_mut().unwrap().knock = knock,
                None => part.barrier = None,
            }
            let Some(price) = found(&part, tolerance) else { return };
            if !price.converged {
                return;
            }
            all += error(&part, &price, tolerance);
            sum += if knock.is_some() { price.value } else { -price.value };
        }
        assert!(sum.abs() <= all, "{sum} of {all}: {contract:?}");
    }
}

#[test]
fn random_bounds() {
    random_cases("bounds of no arbitrage", 100, bounds);
}

#[test]
fn random_units() {
    random_cases("units of money", 100, units);
}

#[test]
fn random_relations() {
    random_cases("relations between prices", 30, relations);
}
