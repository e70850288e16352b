//! The Schur complement `B_ij = Fᵢ•(U·Fⱼ·V)`, a column to a thread, for each column by the
//! [formula](super::formula) that is cheapest.
//!
//! **Error.** An entry is made of sums one inside the other: over rows, over columns, and over the
//! entries of the matrices. Each has the bound of its kind of numbers, and the sums of blocks are
//! rounded one by one.

use nonius_linalg::cpu::gemm::gemm;
use nonius_linalg::dense::Transpose;
use nonius_linalg::dense::gemm::Products;
use nonius_linalg::threads::{Grain, for_each};
use nonius_linalg::{Matrix, Number, Numbers, SliceMut};

use super::blocks::Blocks;
use super::fill::fill;
use super::formula::{SchurFormula, is_dense};
use super::gathered::Gathered;
use super::kernels::{Factors, Kernels};
use super::maps::of_diagonal;
use super::second_order::polar_det;
use super::sparsity::{Sparsity, places};
use super::symmetric::symmetrize;
use crate::cone::{Diagonal, Program};

/// A program, and what is known of it before `U` and `V` are.
#[derive(Clone, Copy)]
pub(super) struct Prepared<'a, T: Number> {
    pub(super) program: &'a Program<T>,
    pub(super) formulas: &'a [Vec<SchurFormula>],
    pub(super) gathered: &'a [Gathered<T>],
    pub(super) products: Products,
}

