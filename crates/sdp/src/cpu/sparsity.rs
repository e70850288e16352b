//! Whether the Schur complement of a program is sparse: an entry of row `i` and column `j` is zero
//! unless the constraints `i` and `j` share a block: a square, a second-order cone, or a row of the
//! diagonal block that is none of a cone.

use nonius_linalg::Number;
use nonius_linalg::sparse::cholesky::{Cliques, Limits, Symbolic};

use crate::cone::{Program, Rows};

/// What a multiplication of a sparse factorisation costs beside one of a dense one: by measurement
/// 1.3 to 2.9, the less the nearer a pattern is to a full one.
pub(super) const SPARSE_COST: f64 = 2.0;

/// A sparse Schur complement's pattern.
#[derive(Clone, Debug)]
pub(super) struct Sparsity {
    pub(super) symbolic: Symbolic,
    /// The blocks of the constraints.
    blocks: Cliques,
    squares: u32,
}

impl Sparsity {
    /// `None` where a dense factorisation takes no longer or no more memory. Where a block has
    /// nearly all constraints this is found at once.
    pub(super) fn new<T: Number>(program: &Program<T>) -> Option<Self> {
        let m = program.constraints();
        let order = m as f64;
        let (squares, diagonal) = (program.squares(), program.diagonal());
        let row = |i: usize| {
            let all = &diagonal.constraints[diagonal.starts[i]..diagonal.starts[i + 1]];
            &all[..all.partition_point(|&constraint| (constraint as usize) < m)]
        };
        let cones = &diagonal.second_order;
        let of_cone = |cone: &Rows| -> Vec<u32> {
            cone.parts.iter().map(|&part| cones.parts[part as usize].constraint).collect()
        };
        let of_cones: Vec<Vec<u32>> = cones.cones.iter().map(of_cone).collect();
        let rows = cones.cones.first().map_or(diagonal.order, |cone| cone.rows.start);
        let first =
            squares.iter().map(|s| &s.constraints[..]).chain(of_cones.iter().map(|s| &s[..]));
        let sets = first.chain((0..rows).map(row));
        // The constraints of a block have a dense factor of their own.
        let largest = sets.clone().map(<[u32]>::len).max()?;
        if largest as f64 * SPARSE_COST.cbrt() >= order {
            return None;
        }
        let blocks = Cliques::new(m, sets)?;
        let set = |number: usize| match squares.get(number) {
            Some(square) => &square.constraints[..],
            None => match of_cones.get(number - squares.len()) {
                Some(constraints) => &constraints[..],
                None => row(number - squares.len() - of_cones.len()),
            },
        };
        // Elimination takes at least half the sum of the squares of the columns' numbers of
        // entries. So columns of `most` entries in all take at least `operations`.
        let operations = order.powi(3) / 6.0 / SPARSE_COST;
        let most = (2.0 * order * operations).sqrt() as usize;
        let limits = Limits { entries: m.saturating_mul(m), operations };
        let symbolic = Symbolic::new(blocks.lower(set, most)?, limits)?;
        Some(Self { symbolic, blocks, squares: u32::try_from(squares.len()).ok()? })
    }

    /// The squares of a constraint, ascending, and its number in each.
    pub(super) fn squares(&self, constraint: usize) -> impl Iterator<Item = (usize, usize)> {
        let squares = self.blocks.of(constraint).iter();
        let squares = squares.take_while(|&&(number, _)| number < self.squares);
        squares.map(|&(number, at)| (number as usize, at as usize))
    }
}

/// Where the entry of a row is in a column with these rows, beyond where it has none; found fastest
/// for one row after the other.
pub(super) fn places(rows: &[u32]) -> impl FnMut(usize) -> usize {
    let mut next = 0;
    move |i| {
        let is_row = |place: usize| rows.get(place).is_some_and(|&row| row as usize == i);
        if !is_row(next) {
            next = rows.partition_point(|&row| (row as usize) < i);
            if !is_row(next) {
                return usize::MAX;
            }
        }
        next += 1;
        next - 1
    }
}

