//! The Schur complement `B_ij = Fᵢ•(U·Fⱼ·V)`, a column to a thread, for each column by the [formula](super::formula) that is cheapest.

use nonius_linalg::cpu::gemm::gemm;
use nonius_linalg::dense::Transpose;
use nonius_linalg::dense::gemm::Products;
use nonius_linalg::threads::{Grain, chunks, for_each};
use nonius_linalg::{Matrix, Scalar};
use nonius_num::Element;

use super::blocks::Blocks;
use super::formula::{SchurFormula, is_dense};
use super::gathered::Gathered;
use super::sparsity::{Sparsity, places};
use super::symmetric::symmetrize;
use crate::cone::{Diagonal, Entries, Program, Square};

/// Forms the lower triangle.
pub(super) fn form<T: Scalar>(
    program: &Program<T>,
    (formulas, gathered): (&[Vec<SchurFormula>], &[Gathered<T>]),
    products: Products,
    (u, v): (&Blocks<T>, &Blocks<T>),
    b: &mut Matrix<T>,
) {
    let m = program.constraints();
    if m == 0 {
        return;
    }
    let diagonal = program.diagonal();
    for_each(chunks(b.as_mut_slice(), m), Grain::ANY, |j, column| {
        column.fill(T::ZERO);
        of_diagonal(diagonal, j, &u.diagonal, &v.diagonal, column, |i| i);
    });
    let squares = program.squares().iter().zip(&u.squares).zip(&v.squares);
    for ((((square, u), v), formulas), gathered) in squares.zip(formulas).zip(gathered) {
        let mut place = square.constraints.iter().enumerate().peekable();
        let mut columns: Vec<(usize, &mut [T])> = (b.as_mut_slice().chunks_mut(m).enumerate())
            .filter_map(|(j, column)| {
                place
                    .next_if(|&(_, &constraint)| constraint as usize == j)
                    .map(|(k, _)| (k, column))
            })
            .collect();
        let work = Work { square, gathered, products, u, v };
        for_each(&mut columns[..], Grain::Single, |_, (k, column)| {
            work.column(formulas[*k], *k, column, |i| i);
        });
    }
}

/// Forms the entries of a sparse lower triangle, with the bits that they have in a dense one.
pub(super) fn form_sparse<T: Scalar>(
    program: &Program<T>,
    (formulas, gathered): (&[Vec<SchurFormula>], &[Gathered<T>]),
    products: Products,
    (u, v): (&Blocks<T>, &Blocks<T>),
    sparsity: &Sparsity,
    entries: &mut [T],
) {
    let lower = sparsity.symbolic.lower();
    let mut rest = entries;
    let mut columns = Vec::with_capacity(lower.order());
    for j in 0..lower.order() {
        let (column, others) = rest.split_at_mut(lower.column(j).len());
        columns.push((lower.column(j), column));
        rest = others;
    }
    for_each(&mut columns[..], Grain::Single, |j, (rows, column)| {
        column.fill(T::ZERO);
        of_diagonal(program.diagonal(), j, &u.diagonal, &v.diagonal, column, places(rows));
        for (s, k) in sparsity.squares(j) {
            let (square, gathered) = (&program.squares()[s], &gathered[s]);
            let (u, v) = (&u.squares[s], &v.squares[s]);
            let work = Work { square, gathered, products, u, v };
            work.column(formulas[s][k], k, column, places(rows));
        }
    });
}

fn of_diagonal<T: Scalar>(
    diagonal: &Diagonal<T>,
    j: usize,
    u: &[T],
    v: &[T],
    column: &mut [T],
    mut place: impl FnMut(usize) -> usize,
) {
    for &(row, number) in
        &diagonal.numbers[diagonal.by_constraint[j]..diagonal.by_constraint[j + 1]]
    {
        let row = row as usize;
        let weight = diagonal.values.at(number as usize) * (u[row] * v[row]);
        // From this entry on: constraints ascend.
        for e in number as usize..diagonal.starts[row + 1] {
            if let Some(entry) = column.get_mut(place(diagonal.constraints[e] as usize)) {
                *entry += weight * diagonal.values.at(e);
            }
        }
    }
}

/// What all columns of one square need.
struct Work<'a, T: Element> {
    square: &'a Square<T>,
    gathered: &'a Gathered<T>,
    products: Products,
    u: &'a Matrix<T>,
    v: &'a Matrix<T>,
}

