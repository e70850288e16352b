//! Bounds of rounding errors.
//!
//! Every bound here holds with room to spare: what is verified is verified in about twice the
//! precision that the point has, so that a factor of a million costs nothing. Bounds are computed
//! in `f64`, and rounded up by [`up`].

/// Numbers beyond this magnitude are not dealt with: below it, what leaves the range of exponents
/// is less than [`UNDERFLOW_BOUND`].
pub(super) const LARGEST_MAGNITUDE: f64 = 1e40;
/// A bound of all that is lost below the range of exponents: terms of `2⁻¹⁰²²`, a few for each of
/// at most `10¹²` operations, times `10⁴⁰`.
pub(super) const UNDERFLOW_BOUND: f64 = 1e-250;

/// A bound that rounding has made smaller by up to `2¹²` units, made large enough again.
pub(super) fn up(x: f64) -> f64 {
    x * (1.0 + 0.5_f64.powi(40)) + UNDERFLOW_BOUND
}

/// A bound of the root of a sum of squares.
pub(super) fn norm(squares: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for x in squares {
        // A square below the range would be lost.
        sum += (x.abs() + UNDERFLOW_BOUND.sqrt()).powi(2);
        count += 1.0;
    }
    up(sum.sqrt() * (1.0 + count * f64::EPSILON))
}

/// The largest power of two not above `1/x`, within the range of exponents; 1 where there is none.
pub(super) fn power_below(x: f64) -> f64 {
    let exponent = (-x.log2()).floor();
    if exponent.is_finite() { exponent.clamp(-900.0, 900.0).exp2() } else { 1.0 }
}

/// What is known of the rounding of a cone's numbers.
///
/// The constants are more than ten times those that the conformance suite of cones allows a
/// backend.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rounding {
    /// The unit roundoff `u`.
    pub(super) unit: f64,
}

impl Rounding {
    /// `γ` in the bound `|fl(Σxᵢyᵢ) − Σxᵢyᵢ| ≤ γ·Σ|xᵢ||yᵢ|` for a sum of `terms` products, in any
    /// order, of numbers that were each rounded once before.
    pub(super) fn sum(self, terms: usize) -> f64 {
        up(64.0 * (terms as f64 + 16.0) * self.unit)
    }

    /// `γ` in the bound `‖A − L·Lᵀ‖₂ ≤ γ·tr(A)` for a computed Cholesky factor of order `n`.
    ///
    /// Entry by entry `|A − L·Lᵀ| ≤ γₙ·|L||Lᵀ|` with `γₙ = O(n)·u` (N. J. Higham, *Accuracy and
    /// Stability of Numerical Algorithms*, 2nd ed., Theorem 10.3), or by products that are accurate
    /// beside the lengths of the factors' rows `ℓᵢ` alone `|A − L·Lᵀ|ᵢⱼ ≤ γₙ·‖ℓᵢ‖‖ℓⱼ‖`, the weaker
    /// of the two. So `‖ℓᵢ‖² ≤ aᵢᵢ/(1 − γₙ)`, and the norm is not above `γₙ·Σ‖ℓᵢ‖²` (S. M. Rump,
    /// *Verification of positive definiteness*, BIT 46, 2006). The factor `n` beyond `O(n)` is room
    /// for backends that truncate by blocks.
    pub(super) fn factor(self, order: usize) -> f64 {
        up(64.0 * (order as f64 + 16.0).powi(2) * self.unit)
    }
}
