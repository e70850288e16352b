//! What bounds need to know of a program: norms of its matrices.

use super::bounds::{UNDERFLOW_BOUND, norm, up};
use crate::cone::Program;

/// Bounds of norms from above.
#[derive(Clone, Debug)]
pub(super) struct Data {
    /// `‖F₀‖_F`
    pub(super) constant: f64,
    /// `‖Fᵢ‖_F`
    pub(super) matrices: Vec<f64>,
    /// `|cᵢ|`
    pub(super) objective: Vec<f64>,
    /// The most terms of a sum `Fᵢ•Y`, `F₀•Y`, `Σ xᵢ·Fᵢ − F₀` or `c·x`.
    pub(super) terms: usize,
}

impl Data {
    /// Those of a program of decimal numbers, each of which was rounded to the nearest `f64`.
    pub(super) fn new(program: &Program<f64>) -> Self {
        let m = program.constraints();
        let (mut sums, mut counts) = (vec![0.0; m + 1], vec![0_usize; m + 1]);
        each(program, |k, weight, value| {
            let value = value.abs().max(UNDERFLOW_BOUND.sqrt());
            sums[k] += weight * value * value;
            counts[k] += weight as usize;
        });
        let norm_of = |(sum, count): (&f64, &usize)| {
            up(up(sum.sqrt()) * (1.0 + (*count as f64 + 2.0) * f64::EPSILON))
        };
        let mut matrices: Vec<f64> = sums.iter().zip(&counts).map(norm_of).collect();
        let constant = matrices.pop().unwrap_or(0.0);
        Self {
            constant,
            matrices,
            objective: program.objective().plain().iter().map(|c| up(c.abs())).collect(),
            terms: counts.into_iter().max().unwrap_or(0).max(m + 1),
        }
    }

    /// A bound of `Σ|xᵢ|·‖Fᵢ‖_F + ‖F₀‖_F`.
    pub(super) fn combination(&self, x: &[f64]) -> f64 {
        let products = x.iter().zip(&self.matrices).map(|(x, norm)| x.abs() * norm);
        let sum = products.fold(self.constant, |sum, product| sum + product);
        up(sum * (1.0 + x.len() as f64 * f64::EPSILON))
    }

    /// A bound of `‖c‖₂`.
    pub(super) fn objective_norm(&self) -> f64 {
        norm(self.objective.iter().copied())
    }
}

/// Calls `f` with the matrix (the number of constraints for `F₀`), how often it stands in the
/// matrix, and the value of every entry.
fn each(program: &Program<f64>, mut f: impl FnMut(usize, f64, f64)) {
    let m = program.constraints();
    for square in program.squares() {
        let entries = &square.entries;
        for k in 0..square.starts.len() - 1 {
            let matrix = square.constraints.get(k).map_or(m, |&k| k as usize);
            for e in square.starts[k]..square.starts[k + 1] {
                let weight = if entries.rows[e] == entries.cols[e] { 1.0 } else { 2.0 };
                f(matrix, weight, entries.values.at(e));
            }
        }
    }
    let diagonal = program.diagonal();
    for (&k, &value) in diagonal.constraints.iter().zip(diagonal.values.plain()) {
        f(k as usize, 1.0, value);
    }
}
