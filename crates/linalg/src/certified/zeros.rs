//! Zeros that are proved.
//!
//! **Theorem.** Let row `i` of `A` and `b` be integers times `2^(l_i)`. By Cramer's rule an entry
//! of the solution is `det A_j / det A`, where `A_j` has `b` for its column `j`. Its numerator is
//! an integer times `2^(Σ l_i)`, and `|det A|` is at most the product of the Euclidean norms of the
//! rows of `A` (Hadamard). So an entry that is smaller than `2^(Σ l_i) / Π ‖a_i‖₂` in magnitude is
//! zero.

use super::magnitude::Magnitude;
use super::residual::lowest_bit;
use super::system::System;

/// The size below which entries are zero, by its parts: `2^(2·Σ l_i)` and `Π ‖a_i‖₂²`.
pub(super) struct Zeros {
    unit: i64,
    determinant: Magnitude,
}

impl Zeros {
    /// For a right-hand side of a system that is held exactly.
    pub(super) fn new(system: &System, right: usize) -> Self {
        let n = system.order();
        let (mut unit, mut determinant) = (0, Magnitude::power(0));
        for i in 0..n {
            let row = system.rows.column(i);
            let entries = (0..n).map(|k| row.entry(k)).chain([system.rights.entry(i, right)]);
            unit += entries.filter_map(lowest_bit).min().unwrap_or(0);
            let square =
                |k: usize| Magnitude::above(row.entry(k)).times(Magnitude::above(row.entry(k)));
            determinant =
                determinant.times((0..n).map(square).fold(Magnitude::ZERO, Magnitude::plus));
        }
        Self { unit: 2 * unit, determinant }
    }

    /// Whether an entry with this bound of its magnitude is zero.
    pub(super) fn include(&self, bound: Magnitude) -> bool {
        bound.times(bound).times(self.determinant).less(Magnitude::power(self.unit))
    }
}
