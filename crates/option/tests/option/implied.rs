//! Implied volatilities.

use nonius_linalg::backend::Cpu;
use nonius_num::{Dd, Real};
use nonius_option::{
    Amount, Contract, Dividend, Error, Exercise, Field, Implied, Kind, Knock, Quote, Request, Side,
    Terms, Volatility, implied_volatility, price,
};

use super::common::{MARKET, assert_near, barrier, request};
use super::oracle::closed;

fn all_implied(quotes: &[Quote<f64>], tolerance: f64) -> Vec<Result<Implied<f64>, Error>> {
    implied_volatility(&Cpu::default(), quotes, tolerance).unwrap()
}

fn implied(contract: &Contract<f64>, price: f64, tolerance: f64) -> Result<Implied<f64>, Error> {
    all_implied(&[Quote { contract: contract.clone(), price }], tolerance).remove(0)
}

fn dividends() -> Vec<Dividend<f64>> {
    vec![
        Dividend { time: 0.25, amount: Amount::Cash(1.5) },
        Dividend { time: 0.75, amount: Amount::Proportional(0.02) },
    ]
}

/// Prices of contracts with early exercise and dividends, in a book with others, give their
/// volatilities, and these give the prices.
#[test]
fn volatilities_come_back() {
    let mut contracts = Vec::new();
    for exercise in [Exercise::European, Exercise::American, Exercise::Bermudan(vec![0.5])] {
        for dividends in [Vec::new(), dividends()] {
            // Both kinds in and out of the money, with dividends or without.
            let strike = if dividends.is_empty() { 90.0 } else { 108.0 };
            for kind in [Kind::Call, Kind::Put] {
                for market in [[0.05, 0.02, 0.08], [0.05, 0.0, 1.4], [-0.01, 0.0, 0.3]] {
                    contracts.push(Contract {
                        exercise: exercise.clone(),
                        dividends: dividends.clone(),
                        ..Contract::european(kind, 100.0, strike, 1.0, market)
                    });
                }
            }
        }
    }
    const TOLERANCE: f64 = 1e-4;
    let cpu = Cpu::default();
    let fine = Request { sensitivities: true, ..request(1e-6) };
    let prices = price(&cpu, &contracts, &fine).unwrap();
    let prices: Vec<_> = prices.into_iter().map(Result::unwrap).collect();
    let quotes: Vec<_> = (contracts.iter().zip(&prices))
        .map(|(contract, price)| Quote { contract: contract.clone(), price: price.value })
        .collect();
    let found = all_implied(&quotes, TOLERANCE);
    let mut count = 0;
    for ((quote, price), found) in quotes.iter().zip(&prices).zip(&found) {
        let contract = &quote.contract;
        let Volatility::Terms(volatility) = &contract.volatility else { unreachable!() };
        let volatility = volatility.pieces()[0].value;
        let vega = price.vega.unwrap();
        // What the price leaves open of the volatility.
        let open = (price.error.unwrap() / vega).abs();
        if open.is_nan() || open >= 0.1 * TOLERANCE * volatility {
            continue;
        }
        count += 1;
        let found = found.as_ref().unwrap_or_else(|error| panic!("{error}: {quote:?}"));
        let error = (found.volatility - volatility).abs();
        assert!(found.converged && found.error <= TOLERANCE * found.volatility, "{quote:?}");
        assert!(error <= found.error + open, "{error:e} {found:?} {quote:?}");
        let again = with(contract, found.volatility);
        let again = price_of(&again, 1e-6);
        let most = again.error.unwrap() + price.error.unwrap() + 1.5 * vega * (found.error + open);
        assert!((again.value - price.value).abs() <= most, "{again:?} {price:?} {quote:?}");
    }
    assert!(count > contracts.len() / 2, "{count} of {}", contracts.len());
}

fn with(contract: &Contract<f64>, volatility: f64) -> Contract<f64> {
    Contract { volatility: Volatility::Terms(Terms::constant(volatility)), ..contract.clone() }
}

fn price_of(contract: &Contract<f64>, tolerance: f64) -> nonius_option::Price<f64> {
    let contracts = core::slice::from_ref(contract);
    price(&Cpu::default(), contracts, &request(tolerance)).unwrap().remove(0).unwrap()
}

