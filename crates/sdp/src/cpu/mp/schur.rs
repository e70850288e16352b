//! The Schur complement `B_ij = Fᵢ•(U·Fⱼ·V)`, a column to a thread, for each column by the [formula](super::super::formula) that is cheapest.
//!
//! **Error.** Each of the sums that an entry is made of, one inside the other, is rounded once, but for products of matrices, and for each block once more.

use core::ops::Range;

use nonius_linalg::dense::Transpose;
use nonius_linalg::dense::gemm::Products;
use nonius_linalg::mp::{Bits, Matrix, Numbers, SliceMut};
use nonius_linalg::threads::{Grain, for_each};
use nonius_num::mp::{Head, Mp};

use super::blocks::MpBlocks;
use super::cone::{LIMBS, MpCone};
use super::dense::{multiply, symmetrize};
use super::gathered::Gathered;
use super::sums::{Pair, Target, add, clear, fill, products, write};
use crate::cone::{Entries, Square};
use crate::cpu::formula::{SchurFormula, is_dense};
use crate::cpu::sparsity::{Sparsity, places};

/// Terms that are worth a thread.
const TERMS_OF_A_THREAD: usize = 1 << 8;

/// Forms the lower triangle.
pub(super) fn form(cone: &MpCone, u: &MpBlocks, v: &MpBlocks, b: &mut Matrix) {
    let m = cone.program.constraints();
    if m == 0 {
        return;
    }
    let mut columns = b.numbers_mut().pieces(m);
    let uv = products(&u.diagonal, &v.diagonal);
    for_each(&mut columns[..], Grain::ANY, |j, column| {
        clear(column);
        of_diagonal(cone, j, &uv, column, |i| i);
    });
    let squares = cone.program.squares().iter().zip(&u.squares).zip(&v.squares);
    for ((((square, u), v), formulas), gathered) in squares.zip(&cone.formulas).zip(&cone.gathered)
    {
        let mut place = square.constraints.iter().enumerate().peekable();
        let mut columns: Vec<(usize, &mut SliceMut<'_>)> = (columns.iter_mut().enumerate())
            .filter_map(|(j, column)| {
                place
                    .next_if(|&(_, &constraint)| constraint as usize == j)
                    .map(|(k, _)| (k, column))
            })
            .collect();
        let work = Work { square, gathered, products: cone.products, bits: cone.bits, u, v };
        for_each(&mut columns[..], Grain::Single, |_, (k, column)| {
            work.column(formulas[*k], *k, column, |i| i);
        });
    }
}

/// Forms the entries of a sparse lower triangle, with the bits that they have in a dense one.
pub(super) fn form_sparse(
    cone: &MpCone,
    u: &MpBlocks,
    v: &MpBlocks,
    sparsity: &Sparsity,
    entries: &mut Numbers,
) {
    let lower = sparsity.symbolic.lower();
    let mut rest = entries.as_mut_slice();
    let mut columns = Vec::with_capacity(lower.order());
    for j in 0..lower.order() {
        let (column, others) = rest.split_at(lower.column(j).len());
        columns.push((lower.column(j), column));
        rest = others;
    }
    let uv = products(&u.diagonal, &v.diagonal);
    for_each(&mut columns[..], Grain::Single, |j, (rows, column)| {
        clear(column);
        of_diagonal(cone, j, &uv, column, places(rows));
        for (s, k) in sparsity.squares(j) {
            let (square, gathered) = (&cone.program.squares()[s], &cone.gathered[s]);
            let (u, v) = (&u.squares[s], &v.squares[s]);
            let work = Work { square, gathered, products: cone.products, bits: cone.bits, u, v };
            work.column(cone.formulas[s][k], k, column, places(rows));
        }
    });
}

/// What the diagonal block contributes, with `u_r·v_r` for each of its rows.
fn of_diagonal(
    cone: &MpCone,
    j: usize,
    uv: &Numbers,
    column: &mut SliceMut<'_>,
    mut place: impl FnMut(usize) -> usize,
) {
    let m = cone.program.constraints();
    let (diagonal, own) = (cone.program.diagonal(), cone.of_diagonal(j));
    let mut weights = Numbers::zeros(cone.bits, own.len());
    let mut weight = Mp::zero(cone.bits);
    // Constraints, and pairs of an entry and a weight.
    let mut terms: Vec<(u32, Pair)> = Vec::new();
    for (at, &(e, row)) in own.iter().enumerate() {
        weight.set_product(diagonal.values.entry(e), uv.entry(row));
        weights.put(at, weight.view());
        // From this entry on: constraints ascend.
        let behind = (e..diagonal.starts[row + 1]).map(|e| (diagonal.constraints[e], (e, at)));
        terms.extend(behind.filter(|&(i, _)| (i as usize) < m));
    }
    terms.sort_unstable();
    let mut pairs = Vec::new();
    for one in terms.chunk_by(|x, y| x.0 == y.0) {
        pairs.clear();
        pairs.extend(one.iter().map(|&(_, pair)| pair));
        write(column, place(one[0].0 as usize), |to| {
            to.gather(diagonal.values.as_slice(), weights.as_slice(), &pairs)
        });
    }
}

/// What all columns of one square need.
struct Work<'a> {
    square: &'a Square<Mp>,
    gathered: &'a Gathered,
    products: Products,
    bits: Bits,
    u: &'a Matrix,
    v: &'a Matrix,
}

