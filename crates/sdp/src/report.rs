//! What a run of the solver found.

use crate::solver::{End, Phase};
use crate::{Interior, Parameters};

/// An iteration in the history.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The number of the iteration; 0 for the start.
    pub number: u64,
    /// `μ = X•Y/n`.
    pub mu: f64,
    /// The largest entry of `|Σ xᵢ·Fᵢ − F₀ − X|`, and `max |cᵢ − Fᵢ•Y|`, relative to one more than
    /// the largest magnitude in `F₀` and in `c`.
    pub infeasibilities: [f64; 2],
    /// `c·x` and `F₀•Y`.
    pub objectives: [f64; 2],
    /// `|c·x − F₀•Y| / max(1, (|c·x| + |F₀•Y|)/2)`.
    pub relative_gap: f64,
    /// The reduction of `μ` that was aimed at; NaN for the start.
    pub centring: f64,
    /// The steps in `X` and in `Y`.
    pub steps: [f64; 2],
    /// Seconds since the run began.
    pub seconds: f64,
    /// The name of the precision.
    pub precision: String,
}

/// The outcome of a run, without the solution.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// What the solver says of the problem.
    pub phase: Phase,
    /// Why the run ended.
    pub end: End,
    /// The number of iterations.
    pub iterations: u64,
    /// `μ = X•Y/n`.
    pub mu: f64,
    /// `c·x` and `F₀•Y`, as decimals at full precision.
    pub objectives: [String; 2],
    /// `c·x − F₀•Y`.
    pub gap: f64,
    /// `|c·x − F₀•Y| / max(1, (|c·x| + |F₀•Y|)/2)`.
    pub relative_gap: f64,
    /// The largest entry of `|Σ xᵢ·Fᵢ − F₀ − X|`, and `max |cᵢ − Fᵢ•Y|`.
    pub infeasibilities: [f64; 2],
    /// The six errors of the seventh DIMACS implementation challenge, with (D) as its primal
    /// problem (H. D. Mittelmann, Mathematical Programming 95, 2003).
    pub dimacs_errors: [f64; 6],
    /// How far the feasible points reach into the cone.
    pub interior: Interior,
    /// How many equality constraints were eliminated before, and how many were left as two rows
    /// each; see [`equalities`](crate::equalities).
    pub equalities: [usize; 2],
    /// The seconds that the run took.
    pub seconds: f64,
    /// The name of the precision.
    pub precision: String,
    /// The unit roundoff.
    pub unit_roundoff: f64,
    /// The parameters of the solver.
    pub parameters: Parameters,
    /// All iterations.
    pub history: Vec<Row>,
}
