//! The parameters of the interior-point method.

use crate::solver::Measures;

/// Parameters of the interior-point method, by their names in SDPA.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// `maxIteration`: the most iterations.
    pub most_iterations: u64,
    /// `epsilonStar`: the relative gap at which the optimum is found.
    pub gap: f64,
    /// `lambdaStar`: `X` and `Y` begin as this multiple of the identity; `None` for multiples that
    /// the norms of the problem's matrices suggest.
    pub start: Option<f64>,
    /// `omegaStar`: in SDPA an optimum beyond this multiple of the start counts as none. It is read
    /// and written, not used: what has no optimum is recognised by a certificate.
    pub reach: f64,
    /// `lowerBound`: the primal objective below which the primal problem counts as unbounded.
    pub lower_bound: f64,
    /// `upperBound`: the dual objective above which the dual problem counts as unbounded.
    pub upper_bound: f64,
    /// `betaStar`: the least reduction of complementarity that a step aims at where the iterate is
    /// feasible.
    pub feasible_centring: f64,
    /// `betaBar`: the same where it is not.
    pub infeasible_centring: f64,
    /// `gammaStar`: the part of the way to the boundary that a step goes.
    pub step: f64,
    /// `epsilonDash`: the infeasibility that counts as none.
    pub feasibility: f64,
    /// The iterations without progress after which the run ends. SDPA has no such parameter.
    pub patience: u64,
}

impl Default for Parameters {
    /// Those of SDPA, for gaps that double precision reaches, but for a start that depends on the
    /// problem, and objectives without bounds.
    fn default() -> Self {
        Self {
            most_iterations: 100,
            gap: 1e-7,
            start: None,
            reach: 2.0,
            lower_bound: f64::NEG_INFINITY,
            upper_bound: f64::INFINITY,
            feasible_centring: 0.1,
            infeasible_centring: 0.2,
            step: 0.9,
            feasibility: 1e-7,
            patience: 12,
        }
    }
}

impl Parameters {
    /// How far a point is from what is asked for: the largest of gap, complementarity and
    /// infeasibilities in units of what is allowed.
    pub(crate) fn distance<N>(&self, measures: &Measures<N>) -> f64 {
        let [primal, dual] = measures.relative_infeasibilities();
        let parts = [
            measures.relative_distance() / self.gap,
            primal / self.feasibility,
            dual / self.feasibility,
        ];
        parts.into_iter().fold(0.0, |x, y| if y.is_nan() || y > x { y } else { x })
    }
}