impl<'a, T: Kernels> Prepared<'a, T> {
    /// Forms some columns, each with its number, from the diagonal down.
    pub(super) fn form(
        self,
        (u, v): (&Blocks<T>, &Blocks<T>),
        columns: &mut [(usize, SliceMut<'_, T>)],
    ) {
        let vectors = self.vectors(u, v);
        for_each(&mut *columns, Grain::ANY, |_, (j, column)| {
            self.begin(*j, &vectors, column, || from_diagonal(*j));
        });
        for (s, square) in self.program.squares().iter().enumerate() {
            let place = |j: usize| square.constraints.binary_search(&(j as u32)).ok();
            let columns = columns.iter_mut();
            let mut columns: Vec<_> =
                columns.filter_map(|(j, column)| Some((place(*j)?, *j, column))).collect();
            let work = self.work(s, u, v);
            for_each(&mut columns[..], Grain::Single, |_, (k, j, column)| {
                work.column(self.formulas[s][*k], *k, column, from_diagonal(*j));
            });
        }
    }

    /// Forms the entries of some columns of a sparse lower triangle, with the bits that they have
    /// in a dense one.
    pub(super) fn form_sparse(
        self,
        (u, v): (&Blocks<T>, &Blocks<T>),
        sparsity: &Sparsity,
        columns: &mut [(usize, SliceMut<'_, T>)],
    ) {
        let vectors = self.vectors(u, v);
        for_each(columns, Grain::Single, |_, (j, column)| {
            let rows = sparsity.symbolic.lower().column(*j);
            self.begin(*j, &vectors, column, || places(rows));
            for (s, k) in sparsity.squares(*j) {
                self.work(s, u, v).column(self.formulas[s][k], k, column, places(rows));
            }
        });
    }

    /// What all columns need of the diagonal block.
    ///
    /// In a second-order cone `f·{u, g, v}` is `(u·f)(v·g) + (v·f)(u·g)` and what rows by
    /// themselves add with the weights `∓det(u, v)`.
    fn vectors(self, u: &Blocks<T>, v: &Blocks<T>) -> Vectors<T> {
        let (u, v) = (u.diagonal.as_slice(), v.diagonal.as_slice());
        let Diagonal { second_order, numbers, values, .. } = self.program.diagonal();
        let mut weights = Numbers::zeros(u.format(), u.len());
        let rows = second_order.cones.first().map_or(u.len(), |cone| cone.rows.start);
        (0..rows).for_each(|i| weights.set(i, u.at(i) * v.at(i)));
        for rows in second_order.cones.iter().map(|cone| cone.rows.clone()) {
            let det = polar_det(u.range(rows.clone()), v.range(rows.clone()));
            rows.clone().for_each(|i| weights.set(i, if i == rows.start { -det } else { det }));
        }
        let mut products = Numbers::zeros(u.format(), 2 * second_order.parts.len());
        let least = 1 + T::TERMS * second_order.parts.len() / (1 + numbers.len());
        fill(
            products.as_mut_slice(),
            least,
            || (),
            |(), at, to| {
                let own = &numbers[second_order.parts[at / 2].entries.clone()];
                T::gather(to, values.as_slice(), if at % 2 == 0 { u } else { v }, own);
            },
        );
        Vectors { weights, products }
    }

    /// Puts what the diagonal block contributes to a column there; `place` yields what says where
    /// in the column a row is.
    fn begin<P: FnMut(usize) -> usize>(
        self,
        j: usize,
        vectors: &Vectors<T>,
        column: &mut SliceMut<'_, T>,
        place: impl Fn() -> P,
    ) {
        let diagonal = self.program.diagonal();
        column.reborrow().clear();
        let own = of_diagonal(diagonal, j);
        T::add_diagonal(diagonal, own, vectors.weights.as_slice(), column, place());
        let cones = &diagonal.second_order;
        let products = vectors.products.as_slice();
        let mut sum = Numbers::zeros(column.format(), 1);
        for k in cones.of(j) {
            let mut place = place();
            for &part in cones.from(k) {
                let i = part as usize;
                let pairs = [(2 * k, 2 * i + 1), (2 * k + 1, 2 * i)];
                T::gather(sum.as_mut_slice(), products, products, &pairs);
                let row = cones.parts[i].constraint as usize;
                T::add_to(column, place(row), sum.as_slice(), 0);
            }
        }
    }

    fn work(self, s: usize, u: &'a Blocks<T>, v: &'a Blocks<T>) -> Work<'a, T> {
        let square = &self.program.squares()[s];
        let factors = Factors { square, u: &u.squares[s], v: &v.squares[s] };
        Work { factors, gathered: &self.gathered[s], products: self.products }
    }
}

/// What all columns need of the diagonal block.
struct Vectors<T: Number> {
    /// Weights of rows by themselves.
    weights: Numbers<T>,
    /// `u·f` and `v·f` for each part of a constraint in a second-order cone.
    products: Numbers<T>,
}

/// What all columns of one square need.
struct Work<'a, T: Number> {
    factors: Factors<'a, T>,
    gathered: &'a Gathered<T>,
    products: Products,
}

impl<T: Kernels> Work<'_, T> {
    /// Adds what the square contributes to the column of constraint `k` of its own; `place` says
    /// where in the column a row is.
    fn column(
        &self,
        formula: SchurFormula,
        k: usize,
        column: &mut SliceMut<'_, T>,
        place: impl FnMut(usize) -> usize,
    ) {
        match formula {
            SchurFormula::Full => self.full(k, column, place),
            SchurFormula::Half => {
                let (used, g) = self.left(k);
                let Factors { square, u, .. } = self.factors;
                T::add_half(square, k, &rows(u, &used), &g, column, place);
            }
            SchurFormula::Sparse => T::add_sparse(self.factors, k, column, place),
        }
    }

    /// The rows of a matrix that are not zero, and `Fⱼ·V` in these: `[row][column]`.
    fn left(&self, k: usize) -> (Vec<usize>, Matrix<T>) {
        let Factors { square, v, .. } = self.factors;
        let range = square.starts[k]..square.starts[k + 1];
        let (rows_of, cols_of) = (&square.entries.rows, &square.entries.cols);
        let values = square.entries.values.as_slice();
        let mut used: Vec<usize> =
            range.clone().flat_map(|e| [rows_of[e] as usize, cols_of[e] as usize]).collect();
        used.sort_unstable();
        used.dedup();
        let place = |index: u32| used.partition_point(|&row| row < index as usize);
        let entries: Vec<(usize, usize, usize)> = range
            .flat_map(|e| {
                let (row, col) = (rows_of[e], cols_of[e]);
                let mirror = (row != col).then(|| (place(col), row as usize, e));
                core::iter::once((place(row), col as usize, e)).chain(mirror)
            })
            .collect();
        let format = v.format();
        let mut g = Matrix::zeros_in(format, used.len(), square.order);
        if is_dense(entries.len() as f64, used.len() as f64, T::COSTS) {
            let mut f = Matrix::zeros_in(format, used.len(), used.len());
            for &(row, col, e) in &entries {
                f.set(row, place(col as u32), values.at(e));
            }
            self.multiply(&f, &rows(v, &used), &mut g);
        } else {
            T::entries_times(&entries, values, v, &mut g);
        }
        (used, g)
    }

    /// `C ← A·B`
    fn multiply(&self, a: &Matrix<T>, b: &Matrix<T>, c: &mut Matrix<T>) {
        let no = Transpose::No;
        gemm(self.products, no, no, T::ONE, a.view(), b.view(), T::ZERO, c.view_mut());
    }

    fn full(&self, k: usize, column: &mut SliceMut<'_, T>, mut place: impl FnMut(usize) -> usize) {
        let Factors { square, u, .. } = self.factors;
        let (n, format) = (square.order, u.format());
        let (used, g) = self.left(k);
        let mut left = Matrix::zeros_in(format, n, used.len());
        for (to, &from) in used.iter().enumerate() {
            left.column_mut(to).copy_from(u.column(from));
        }
        let mut all = Matrix::zeros_in(format, n, n);
        self.multiply(&left, &g, &mut all);
        symmetrize(&mut all);
        let behind = &square.constraints[k..];
        let mut sums = Numbers::zeros(format, behind.len());
        let least = 1 + T::TERMS * behind.len() / (1 + square.entries.len());
        fill(
            sums.as_mut_slice(),
            least,
            || (),
            |(), i, to| {
                self.gathered.product(k + i, &all, to);
            },
        );
        for (at, &i) in behind.iter().enumerate() {
            T::add_to(column, place(i as usize), sums.as_slice(), at);
        }
    }
}

/// Where a row is in a column from the diagonal down.
fn from_diagonal(j: usize) -> impl FnMut(usize) -> usize {
    move |i| i - j
}

/// Some rows of a matrix.
fn rows<T: Number>(a: &Matrix<T>, rows: &[usize]) -> Matrix<T> {
    let mut chosen = Matrix::zeros_in(a.format(), rows.len(), a.cols());
    for c in 0..a.cols() {
        let (from, mut to) = (a.column(c), chosen.column_mut(c));
        for (i, &row) in rows.iter().enumerate() {
            to.reborrow().range(i..i + 1).copy_from(from.range(row..row + 1));
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use nonius_linalg::backend::Cpu;
    use nonius_num::mp::{Bits, Mp};
    use nonius_num::{Dd, Qd, Td};

    use super::*;
    use crate::cone::Place;
    use crate::cpu::CpuCone;

    /// Multiples of `1/64` between ±1 from a congruential sequence.
    fn numbers<T: Number>(format: T::Format, count: usize, mut state: u64) -> Numbers<T> {
        let mut to = Numbers::zeros(format, count);
        for i in 0..count {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            to.set(i, T::from_f64((state >> 57) as f64 / 64.0 - 1.0));
        }
        to
    }

    /// The first matrices are full in some rows and columns, the others have a few entries.
    fn places(n: u32, m: u32) -> Vec<Place> {
        let mut places = Vec::new();
        for matrix in 0..=m {
            let rows = if matrix < 4 { n / (matrix + 1) } else { 1 + matrix % 3 };
            for (col, row) in (0..rows).flat_map(|col| (0..=col).map(move |row| (col, row))) {
                let [row, col] = [row, col].map(|i| (i * 5 + matrix) % n);
                let (row, col) = (row.min(col), row.max(col));
                places.push(Place { block: 0, matrix, col, row });
            }
        }
        places
    }

    /// Entries are such that nothing is rounded.
    fn formulas_agree<T: Kernels>(format: T::Format) {
        let (n, m) = (13, 9);
        let places = places(n as u32, m as u32);
        let values = numbers::<T>(format, places.len(), 1);
        let program = Program::new(numbers(format, m, 2), &[n], 0, &places, &values).unwrap();
        let cone = CpuCone::new(program, Cpu::new(Products::direct()));
        let [u, v] = [3, 4].map(|seed| {
            let entries = numbers(format, n * n, seed);
            let at = |i: usize, j: usize| entries.at(i.max(j) * n + i.min(j));
            let diagonal = Numbers::new(format);
            Blocks { squares: vec![Matrix::from_fn_in(format, n, n, at)], diagonal }
        });
        let work = cone.prepared().work(0, &u, &v);
        for k in 0..m {
            let columns =
                [SchurFormula::Full, SchurFormula::Half, SchurFormula::Sparse].map(|formula| {
                    let mut column = Numbers::zeros(format, m);
                    work.column(formula, k, &mut column.as_mut_slice(), |i| i);
                    column
                });
            for i in 0..m {
                let [full, half, sparse] = [0, 1, 2].map(|at| columns[at].at(i));
                assert!(full == half && half == sparse, "({i}, {k})");
                assert!((full == T::ZERO) == (i < k), "({i}, {k})");
            }
        }
    }

    #[test]
    fn formulas_of_limbs_agree() {
        formulas_agree::<f64>(());
        formulas_agree::<Dd>(());
        formulas_agree::<Td>(());
        formulas_agree::<Qd>(());
    }

    #[test]
    fn formulas_of_mp_agree() {
        for bits in [106, 150, 424] {
            formulas_agree::<Mp>(Bits::new(bits).unwrap());
        }
    }
}
