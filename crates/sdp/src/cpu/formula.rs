//! How a column of the Schur complement is computed.
//!
//! With `Fᵢ•(U·Fⱼ·V)` for a fixed `j` and all `i` from `j` on, `r` the number of rows of `Fⱼ` that
//! are not zero, `e` of its entries that are not, and `s` that of all `Fᵢ` together, of order `n`:
//!
//! - [`SchurFormula::Full`]: `G = Fⱼ·V` in its `r` rows, then `U·G`, a product of matrices, then
//!   sums over the entries of `Fᵢ`: `e·n + r·n² + s`;
//! - [`SchurFormula::Half`]: `G`, then an entry of `U·G` for each one of `Fᵢ`: `e·n + r·s`;
//! - [`SchurFormula::Sparse`]: entries of `U` and `V` alone: `2·e·s`.
//!
//! Multiplications in products of matrices count for less than single ones, and entries of `U·G`
//! count besides; where `Fⱼ` has many entries in its rows, `G` is one too. Source: K. Fujisawa, M.
//! Kojima and K. Nakata, *Exploiting sparsity in primal-dual interior-point methods for
//! semidefinite programming*, Mathematical Programming 79, 1997, there with `r = n`.

use nonius_linalg::Element;

use crate::cone::Square;

/// How a column of the Schur complement is computed, `U·F·V` for the matrix `F` of its constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchurFormula {
    /// All of `U·Fⱼ·V`.
    Full,
    /// `Fⱼ·V`, and what is needed of the other product.
    Half,
    /// Only entries that are needed.
    Sparse,
}

/// What a multiplication costs beside one of single entries, by limbs, as measured with AVX-512: in
/// a product of matrices, in a sum over entries that lie one after the other, and in one over those
/// of a matrix at hand; and an entry of `U·G` besides.
const PRODUCT: [f64; 5] = [0.0, 0.055, 0.018, 0.05, 0.05];
const RUN: f64 = 0.6;
const SUM: [f64; 5] = [0.0, 1.0, 0.1, 0.09, 0.08];
const EACH: [f64; 5] = [0.0, 6.5, 0.75, 0.5, 0.4];

/// Whether a matrix with `entries` entries in `rows` rows is best multiplied as if it were full in
/// these rows.
pub(super) fn is_dense(entries: f64, rows: f64, limbs: usize) -> bool {
    entries > PRODUCT[limbs] * rows * rows && rows > 8.0
}

/// The cheapest formula for each constraint of a square.
pub(super) fn choose<T: Element>(square: &Square<T>, limbs: usize) -> Vec<SchurFormula> {
    costs(square, limbs).into_iter().map(|(formula, _)| formula).collect()
}

/// The cheapest formula for each constraint of a square, and what it costs in multiplications of
/// single entries.
pub(super) fn costs<T: Element>(square: &Square<T>, limbs: usize) -> Vec<(SchurFormula, f64)> {
    let count = square.constraints.len();
    let n = square.order as f64;
    let mut formulas = vec![(SchurFormula::Sparse, 0.0); count];
    // Entries of this constraint and all behind, mirror images included.
    let mut behind = 0.0;
    let mut is_counted = vec![usize::MAX; square.order];
    for k in (0..count).rev() {
        let (mut entries, mut rows) = (0, 0);
        for e in square.starts[k]..square.starts[k + 1] {
            let (row, col) = (square.entries.rows[e] as usize, square.entries.cols[e] as usize);
            entries += if row == col { 1 } else { 2 };
            for index in [row, col] {
                if is_counted[index] != k {
                    is_counted[index] = k;
                    rows += 1;
                }
            }
        }
        let (entries, rows) = (f64::from(entries), f64::from(rows));
        behind += entries;
        let left =
            n * if is_dense(entries, rows, limbs) { PRODUCT[limbs] * rows * rows } else { entries };
        let costs = [
            (SchurFormula::Sparse, entries * behind),
            (SchurFormula::Half, left + RUN * rows * behind),
            (
                SchurFormula::Full,
                left + (EACH[limbs] + PRODUCT[limbs] * rows) * n * n + SUM[limbs] * behind,
            ),
        ];
        let least = costs.into_iter().min_by(|x, y| x.1.total_cmp(&y.1));
        formulas[k] = least.unwrap_or((SchurFormula::Sparse, 0.0));
    }
    formulas
}
