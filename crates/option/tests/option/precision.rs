//! Double-double prices.

use nonius_num::{Dd, Fixed, Real};
use nonius_option::{Barrier, Contract, Exercise, Kind, Knock, Monitoring, Side};

use super::common::{SMALL, asked, on_grid, request};
use super::oracle::closed::Terms;

/// On one grid the precisions differ by the roundings of `f64` alone: some for each of the steps.
#[test]
fn precisions_agree_on_a_grid() {
    for exercise in [Exercise::European, Exercise::American] {
        for level in [None, Some(90.0)] {
            let f64_contract = Contract {
                exercise: exercise.clone(),
                barrier: level.map(|level| Barrier {
                    side: Side::Down,
                    knock: Knock::Out,
                    level,
                    rebate: 1.0,
                    monitoring: Monitoring::Continuous,
                }),
                ..Contract::european(Kind::Put, 100.0, 105.0, 1.0, [0.0625, 0.03125, 0.25])
            };
            let dd = |x: f64| Dd::from_f64(x);
            let dd_contract = Contract {
                exercise: match exercise {
                    Exercise::American => Exercise::American,
                    _ => Exercise::European,
                },
                barrier: level.map(|level| Barrier {
                    side: Side::Down,
                    knock: Knock::Out,
                    level: dd(level),
                    rebate: dd(1.0),
                    monitoring: Monitoring::Continuous,
                }),
                ..Contract::european(
                    Kind::Put,
                    dd(100.0),
                    dd(105.0),
                    dd(1.0),
                    [0.0625, 0.03125, 0.25].map(dd),
                )
            };
            let (plain, long) = (on_grid(&f64_contract, 128, 64), on_grid(&dd_contract, 128, 64));
            let difference = (long.value.to_f64() - plain.value).abs();
            // Steps do not magnify roundings: ten of them for each of 64.
            let bound = 640.0 * f64::UNIT_ROUNDOFF * plain.value;
            assert!(difference <= bound, "{difference:e}");
        }
    }
}

/// To 14 digits, which `f64` cannot vouch for.
#[test]
fn digits_beyond() {
    let dd = |x: f64| Dd::from_f64(x);
    let tenth = |x: f64| dd(x) / dd(100.0);
    let market = [tenth(5.0), dd(0.0), tenth(20.0)];
    let contract = Contract::european(Kind::Call, dd(100.0), dd(100.0), dd(1.0), market);
    let tolerance = 1e-11;
    let price = asked(&contract, &request(tolerance));
    let exact = Dd::from(10.450_583_572_185_565) + Dd::from(1.782e-15);
    let error = ((price.value - exact) / exact).to_f64();
    assert!(price.converged && error.abs() <= tolerance, "{error:e}");
}

/// At tolerances that roundings do not meet the estimate has the roundings.
#[test]
fn estimates_have_roundings() {
    for tolerance in [1e-11, 1e-12, 1e-13] {
        for strike in [80.0, 100.0, 125.0] {
            for kind in [Kind::Call, Kind::Put] {
                let (terms, market) = ([100.0, strike, 1.0], [0.05, 0.0, 0.2]);
                let contract = Contract::european(kind, 100.0, strike, 1.0, market);
                let price = asked(&contract, &request(tolerance));
                let exact = Terms { terms, market }.vanilla(kind).to_f64();
                let error = (price.value - exact).abs();
                let allowed = tolerance * exact.max(SMALL * strike);
                let stated = price.error.unwrap();
                assert!(error <= stated.max(allowed), "{error:e} {price:?}");
                assert_eq!(price.converged, stated <= allowed);
            }
        }
    }
}

/// Where no grid meets the tolerance, the price is that of the best grid, not of the finest, whose
/// roundings are many times the best error.
#[test]
fn the_best_grid_counts() {
    for exercise in [Exercise::European, Exercise::Bermudan(vec![0.5])] {
        let market = [0.05, 0.0, 0.2];
        let contract =
            Contract { exercise, ..Contract::european(Kind::Call, 100.0, 100.0, 1.0, market) };
        let tolerances = [1e-6, 1e-8, 1e-9, 1e-10, 1e-12, 1e-14];
        let prices = tolerances.map(|tolerance| asked(&contract, &request(tolerance)));
        let errors = prices.each_ref().map(|price| price.error.unwrap());
        let least = errors.iter().copied().fold(f64::INFINITY, f64::min);
        assert!(!prices[5].converged && errors[5] <= 4.0 * least, "{prices:?}");
        assert!(prices[5].grid.unwrap().space <= 4096, "{prices:?}");
    }
}
