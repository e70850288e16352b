//! Sensitivities of all kinds of contracts are the derivatives of their prices.

use nonius_option::{Amount, Contract, Dividend, Exercise, Kind, Knock, Side, Terms, Volatility};

use super::common::{MARKET, asked, assert_near, barrier, priced, request, with_greeks};

/// The relative tolerance of prices.
const TOLERANCE: f64 = 1e-7;

/// Relative errors of differences of order 4 with respect to the spot, and to other quantities.
/// Changes of the price divide its error; the other quantities change the price less.
const OF_DELTA: f64 = 2e-5;
const OF_OTHERS: f64 = 1e-4;

/// Contracts of all kinds.
fn contracts() -> Vec<Contract<f64>> {
    let plain = |kind| Contract::european(kind, 100.0, 103.0, 1.0, MARKET);
    let mut contracts = vec![plain(Kind::Put)];
    contracts.push(Contract { exercise: Exercise::American, ..plain(Kind::Put) });
    contracts.push(Contract { exercise: Exercise::American, ..plain(Kind::Call) });
    for (side, level) in [(Side::Down, 88.0), (Side::Up, 140.0)] {
        for knock in [Knock::In, Knock::Out] {
            contracts.push(Contract { barrier: barrier(side, knock, level), ..plain(Kind::Call) });
        }
    }
    let dividends = vec![Dividend { time: 0.4, amount: Amount::Cash(2.0) }];
    contracts.push(Contract { dividends, ..plain(Kind::Put) });
    contracts
}

/// The derivative of the price with respect to a shift, by differences of order 4.
fn derivative(contract: &Contract<f64>, size: f64, shift: impl Fn(&mut Contract<f64>, f64)) -> f64 {
    let at = |by: f64| {
        let mut shifted = contract.clone();
        shift(&mut shifted, by * size);
        priced(&shifted, TOLERANCE).value
    };
    (8.0 * (at(1.0) - at(-1.0)) - (at(2.0) - at(-2.0))) / (12.0 * size)
}

#[test]
fn sensitivities_are_derivatives() {
    for contract in contracts() {
        let price = with_greeks(&contract, TOLERANCE);
        let delta = derivative(&contract, 1.0, |c, by| c.spot += by);
        assert_near(price.delta, delta, OF_DELTA, "delta");
        let constant = |x: f64| Terms::constant(x);
        let vega = derivative(&contract, 0.004, |c, by| {
            c.volatility = Volatility::Terms(constant(0.25 + by));
        });
        assert_near(price.vega.unwrap(), vega, OF_OTHERS, "vega");
        let rho = derivative(&contract, 0.004, |c, by| c.rates = constant(0.05 + by));
        assert_near(price.rho.unwrap(), rho, OF_OTHERS, "rho");
        if contract.dividends.is_empty() {
            // Time passes for maturity as for all.
            let theta = -derivative(&contract, 0.02, |c, by| c.maturity += by);
            assert_near(price.theta, theta, OF_OTHERS, "theta");
        }
    }
}

/// Gamma is the derivative of delta.
#[test]
fn gamma_is_a_derivative() {
    for contract in contracts() {
        let price = priced(&contract, TOLERANCE);
        let delta = |by: f64| {
            priced(&Contract { spot: contract.spot + by, ..contract.clone() }, TOLERANCE).delta
        };
        let gamma = (8.0 * (delta(1.0) - delta(-1.0)) - (delta(2.0) - delta(-2.0))) / 12.0;
        assert_near(price.gamma, gamma, OF_OTHERS, "gamma");
    }
}

/// Next to the boundary of exercise theta comes to zero, and gamma to what the equation leaves for
/// it, `2·r·K/(σ·S)²`.
#[test]
fn sensitivities_are_smooth_up_to_the_boundary_of_exercise() {
    // Theta changes by 0.17 for each unit of the spot. An error of the boundary by 0.036 makes
    // this.
    const OF_THETA: f64 = 6e-3;
    let at = |spot: f64| {
        let put = Contract::american(Kind::Put, spot, 100.0, 1.0, [0.05, 0.0, 0.2]);
        asked(&put, &request(1e-6))
    };
    // From grids of 8192 intervals and extrapolated to 10⁻⁸ where these agree to a thousandth.
    let known = [(81.0, -0.021), (81.5, -0.105), (82.0, -0.1898), (82.5, -0.2737), (83.0, -0.3574)];
    for (spot, theta) in known {
        let price = at(spot);
        assert!((price.theta - theta).abs() < OF_THETA, "{spot}: {}", price.theta);
        let limit = 2.0 * 0.05 * 100.0 / (0.2 * spot).powi(2);
        let gamma = limit
            + 2.0
                * (0.05 * (price.value + spot - 100.0) - 0.05 * spot * (price.delta + 1.0) - theta)
                / (0.2 * spot).powi(2);
        // By the equation this is the error of gamma that twice the error of theta makes.
        let most = 4.0 * OF_THETA / (0.2 * spot).powi(2);
        assert!((price.gamma - gamma).abs() < most, "{spot}: {} {gamma}", price.gamma);
    }
    assert_eq!(at(80.5).theta, 0.0);
}

/// At a rate of zero, below which a second boundary of exercise begins, rho is the derivative to
/// the other side.
#[test]
fn rho_at_a_rate_of_zero() {
    // One-sided differences of order two divide the errors of prices by a thousandth.
    const OF_ONE_SIDE: f64 = 1e-3;
    let at = |rate: f64| Contract::american(Kind::Put, 100.0, 100.0, 1.0, [rate, -0.02, 0.2]);
    let price = |rate: f64| priced(&at(rate), TOLERANCE).value;
    let size = 0.001;
    let [none, one, two] = [0.0, 1.0, 2.0].map(|k| price(k * size));
    let slope = (4.0 * one - 3.0 * none - two) / (2.0 * size);
    assert_near(with_greeks(&at(0.0), TOLERANCE).rho.unwrap(), slope, OF_ONE_SIDE, "rho");
}
