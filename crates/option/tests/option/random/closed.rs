//! European options and barriers against closed forms.

use nonius_option::Contract;
use nonius_testkit::{Random, random_cases};

use super::confirm;
use super::draw::Draw;
use crate::common::{SMALL, with_greeks};
use crate::oracle::closed::Terms;

/// Standard deviations up to maturity.
const MOST: f64 = 8.0;

fn terms(contract: &Contract<f64>) -> Terms {
    let nonius_option::Volatility::Terms(volatility) = &contract.volatility else {
        panic!("{contract:?} has a surface")
    };
    let level = |terms: &nonius_option::Terms<f64>| terms.pieces()[0].value;
    Terms {
        terms: [contract.spot, contract.strike, contract.maturity],
        market: [level(&contract.rates), level(&contract.yields), level(volatility)],
    }
}

fn option(random: &mut Random) {
    let mut draw = Draw(random);
    let (contract, tolerance) = (draw.contract(MOST), draw.tolerance(1e-8));
    confirm(&contract, tolerance, terms(&contract).vanilla(contract.kind).to_f64(), 0.0);
}

/// How many times the error of a price, divided by what the price varies over, those of its
/// derivatives may be: five-point differences over a hundredth of that add `(1 + 8 + 8 + 1)/12` of
/// such errors.
const DERIVATIVES: f64 = 150.0;

/// The step of these differences, as a part of the volatility.
const STEP: f64 = 0.01;

/// Derivatives, each over a standard deviation or what else the price varies over.
fn derivatives(random: &mut Random) {
    let mut draw = Draw(random);
    let (contract, tolerance) = (draw.contract(2.0), draw.tolerance(1e-7));
    let found = with_greeks(&contract, tolerance);
    let terms = terms(&contract);
    let ([spot, strike, maturity], [_, _, volatility]) = (terms.terms, terms.market);
    let exact = terms.greeks(contract.kind);
    if !found.converged {
        return;
    }
    let allowed = (tolerance * exact.value.max(SMALL * strike)).max(found.error.unwrap());
    let length = spot * (volatility * maturity.sqrt()).min(1.0);
    let rate = (volatility / maturity.sqrt()).min(1.0 / maturity);
    let pairs = [
        ("delta", found.delta, exact.delta, length),
        ("gamma", found.gamma, exact.gamma, length * length),
        ("theta", found.theta, exact.theta, maturity),
        ("vega", found.vega.unwrap(), exact.vega, volatility),
        ("rho", found.rho.unwrap(), exact.rho, rate),
    ];
    // Five-point differences in the volatility leave `h⁴/30` of the fifth derivative, and far from
    // the strike each multiplies the price by the square of the distance in standard deviations.
    let far = 1.0 + ((spot / strike).ln() / (volatility * maturity.sqrt())).powi(2);
    let left = (far * STEP).powi(4) / 30.0;
    for (name, found, exact, scale) in pairs {
        let error = (found - exact).abs() * scale;
        let left = if name == "vega" { left * exact.abs() * scale } else { 0.0 };
        assert!(
            error <= DERIVATIVES * allowed + left,
            "{name} {found} for {exact}, {:.1} times at {tolerance:e}: {contract:?}",
            error / allowed
        );
    }
}

fn barrier(random: &mut Random) {
    let mut draw = Draw(random);
    let (mut contract, tolerance) = (draw.contract(3.0), draw.tolerance(1e-7));
    let terms = terms(&contract);
    let deviation = terms.market[2] * terms.terms[2].sqrt();
    // The closed form needs `μ² + 2r/σ²`, for which see there, not negative.
    let mu = (terms.market[0] - terms.market[1]) / terms.market[2].powi(2) - 0.5;
    if mu * mu + 2.0 * terms.market[0] / terms.market[2].powi(2) < 0.0 {
        return;
    }
    let barrier = draw.barrier(&contract, deviation);
    let is_hit = match barrier.side {
        nonius_option::Side::Up => contract.spot >= barrier.level,
        nonius_option::Side::Down => contract.spot <= barrier.level,
    };
    if is_hit {
        return;
    }
    let exact =
        terms.barrier(contract.kind, barrier.side, barrier.knock, barrier.level, barrier.rebate);
    contract.barrier = Some(barrier);
    confirm(&contract, tolerance, exact.to_f64(), 0.0);
}

#[test]
fn random_options() {
    random_cases("options against closed forms", 1000, option);
}

#[test]
fn random_derivatives() {
    random_cases("derivatives against closed forms", 300, derivatives);
}

#[test]
fn random_barriers() {
    random_cases("barriers against closed forms", 100, barrier);
}
