//! Exercise, barriers and dividends on dates, in markets that change with time, against quadrature.

use nonius_option::{Exercise, Monitoring};
use nonius_testkit::{Random, random_cases};

use super::confirm;
use super::draw::Draw;
use crate::oracle::dates::price;

/// The relative error of the quadrature, of the strike and of the spot.
const UNCERTAIN: f64 = 1e-12;

fn dates(random: &mut Random) {
    let mut draw = Draw(random);
    let (mut contract, tolerance) = (draw.contract(1.5), draw.tolerance(1e-6));
    let deviation = match &contract.volatility {
        nonius_option::Volatility::Terms(terms) => {
            terms.pieces()[0].value * contract.maturity.sqrt()
        }
        nonius_option::Volatility::Local(_) => return,
    };
    if draw.once_in(2) {
        draw.change(&mut contract);
    }
    draw.exercise(&mut contract);
    if draw.once_in(2) {
        contract.dividends = draw.dividends(&contract);
    }
    if draw.once_in(2) {
        let mut barrier = draw.barrier(&contract, deviation);
        barrier.monitoring = Monitoring::Dates(draw.dates(contract.maturity, 4));
        if contract.exercise != Exercise::European {
            barrier.knock = nonius_option::Knock::Out;
        }
        contract.barrier = Some(barrier);
    }
    let Some(exact) = price(&contract) else { return };
    let uncertain = UNCERTAIN * contract.strike.max(contract.spot);
    confirm(&contract, tolerance, exact.value, uncertain);
}

#[test]
fn random_dates() {
    random_cases("dates against quadrature", 100, dates);
}
