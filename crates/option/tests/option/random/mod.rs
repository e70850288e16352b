//! Contracts of every kind and size, at random: where a price is said to be within its tolerance,
//! it is.

mod american;
mod closed;
mod dates;
mod draw;
mod invariants;
mod ordinary;

use nonius_linalg::backend::Cpu;
use nonius_option::{Contract, Price, price};

use super::common::{SMALL, request};

/// The price to a tolerance, within its bounds and finite.
fn priced(contract: &Contract<f64>, tolerance: f64) -> Price<f64> {
    let contracts = core::slice::from_ref(contract);
    let found = price(&Cpu::default(), contracts, &request(tolerance)).unwrap().remove(0);
    let found = found.unwrap_or_else(|error| panic!("{error}: {contract:?}"));
    assert!(found.value.is_finite() && found.error.is_some_and(|error| error >= 0.0), "{found:?}");
    found
}

/// What is claimed of a price holds, to the oracle's own error.
fn confirm(contract: &Contract<f64>, tolerance: f64, exact: f64, uncertain: f64) -> Price<f64> {
    let found = priced(contract, tolerance);
    let allowed = tolerance * exact.abs().max(SMALL * contract.strike);
    let error = (found.value - exact).abs();
    assert!(
        !found.converged || error <= allowed.max(found.error.unwrap()) + uncertain,
        "{} for {exact}, {error:e} of {allowed:e} at {tolerance:e}, {:.1} times: {contract:?} {found:?}",
        found.value,
        error / allowed
    );
    found
}
