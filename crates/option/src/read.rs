//! Price, delta, gamma and theta of the spot from the prices at the nodes.
//!
//! The polynomial through eight nodes about the spot, in the underlying, so that straight lines are
//! exact; of those that are not exercised: at the boundary, which lies before the first of these,
//! gamma jumps. Its error is of order 8 in the distance of nodes for the price, 7 for delta, 6 for
//! gamma, and so beyond what extrapolation removes. Theta is what the equation makes of these:
//! `θ = r·V − (r − q)·S·Δ − ½σ²S²·Γ`; where exercise is due it is zero.

use nonius_linalg::Number;

use crate::contract::{Contract, Exercise, Kind};
use crate::discretise::exercise_end;
use crate::evolve::{End, Outcome};
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
    /// How much more it may be worth where the boundary of exercise is as near as nodes tell.
    pub(crate) doubt: T,
    /// The sum of the absolute values of all parts, which carry the roundings.
    pub(crate) gross: T,
}

impl<T: Number> Reading<T> {
    pub(crate) fn constant(value: T) -> Self {
        let zero = T::ZERO;
        let gross = value.abs();
        Self { value, delta: zero, gamma: zero, theta: zero, is_due: false, doubt: zero, gross }
    }

    /// A sum of readings with factors.
    pub(crate) fn sum<'a>(terms: impl IntoIterator<Item = (T, &'a Self)>) -> Self {
        terms.into_iter().fold(Self::constant(T::ZERO), |sum, (factor, reading)| Self {
            value: sum.value + factor * reading.value,
            delta: sum.delta + factor * reading.delta,
            gamma: sum.gamma + factor * reading.gamma,
            theta: sum.theta + factor * reading.theta,
            is_due: false,
            doubt: sum.doubt + factor.abs() * reading.doubt,
            gross: sum.gross + reading.gross,
        })
    }
}

/// The node furthest from the end of exercise that is exercised, where one is: a node at which
/// exercise pays nothing is none.
pub(crate) fn exercised<T: Number>(
    contract: &Contract<T>,
    mesh: &Mesh<T>,
    contact: Option<u32>,
) -> Option<usize> {
    let node = contact? as usize;
    let pays = |spot: &T| contract.payoff(*spot) > T::ZERO;
    match exercise_end(contract.kind) {
        End::Low => Some(node.min(mesh.spots.partition_point(pays).checked_sub(1)?)),
        End::High => {
            let first = mesh.spots.partition_point(|spot| !pays(spot));
            (first <= mesh.last()).then_some(node.max(first))
        }
    }
}

/// The nodes by which a grid may miss the boundary of exercise.
const MISSED: usize = 2;

/// How much more than exercise pays the option may be worth at a spot that is due: at the boundary,
/// where value and slope are those of exercise, the equation leaves `½σ²S²·Γ = r·K − q·S` for a
/// put, the opposite for a call.
fn doubt<T: Number>(contract: &Contract<T>, mesh: &Mesh<T>, node: usize) -> T {
    let spot = contract.spot;
    let (inner, outer) = (node.saturating_sub(MISSED), (node + MISSED).min(mesh.last()));
    let is_near = match exercise_end(contract.kind) {
        End::Low => spot > mesh.spots[inner],
        End::High => spot < mesh.spots[outer],
    };
    if !is_near {
        return T::ZERO;
    }
    let (rate, dividend_yield) = (contract.rates.at(T::ZERO), contract.yields.at(T::ZERO));
    let gain = (rate * contract.strike - dividend_yield * spot).abs();
    let scaled = contract.volatility.at(T::ZERO, spot) * spot;
    let distance = (mesh.spots[outer] - mesh.spots[inner]).ldexp(-1);
    gain * (distance / scaled) * (distance / scaled)
}

/// What the outcome says of the contract's spot.
pub(crate) fn read<T: Number>(
    contract: &Contract<T>,
    mesh: &Mesh<T>,
    outcome: &Outcome<T>,
) -> Reading<T> {
    let spot = contract.spot;
    let (mut low, mut high) = (0, mesh.last());
    let contact = exercised(contract, mesh, outcome.contact.last().copied().flatten());
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
            let doubt = doubt(contract, mesh, contact);
            let reading = Reading::constant(contract.intrinsic(spot));
            return Reading { delta, is_due: true, doubt, ..reading };
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
    Reading { delta, gamma, theta, ..Reading::constant(value) }
}

/// The polynomial through the points, and its first two derivatives, at `at`: divided differences
/// and Horner's scheme.
fn polynomial<T: Number>(x: &[T], y: &[T], at: T) -> [T; 3] {
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
