//! American options against the integral equation of their boundary.

use nonius_option::{Exercise, Kind};
use nonius_testkit::{Random, random_cases};

use super::confirm;
use super::draw::Draw;
use crate::oracle::american::put;

/// The error of the oracle: `TIMES` times what finer nodes change, plus `UNCERTAIN` times the
/// strike.
const TIMES: f64 = 4.0;
const UNCERTAIN: f64 = 1e-9;

fn american(random: &mut Random) {
    let mut draw = Draw(random);
    let contract = if draw.once_in(2) { draw.long() } else { draw.contract(3.0) };
    let (mut contract, tolerance) = (contract, draw.tolerance(1e-6));
    contract.exercise = Exercise::American;
    let level = |terms: &nonius_option::Terms<f64>| terms.pieces()[0].value;
    let nonius_option::Volatility::Terms(volatility) = &contract.volatility else { return };
    let (r, q, v) = (level(&contract.rates), level(&contract.yields), level(volatility));
    // A call is a put with spot and strike, rate and yield exchanged (McDonald and Schroder 1998).
    let ([spot, strike], [r, q]) = match contract.kind {
        Kind::Put => ([contract.spot, contract.strike], [r, q]),
        Kind::Call => ([contract.strike, contract.spot], [q, r]),
    };
    if r <= 0.0 || q < 0.0 {
        return;
    }
    let Some((exact, changed)) = put([spot, strike, contract.maturity], [r, q, v]) else { return };
    let uncertain = TIMES * changed + UNCERTAIN * strike;
    confirm(&contract, tolerance, exact, uncertain);
}

#[test]
fn random_american_options() {
    random_cases("american options against their integral equation", 60, american);
}
