//! Sensitivities of all kinds of contracts are the derivatives of their prices.

use nonius_option::{Amount, Contract, Dividend, Exercise, Kind, Knock, Side, Terms, Volatility};

use super::common::{MARKET, asked, assert_near, barrier, priced, request, with_greeks};

/// Contracts with the accuracy of their derivatives: prices to 10⁻⁷ for differences over a fiftieth.
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
        priced(&shifted, 1e-7).value
    };
    (8.0 * (at(1.0) - at(-1.0)) - (at(2.0) - at(-2.0))) / (12.0 * size)
}

#[test]
fn sensitivities_are_derivatives() {
    for contract in contracts() {
        let price = with_greeks(&contract, 1e-7);
        let delta = derivative(&contract, 1.0, |c, by| c.spot += by);
        assert_near(price.delta, delta, 2e-5, "delta");
        let constant = |x: f64| Terms::constant(x);
        let vega = derivative(&contract, 0.004, |c, by| {
            c.volatility = Volatility::Terms(constant(0.25 + by));
        });
        assert_near(price.vega.unwrap(), vega, 1e-4, "vega");
        let rho = derivative(&contract, 0.004, |c, by| c.rates = constant(0.05 + by));
        assert_near(price.rho.unwrap(), rho, 1e-4, "rho");
        if contract.dividends.is_empty() {
            // Time passes for maturity as for all.
            let theta = -derivative(&contract, 0.02, |c, by| c.maturity += by);
            assert_near(price.theta, theta, 1e-4, "theta");
        }
    }
}

/// Gamma is the derivative of delta.
#[test]
fn gamma_is_a_derivative() {
    for contract in contracts() {
        let price = priced(&contract, 1e-7);
        let delta = |by: f64| {
            priced(&Contract { spot: contract.spot + by, ..contract.clone() }, 1e-7).delta
        };
        let gamma = (8.0 * (delta(1.0) - delta(-1.0)) - (delta(2.0) - delta(-2.0))) / 12.0;
        assert_near(price.gamma, gamma, 1e-4, "gamma");
    }
}

/// Next to the boundary of exercise theta comes to zero, and gamma to what the equation leaves for it, `2·r·K/(σ·S)²`.
#[test]
fn sensitivities_are_smooth_up_to_the_boundary_of_exercise() {
    let at = |spot: f64| {
        let put = Contract::american(Kind::Put, spot, 100.0, 1.0, [0.05, 0.0, 0.2]);
        asked(&put, &request(1e-6))
    };
    // From grids of 8192 intervals and extrapolated to 10⁻⁸ where these agree to a thousandth.
    let known = [(81.0, -0.021), (81.5, -0.105), (82.0, -0.1898), (82.5, -0.2737), (83.0, -0.3574)];
    for (spot, theta) in known {
        let price = at(spot);
        assert!((price.theta - theta).abs() < 6e-3, "{spot}: {}", price.theta);
        let limit = 2.0 * 0.05 * 100.0 / (0.2 * spot).powi(2);
        let gamma = limit
            + 2.0
                * (0.05 * (price.value + spot - 100.0) - 0.05 * spot * (price.delta + 1.0) - theta)
                / (0.2 * spot).powi(2);
        assert!((price.gamma - gamma).abs() < 1e-4, "{spot}: {} {gamma}", price.gamma);
    }
    assert_eq!(at(80.5).theta, 0.0);
}

/// At a rate of zero, below which a second boundary of exercise begins, rho is the derivative to the other side.
#[test]
fn rho_at_a_rate_of_zero() {
    let at = |rate: f64| Contract::american(Kind::Put, 100.0, 100.0, 1.0, [rate, -0.02, 0.2]);
    let price = |rate: f64| priced(&at(rate), 1e-7).value;
    let size = 0.001;
    let [none, one, two] = [0.0, 1.0, 2.0].map(|k| price(k * size));
    let slope = (4.0 * one - 3.0 * none - two) / (2.0 * size);
    assert_near(with_greeks(&at(0.0), 1e-7).rho.unwrap(), slope, 1e-3, "rho");
}
