//! What a solver is told about its way.

/// Parameters of the interior-point method, by their names in SDPA.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// `maxIteration`: the most iterations.
    pub most_iterations: u64,
    /// `epsilonStar`: the relative gap at which the optimum is found.
    pub gap: f64,
    /// `lambdaStar`: `X` and `Y` begin as this multiple of the identity.
    pub start: f64,
    /// `omegaStar`: an optimum beyond this multiple of the start counts as none.
    pub reach: f64,
    /// `lowerBound`: the dual objective below which the primal problem counts as unbounded.
    pub lower_bound: f64,
    /// `upperBound`: the primal objective above which the dual problem counts as unbounded.
    pub upper_bound: f64,
    /// `betaStar`: the least reduction of complementarity that a step aims at where the iterate is feasible.
    pub feasible_centring: f64,
    /// `betaBar`: the same where it is not.
    pub infeasible_centring: f64,
    /// `gammaStar`: the part of the way to the boundary that a step goes.
    pub step: f64,
    /// `epsilonDash`: the infeasibility that counts as none.
    pub feasibility: f64,
}

impl Default for Parameters {
    /// Those of SDPA, for gaps that double precision reaches.
    fn default() -> Self {
        Self {
            most_iterations: 100,
            gap: 1e-7,
            start: 100.0,
            reach: 2.0,
            lower_bound: -1e5,
            upper_bound: 1e5,
            feasible_centring: 0.1,
            infeasible_centring: 0.2,
            step: 0.9,
            feasibility: 1e-7,
        }
    }
}
