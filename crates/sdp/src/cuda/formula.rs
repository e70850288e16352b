//! How a column of the Schur complement is computed.
//!
//! With `Fᵢ•(U·Fⱼ·V)` for a fixed `j` and all `i` from `j` on, `e` the number of entries of `Fⱼ`
//! that are not zero, mirror images included, and `s` that of these `Fᵢ` together, of order `n`:
//!
//! - [`CudaSchurFormula::Full`]: `V·Fⱼ`, then its product with `U`, then sums over the entries of
//!   `Fᵢ`: `e·n + n³ + s` multiplications;
//! - [`CudaSchurFormula::Sparse`]: entries of `U` and `V` alone: `e·s`.
//!
//! Those in products of matrices take least time, those of single entries from anywhere in memory
//! most.

use nonius_cuda::Kind;
use nonius_linalg::{Element, Number};

use super::launch::{LONG_PAIR, THREADS};
use crate::cone::{Program, Square};

/// How a column of the Schur complement is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CudaSchurFormula {
    /// By products of matrices, those of many columns at once.
    Full,
    /// By sums over the entries of two constraints.
    Sparse,
}

/// Multiplications and additions a second of large products of matrices on an H200, by limbs; of
/// order `n` that times `n/(n + HALF_RATE_ORDER)`. Measured with matrices whose entries differ as
/// those of an iterate near the optimum do, which the direct engine multiplies.
const PRODUCT: [f64; 5] = [1.0, 9e12, 1.2e12, 3.4e11, 1.4e11];
const HALF_RATE_ORDER: [f64; 5] = [1.0, 200.0, 100.0, 60.0, 25.0];
/// Terms a second of sums whose entries come from anywhere in memory.
const SINGLE: [f64; 5] = [1.0, 1.2e11, 7e10, 4e10, 2.5e10];
/// Terms a second of one such sum, which a warp has to itself.
const ALONE: [f64; 5] = [1.0, 1.5e8, 6.3e7, 3.7e7, 2.5e7];
/// How much longer than in a product a term takes in a sum along columns.
const COLUMN_SUM_COST: f64 = 2.0;
/// Terms of a sum of [`CudaSchurFormula::Sparse`] at the most: kernels count them in 32 bits.
const MOST_TERMS: usize = 1 << 31;

/// Whether a warp shares the sum of two constraints of as many entries as they have on average.
pub(super) fn is_long<T: Element>(square: &Square<T>) -> bool {
    let (entries, count) = (square.entries.rows.len(), square.constraints.len().max(1));
    (entries / count).pow(2) >= LONG_PAIR
}

/// For how many limbs the rates are those of such numbers: the most for numbers of any precision,
/// which is no measurement.
fn costs_of(kind: Kind) -> usize {
    match kind {
        Kind::Limbs(limbs) => limbs,
        Kind::Mp(_) => 4,
    }
}

/// Seconds that each column of the Schur complement takes, as far as ranks share them.
pub(super) fn column_costs<T: Number>(program: &Program<T>) -> Vec<f64> {
    let kind = Kind::of::<T>(program.objective().format());
    let mut columns = vec![0.0; program.constraints()];
    for square in program.squares() {
        for (&constraint, (_, seconds)) in square.constraints.iter().zip(chosen(square, kind, None))
        {
            columns[constraint as usize] += seconds;
        }
    }
    columns
}

/// The formula with the least time for each constraint of a square, or `only` where it is possible.
pub(super) fn choose<T: Element>(
    square: &Square<T>,
    kind: Kind,
    only: Option<CudaSchurFormula>,
) -> Vec<CudaSchurFormula> {
    chosen(square, kind, only).into_iter().map(|(formula, _)| formula).collect()
}

/// [`choose`], and the seconds that each constraint takes.
fn chosen<T: Element>(
    square: &Square<T>,
    kind: Kind,
    only: Option<CudaSchurFormula>,
) -> Vec<(CudaSchurFormula, f64)> {
    let limbs = costs_of(kind);
    let count = square.constraints.len();
    let n = square.order as f64;
    let product = n * n * (n + HALF_RATE_ORDER[limbs]) / PRODUCT[limbs];
    let warps = count.div_ceil(THREADS) * THREADS / 32;
    let mut formulas = vec![(CudaSchurFormula::Full, 0.0); count];
    let mut full_seconds = vec![0.0; count];
    // Seconds of the columns that are sparse by sums, by products, and of sums that wait for each
    // other.
    let (mut by_sums, mut by_products, mut longest) = (0.0, 0.0, 0.0_f64);
    // Entries of this constraint and all behind, with mirror images, and the most that one has
    // without.
    let (mut behind, mut most) = (0.0, 0);
    for k in (0..count).rev() {
        let range = square.starts[k]..square.starts[k + 1];
        let own = range.len();
        let on_diagonal =
            range.filter(|&e| square.entries.rows[e] == square.entries.cols[e]).count();
        let entries = (2 * own - on_diagonal) as f64;
        behind += entries;
        most = most.max(own);
        let full =
            product + COLUMN_SUM_COST * entries * n / PRODUCT[limbs] + behind / SINGLE[limbs];
        let sparse = entries * behind / SINGLE[limbs];
        (formulas[k].1, full_seconds[k]) = (full, full);
        let is_sparse = match only {
            Some(formula) => formula == CudaSchurFormula::Sparse,
            None => sparse < full,
        };
        if is_sparse && own.checked_mul(most).is_some_and(|terms| terms < MOST_TERMS) {
            formulas[k] = (CudaSchurFormula::Sparse, sparse);
            by_sums += sparse;
            by_products += full;
            let of_one = entries * most as f64 / ALONE[limbs];
            longest = longest.max((count - k).div_ceil(warps) as f64 * of_one);
        }
    }
    // Few long sums leave most of a device idle.
    if only.is_none() && is_long(square) && longest.max(by_sums) > by_products {
        return full_seconds.into_iter().map(|full| (CudaSchurFormula::Full, full)).collect();
    }
    formulas
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cone::{Place, Program};

    /// A square in which constraint `k` has as many entries in its first rows as `entries[k]` says.
    fn square(order: u32, entries: &[usize]) -> Square<f64> {
        let mut places = Vec::new();
        for (matrix, &count) in (1..).zip(entries) {
            let all = (0..order).flat_map(|col| (0..=col).map(move |row| (row, col)));
            places.extend(all.take(count).map(|(row, col)| Place { block: 0, matrix, col, row }));
        }
        let values = vec![1.0; places.len()];
        let objective = vec![1.0; entries.len()];
        let program = Program::new(objective, &[order as usize], 0, &places, &values).unwrap();
        program.squares()[0].clone()
    }

    #[test]
    fn constraints_of_many_entries_are_multiplied() {
        let mut entries = vec![1; 500];
        entries[0] = 20_000;
        for limbs in 1..=4 {
            let formulas = choose(&square(300, &entries), Kind::Limbs(limbs), None);
            assert_eq!(formulas[0], CudaSchurFormula::Full);
            assert!(formulas[1..].iter().all(|&formula| formula == CudaSchurFormula::Sparse));
        }
    }

    #[test]
    fn a_formula_can_be_asked_for() {
        for only in [CudaSchurFormula::Full, CudaSchurFormula::Sparse] {
            assert_eq!(choose(&square(9, &[45, 3, 1]), Kind::Limbs(2), Some(only)), [only; 3]);
        }
    }
}