impl<T: Scalar> Work<'_, T> {
    /// Adds what the square contributes to the column of constraint `k` of its own; `place` says where in the column a row is.
    fn column(
        &self,
        formula: SchurFormula,
        k: usize,
        column: &mut [T],
        place: impl FnMut(usize) -> usize,
    ) {
        match formula {
            SchurFormula::Full => self.full(k, column, place),
            SchurFormula::Half => self.half(k, column, place),
            SchurFormula::Sparse => self.sparse(k, column, place),
        }
    }

    /// The constraints from number `k` on, with their entries.
    fn behind(&self, k: usize) -> impl Iterator<Item = (usize, core::ops::Range<usize>)> {
        let square = self.square;
        (k..square.constraints.len())
            .map(|i| (square.constraints[i] as usize, square.starts[i]..square.starts[i + 1]))
    }

    /// The rows of a matrix that are not zero, and `Fⱼ·V` in these: `[row][column]`.
    fn left(&self, k: usize) -> (Vec<usize>, Matrix<T>) {
        let (square, v) = (self.square, self.v);
        let range = square.starts[k]..square.starts[k + 1];
        let (rows, cols) = (&square.entries.rows, &square.entries.cols);
        let mut used: Vec<usize> =
            range.clone().flat_map(|e| [rows[e] as usize, cols[e] as usize]).collect();
        used.sort_unstable();
        used.dedup();
        let place = |index: u32| used.partition_point(|&row| row < index as usize);
        let entries: Vec<(usize, usize, T)> = range
            .flat_map(|e| {
                let value = square.entries.values.at(e);
                let (row, col) = (rows[e], cols[e]);
                let mirror = (row != col).then(|| (place(col), row as usize, value));
                core::iter::once((place(row), col as usize, value)).chain(mirror)
            })
            .collect();
        let mut g = Matrix::zeros(used.len(), square.order);
        if is_dense(entries.len() as f64, used.len() as f64, T::LIMBS) {
            let mut f = Matrix::zeros(used.len(), used.len());
            for &(row, col, value) in &entries {
                f[(row, place(col as u32))] = value;
            }
            let (rows, no) = (self.rows(v, &used), Transpose::No);
            gemm(self.products, no, no, T::ONE, f.view(), rows.view(), T::ZERO, g.view_mut());
            return (used, g);
        }
        for c in 0..square.order {
            let (from, to) = (v.col(c), g.col_mut(c));
            for &(row, col, value) in &entries {
                to[row] += value * from[col];
            }
        }
        (used, g)
    }

    /// Some rows of a matrix.
    fn rows(&self, a: &Matrix<T>, rows: &[usize]) -> Matrix<T> {
        let mut chosen = Matrix::zeros(rows.len(), a.cols());
        for c in 0..a.cols() {
            let from = a.col(c);
            chosen.col_mut(c).iter_mut().zip(rows).for_each(|(to, &row)| *to = from[row]);
        }
        chosen
    }

    fn full(&self, k: usize, column: &mut [T], mut place: impl FnMut(usize) -> usize) {
        let n = self.square.order;
        let (used, g) = self.left(k);
        let mut left = Matrix::zeros(n, used.len());
        for (to, &from) in used.iter().enumerate() {
            left.col_mut(to).copy_from_slice(self.u.col(from));
        }
        let mut all = Matrix::zeros(n, n);
        let no = Transpose::No;
        gemm(self.products, no, no, T::ONE, left.view(), g.view(), T::ZERO, all.view_mut());
        symmetrize(&mut all);
        for i in k..self.square.constraints.len() {
            let at = place(self.square.constraints[i] as usize);
            column[at] += self.gathered.product(i, &all);
        }
    }

    fn half(&self, k: usize, column: &mut [T], mut place: impl FnMut(usize) -> usize) {
        let (used, g) = self.left(k);
        let u = self.rows(self.u, &used);
        let entry = |a: usize, b: usize| {
            let terms = u.col(a).iter().zip(g.col(b));
            terms.fold(T::ZERO, |sum, (&x, &y)| sum + x * y)
        };
        let Entries { rows, cols, values } = &self.square.entries;
        for (i, entries) in self.behind(k) {
            let at = place(i);
            for e in entries {
                let (row, col) = (rows[e] as usize, cols[e] as usize);
                let value =
                    if row == col { entry(row, row) } else { entry(row, col) + entry(col, row) };
                column[at] += values.at(e) * value;
            }
        }
    }

    fn sparse(&self, k: usize, column: &mut [T], mut place: impl FnMut(usize) -> usize) {
        let Entries { rows, cols, values } = &self.square.entries;
        let own = self.square.starts[k]..self.square.starts[k + 1];
        for (i, entries) in self.behind(k) {
            let mut sum = T::ZERO;
            for f in entries {
                let (row, col) = (rows[f] as usize, cols[f] as usize);
                // Columns of the symmetric matrices instead of rows.
                let (u, v) =
                    ([self.u.col(row), self.u.col(col)], [self.v.col(row), self.v.col(col)]);
                let mut products = T::ZERO;
                for e in own.clone() {
                    let (a, b) = (rows[e] as usize, cols[e] as usize);
                    let mut product = u[0][a] * v[1][b];
                    if a != b {
                        product += u[0][b] * v[1][a];
                    }
                    if row != col {
                        product += u[1][a] * v[0][b];
                        if a != b {
                            product += u[1][b] * v[0][a];
                        }
                    }
                    products += values.at(e) * product;
                }
                sum += values.at(f) * products;
            }
            column[place(i)] += sum;
        }
    }
}
