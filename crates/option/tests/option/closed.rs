//! European options and barriers of ordinary size, at random, and extremes: all converge to closed
//! forms.

use nonius_option::{Barrier, Contract, Kind, Knock, Monitoring, Side};
use nonius_testkit::Random;

use super::common::{SMALL, asked, request};
use super::oracle::closed::Terms;

/// The price, for which the tolerance is met, is within it.
fn check(found: Contract<f64>, exact: f64, tolerance: f64) {
    let price = asked(&found, &request(tolerance));
    let allowed = tolerance * exact.abs().max(SMALL * found.strike);
    let error = (price.value - exact).abs();
    assert!(
        price.converged && error <= allowed,
        "{} for {exact}, {error:e} of {allowed:e}: {found:?} {price:?}",
        price.value
    );
}

fn european(kind: Kind, terms: Terms) -> Contract<f64> {
    let [spot, strike, years] = terms.terms;
    Contract::european(kind, spot, strike, years, terms.market)
}

#[test]
fn random_options() {
    let mut random = Random::new(11);
    for _ in 0..200 {
        let mut between = |low: f64, high: f64| low + (high - low) * random.unit().abs();
        let terms = [between(50.0, 200.0), between(50.0, 200.0), between(0.02, 5.0)];
        let market = [between(-0.03, 0.12), between(-0.03, 0.12), between(0.08, 0.9)];
        let terms = Terms { terms, market };
        let kind = if between(0.0, 1.0) < 0.5 { Kind::Call } else { Kind::Put };
        check(european(kind, terms), terms.vanilla(kind).to_f64(), 1e-7);
    }
}

#[test]
fn random_barriers() {
    let mut random = Random::new(12);
    for _ in 0..300 {
        let mut between = |low: f64, high: f64| low + (high - low) * random.unit().abs();
        let spot = 100.0;
        let terms = [spot, between(60.0, 150.0), between(0.05, 3.0)];
        let market = [between(0.0, 0.1), between(0.0, 0.1), between(0.1, 0.6)];
        let terms = Terms { terms, market };
        let mut coin = |one, other| if between(0.0, 1.0) < 0.5 { one } else { other };
        let kind = if coin(0, 1) == 0 { Kind::Call } else { Kind::Put };
        let side = if coin(0, 1) == 0 { Side::Up } else { Side::Down };
        let knock = if coin(0, 1) == 0 { Knock::In } else { Knock::Out };
        let rebate = f64::from(coin(0, 3));
        let level = match side {
            Side::Up => spot * between(1.005, 1.6),
            Side::Down => spot * between(0.6, 0.995),
        };
        let exact = terms.barrier(kind, side, knock, level, rebate).to_f64();
        let monitoring = Monitoring::Continuous;
        let barrier = Some(Barrier { side, knock, level, rebate, monitoring });
        check(Contract { barrier, ..european(kind, terms) }, exact, 1e-5);
    }
}

/// A day and thirty years, little and much volatility, drifts that outweigh it, spots far from
/// strikes.
#[test]
fn extremes() {
    let cases = [
        ([100.0, 100.0, 1.0 / 365.0], [0.05, 0.0, 0.2]),
        ([100.0, 101.0, 1.0 / 365.0], [0.05, 0.0, 0.1]),
        ([100.0, 100.0, 30.0], [0.04, 0.01, 0.3]),
        ([100.0, 100.0, 10.0], [0.1, 0.0, 0.05]),
        ([100.0, 100.0, 1.0], [0.05, 0.0, 0.01]),
        ([100.0, 105.0, 1.0], [0.05, 0.0, 0.01]),
        ([100.0, 100.0, 1.0], [0.05, 0.0, 3.0]),
        ([1.0, 1000.0, 1.0], [0.05, 0.0, 0.2]),
        ([1000.0, 1.0, 1.0], [0.05, 0.0, 0.2]),
        ([1e-6, 1e-6, 1.0], [0.05, 0.02, 0.2]),
        ([1e9, 1.1e9, 1.0], [0.05, 0.02, 0.2]),
        ([100.0, 100.0, 1.0], [0.0, 0.0, 0.2]),
        ([100.0, 100.0, 1.0], [-0.05, 0.3, 0.2]),
    ];
    for (terms, market) in cases {
        for kind in [Kind::Call, Kind::Put] {
            let terms = Terms { terms, market };
            check(european(kind, terms), terms.vanilla(kind).to_f64(), 1e-6);
        }
    }
}
