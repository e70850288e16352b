//! What holds between prices.

use nonius_linalg::backend::{Cpu, Reference};
use nonius_option::{
    Amount, Contract, Dividend, Exercise, Kind, Knock, Monitoring, Request, Side, price,
};

use super::common::{
    MARKET, OF_DERIVATIVES, SMALL, asked, assert_near, barrier, on_grid, priced, request,
};

/// Relative tolerances of prices.
const TOLERANCE: f64 = 1e-7;
const COARSER: f64 = 1e-6;

fn european(kind: Kind, strike: f64) -> Contract<f64> {
    Contract::european(kind, 100.0, strike, 1.0, MARKET)
}

fn dividends() -> Vec<Dividend<f64>> {
    vec![
        Dividend { time: 0.25, amount: Amount::Cash(1.5) },
        Dividend { time: 0.75, amount: Amount::Proportional(0.02) },
    ]
}

/// `C − P = S·e^(−qT) − K·e^(−rT)`.
#[test]
fn put_call_parity() {
    for strike in [70.0, 95.0, 100.0, 140.0] {
        let call = priced(&european(Kind::Call, strike), TOLERANCE);
        let put = priced(&european(Kind::Put, strike), TOLERANCE);
        let forward = 100.0 * (-0.02_f64).exp() - strike * (-0.05_f64).exp();
        let scale = call.value + put.value;
        assert!((call.value - put.value - forward).abs() <= TOLERANCE * scale);
        assert_near(call.delta - put.delta, (-0.02_f64).exp(), OF_DERIVATIVES * TOLERANCE, "delta");
        assert_near(call.gamma, put.gamma, OF_DERIVATIVES * TOLERANCE, "gamma");
    }
}

/// With dividends parity has their value: cash ones that are followed by a proportional one are
/// less by that part.
#[test]
fn put_call_parity_with_dividends() {
    let [call, put] = [Kind::Call, Kind::Put].map(|kind| {
        let contract = Contract { dividends: dividends(), ..european(kind, 100.0) };
        priced(&contract, TOLERANCE).value
    });
    // What is left of the share at maturity: 0.98 of S·e^(−qT) less that of a cash sum paid at
    // 0.25.
    let share = 0.98 * (100.0 * (-0.02_f64).exp() - 1.5 * (-0.05_f64 * 0.25 - 0.02 * 0.75).exp());
    let forward = share - 100.0 * (-0.05_f64).exp();
    assert!((call - put - forward).abs() <= TOLERANCE * (call + put));
}

/// Prices fall or rise with strike, spot, volatility; deltas have their signs, gammas are positive.
#[test]
fn monotonicity() {
    for exercise in [Exercise::European, Exercise::American, Exercise::Bermudan(vec![0.3, 0.6])] {
        for dividends in [Vec::new(), dividends()] {
            let of = |strike: f64, volatility: f64, kind| {
                let market = [0.05, 0.02, volatility];
                let contract = Contract {
                    exercise: exercise.clone(),
                    dividends: dividends.clone(),
                    ..Contract::european(kind, 100.0, strike, 1.0, market)
                };
                priced(&contract, 1e-5)
            };
            let strikes = [60.0, 80.0, 99.0, 101.0, 130.0];
            for pair in strikes.windows(2) {
                assert!(of(pair[0], 0.2, Kind::Call).value > of(pair[1], 0.2, Kind::Call).value);
                assert!(of(pair[0], 0.2, Kind::Put).value < of(pair[1], 0.2, Kind::Put).value);
            }
            for kind in [Kind::Call, Kind::Put] {
                assert!(of(100.0, 0.1, kind).value < of(100.0, 0.2, kind).value);
                let price = of(100.0, 0.2, kind);
                let sign = if kind == Kind::Call { 1.0 } else { -1.0 };
                assert!((0.0..=1.0).contains(&(sign * price.delta)) && price.gamma > 0.0);
            }
        }
    }
}

