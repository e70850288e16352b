//! What is known of a point.

/// Complementarity, objectives and infeasibilities.
#[derive(Clone, Debug)]
pub struct Measures<N> {
    /// `X•Y/μ`: the order `n` of `X` and `Y`, in which a second-order cone counts as one.
    pub degree: f64,
    /// `X•Y`.
    pub complementarity: f64,
    /// `c·x`.
    pub primal_objective: N,
    /// `F₀•Y`.
    pub dual_objective: N,
    /// Both, rounded.
    pub objectives: [f64; 2],
    /// `c·x − F₀•Y`.
    pub gap: f64,
    /// The largest entry of `|Σ xᵢ·Fᵢ − F₀ − X|`, and `max |cᵢ − Fᵢ•Y|`.
    pub infeasibilities: [f64; 2],
    /// `‖Σ xᵢ·Fᵢ − F₀ − X‖_F` and `‖c − (Fᵢ•Y)‖₂`.
    pub residual_norms: [f64; 2],
    /// The largest magnitudes in `F₀` and in `c`.
    pub scales: [f64; 2],
    /// How many times larger than the data let expect solutions of (P) and of (D) have to be, by
    /// this point.
    pub absence: [f64; 2],
    /// How many times larger `x` and `Y` are, at least one.
    pub sizes: [f64; 2],
    /// What rounding may make of the infeasibilities, where that is as much as all that was to be
    /// met; else zero.
    pub noise: [f64; 2],
    /// The relative error of one rounding.
    pub unit_roundoff: f64,
    /// `max |xᵢ|`.
    pub of_x: f64,
}

impl<N> Measures<N> {
    /// `μ = X•Y/n`.
    pub fn mu(&self) -> f64 {
        self.complementarity / self.degree
    }

    /// `|c·x − F₀•Y| / max(1, (|c·x| + |F₀•Y|)/2)`, as SDPA has it.
    pub fn relative_gap(&self) -> f64 {
        self.gap.abs() / self.scale()
    }

    /// The same of the gap and of complementarity, whichever is more: infeasibility can make the
    /// gap small by chance.
    pub(crate) fn relative_distance(&self) -> f64 {
        self.gap.abs().max(self.complementarity) / self.scale()
    }

    /// `max(1, (|c·x| + |F₀•Y|)/2)`
    pub(crate) fn scale(&self) -> f64 {
        let [primal, dual] = self.objectives.map(f64::abs);
        f64::midpoint(primal, dual).max(1.0)
    }

    /// The infeasibilities, primal and dual, over one more than the largest magnitude in `F₀` and
    /// in `c`.
    pub fn relative_infeasibilities(&self) -> [f64; 2] {
        core::array::from_fn(|i| self.infeasibilities[i] / (1.0 + self.scales[i]))
    }

    /// What infeasibility makes of the gap: where `x` is feasible
    /// `c·x − F₀•Y = X•Y + Σ xᵢ·(cᵢ − Fᵢ•Y)`.
    pub(super) fn gap_of_infeasibility(&self) -> f64 {
        (self.gap - self.complementarity).abs()
    }

    /// The six errors of the seventh DIMACS implementation challenge, with (D) as its primal
    /// problem. The second and the fourth, which eigenvalues below zero make, are zero: `X` and `Y`
    /// are positive definite.
    ///
    /// Source: H. D. Mittelmann, *An independent benchmarking of SDP and SOCP solvers*,
    /// Mathematical Programming 95, 2003.
    pub fn dimacs_errors(&self) -> [f64; 6] {
        let [primal, dual] =
            core::array::from_fn(|i| self.residual_norms[i] / (1.0 + self.scales[i]));
        let objectives = 1.0 + self.objectives[0].abs() + self.objectives[1].abs();
        [dual, 0.0, primal, 0.0, self.gap / objectives, self.complementarity / objectives]
    }

    /// Whether all that is measured is a number.
    pub fn is_finite(&self) -> bool {
        let [primal, dual] = self.infeasibilities;
        [self.complementarity, self.gap, primal, dual].iter().all(|x| x.is_finite())
    }
}