/// Exact prices over extreme strikes, terms, volatilities and rates: where a volatility is said to
/// be known to its error, it is, and where the price depends on it, it is found.
#[test]
fn closed_forms_come_back() {
    const TOLERANCE: f64 = 1e-4;
    let mut known = Vec::new();
    for strike in [20.0, 90.0, 100.0, 400.0] {
        for maturity in [2e-3, 0.5, 10.0] {
            for volatility in [0.01, 0.3, 5.0] {
                for rate in [-0.02, 0.04] {
                    for kind in [Kind::Call, Kind::Put] {
                        let terms = [100.0, strike, maturity];
                        let market = [rate, 0.01, volatility];
                        if volatility * maturity.sqrt() > 8.0 {
                            continue;
                        }
                        let contract = Contract::european(kind, 100.0, strike, maturity, market);
                        let exact = closed::Terms { terms, market };
                        let vega = exact.greeks(kind).vega;
                        let price = exact.vanilla(kind).to_f64();
                        if price > 0.0 {
                            known.push((Quote { contract, price }, volatility, vega));
                        }
                    }
                }
            }
        }
    }
    let quotes: Vec<_> = known.iter().map(|(quote, ..)| quote.clone()).collect();
    let found = all_implied(&quotes, TOLERANCE);
    let mut sensitive = 0;
    for ((quote, volatility, vega), found) in known.iter().zip(found) {
        // What the rounding of the price to `f64` leaves open, and that of the bounds.
        let open = 8.0 * f64::EPSILON * (quote.price + quote.contract.strike + 100.0) / vega;
        let elasticity = vega * volatility / (quote.price + 100.0);
        let is_sensitive = elasticity > 1e-4;
        sensitive += usize::from(is_sensitive);
        match found {
            Ok(found) => {
                let error = (found.volatility - volatility).abs();
                assert!(error <= found.error + open, "{error:e} {volatility} {found:?} {quote:?}");
                assert_eq!(found.converged, found.error <= TOLERANCE * found.volatility);
                assert!(found.converged || !is_sensitive, "{volatility} {found:?} {quote:?}");
            }
            Err(Error::Undetermined { least, greatest, .. }) => {
                assert!(!is_sensitive, "{least} to {greatest}: {volatility} {quote:?}");
                assert!(least <= *volatility && *volatility <= greatest, "{volatility} {quote:?}");
            }
            Err(Error::NoVolatility { .. }) => {
                assert!(open > 0.1 * volatility, "{volatility} {quote:?}");
            }
            Err(error) => panic!("{error}: {volatility} {quote:?}"),
        }
    }
    assert!(sensitive > known.len() / 3, "{sensitive} of {}", known.len());
}

/// From the exact price of the oracle, beyond what `f64` tells.
#[test]
fn digits_beyond() {
    let number = |x: f64| Dd::from(x) / Dd::from(100.0);
    let market = [5.0, 0.0, 90.0].map(number);
    let hundred = Dd::from(100.0);
    let contract = Contract::european(Kind::Call, hundred, hundred, number(100.0), market);
    let price = Dd::from(10.450_583_572_185_565) + Dd::from(1.782e-15);
    let tolerance = 1e-10;
    let quotes = [Quote { contract, price }];
    let found = implied_volatility(&Cpu::default(), &quotes, tolerance).unwrap().remove(0).unwrap();
    let error = (found.volatility - number(20.0)).to_f64().abs();
    assert!(found.converged && error <= found.error, "{error:e} {found:?}");
}

/// A tolerance that no grid meets is said not to be met, with an error that holds.
#[test]
fn errors_of_prices_count() {
    let contract = Contract::european(Kind::Call, 100.0, 100.0, 1.0, [0.05, 0.0, 0.9]);
    let found = implied(&contract, 10.450_583_572_185_566, 1e-14).unwrap();
    assert!(!found.converged && found.error < 1e-8, "{found:?}");
    assert_near(found.volatility, 0.2, found.error / 0.2, "volatility");
    // A put that is exercised now is worth the same with every small volatility.
    let put = Contract::american(Kind::Put, 80.0, 100.0, 1.0, [0.05, 0.0, 0.2]);
    let found = implied(&put, 20.0 + 1e-13, 1e-4);
    assert!(matches!(found, Err(Error::Undetermined { least: 1e-3, .. })), "{found:?}");
}