/// European ≤ Bermudan ≤ American, and no less than exercise pays.
#[test]
fn more_rights_are_worth_more() {
    for kind in [Kind::Call, Kind::Put] {
        for strike in [60.0, 90.0, 100.0, 115.0, 150.0] {
            for dividends in [Vec::new(), dividends()] {
                let of = |exercise| {
                    let contract = Contract {
                        exercise,
                        dividends: dividends.clone(),
                        ..european(kind, strike)
                    };
                    let price = priced(&contract, COARSER);
                    (price.value, 2.0 * price.error.unwrap().max(COARSER * price.value))
                };
                let (european, error) = of(Exercise::European);
                let (bermudan, _) = of(Exercise::Bermudan(vec![0.249, 0.5, 0.749]));
                let (american, _) = of(Exercise::American);
                let intrinsic = european_intrinsic(kind, strike);
                assert!(european <= bermudan + error && bermudan <= american + error);
                assert!(american >= intrinsic);
            }
        }
    }
}

fn european_intrinsic(kind: Kind, strike: f64) -> f64 {
    european(kind, strike).payoff(100.0)
}

/// Without yield and dividends nobody exercises a call early; deep in the money a put is exercised
/// now.
#[test]
fn exercise_that_does_not_pay_and_that_does() {
    let market = [0.05, 0.0, 0.2];
    let call = Contract::american(Kind::Call, 100.0, 95.0, 1.0, market);
    let european = Contract { exercise: Exercise::European, ..call.clone() };
    assert_near(
        priced(&call, TOLERANCE).value,
        priced(&european, TOLERANCE).value,
        2.0 * TOLERANCE,
        "call",
    );
    let put = priced(&Contract::american(Kind::Put, 60.0, 100.0, 1.0, market), 1e-6);
    assert_eq!((put.value, put.delta, put.gamma, put.theta), (40.0, -1.0, 0.0, 0.0));
}

/// An option knocked in and one knocked out are one without a barrier.
#[test]
fn in_and_out() {
    for kind in [Kind::Call, Kind::Put] {
        for (side, level) in [(Side::Up, 125.0), (Side::Down, 85.0)] {
            for dates in [None, Some(vec![0.2, 0.5, 1.0])] {
                let of = |knock| {
                    let mut contract = european(kind, 105.0);
                    contract.barrier = barrier(side, knock, level);
                    if let (Some(barrier), Some(dates)) = (&mut contract.barrier, &dates) {
                        barrier.monitoring = Monitoring::Dates(dates.clone());
                    }
                    priced(&contract, COARSER).value
                };
                let plain = priced(&european(kind, 105.0), COARSER).value;
                // Each of three prices errs by at most the tolerance of the sum.
                assert_near(of(Knock::In) + of(Knock::Out), plain, 3.0 * COARSER, "sum");
            }
        }
    }
}

/// The more dates, the nearer to a barrier that is always looked at, from above.
#[test]
fn dates_come_near_to_always() {
    // The relative error of the approximation at 64 dates, of the order of their distance.
    const OF_DATES: f64 = 1e-3;
    let of = |monitoring| {
        let mut contract = european(Kind::Call, 100.0);
        contract.barrier = barrier(Side::Down, Knock::Out, 90.0);
        if let Some(barrier) = &mut contract.barrier {
            barrier.monitoring = monitoring;
        }
        priced(&contract, 1e-5).value
    };
    let always = of(Monitoring::Continuous);
    let dates =
        |count: usize| Monitoring::Dates((1..=count).map(|k| k as f64 / count as f64).collect());
    let [few, more, many] = [4, 16, 64].map(|count| of(dates(count)));
    assert!(few > more && more > many && many > always);
    // As one that lies further by the mean of what a walk with such steps overshoots (Broadie,
    // Glasserman and Kou 1997), but for terms of the order of the distance of dates.
    let mut moved = european(Kind::Call, 100.0);
    moved.barrier = barrier(Side::Down, Knock::Out, 90.0 * (-0.5826 * 0.25 / 8.0_f64).exp());
    assert_near(many, priced(&moved, 1e-5).value, OF_DATES, "64 dates");
}

