//! Exact prices and sensitivities.

use nonius_option::{Amount, Contract, Dividend, Exercise, Kind, Knock, Monitoring, Side};

use super::common::{MARKET, OF_DERIVATIVES, assert_near, barrier, priced, with_greeks};
use super::data::{AMERICAN, EUROPEAN};

/// The relative tolerance of prices that tests compute at one tolerance only.
const TOLERANCE: f64 = 1e-7;

/// Below this part of the price rounding errors come near, and estimates may be too small.
const NEAR_ROUNDING: f64 = 1e-11;

/// Both the accuracy that is promised of the oracle and the tolerance that was asked for.
#[test]
fn european_prices() {
    for case in EUROPEAN {
        let [spot, strike, years] = case.terms;
        let contract = Contract::european(Kind::Call, spot, strike, years, case.market);
        for tolerance in [1e-4, 1e-6, 1e-8] {
            let price = priced(&contract, tolerance);
            assert_near(price.value, case.price, tolerance, "price");
            let error = (price.value - case.price).abs();
            // An estimate, not a bound.
            let estimate = price.error.unwrap().max(NEAR_ROUNDING * case.price);
            assert!(error <= 2.0 * estimate, "{:?}", case.terms);
        }
    }
}

#[test]
fn european_sensitivities() {
    for case in EUROPEAN {
        let [spot, strike, years] = case.terms;
        let contract = Contract::european(Kind::Call, spot, strike, years, case.market);
        for tolerance in [1e-6, 1e-8] {
            let price = with_greeks(&contract, tolerance);
            let found =
                [price.delta, price.gamma, price.vega.unwrap(), price.theta, price.rho.unwrap()];
            for (name, (found, exact)) in ["delta", "gamma", "vega", "theta", "rho"]
                .iter()
                .zip(found.into_iter().zip(case.greeks))
            {
                assert_near(found, exact, OF_DERIVATIVES * tolerance, name);
            }
        }
    }
}

#[test]
fn american_prices() {
    for case in AMERICAN {
        let [spot, strike, years] = case.terms;
        let contract = Contract::american(Kind::Put, spot, strike, years, case.market);
        for tolerance in [1e-4, 1e-5, 1e-6, 1e-7] {
            let price = priced(&contract, tolerance);
            assert_near(price.value, case.price, tolerance, "price");
        }
    }
}

/// An American call is a put with spot and strike, rate and yield exchanged (McDonald and Schroder
/// 1998).
#[test]
fn american_calls_by_symmetry() {
    for case in AMERICAN {
        let ([spot, strike, years], [rate, dividend_yield, volatility]) = (case.terms, case.market);
        let market = [dividend_yield, rate, volatility];
        let contract = Contract::american(Kind::Call, strike, spot, years, market);
        assert_near(
            priced(&contract, 10.0 * TOLERANCE).value,
            case.price,
            10.0 * TOLERANCE,
            "price",
        );
    }
}

#[test]
fn barriers() {
    let cases = [
        (Side::Down, [100.0, 100.0, 1.0], [0.05, 0.0, 0.2], 90.0, 8.665_471_658_245_667),
        (Side::Up, [100.0, 100.0, 0.4], [0.05, 0.02, 0.25], 130.0, 3.936_805_194_712_901_6),
        (Side::Down, [100.0, 90.0, 0.4], [0.08, 0.04, 0.25], 95.0, 6.811_168_101_154_442),
    ];
    for (side, [spot, strike, years], market, level, exact) in cases {
        let mut contract = Contract::european(Kind::Call, spot, strike, years, market);
        contract.barrier = barrier(side, Knock::Out, level);
        for tolerance in [1e-4, 1e-6, 1e-8] {
            let price = priced(&contract, tolerance);
            assert_near(price.value, exact, tolerance, "price");
        }
    }
}

/// Closed forms of Merton and of Reiner and Rubinstein.
#[test]
fn rebates() {
    let mut contract = Contract::european(Kind::Call, 100.0, 100.0, 1.0, MARKET);
    for (knock, exact) in [(Knock::Out, 11.466_511_619_186_154), (Knock::In, 4.531_410_175_038_349)]
    {
        contract.barrier = barrier(Side::Down, knock, 90.0);
        if let Some(barrier) = &mut contract.barrier {
            barrier.rebate = 5.0;
        }
        assert_near(priced(&contract, TOLERANCE).value, exact, TOLERANCE, "price");
    }
}

/// Integrals over the underlying at the dates, by Gauss–Legendre.
#[test]
fn barriers_on_dates() {
    let mut contract = Contract::european(Kind::Call, 100.0, 100.0, 1.0, MARKET);
    contract.barrier = barrier(Side::Down, Knock::Out, 90.0);
    if let Some(barrier) = &mut contract.barrier {
        barrier.monitoring = Monitoring::Dates(vec![0.3, 0.7]);
    }
    let value = priced(&contract, TOLERANCE).value;
    assert_near(value, 10.454_027_298_214_818, TOLERANCE, "down and out");
    contract.kind = Kind::Put;
    contract.barrier = barrier(Side::Up, Knock::Out, 110.0);
    if let Some(barrier) = &mut contract.barrier {
        barrier.monitoring = Monitoring::Dates(vec![0.5]);
        barrier.rebate = 3.0;
    }
    let value = priced(&contract, TOLERANCE).value;
    assert_near(value, 8.712_481_252_588_919, TOLERANCE, "up and out");
}

#[test]
fn dividends_in_cash() {
    let day = 1.0 / 365.0;
    let cash = |days: f64, sum: f64| Dividend { time: days * day, amount: Amount::Cash(sum) };
    let cases = [
        (0.2, vec![cash(182.0, 2.0)], 9.321_026_163_449_56),
        (0.3, vec![cash(91.0, 1.5), cash(273.0, 1.5)], 12.632_219_584_095_768),
    ];
    for (volatility, dividends, exact) in cases {
        let market = [0.05, 0.0, volatility];
        let mut contract = Contract::european(Kind::Call, 100.0, 100.0, 1.0, market);
        contract.dividends = dividends;
        for tolerance in [1e-5, 1e-7, 1e-8] {
            assert_near(priced(&contract, tolerance).value, exact, tolerance, "price");
        }
    }
}

/// A put that may be exercised after half a year too: an integral with the boundary of exercise as
/// one end.
#[test]
fn bermudan() {
    let mut contract = Contract::european(Kind::Put, 100.0, 100.0, 1.0, [0.05, 0.0, 0.2]);
    contract.exercise = Exercise::Bermudan(vec![0.5]);
    for tolerance in [1e-5, 1e-6] {
        let price = priced(&contract, tolerance);
        assert_near(price.value, 5.838_709_602_626_051, tolerance, "price");
    }
}
