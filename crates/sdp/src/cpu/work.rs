//! What the Schur complement of a program costs, known before it is formed.

use nonius_linalg::Number;

use super::formula;
use super::sparsity::{SPARSE_COST, Sparsity};
use crate::cone::Program;

/// What forming and factoring a Schur complement takes on the host, by the formulas and the pattern
/// that it chooses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SchurWork {
    /// Multiplications of single entries, or what takes as long, that form it.
    pub formation: f64,
    /// Multiplications of a dense Cholesky factorisation, or what takes as long.
    pub factor: f64,
    /// Numbers that it and its factor have.
    pub numbers: f64,
}

impl SchurWork {
    /// The work of a program with numbers of `limbs` limbs, from 1 to 4.
    pub fn of<T: Number>(program: &Program<T>, limbs: usize) -> Self {
        let limbs = limbs.clamp(1, 4);
        let squares = program.squares().iter();
        let of_squares: f64 =
            squares.flat_map(|square| formula::costs(square, limbs)).map(|(_, cost)| cost).sum();
        let starts = program.diagonal().starts.windows(2);
        let of_rows: f64 = starts.map(|pair| ((pair[1] - pair[0]) as f64).powi(2) / 2.0).sum();
        // Two products for each pair of constraints.
        let cones = program.diagonal().second_order.cones.iter();
        let of_cones: f64 = cones.map(|cone| (cone.parts.len() as f64).powi(2)).sum();
        let m = program.constraints() as f64;
        let (factor, numbers) = match Sparsity::new(program) {
            None => (m.powi(3) / 6.0, m * m),
            Some(Sparsity { symbolic, .. }) => {
                let numbers = symbolic.lower().entries() as f64 + symbolic.stored();
                (SPARSE_COST * symbolic.multiplications(), numbers)
            }
        };
        Self { formation: of_squares + of_rows + of_cones, factor, numbers }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cone::Place;

    /// Constraints of one entry each on the diagonal of a large square, or each in a block of its
    /// own.
    fn program(m: u32, is_one: bool) -> Program<f64> {
        let place = |k: u32| match is_one {
            true => [Place { block: 0, matrix: k + 1, col: k, row: k }; 1].to_vec(),
            false => {
                let at = |i: u32| Place { block: k, matrix: k + 1, col: 1, row: i };
                vec![at(0), at(1)]
            }
        };
        let places: Vec<Place> = (0..m).flat_map(place).collect();
        let orders = if is_one { vec![100_000] } else { vec![2; m as usize] };
        Program::new(vec![1.0; m as usize], &orders, 0, &places, &vec![1.0; places.len()]).unwrap()
    }

    #[test]
    fn counts_of_dense_and_sparse_complements() {
        let m = 50.0;
        let dense = SchurWork::of(&program(50, true), 2);
        // Entry by entry: products with matrices of this order cost more.
        assert_eq!(dense.formation, m * (m + 1.0) / 2.0);
        assert_eq!((dense.factor, dense.numbers), (m * m * m / 6.0, m * m));
        // A diagonal matrix, whose rows are factored in small groups.
        let m = 2000.0;
        let sparse = SchurWork::of(&program(2000, false), 2);
        assert!(sparse.factor <= m * m && sparse.numbers <= m * m / 10.0, "{sparse:?}");
        assert!(sparse.formation <= 20.0 * m, "{sparse:?}");
    }
}