/// Beyond its barrier an option is its rebate, or one without a barrier.
#[test]
fn barriers_that_are_hit() {
    let mut contract = european(Kind::Call, 100.0);
    contract.barrier = barrier(Side::Down, Knock::Out, 100.0);
    contract.barrier.as_mut().unwrap().rebate = 2.0;
    let price = asked(&contract, &Request { sensitivities: true, ..request(1e-6) });
    assert_eq!((price.value, price.delta, price.vega, price.grid), (2.0, 0.0, Some(0.0), None));
    contract.barrier.as_mut().unwrap().knock = Knock::In;
    assert_eq!(priced(&contract, 1e-6).value, priced(&european(Kind::Call, 100.0), 1e-6).value);
}

/// A dividend at maturity and later is nobody's concern.
#[test]
fn late_dividends_have_no_effect() {
    let late = [1.0, 1.5].map(|time| Dividend { time, amount: Amount::Cash(30.0) });
    let contract = Contract { dividends: late.to_vec(), ..european(Kind::Call, 100.0) };
    assert_eq!(priced(&contract, 1e-6), priced(&european(Kind::Call, 100.0), 1e-6));
}

/// The boundary of a put without yield rises to the strike; exercise above it does not pay.
#[test]
fn boundary_of_a_put() {
    let contract = Contract::american(Kind::Put, 100.0, 100.0, 1.0, [0.05, 0.0, 0.2]);
    let price = asked(&contract, &Request { boundary: true, ..request(1e-6) });
    let boundary = &price.boundary;
    assert!(boundary.len() >= price.grid.unwrap().time);
    for pair in boundary.windows(2) {
        assert!(pair[1].time < pair[0].time && pair[1].spot <= pair[0].spot);
    }
    let today = boundary.last().unwrap();
    assert_eq!(today.time, 0.0);
    // On a grid of 8192 × 2048 it is 80.88; nodes here are 0.15 apart.
    assert!((today.spot - 80.88).abs() < 0.15, "{today:?}");
    assert!(boundary[0].spot > 98.0 && boundary[0].spot < 100.0);
    assert!(priced(&contract, 1e-6).boundary.is_empty());
}

/// A book is the same whatever the backend and whatever stands beside a contract.
#[test]
fn books_are_their_contracts() {
    let mut book: Vec<Contract<f64>> = Vec::new();
    for strike in [80.0, 90.0, 100.0, 110.0, 120.0] {
        for kind in [Kind::Call, Kind::Put] {
            book.push(european(kind, strike));
            book.push(Contract { exercise: Exercise::American, ..european(kind, strike) });
            book.push(Contract { dividends: dividends(), ..european(kind, strike) });
            book.push(Contract { spot: -1.0, ..european(kind, strike) });
            let barrier = barrier(Side::Up, Knock::In, 150.0);
            book.push(Contract { barrier, ..european(kind, strike) });
        }
    }
    let request = Request { sensitivities: true, ..request(1e-5) };
    let together = price(&Cpu::default(), &book, &request).unwrap();
    assert_eq!(together, price(&Reference, &book, &request).unwrap());
    for (contract, found) in book.iter().zip(&together) {
        let alone = price(&Cpu::default(), core::slice::from_ref(contract), &request).unwrap();
        assert_eq!(&alone[0], found);
    }
    assert_eq!(together.iter().filter(|price| price.is_err()).count(), 10);
    assert_eq!(on_grid(&book[0], 64, 32).error, None);
}

/// What never pays is worth nothing, not less: neither where exercise at no node pays, nor where a
/// barrier shuts it out.
#[test]
fn worthless_american_options_are_worth_nothing() {
    let far = Contract::american(Kind::Put, 105.0, 100.0, 5.0, [0.1, 0.0, 0.02]);
    let mut shut = Contract::american(Kind::Put, 100.0, 80.0, 1.0, [0.05, 0.0, 0.3]);
    shut.barrier = barrier(Side::Down, Knock::Out, 90.0);
    let call = Contract::american(Kind::Call, 60.0, 100.0, 0.1, [0.0, 0.1, 0.05]);
    for contract in [far, shut, call] {
        let price = asked(&contract, &Request { boundary: true, ..request(COARSER) });
        let allowed = COARSER * SMALL * contract.strike;
        assert!((0.0..=allowed).contains(&price.value), "{contract:?} {price:?}");
        let pays = |spot: f64| contract.payoff(spot) > 0.0;
        assert!(price.boundary.iter().all(|point| pays(point.spot)), "{:?}", price.boundary);
    }
}
