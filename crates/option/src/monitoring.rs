//! What looking at a barrier makes of the prices at the nodes.
//!
//! Beyond the barrier the rebate takes the place of the price, which jumps there, mostly between
//! two nodes. The sum over all nodes of a function that jumps by `J`, and whose slope and curvature
//! change by `s` and `c`, differs from its integral by an amount that depends on where: with `z`
//! the way from the node `a` before the jump to it, and distances of one, `Σ F(k) = ∫F − Σ_j
//! B_(j+1)(1 − z)/(j + 1)!·F^(j)` (Euler and Maclaurin; `B` are Bernoulli's polynomials). What `a`
//! and the node `b` beyond the jump take beside, `c₀` and `c₁`, makes of the first two terms what
//! they are where the jump is at a node, which then has the mean of both sides, for any smooth
//! weights of the sum:
//!
//! - `c₀ + c₁ = (½ − z)·J − z(1 − z)/2·s + z(1 − z)(z − ½)/6·c`,
//! - `(1 − z)·c₁ − z·c₀ = −z(1 − z)/2·J + z(1 − z)(z − ½)/3·s`.
//!
//! So errors of what follows have the same expansion in the distance of the nodes up to its second
//! power, wherever the jump lies (Kreiss, Thomée and Widlund, *Smoothing of initial data and rates
//! of convergence for parabolic difference equations*, 1970). `J`, `s` and `c` are those of the
//! cubic polynomial through four nodes.

use nonius_linalg::Number;

use crate::contract::{Contract, Side};
use crate::evolve::Row;
use crate::layout::{Layout, Mesh};
use crate::part::Part;

/// The rebate beyond the barrier, and what the two nodes beside it take; nothing without a barrier.
pub(crate) fn monitoring<T: Number>(
    contract: &Contract<T>,
    part: &Part<T>,
    layout: &Layout<T>,
    mesh: &Mesh<T>,
) -> Option<Vec<Row<T>>> {
    let barrier = contract.barrier.as_ref()?;
    let place = layout.place(mesh, barrier.level);
    let below = place.to_f64().floor();
    let is_alive = |node: usize| (node as f64 <= below) == (barrier.side == Side::Up);
    let row = |node: usize| {
        if is_alive(node) { Row::unchanged(node) } else { Row::constant(part.rebate) }
    };
    let mut rows: Vec<Row<T>> = (0..=mesh.last()).map(row).collect();
    if below >= 0.0 && below < mesh.last() as f64 {
        let low = below as usize;
        for (node, row) in beside(place, low, mesh.last(), (barrier.side, part.rebate)) {
            rows[node] = row;
        }
    }
    Some(rows)
}

/// The rows of the nodes `low` and `low + 1`, between which the barrier lies, of nodes up to
/// `last`.
fn beside<T: Number>(
    place: T,
    low: usize,
    last: usize,
    (side, rebate): (Side, T),
) -> [(usize, Row<T>); 2] {
    let number = T::from_f64;
    let part = place - number(low as f64);
    let (before, beyond, z, sign) = match side {
        Side::Up => (low, low + 1, part, T::ONE),
        Side::Down => (low + 1, low, T::ONE - part, -T::ONE),
    };
    // What `J`, `s` and `c` are multiplied by in the sum and in the moment.
    let both = z * (T::ONE - z);
    let odd = both * (z - number(0.5));
    let sum = [number(0.5) - z, -both.ldexp(-1), odd / number(6.0)];
    let moment = [-both.ldexp(-1), odd / number(3.0), T::ZERO];
    let second: [T; 3] = core::array::from_fn(|i| moment[i] + z * sum[i]);
    let first: [T; 3] = core::array::from_fn(|i| sum[i] - second[i]);
    let start = low.saturating_sub(1).min(last - 3);
    let [value, slope, curvature] = cubic(place - number(start as f64));
    let row = |own: Option<usize>, [of_jump, of_slope, of_curvature]: [T; 3]| {
        let mut weights = core::array::from_fn(|j| {
            -(of_jump * value[j] + sign * of_slope * slope[j] + of_curvature * curvature[j])
        });
        let mut constant = of_jump * rebate;
        match own {
            Some(node) => weights[node - start] += T::ONE,
            None => constant += rebate,
        }
        Row { first: start, weights, constant }
    };
    [(before, row(Some(before), first)), (beyond, row(None, second))]
}

