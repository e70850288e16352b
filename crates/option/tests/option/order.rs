//! Errors on grids, without extrapolation.

use nonius_option::{Contract, Kind, Knock, Side};

use super::common::{barrier, on_grid};
use super::data::{AMERICAN, EUROPEAN};

/// Order 2 for European options: errors of price, delta and gamma fall by 4 with each halving.
#[test]
fn european_order_two() {
    let case = &EUROPEAN[2];
    let [spot, strike, years] = case.terms;
    let contract = Contract::european(Kind::Call, spot, strike, years, case.market);
    let errors = |level: u32| {
        let price = on_grid(&contract, 64 << level, 32 << level);
        [price.value - case.price, price.delta - case.greeks[0], price.gamma - case.greeks[1]]
    };
    // Grids of different layouts: strike and far end move a little, so that quotients are 4 but for
    // some hundredths.
    for level in 1..4 {
        for (coarse, fine) in errors(level).into_iter().zip(errors(level + 1)) {
            let quotient = coarse / fine;
            assert!((quotient - 4.0).abs() < 0.5, "level {level}: {quotient}");
        }
    }
}

/// A jump at the corner of barrier and maturity costs no order.
#[test]
fn barrier_order_two() {
    let mut contract = Contract::european(Kind::Call, 100.0, 100.0, 0.4, [0.05, 0.02, 0.25]);
    contract.barrier = barrier(Side::Up, Knock::Out, 130.0);
    let error =
        |level: u32| on_grid(&contract, 64 << level, 32 << level).value - 3.936_805_194_712_901_6;
    for level in 1..4 {
        let quotient = error(level) / error(level + 1);
        assert!((quotient - 4.0).abs() < 0.5, "level {level}: {quotient}");
    }
}

/// Order 2 with early exercise.
#[test]
fn american_order_two() {
    for case in &AMERICAN {
        let [spot, strike, years] = case.terms;
        let contract = Contract::american(Kind::Put, spot, strike, years, case.market);
        let error =
            |level: u32| (on_grid(&contract, 64 << level, 32 << level).value - case.price).abs();
        let order = (error(1) / error(4)).log2() / 3.0;
        println!("order {order} {:?}", [0, 1, 2, 3, 4, 5].map(error));
        assert!(order > 1.8, "{:?}: {order}", case.terms);
    }
}
