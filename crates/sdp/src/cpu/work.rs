//! What the Schur complement of a program costs, known before it is formed.

use nonius_linalg::Number;

use super::formula;
use super::sparsity::{SPARSE_COST, Sparsity};
use crate::cone::{Diagonal, Program};

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
        let m = program.constraints() as f64;
        let (factor, numbers) = match Sparsity::new(program) {
            None => (m.powi(3) / 6.0, m * m),
            Some(Sparsity { symbolic, .. }) => {
                let numbers = symbolic.lower().entries() as f64 + symbolic.stored();
                (SPARSE_COST * symbolic.multiplications(), numbers)
            }
        };
        let formation = column_costs(program, limbs).iter().sum();
        Self { formation, factor, numbers }
    }
}

/// What forms each column of the Schur complement of a program with numbers of `limbs` limbs, from
/// 1 to 4: multiplications of single entries, or what takes as long.
pub fn column_costs<T: Number>(program: &Program<T>, limbs: usize) -> Vec<f64> {
    let mut columns = vec![0.0; program.constraints()];
    for square in program.squares() {
        let costs = formula::costs(square, limbs.clamp(1, 4));
        for (&constraint, (_, cost)) in square.constraints.iter().zip(costs) {
            columns[constraint as usize] += cost;
        }
    }
    let Diagonal { starts, constraints, second_order, .. } = program.diagonal();
    for row in starts.windows(2) {
        // With each one from this on; `F₀` is behind all constraints.
        for (entry, &constraint) in constraints.iter().enumerate().take(row[1]).skip(row[0]) {
            if let Some(cost) = columns.get_mut(constraint as usize) {
                *cost += (row[1] - entry) as f64;
            }
        }
    }
    for (number, part) in second_order.parts.iter().enumerate() {
        // Two products for each pair of constraints.
        columns[part.constraint as usize] += 2.0 * second_order.from(number).len() as f64;
    }
    columns
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
