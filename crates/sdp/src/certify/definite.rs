//! Proofs that matrices are positive definite.
//!
//! A Cholesky factor of `A = X − σ·I` that runs through is the exact factor of a matrix within
//! `γ·tr(A)` of `A` in the norm, so that `λ(X) ≥ σ − γ·tr(A)` for every eigenvalue. A vector
//! `(t, v)` of a second-order cone has a factor where the computed `t − ‖v‖` is positive. The norm
//! is a sum with a relative error within `γ`, so that `t − ‖v‖ ≥ −γ·t`, and `t` is its part of the
//! trace.
//!
//! A change of a matrix changes eigenvalues by no more than its norm. In a second-order cone both
//! `t` and `‖v‖` change: together by no more than `√2` times the norm.
//!
//! Source: S. M. Rump, *Verification of positive definiteness*, BIT 46, 2006.

use nonius_linalg::Error;
use nonius_num::Real;

use super::bounds::{LARGEST_MAGNITUDE, Rounding, UNDERFLOW_BOUND, up};
use crate::cone::Cone;

/// The largest `γ` of a proof: for larger matrices terms of the order `γ²` would count.
const LARGEST_GAMMA: f64 = 1e-3;

/// Not less than `√2`.
const SENSITIVITY_OF_CONES: f64 = 1.5;

/// Memory for proofs.
pub(super) struct Definite<'a, C: Cone> {
    cone: &'a C,
    rounding: Rounding,
    /// What eigenvalues change by at most where a matrix does by one in the norm.
    sensitivity: f64,
    unit: C::Blocks,
    shifted: C::Blocks,
    factor: C::Blocks,
}

impl<'a, C: Cone> Definite<'a, C> {
    pub(super) fn new(cone: &'a C, rounding: Rounding) -> Result<Self, Error> {
        let mut unit = cone.blocks()?;
        cone.identity(1.0, &mut unit);
        let (shifted, factor) = (cone.blocks()?, cone.blocks()?);
        let sensitivity = if cone.second_order().is_empty() { 1.0 } else { SENSITIVITY_OF_CONES };
        Ok(Self { cone, rounding, sensitivity, unit, shifted, factor })
    }

    /// Whether all matrices within a distance of a symmetric one in the norm are proved to be
    /// positive semidefinite.
    pub(super) fn is_beyond(&mut self, a: &C::Blocks, distance: f64) -> Result<bool, Error> {
        let (cone, least) = (self.cone, self.sensitivity * distance);
        let gamma = self.rounding.factor(cone.order());
        // Entries on the diagonal that are not positive make the factor fail.
        let trace = |a: &C::Blocks, unit: &C::Blocks| -> Result<f64, Error> {
            Ok(up(cone.inner(a, unit)?.to_f64().abs()))
        };
        let estimate = gamma * trace(a, &self.unit)?;
        let shift = 1.125 * least + 4.0 * estimate + 2.0 * UNDERFLOW_BOUND;
        if !(shift < LARGEST_MAGNITUDE && least >= 0.0) {
            return Ok(false);
        }
        cone.copy_blocks(a, &mut self.shifted);
        cone.add_blocks(-shift, &self.unit, &mut self.shifted);
        if !cone.factor(&self.shifted, &mut self.factor)? {
            return Ok(false);
        }
        // Entries of the diagonal were rounded too, and sums of them.
        let trace = up(trace(&self.shifted, &self.unit)? * (1.0 + gamma));
        let lost = up(gamma * trace + self.rounding.sum(2) * (trace + 2.0 * shift));
        Ok(gamma < LARGEST_GAMMA && trace < LARGEST_MAGNITUDE && shift - lost >= up(least))
    }
}
