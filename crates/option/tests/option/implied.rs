//! Implied volatilities.

use nonius_linalg::backend::Cpu;
use nonius_option::{
    Amount, Contract, Dividend, Error, Exercise, Field, Kind, Knock, Quote, Side, Terms,
    Volatility, implied_volatility,
};

use super::common::{MARKET, assert_near, barrier, priced};

fn implied(contract: &Contract<f64>, price: f64, tolerance: f64) -> Result<f64, Error> {
    let quote = Quote { contract: contract.clone(), price };
    implied_volatility(&Cpu::default(), &[quote], tolerance).unwrap().remove(0)
}

#[test]
fn volatilities_come_back() {
    let dividends = vec![
        Dividend { time: 0.25, amount: Amount::Cash(1.5) },
        Dividend { time: 0.75, amount: Amount::Proportional(0.02) },
    ];
    let exercises = [
        (Exercise::European, 1e-7),
        (Exercise::American, 1e-6),
        // Digits of these are dear.
        (Exercise::Bermudan(vec![0.5]), 1e-5),
    ];
    for (exercise, tolerance) in exercises {
        for kind in [Kind::Call, Kind::Put] {
            for volatility in [0.06, 0.25, 1.4] {
                let market = [0.05, 0.02, volatility];
                let contract = Contract {
                    exercise: exercise.clone(),
                    dividends: dividends.clone(),
                    ..Contract::european(kind, 100.0, 101.0, 1.0, market)
                };
                let price = priced(&contract, tolerance).value;
                // A price changes by its part of a third or more when the volatility changes by one
                // here.
                let found = implied(&contract, price, tolerance).unwrap();
                assert_near(found, volatility, 6.0 * tolerance, "volatility");
            }
        }
    }
}

/// From the exact price of the oracle.
#[test]
fn exact_price() {
    let contract = Contract::european(Kind::Call, 100.0, 100.0, 1.0, [0.05, 0.0, 0.9]);
    // The relative error of the price is divided by vega·σ/price = 37.5·0.2/10.45 = 0.72.
    let tolerance = 1e-9;
    let found = implied(&contract, 10.450_583_572_185_566, tolerance).unwrap();
    assert_near(found, 0.2, 2.0 * tolerance, "volatility");
}

#[test]
fn prices_that_no_volatility_explains() {
    let call = Contract::european(Kind::Call, 100.0, 90.0, 1.0, MARKET);
    let forward_value = 100.0 * (-0.02_f64).exp() - 90.0 * (-0.05_f64).exp();
    for price in [forward_value * 0.99, 100.0 * (-0.02_f64).exp(), 500.0] {
        let found = implied(&call, price, 1e-5);
        assert!(matches!(found, Err(Error::NoVolatility { .. })), "{price}: {found:?}");
    }
    for price in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let found = implied(&call, price, 1e-5);
        assert!(matches!(found, Err(Error::Range { field: Field::Price, .. })), "{price}");
    }
    let put = Contract::american(Kind::Put, 80.0, 100.0, 1.0, MARKET);
    assert!(matches!(implied(&put, 20.0, 1e-5), Err(Error::NoVolatility { .. })));
    let barrier = barrier(Side::Up, Knock::Out, 150.0);
    assert_eq!(
        implied(&Contract { barrier, ..call.clone() }, 5.0, 1e-5),
        Err(Error::ImpliedBarrier)
    );
    let bad = Contract { rates: Terms::constant(f64::NAN), ..call.clone() };
    assert!(matches!(implied(&bad, 5.0, 1e-5), Err(Error::Range { field: Field::Rate, .. })));
    // The contract's own volatility does not count.
    let unknown = Contract { volatility: Volatility::Terms(Terms::constant(-1.0)), ..call };
    assert!(implied(&unknown, 20.0, 1e-5).is_ok());
}
