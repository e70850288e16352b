//! Contracts of every kind and of ordinary size, which all converge.

use nonius_linalg::backend::Cpu;
use nonius_option::{
    Amount, Barrier, Contract, Dividend, Exercise, Kind, Knock, Monitoring, Side, price,
};
use nonius_testkit::Random;

use crate::common::{SMALL, request};

fn contract(random: &mut Random) -> Contract<f64> {
    let mut between = |low: f64, high: f64| low + (high - low) * random.unit().abs();
    let maturity = between(0.01, 3.0);
    let market = [between(0.0, 0.1), between(0.0, 0.1), between(0.08, 0.7)];
    let mut contract = Contract::european(
        Kind::Call,
        between(50.0, 150.0),
        between(60.0, 140.0),
        maturity,
        market,
    );
    let dates = |random: &mut Random| {
        let mut dates: Vec<f64> = (0..1 + random.below(4))
            .map(|_| maturity * (0.01 + 0.98 * random.unit().abs()))
            .collect();
        dates.sort_by(f64::total_cmp);
        dates.dedup();
        dates
    };
    if random.below(2) == 0 {
        contract.kind = Kind::Put;
    }
    contract.exercise = match random.below(3) {
        0 => Exercise::European,
        1 => Exercise::American,
        _ => Exercise::Bermudan(dates(random)),
    };
    if random.below(2) == 0 {
        let side = if random.below(2) == 0 { Side::Up } else { Side::Down };
        let european = contract.exercise == Exercise::European;
        let knock = if european && random.below(2) == 0 { Knock::In } else { Knock::Out };
        let level = 60.0 + 90.0 * random.unit().abs();
        let rebate = random.below(3) as f64;
        let monitoring = match random.below(2) {
            0 => Monitoring::Continuous,
            _ if contract.exercise == Exercise::American => Monitoring::Continuous,
            _ => Monitoring::Dates(dates(random)),
        };
        contract.barrier = Some(Barrier { side, knock, level, rebate, monitoring });
    }
    if random.below(2) == 0 {
        let dividend = |time| {
            let amount = if random.below(2) == 0 {
                Amount::Cash(3.0 * random.unit().abs())
            } else {
                Amount::Proportional(0.05 * random.unit().abs())
            };
            Dividend { time, amount }
        };
        let dates = [0.2, 0.5, 0.9].map(|part| part * maturity);
        contract.dividends = dates.into_iter().map(dividend).collect();
    }
    contract
}

/// All have a price, which the finer tolerance confirms.
#[test]
fn random_estimates_hold() {
    let mut random = Random::new(7);
    let contracts: Vec<_> = (0..300).map(|_| contract(&mut random)).collect();
    /// The relative tolerances.
    const TOLERANCES: [f64; 2] = [1e-3, 1e-5];
    let [coarse, fine] = TOLERANCES
        .map(|tolerance| price(&Cpu::default(), &contracts, &request(tolerance)).unwrap());
    for ((coarse, fine), contract) in coarse.iter().zip(&fine).zip(&contracts) {
        let (coarse, fine) = (coarse.as_ref().unwrap(), fine.as_ref().unwrap());
        let least = -TOLERANCES[1] * SMALL * contract.strike;
        assert!(fine.value.is_finite() && fine.value >= least, "{contract:?} {fine:?}");
        let allowed = TOLERANCES[0] * fine.value.abs().max(SMALL * contract.strike);
        let difference = (coarse.value - fine.value).abs();
        assert!(difference <= allowed, "{difference} {contract:?} {coarse:?} {fine:?}");
        // Where a dividend may take the underlying across a barrier, jumps lie between nodes, and
        // digits are dear.
        let jumps = contract.barrier.is_some() && !contract.dividends.is_empty();
        assert!(coarse.converged && (fine.converged || jumps), "{contract:?} {fine:?}");
    }
}