#[cfg(test)]
mod tests {
    use std::sync::OnceLock;

    use super::*;
    use crate::cone::Cone;
    use crate::cone::Place;
    use crate::cpu::{CpuCone, Schur};
    use nonius_linalg::backend::Cpu;
    use nonius_linalg::mp::{Bits, Mp};
    use nonius_linalg::{Matrix, Numbers};
    use nonius_num::{Dd, Real};

    /// A program with squares of order 3 and rows of the diagonal block that have these
    /// constraints, and `F₀` in each row.
    fn program<T: Number>(
        format: T::Format,
        m: usize,
        (squares, rows): (&[Vec<u32>], &[Vec<u32>]),
    ) -> Program<T> {
        let mut places = Vec::new();
        for (block, set) in (0..).zip(squares) {
            for &i in set {
                places.push(Place { block, matrix: i + 1, col: 1 + i % 2, row: 1 });
                places.push(Place { block, matrix: i + 1, col: 2, row: 0 });
            }
        }
        let block = squares.len() as u32;
        for (row, set) in (0..).zip(rows) {
            let matrices = set.iter().map(|i| i + 1).chain([0]);
            places.extend(matrices.map(|matrix| Place { block, matrix, col: row, row }));
        }
        let mut values = Numbers::zeros(format, places.len());
        (0..places.len()).for_each(|i| values.set(i, T::from_f64(1.0 / (i as f64 - 2.5))));
        let orders = vec![3; squares.len()];
        Program::new(Numbers::zeros(format, m), &orders, rows.len(), &places, &values).unwrap()
    }

    fn limbs(m: usize, sets: (&[Vec<u32>], &[Vec<u32>])) -> Program<Dd> {
        program((), m, sets)
    }

    fn chain(m: usize) -> (Vec<Vec<u32>>, Vec<Vec<u32>>) {
        let m = m as u32;
        let links = |step: u32| (0..m - step).map(|i| vec![i, i + step]).collect();
        (links(1), links(3))
    }

    #[test]
    fn what_is_sparse_is_found() {
        let is_sparse = |m: usize, squares: &[Vec<u32>], rows: &[Vec<u32>]| {
            Sparsity::new(&limbs(m, (squares, rows))).is_some()
        };
        for m in [60, 61, 300] {
            let (squares, rows) = chain(m);
            let all: Vec<u32> = (0..m as u32).collect();
            let most = all[..m * 9 / 10].to_vec();
            assert!(is_sparse(m, &squares, &rows), "{m}");
            assert!(is_sparse(m, &squares, &[]), "{m}");
            assert!(is_sparse(m, &[], &rows), "{m}");
            assert!(is_sparse(m, &[all[..m / 10].to_vec()], &[]), "{m}");
            for dense in [&all, &most] {
                assert!(!is_sparse(m, core::slice::from_ref(dense), &rows), "{m}");
                assert!(!is_sparse(m, &squares, core::slice::from_ref(dense)), "{m}");
            }
            let pairs = (0..m as u32).flat_map(|i| (0..i).map(move |j| vec![j, i]));
            let pairs: Vec<Vec<u32>> =
                pairs.filter(|pair| (pair[0] * pair[0] + 3 * pair[1]) % 7 < 4).collect();
            assert!(!is_sparse(m, &pairs, &[]), "{m}");
        }
        assert!(!is_sparse(0, &[], &[]));
        assert!(!is_sparse(0, &[vec![]], &[vec![]]));
        assert!(!is_sparse(4, &[vec![0], vec![1], vec![2], vec![3]], &[]));
    }