/// Memory for the pairs of a sum, and for sums that are terms of one.
type Scratch = (Vec<Pair>, Numbers);

/// So many numbers of a memory that grows.
fn reserve(numbers: &mut Numbers, count: usize) {
    if numbers.len() < count {
        *numbers = Numbers::zeros(numbers.bits(), count.next_power_of_two());
    }
}

impl Work<'_> {
    /// Adds what the square contributes to the column of constraint `k` of its own; `place` says where in the column a row is.
    fn column(
        &self,
        formula: SchurFormula,
        k: usize,
        column: &mut SliceMut<'_>,
        mut place: impl FnMut(usize) -> usize,
    ) {
        let behind = &self.square.constraints[k..];
        let mut found = Numbers::zeros(self.bits, behind.len());
        match formula {
            SchurFormula::Full => self.full(k, found.as_mut_slice()),
            SchurFormula::Half => self.half(k, found.as_mut_slice()),
            SchurFormula::Sparse => self.sparse(k, found.as_mut_slice()),
        }
        let mut sum = Mp::zero(self.bits);
        for (at, &i) in behind.iter().enumerate() {
            add(column, place(i as usize), found.entry(at), &mut sum);
        }
    }

    fn entries(&self, k: usize) -> Range<usize> {
        self.square.starts[k]..self.square.starts[k + 1]
    }

    /// The rows of a matrix that are not zero, and `Fⱼ·V` in these.
    fn left(&self, k: usize) -> (Vec<usize>, Matrix) {
        let Entries { rows, cols, values } = &self.square.entries;
        let n = self.square.order;
        // Rows, columns and numbers, mirror images included.
        let mut entries: Vec<(usize, usize, usize)> = Vec::new();
        for e in self.entries(k) {
            let (row, col) = (rows[e] as usize, cols[e] as usize);
            entries.push((row, col, e));
            if row != col {
                entries.push((col, row, e));
            }
        }
        entries.sort_unstable();
        let mut used: Vec<usize> = entries.iter().map(|&(row, _, _)| row).collect();
        used.dedup();
        let r = used.len();
        let mut g = Matrix::zeros_in(self.bits, r, n);
        if is_dense(entries.len() as f64, r as f64, LIMBS) {
            let mut f = Matrix::zeros_in(self.bits, r, r);
            let place = |row: usize| used.partition_point(|&other| other < row);
            for &(row, col, e) in &entries {
                f.put(place(row), place(col), values.entry(e));
            }
            self.multiply(&f, &self.rows(self.v, &used), &mut g);
            return (used, g);
        }
        let rows: Vec<&[(usize, usize, usize)]> = entries.chunk_by(|x, y| x.0 == y.0).collect();
        let pairs: Vec<Vec<Pair>> =
            (rows.iter()).map(|row| row.iter().map(|&(_, col, e)| (e, col)).collect()).collect();
        let least = 1 + TERMS_OF_A_THREAD * r / (1 + entries.len());
        fill(
            g.numbers_mut(),
            least,
            || (),
            |(), place, to| {
                to.gather(values.as_slice(), self.v.column(place / r), &pairs[place % r])
            },
        );
        (used, g)
    }

    /// `C ← A·B`
    fn multiply(&self, a: &Matrix, b: &Matrix, c: &mut Matrix) {
        let (one, zero) = (Mp::one(self.bits), Mp::zero(self.bits));
        multiply(self.products, one.view(), (Transpose::No, a), b, zero.view(), c);
    }

    /// Some rows of a matrix.
    fn rows(&self, a: &Matrix, rows: &[usize]) -> Matrix {
        if rows.len() == a.rows() { a.clone() } else { a.with_rows(rows) }
    }

    fn full(&self, k: usize, to: SliceMut<'_>) {
        let n = self.square.order;
        let (used, g) = self.left(k);
        let mut left = Matrix::zeros_in(self.bits, n, used.len());
        for (to, &from) in used.iter().enumerate() {
            left.set_block(0, to, &self.u.block(0..n, from..from + 1));
        }
        let mut all = Matrix::zeros_in(self.bits, n, n);
        self.multiply(&left, &g, &mut all);
        symmetrize(&mut all);
        let count = to.len();
        let least = 1 + TERMS_OF_A_THREAD * count / (1 + self.square.entries.len());
        fill(to, least, || (), |(), i, to| self.gathered.product(k + i, &all, to));
    }

    fn half(&self, k: usize, to: SliceMut<'_>) {
        let (used, g) = self.left(k);
        let u = self.rows(self.u, &used);
        let r = used.len();
        self.sums(to, r, |(pairs, _), row, col, to| {
            let terms = |a: usize, b: usize| (0..r).map(move |at| (a * r + at, b * r + at));
            pairs.clear();
            pairs.extend(terms(row, col));
            if row != col {
                pairs.extend(terms(col, row));
            }
            to.gather(u.numbers().as_slice(), g.numbers().as_slice(), pairs)
        });
    }

    fn sparse(&self, k: usize, to: SliceMut<'_>) {
        let n = self.square.order;
        let Entries { rows, cols, values } = &self.square.entries;
        let own = self.entries(k);
        let [u, v] = [self.u, self.v].map(|a| a.numbers().as_slice());
        self.sums(to, own.len(), |(pairs, inner), row, col, to| {
            reserve(inner, own.len());
            for (at, e) in own.clone().enumerate() {
                let (a, b) = (rows[e] as usize, cols[e] as usize);
                pairs.clear();
                for (row, col) in [(row, col), (col, row)] {
                    pairs.push((row * n + a, col * n + b));
                    if a != b {
                        pairs.push((row * n + b, col * n + a));
                    }
                    if row == col {
                        break;
                    }
                }
                write(&mut inner.as_mut_slice(), at, |to| to.gather(u, v, pairs));
            }
            to.dot(values.as_slice().range(own.clone()), inner.as_slice().range(0..own.len()))
        });
    }

    /// For each matrix of the last constraints of the square, the sum over its entries of their values times what `entry` makes of row and column, mirror image included; so
    /// many terms each.
    fn sums(
        &self,
        to: SliceMut<'_>,
        terms: usize,
        entry: impl Fn(&mut Scratch, usize, usize, Target<'_>) -> Head + Sync + Send,
    ) {
        let Entries { rows, cols, values } = &self.square.entries;
        let (count, all) = (self.square.constraints.len(), self.square.entries.len());
        let first = count - to.len();
        let least = 1 + TERMS_OF_A_THREAD * count / (1 + terms * all);
        let memory = || (Numbers::new(self.bits), (Vec::new(), Numbers::new(self.bits)));
        fill(to, least, memory, |(outer, scratch), i, to| {
            let entries = self.entries(first + i);
            reserve(outer, entries.len());
            for (at, e) in entries.clone().enumerate() {
                write(&mut outer.as_mut_slice(), at, |to| {
                    entry(scratch, rows[e] as usize, cols[e] as usize, to)
                });
            }
            let sums = outer.as_slice().range(0..entries.len());
            to.dot(values.as_slice().range(entries), sums)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cone::{Place, Program};

    /// Multiples of `1/64` between ±1 from a congruential sequence.
    fn numbers(bits: Bits, count: usize, mut state: u64) -> Numbers {
        let mut to = Numbers::zeros(bits, count);
        for i in 0..count {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let x = (state >> 57) as f64 / 64.0 - 1.0;
            to.put(i, Mp::from_f64(bits, x).view());
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
    #[test]
    fn formulas_agree() {
        let (bits, n, m) = (Bits::new(150).unwrap(), 13, 9);
        let places = places(n as u32, m as u32);
        let values = numbers(bits, places.len(), 1);
        let program = Program::new(numbers(bits, m, 2), &[n], 0, &places, &values).unwrap();
        let cone = MpCone::new(program, Products::direct());
        let [u, v] = [3, 4].map(|seed| {
            let entries = numbers(bits, n * n, seed);
            let at = |i: usize, j: usize| entries.entry(i.max(j) * n + i.min(j)).to_mp(bits);
            Matrix::from_fn_in(bits, n, n, at)
        });
        let (square, gathered) = (&cone.program.squares()[0], &cone.gathered[0]);
        let work = Work { square, gathered, products: Products::direct(), bits, u: &u, v: &v };
        for k in 0..m {
            let columns =
                [SchurFormula::Full, SchurFormula::Half, SchurFormula::Sparse].map(|formula| {
                    let mut column = Numbers::zeros(bits, m);
                    work.column(formula, k, &mut column.as_mut_slice(), |i| i);
                    column
                });
            for i in 0..m {
                let [full, half, sparse] = [0, 1, 2].map(|at| columns[at].entry(i));
                assert!(full == half && half == sparse, "({i}, {k})");
                assert!(full.head().is_zero() == (i < k), "({i}, {k})");
            }
        }
    }
}
