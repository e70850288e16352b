//! What a point says against solutions.
//!
//! With norms `Nᵢ` such that `|Fᵢ•Y| ≤ Nᵢ·max|Y|`, and `P = Σ xᵢ·Fᵢ − F₀ − X`:
//!
//! - every `x̂` that is feasible for (P) has `F₀•Y ≤ Σ x̂ᵢ·(Fᵢ•Y)`, so that
//!   `Σ |x̂ᵢ|·Nᵢ ≥ F₀•Y / maxᵢ(|Fᵢ•Y|/Nᵢ)`;
//! - every `Ŷ` that is feasible for (D) has `c·x = (X + F₀ + P)•Ŷ ≥ (F₀ + P)•Ŷ`, so that the sum of
//!   its magnitudes is not below `−c·x / (max|F₀| + max|P|)`.
//!
//! Both bounds are taken less what rounding may have made of them, and relative to the size that
//! the data let expect, `max|F₀|` and `maxᵢ(|cᵢ|/Nᵢ)`: they are the same in any units of
//! constraints and objectives. Where one is large beyond all that a precision can tell, and the
//! point's own `Σ |xᵢ|·Nᵢ` or `max|Y|` far less, its problem has no feasible point or none within
//! reach.

use nonius_linalg::Error;
use nonius_num::Real;

use crate::cone::Cone;

/// Where rounding may make more than this part of what is to be met, a small residual says nothing.
const NOISE: f64 = 1.0 / 16.0;

/// Sizes of a problem's data.
#[derive(Clone, Debug)]
pub(super) struct Sizes {
    /// `Nᵢ`, in a cone's order of constraints.
    norms: Vec<f64>,
    /// `cᵢ`.
    objective: Vec<f64>,
    /// `max|F₀|`.
    constant: f64,
    /// `maxᵢ(|cᵢ|/Nᵢ)`.
    dual: f64,
}

/// What is known of a point, in `f64`.
#[derive(Debug)]
pub(super) struct Known {
    /// `x`.
    pub(super) x: Vec<f64>,
    /// `Fᵢ•Y`.
    pub(super) products: Vec<f64>,
    /// `c·x` and `F₀•Y`.
    pub(super) objectives: [f64; 2],
    /// `max|P|`.
    pub(super) primal_residual: f64,
    /// `max|Y|`.
    pub(super) dual: f64,
    /// The order of `Y`.
    pub(super) order: f64,
}

impl Sizes {
    /// Those of a cone's program with this `max|F₀|`; the matrix is overwritten.
    pub(super) fn new<C: Cone>(
        cone: &C,
        constant: f64,
        work: &mut C::Blocks,
    ) -> Result<Self, Error> {
        cone.identity(1.0, work);
        let norms: Vec<f64> = cone.schur_sizes(work, work)?.into_iter().map(f64::sqrt).collect();
        let objective = cone.download_vector(cone.objective())?;
        let objective: Vec<f64> = objective.as_slice().iter().map(C::Number::to_f64).collect();
        let dual = largest(objective.iter().zip(&norms).map(|(c, n)| c.abs() / n));
        Ok(Self { norms, objective, constant, dual })
    }

    /// How many times larger than expected solutions of (P) and of (D) have to be at least, by a
    /// point, zero where it says nothing; and how many times larger the point's `x` and `Y` are, at
    /// least one.
    pub(super) fn absence(&self, point: &Known, roundoff: f64) -> [[f64; 2]; 2] {
        let [primal_objective, dual_objective] = point.objectives;
        let of_x = self.of_x(point);
        let terms = point.order * point.order;
        let above = dual_objective - roundoff * terms * self.constant * point.dual;
        let product = largest(point.products.iter().zip(&self.norms).map(|(p, n)| p.abs() / n));
        let primal = ratio(above, product + roundoff * point.dual, self.constant);
        let sum: f64 = self.objective.iter().zip(&point.x).map(|(c, x)| (c * x).abs()).sum();
        let above = -primal_objective - roundoff * self.norms.len() as f64 * sum;
        let below = self.constant + point.primal_residual + roundoff * of_x;
        let larger = |size: f64, expected: f64| ratio(size, 1.0, expected).max(1.0);
        let sizes = [larger(of_x, self.constant), larger(point.dual, self.dual)];
        [[primal, ratio(above, below, self.dual)], sizes]
    }

    /// What rounding may make of both residuals, `u·Σ |xᵢ|·Nᵢ` and `u·Nᵢ·max|Y|`, where that may
    /// be more than a part of `max|F₀|` and of `cᵢ`: all that was to be met.
    pub(super) fn noise(&self, point: &Known, roundoff: f64) -> [f64; 2] {
        let spoilt = |noise: f64, whole: f64| {
            if whole != 0.0 && noise > NOISE * whole.abs() { noise } else { 0.0 }
        };
        let of_dual = self.norms.iter().zip(&self.objective);
        let of_dual = of_dual.map(|(n, &c)| spoilt(roundoff * n * point.dual, c));
        [spoilt(roundoff * self.of_x(point), self.constant), largest(of_dual)]
    }

    /// `Σ |xᵢ|·Nᵢ`.
    fn of_x(&self, point: &Known) -> f64 {
        point.x.iter().zip(&self.norms).map(|(x, n)| x.abs() * n).sum()
    }
}

/// The largest one; infinite where one is no number.
fn largest(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |x, y| if y.is_nan() { f64::INFINITY } else { y.max(x) })
}

/// A bound of a solution over the size expected.
fn ratio(above: f64, below: f64, expected: f64) -> f64 {
    let ratio = above / below / expected;
    if above > 0.0 && !ratio.is_nan() { ratio } else { 0.0 }
}