#[test]
fn prices_that_no_volatility_explains() {
    let call = Contract::european(Kind::Call, 100.0, 90.0, 1.0, MARKET);
    let forward_value = 100.0 * (-0.02_f64).exp() - 90.0 * (-0.05_f64).exp();
    for price in [forward_value * 0.99, 100.0 * (-0.02_f64).exp(), 500.0] {
        let found = implied(&call, price, 1e-5);
        let Err(Error::NoVolatility { least, greatest, .. }) = found else {
            panic!("{price}: {found:?}")
        };
        assert_near(least, forward_value, 32.0 * f64::EPSILON, "the least price");
        assert_near(greatest, 100.0 * (-0.02_f64).exp(), 8.0 * f64::EPSILON, "the greatest price");
    }
    for price in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let found = implied(&call, price, 1e-5);
        assert!(matches!(found, Err(Error::Range { field: Field::Price, .. })), "{price}");
    }
    let put = Contract::american(Kind::Put, 80.0, 100.0, 1.0, MARKET);
    let found = implied(&put, 20.0, 1e-5);
    assert_eq!(found, Err(Error::NoVolatility { price: 20.0, least: 20.0, greatest: 100.0 }));
    // Within the bounds, and beyond the volatilities that are searched.
    let short = Contract::european(Kind::Call, 100.0, 100.0, 0.01, [0.0; 3]);
    let found = implied(&short, 60.0, 1e-5);
    assert!(matches!(found, Err(Error::VolatilityOutside { limit: 8.0, .. })), "{found:?}");
    let found = implied(&short, 1e-3, 1e-5);
    assert!(matches!(found, Err(Error::VolatilityOutside { limit: 1e-3, .. })), "{found:?}");
    let barrier = barrier(Side::Up, Knock::Out, 150.0);
    assert_eq!(
        implied(&Contract { barrier, ..call.clone() }, 5.0, 1e-5),
        Err(Error::ImpliedBarrier)
    );
    let bad = Contract { rates: Terms::constant(f64::NAN), ..call.clone() };
    assert!(matches!(implied(&bad, 5.0, 1e-5), Err(Error::Range { field: Field::Rate, .. })));
    for tolerance in [0.0, 1.0, f64::NAN] {
        let found = implied(&call, 20.0, tolerance);
        assert!(matches!(found, Err(Error::Tolerance { .. })), "{found:?}");
    }
    // The contract's own volatility does not count.
    let unknown = Contract { volatility: Volatility::Terms(Terms::constant(-1.0)), ..call };
    assert!(implied(&unknown, 20.0, 1e-5).is_ok());
}

/// Quotes with an error leave the others what they are.
#[test]
fn quotes_do_not_depend_on_one_another() {
    let call = Contract::european(Kind::Call, 100.0, 100.0, 1.0, MARKET);
    let put = Contract::american(Kind::Put, 100.0, 110.0, 0.5, MARKET);
    let quote = |contract: &Contract<f64>, price| Quote { contract: contract.clone(), price };
    let quotes = [quote(&call, 12.0), quote(&call, -1.0), quote(&put, 13.0), quote(&put, 9.0)];
    let together = all_implied(&quotes, 1e-4);
    let alone = quotes.iter().map(|quote| implied(&quote.contract, quote.price, 1e-4));
    assert!(together.iter().cloned().eq(alone));
    assert_eq!(together.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, true, false]);
}

#[test]
fn finer_tolerances_have_smaller_errors() {
    let put = Contract::american(Kind::Put, 100.0, 110.0, 0.5, MARKET);
    let errors = [1e-2, 1e-4, 1e-5].map(|tolerance| {
        let found = implied(&put, 13.0, tolerance).unwrap();
        assert!(found.converged && found.error <= tolerance * found.volatility, "{found:?}");
        found.error
    });
    assert!(errors[2] < errors[0], "{errors:?}");
}
