//! What a price takes, before it is computed: for whoever has to choose where.
//!
//! Only the finest grid counts much, and which that is depends on the order with which errors
//! shrink (see [`extrapolate`](crate::extrapolate)). Errors of the third grid are those of ordinary
//! contracts, of some months or years and near the strike; a price may take four times as much, or
//! a quarter.

use nonius_linalg::Number;

use crate::contract::{Contract, Exercise};
use crate::convergence::Convergence;
use crate::extrapolate::Smoothness;
use crate::job::{COARSEST, FIRST, MOST_HALVINGS};
use crate::request::{Accuracy, Grid, Request};
use crate::sensitivity::MARKETS;

/// Nodes of all vectors, and the sum of the steps that each node takes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    /// The nodes.
    pub nodes: f64,
    /// The steps of all nodes, those under an obstacle counted as the time that they take beside
    /// the others.
    pub node_steps: f64,
}

/// How much longer a step with an obstacle takes on the host, measured on a Xeon with AVX-512.
const WITH_OBSTACLE: f64 = 2.3;

impl Request {
    /// About what the price of a contract takes.
    pub fn effort<T: Number>(&self, contract: &Contract<T>) -> Effort {
        if contract.validate().and_then(|()| self.validate()).is_err() {
            return Effort::default();
        }
        let markets = if self.sensitivities { 1.0 + MARKETS as f64 } else { 1.0 };
        let american = contract.exercise == Exercise::American;
        let weight = if american { markets * WITH_OBSTACLE } else { markets };
        let grids = match self.accuracy {
            Accuracy::Grid(grid) => vec![grid],
            Accuracy::Tolerance(tolerance) => {
                let smoothness = Convergence { contract, parts: &[] }.smoothness();
                let at_level =
                    |level| Grid { space: COARSEST.space << level, time: COARSEST.time << level };
                (0..=level(smoothness, tolerance)).map(at_level).collect()
            }
        };
        grids.into_iter().fold(Effort::default(), |sum, Grid { space, time }| Effort {
            nodes: sum.nodes + markets * space as f64,
            node_steps: sum.node_steps + weight * space as f64 * time as f64,
        })
    }
}

/// The level of the grid that is likely to meet a tolerance.
fn level(smoothness: Smoothness, tolerance: f64) -> u32 {
    // The estimate of the relative error on the third grid, and by how much each halving shrinks
    // it.
    let (third, shrinks): (f64, f64) = match smoothness {
        Smoothness::Even => (1e-7, 16.0),
        Smoothness::Dates => (1e-6, 8.0),
        Smoothness::Boundary | Smoothness::Surface => (3e-5, 4.0),
        Smoothness::Settled | Smoothness::Kinks => (1e-4, 4.0),
        Smoothness::First => (1e-3, 2.0),
    };
    let halvings = (third / tolerance).ln() / shrinks.ln();
    (FIRST - 1) + (halvings.ceil().max(0.0) as u32).min(MOST_HALVINGS + 1 - FIRST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::Kind;

    fn node_steps(contract: &Contract<f64>, tolerance: f64) -> f64 {
        let request = Request { accuracy: Accuracy::Tolerance(tolerance), ..Request::default() };
        request.effort(contract).node_steps
    }

    /// Finer tolerances take more, and early exercise takes more than none.
    #[test]
    fn refinement_counts() {
        let european = Contract::european(Kind::Put, 100.0, 100.0, 1.0, [0.05, 0.0, 0.2]);
        let american = Contract { exercise: Exercise::American, ..european.clone() };
        let tolerances = [1e-3, 1e-5, 1e-7, 1e-9, 1e-11];
        for contract in [&european, &american] {
            let all = tolerances.map(|tolerance| node_steps(contract, tolerance));
            assert!(all.windows(2).all(|pair| pair[0] <= pair[1]) && all[4] > 16.0 * all[0]);
        }
        assert!(node_steps(&american, 1e-6) > 16.0 * node_steps(&european, 1e-6));
        let broken = Contract { strike: f64::NAN, ..european.clone() };
        assert_eq!(Request::default().effort(&broken), Effort::default());
        let grid = Accuracy::Grid(Grid { space: 200, time: 100 });
        let request = Request { accuracy: grid, sensitivities: true, boundary: false };
        let expected = Effort { nodes: 9.0 * 200.0, node_steps: 9.0 * 20_000.0 };
        assert_eq!(request.effort(&european), expected);
    }
}