    #[test]
    fn squares_of_constraints_are_found() {
        let (squares, rows) = chain(80);
        let sparsity = Sparsity::new(&limbs(80, (&squares, &rows))).unwrap();
        for i in 0..80 {
            let found: Vec<(usize, usize)> = sparsity.squares(i).collect();
            let has = |s: usize| squares[s].iter().position(|&j| j as usize == i).map(|k| (s, k));
            assert_eq!(found, (0..79).filter_map(has).collect::<Vec<_>>(), "{i}");
        }
    }

    #[test]
    fn places_are_found_in_any_order() {
        let rows = [2, 3, 5, 8, 9, 20];
        let mut place = places(&rows);
        for i in [2, 3, 8, 9, 4, 20, 21, 2, 0, 5, 5, 30, 20] {
            let expected = rows.iter().position(|&row| row == i as u32).unwrap_or(usize::MAX);
            assert_eq!(place(i), expected, "{i}");
        }
        assert_eq!(places(&[])(0), usize::MAX);
    }

    /// Entries are those of the dense complement, bit for bit.
    #[test]
    fn sparse_and_dense_have_the_same_entries() {
        let m = 70;
        let (squares, rows) = chain(m);
        let sets = (&squares[..], &rows[..]);
        let parts: Vec<usize> = squares.iter().map(|_| 9).chain([rows.len()]).collect();
        // Symmetric squares.
        let entry = |part: usize, at: usize| {
            let at =
                if part < squares.len() { (at % 3).min(at / 3) + (at % 3).max(at / 3) } else { at };
            1.0 / (1.5 + (part % 7) as f64 + at as f64)
        };

        let mut cone = CpuCone::new(limbs(m, sets), Cpu::default());
        let numbers = |(part, &count): (usize, &usize)| {
            (0..count).map(|at| Dd::from_f64(entry(part, at)) / Dd::from_f64(3.0)).collect()
        };
        let u: Vec<Vec<Dd>> = parts.iter().enumerate().map(numbers).collect();
        let u = cone.upload_blocks(&u).unwrap();
        let mut b = cone.schur().unwrap();
        cone.form_schur(&u, &u, &mut b);
        let Schur::Sparse(b) = b else { panic!("a chain is sparse") };
        let mut found = Matrix::zeros(m, m);
        b.entries().for_each(|(i, j, value)| found[(i, j)] = value);
        cone.sparsity = OnceLock::from(None);
        let mut b = cone.schur().unwrap();
        cone.form_schur(&u, &u, &mut b);
        let Schur::Dense(b) = b else { panic!("nothing is known of a pattern") };
        (0..m).for_each(|j| assert_eq!(b.col(j)[j..], found.col(j)[j..], "column {j}"));

        let bits = Bits::new(130).unwrap();
        let number = |x| Mp::from_f64(bits, x);
        let mut cone = CpuCone::new(program(bits, m, sets), Cpu::default());
        let numbers = |(part, &count): (usize, &usize)| {
            let mut numbers = Numbers::zeros(bits, count);
            (0..count).for_each(|at| numbers.set(at, number(entry(part, at)) / number(3.0)));
            numbers
        };
        let u: Vec<Numbers<Mp>> = parts.iter().enumerate().map(numbers).collect();
        let u = cone.upload_blocks(&u).unwrap();
        let mut b = cone.schur().unwrap();
        cone.form_schur(&u, &u, &mut b);
        let Schur::Sparse(b) = b else { panic!("a chain is sparse") };
        let mut found = vec![number(0.0); m * m];
        b.entries().for_each(|(i, j, value)| found[i + j * m] = value);
        cone.sparsity = OnceLock::from(None);
        let mut b = cone.schur().unwrap();
        cone.form_schur(&u, &u, &mut b);
        let Schur::Dense(b) = b else { panic!("nothing is known of a pattern") };
        for (i, j) in (0..m).flat_map(|j| (j..m).map(move |i| (i, j))) {
            assert!(b.entry(i, j).to_mp(bits) == found[i + j * m], "({i}, {j})");
        }
    }
}
