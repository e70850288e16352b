//! What the tests share.

use nonius_linalg::backend::Cpu;
use nonius_option::evolve::Evolve;
use nonius_option::{
    Accuracy, Barrier, Contract, Grid, Knock, Monitoring, Price, Priced, Request, Side, price,
};

/// A year's rate of 5 %, yield of 2 % and volatility of 25 %.
pub(crate) const MARKET: [f64; 3] = [0.05, 0.02, 0.25];

pub(crate) fn request(tolerance: f64) -> Request {
    Request { accuracy: Accuracy::Tolerance(tolerance), ..Request::default() }
}

/// Sensitivities have one digit less than prices: their errors are below ten tolerances.
pub(crate) const OF_DERIVATIVES: f64 = 10.0;

/// Prices below this part of the strike have the absolute tolerance of this price.
pub(crate) const SMALL: f64 = 1e-4;

/// The price to a tolerance, which has to be met.
pub(crate) fn priced(contract: &Contract<f64>, tolerance: f64) -> Price<f64> {
    let price = asked(contract, &request(tolerance));
    assert!(price.converged, "{price:?}");
    price
}

/// The price with vega and rho.
pub(crate) fn with_greeks(contract: &Contract<f64>, tolerance: f64) -> Price<f64> {
    asked(contract, &Request { sensitivities: true, ..request(tolerance) })
}

/// The price on a grid.
pub(crate) fn on_grid<T: Priced>(contract: &Contract<T>, space: usize, time: usize) -> Price<T>
where
    Cpu: Evolve<T>,
{
    let accuracy = Accuracy::Grid(Grid { space, time });
    asked(contract, &Request { accuracy, ..Request::default() })
}

pub(crate) fn asked<T: Priced>(contract: &Contract<T>, request: &Request) -> Price<T>
where
    Cpu: Evolve<T>,
{
    let contracts = core::slice::from_ref(contract);
    price(&Cpu::default(), contracts, request).unwrap().remove(0).unwrap()
}

pub(crate) fn assert_near(found: f64, expected: f64, relative: f64, what: &str) {
    let error = (found - expected).abs();
    assert!(
        error <= relative * expected.abs(),
        "{what}: {found} for {expected}, relative error {:.1e}",
        error / expected.abs()
    );
}

/// A barrier without rebate that is always looked at.
pub(crate) fn barrier(side: Side, knock: Knock, level: f64) -> Option<Barrier<f64>> {
    Some(Barrier { side, knock, level, rebate: 0.0, monitoring: Monitoring::Continuous })
}
