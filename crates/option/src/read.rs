//! Price, delta, gamma and theta of the spot from the prices at the nodes.
//!
//! The polynomial through eight nodes about the spot, in the underlying, so that straight lines are exact; of those that are not exercised: at the boundary, which lies before the first of these, gamma jumps. Its error is of order 8 in the distance of nodes for the price, 7 for delta, 6 for gamma, and so beyond what
//! extrapolation removes. Theta is what the equation makes of these: `θ = r·V − (r − q)·S·Δ − ½σ²S²·Γ`; where exercise is due it is zero.

use nonius_linalg::Scalar;
use nonius_linalg::evolve::{End, Outcome};

use crate::contract::{Contract, Exercise, Kind};
use crate::discretise::exercise_end;
use crate::layout::Mesh;

/// Nodes that a polynomial goes through.
const NODES: usize = 8;

/// What is read from a grid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Reading<T> {
    pub(crate) value: T,
    pub(crate) delta: T,
    pub(crate) gamma: T,
    pub(crate) theta: T,
    /// Whether the option is to be exercised now.
    pub(crate) is_due: bool,
}

impl<T: Scalar> Reading<T> {
    pub(crate) fn constant(value: T) -> Self {
        Self { value, delta: T::ZERO, gamma: T::ZERO, theta: T::ZERO, is_due: false }
    }

    /// A sum of readings with factors.
    pub(crate) fn sum<'a>(terms: impl IntoIterator<Item = (T, &'a Self)>) -> Self {
        terms.into_iter().fold(Self::constant(T::ZERO), |sum, (factor, reading)| Self {
            value: sum.value + factor * reading.value,
            delta: sum.delta + factor * reading.delta,
            gamma: sum.gamma + factor * reading.gamma,
            theta: sum.theta + factor * reading.theta,
            is_due: false,
        })
    }
}

/// What the outcome says of the contract's spot.
pub(crate) fn read<T: Scalar>(
    contract: &Contract<T>,
    mesh: &Mesh<T>,
    outcome: &Outcome<T>,
) -> Reading<T> {
    let spot = contract.spot;
    let (mut low, mut high) = (0, mesh.last());
    let contact = outcome.contact.last().copied().flatten().map(|node| node as usize);
    if let (Exercise::American, Some(contact)) = (&contract.exercise, contact) {
        let due = match exercise_end(contract.kind) {
            End::Low => {
                low = contact + 1;
                spot <= mesh.spots[contact]
            }
            End::High => {
                high = contact.saturating_sub(1);
                spot >= mesh.spots[contact]
            }
        };
        if due {
            let delta = match contract.kind {
                Kind::Call => T::ONE,
                Kind::Put => -T::ONE,
            };
            return Reading { delta, is_due: true, ..Reading::constant(contract.intrinsic(spot)) };
        }
    }
    let count = NODES.min(high - low + 1);
    let first = (mesh.below(spot) + 1).saturating_sub(count / 2).clamp(low, high + 1 - count);
    let [value, delta, gamma] =
        polynomial(&mesh.spots[first..first + count], &outcome.u[first..first + count], spot);
    let (rate, dividend_yield) = (contract.rates.at(T::ZERO), contract.yields.at(T::ZERO));
    let scaled = contract.volatility.at(T::ZERO, spot) * spot;
    let theta =
        rate * value - (rate - dividend_yield) * spot * delta - (scaled * scaled).ldexp(-1) * gamma;
    Reading { value, delta, gamma, theta, is_due: false }
}

/// The polynomial through the points, and its first two derivatives, at `at`: divided differences and Horner's scheme.
fn polynomial<T: Scalar>(x: &[T], y: &[T], at: T) -> [T; 3] {
    let mut differences = [T::ZERO; NODES];
    let differences = &mut differences[..x.len()];
    differences.copy_from_slice(y);
    for order in 1..x.len() {
        for i in (order..x.len()).rev() {
            differences[i] = (differences[i] - differences[i - 1]) / (x[i] - x[i - order]);
        }
    }
    let (mut value, mut first, mut second) = (T::ZERO, T::ZERO, T::ZERO);
    for i in (0..x.len()).rev() {
        let distance = at - x[i];
        second = second * distance + first.ldexp(1);
        first = first * distance + value;
        value = value * distance + differences[i];
    }
    [value, first, second]
}