/// What the values at 0, 1, 2 and 3 are multiplied by in the value, slope and curvature at `t` of
/// the cubic polynomial through them.
fn cubic<T: Number>(t: T) -> [[T; 4]; 3] {
    let number = T::from_f64;
    // `t³ + a·t² + b·t + c`, over `d`.
    let polynomials = [
        [-6.0, 11.0, -6.0, -6.0],
        [-5.0, 6.0, 0.0, 2.0],
        [-4.0, 3.0, 0.0, -2.0],
        [-3.0, 2.0, 0.0, 6.0],
    ];
    let each = |f: &dyn Fn([T; 4]) -> T| polynomials.map(|numbers| f(numbers.map(number)));
    [
        each(&|[a, b, c, d]| (((t + a) * t + b) * t + c) / d),
        each(&|[a, b, _, d]| ((number(3.0) * t + a.ldexp(1)) * t + b) / d),
        each(&|[a, _, _, d]| (number(6.0) * t + a.ldexp(1)) / d),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum over the nodes of what jumps from a cubic to the rebate, with smooth weights that
    /// are next to zero at both ends, does not depend on where between two nodes that is but to the
    /// third power of the distance.
    #[test]
    fn sums_know_where_a_jump_is() {
        for side in [Side::Up, Side::Down] {
            let sum = |place: f64, distance: f64| {
                let n = (20.0 / distance) as usize;
                let x = |k: f64| (k - place) * distance;
                let u = |k: f64| 1.0 + 0.5 * x(k) - 0.25 * x(k).powi(2) + 0.125 * x(k).powi(3);
                let low = place as usize;
                let rows = beside(place, low, n, (side, 3.0));
                let value = |k: usize| match rows.iter().find(|(node, _)| *node == k) {
                    Some((_, row)) => (0..4).fold(row.constant, |sum, j| {
                        sum + row.weights[j] * u((row.first + j) as f64)
                    }),
                    None if (k <= low) == (side == Side::Up) => u(k as f64),
                    None => 3.0,
                };
                let weight = |k: usize| (-(x(k as f64) - 0.75).powi(2)).exp();
                (0..=n).map(|k| weight(k) * value(k)).sum::<f64>() * distance
            };
            for distance in [0.2_f64, 0.1] {
                let middle = (10.0 / distance).floor();
                let at_node = sum(middle, distance);
                for z in [0.01, 0.25, 0.5, 0.75, 0.99] {
                    let error = (sum(middle + z, distance) - at_node).abs();
                    assert!(error < 0.2 * distance.powi(3), "{side:?} {distance} {z}: {error:e}");
                }
            }
        }
    }

    #[test]
    fn cubics_are_exact() {
        let t = 1.375;
        let weights = cubic(t);
        let found =
            weights.map(|weights| (0..4).map(|k| weights[k] * (k as f64).powi(3)).sum::<f64>());
        // One division, one product and three sums are rounded (Higham, *Accuracy and Stability of
        // Numerical Algorithms*, 2nd ed., (3.5)).
        let size = |weights: &[f64; 4]| -> f64 {
            (0..4).map(|k| weights[k].abs() * (k as f64).powi(3)).sum()
        };
        let roundings = weights.each_ref().map(|weights| 5.0 * f64::EPSILON / 2.0 * size(weights));
        let exact = [t * t * t, 3.0 * t * t, 6.0 * t];
        for ((found, exact), roundings) in found.iter().zip(exact).zip(roundings) {
            assert!((found - exact).abs() <= roundings, "{found} {exact}");
        }
    }
}
