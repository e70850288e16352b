//! How far the feasible points reach into the cone.

use crate::solver::Measures;

/// Feasible points whose least eigenvalues are so far below the mean one make for little interior:
/// about where double precision has no way to an optimum.
const FLAT: f64 = 1e-5;

/// One of the two problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// (P), of `x` and `X`.
    Primal,
    /// (D), of `Y`.
    Dual,
}

/// What a point of either problem says of the feasible points of the other.
///
/// With a feasible `X`, all feasible `Y` have `λ(Y)·tr X ≤ X•Y = c·x − F₀•Y` for their least
/// eigenvalue `λ(Y)`, and all feasible `X` the same with a feasible `Y`. A problem has no interior
/// where the other one's points near the optimum have no bound; an arbitrarily small change of the
/// data then makes it infeasible (J. Renegar, *Some perturbation theory for linear programming*,
/// Mathematical Programming 65, 1994).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interior {
    /// `max(1, (|c·x| + |F₀•Y|)/2)`.
    pub within: f64,
    /// What the least eigenvalues of all feasible `X`, and of all feasible `Y`, do not exceed where
    /// they are no larger than the point's and their objectives are no further than
    /// [`within`](Self::within) from the other objective of the point; infinite where the point is
    /// not feasible enough to tell.
    pub least: [f64; 2],
    /// The mean eigenvalues of the point's `X` and `Y`.
    pub mean: [f64; 2],
}

impl Interior {
    /// What a point says that has these `traces` of `X` and `Y`, and `constraints` numbers `xᵢ`.
    pub(crate) fn new<N>(measures: &Measures<N>, traces: [f64; 2], constraints: usize) -> Self {
        let within = measures.scale();
        let [primal, dual] = measures.residual_norms;
        let norm_of_x = measures.of_x * (constraints as f64).sqrt();
        let bound = |residual: f64, trace: f64| {
            if residual <= within { (within + residual) / trace } else { f64::INFINITY }
        };
        let least = [bound(dual * norm_of_x, traces[1]), bound(primal * traces[1], traces[0])];
        Self { within, least, mean: traces.map(|trace| trace / measures.degree) }
    }
    /// The problem of little or no interior, if one is: the bound of the least eigenvalues of its
    /// points, over the mean one.
    pub fn little(&self) -> Option<(Side, f64)> {
        let ratios = [0, 1].map(|i| self.least[i] / self.mean[i]);
        // Both ratios are about the same; it is the points of the other problem that have no bound.
        let (side, ratio) = if self.mean[1] > self.mean[0] {
            (Side::Primal, ratios[0])
        } else {
            (Side::Dual, ratios[1])
        };
        (ratio < FLAT).then_some((side, ratio))
    }
}
