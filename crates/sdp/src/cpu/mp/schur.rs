//! Columns of the Schur complement by sums that are rounded once.

use core::ops::Range;

use nonius_linalg::mp::{Bits, Matrix, Numbers, Slice, SliceMut};
use nonius_linalg::threads::{Grain, for_each};
use nonius_num::mp::Mp;

use super::sums::{dot, gather};
use crate::cone::{Diagonal, Entries, Square};
use crate::cpu::fill::fill;
use crate::cpu::kernels::{Factors, Kernels, Pair};

/// [`entries_times`](Kernels::entries_times), a column to a thread.
pub(super) fn entries_times(
    entries: &[(usize, usize, usize)],
    values: Slice<'_>,
    v: &Matrix,
    g: &mut Matrix,
) {
    let mut entries = entries.to_vec();
    entries.sort_unstable();
    let rows = entries.chunk_by(|x, y| x.0 == y.0);
    let rows: Vec<(usize, Vec<Pair>)> =
        rows.map(|row| (row[0].0, row.iter().map(|&(_, col, e)| (e, col)).collect())).collect();
    let grain = Grain::AtLeast(1 + Mp::TERMS / (1 + entries.len()));
    let mut columns = g.numbers_mut().pieces(rows.len().max(1));
    for_each(&mut columns[..], grain, |c, column| {
        for (row, pairs) in &rows {
            gather(column.reborrow().range(*row..*row + 1), values, v.column(c), pairs);
        }
    });
}

/// [`add_diagonal`](Kernels::add_diagonal): the terms of an entry at once.
pub(super) fn add_diagonal(
    diagonal: &Diagonal<Mp>,
    own: &[Pair],
    uv: Slice<'_>,
    column: &mut SliceMut<'_>,
    mut place: impl FnMut(usize) -> usize,
) {
    // Beyond the constraints there is `F₀`.
    let m = diagonal.by_constraint.len() - 2;
    let mut weights = Numbers::zeros(uv.bits(), own.len());
    let mut weight = Mp::zero(uv.bits());
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
        let at = place(one[0].0 as usize);
        let to = column.reborrow().range(at..at + 1);
        gather(to, diagonal.values.as_slice(), weights.as_slice(), &pairs);
    }
}

/// [`add_half`](Kernels::add_half): the sum of an entry of `U·G` and its mirror image at once.
pub(super) fn add_half(
    square: &Square<Mp>,
    k: usize,
    (u, g): (&Matrix, &Matrix),
    column: &mut SliceMut<'_>,
    place: impl FnMut(usize) -> usize,
) {
    let r = g.rows();
    let terms = |a: usize, b: usize| (0..r).map(move |at| (a * r + at, b * r + at));
    add_sums(square, k, r, column, place, |(pairs, _), row, col, to| {
        pairs.clear();
        pairs.extend(terms(row, col));
        if row != col {
            pairs.extend(terms(col, row));
        }
        gather(to, u.numbers().as_slice(), g.numbers().as_slice(), pairs);
    });
}

/// [`add_sparse`](Kernels::add_sparse): up to four products at once for each pair of entries.
pub(super) fn add_sparse(
    Factors { square, u, v }: Factors<'_, Mp>,
    k: usize,
    column: &mut SliceMut<'_>,
    place: impl FnMut(usize) -> usize,
) {
    let n = square.order;
    let Entries { rows, cols, values } = &square.entries;
    let own = entries(square, k);
    let [u, v] = [u, v].map(|a| a.numbers().as_slice());
    add_sums(square, k, own.len(), column, place, |(pairs, inner), row, col, to| {
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
            gather(inner.as_mut_slice().range(at..at + 1), u, v, pairs);
        }
        dot(to, values.as_slice().range(own.clone()), inner.as_slice().range(0..own.len()));
    });
}

/// Memory for the pairs of a sum, and for sums that are terms of one.
type Scratch = (Vec<Pair>, Numbers);

/// Makes room for `count` numbers in a memory that grows.
fn reserve(numbers: &mut Numbers, count: usize) {
    if numbers.len() < count {
        *numbers = Numbers::zeros(numbers.bits(), count.next_power_of_two());
    }
}

/// The entries of the matrix of constraint `k` of a square.
fn entries(square: &Square<Mp>, k: usize) -> Range<usize> {
    square.starts[k]..square.starts[k + 1]
}

/// Adds to the column, for each matrix of the constraints from number `k` on, the sum over its
/// entries of their values times what `entry` makes of row and column, mirror image included. What
/// `entry` makes is a sum of `terms` terms.
fn add_sums(
    square: &Square<Mp>,
    k: usize,
    terms: usize,
    column: &mut SliceMut<'_>,
    mut place: impl FnMut(usize) -> usize,
    entry: impl Fn(&mut Scratch, usize, usize, SliceMut<'_>) + Sync,
) {
    let Entries { rows, cols, values } = &square.entries;
    let bits: Bits = column.format();
    let (count, all) = (square.constraints.len(), square.entries.len());
    let mut found = Numbers::zeros(bits, count - k);
    let least = 1 + Mp::TERMS * count / (1 + terms * all);
    let memory = || (Numbers::new(bits), (Vec::new(), Numbers::new(bits)));
    fill(found.as_mut_slice(), least, memory, |(outer, scratch), i, to| {
        let entries = entries(square, k + i);
        reserve(outer, entries.len());
        for (at, e) in entries.clone().enumerate() {
            let to = outer.as_mut_slice().range(at..at + 1);
            entry(scratch, rows[e] as usize, cols[e] as usize, to);
        }
        let sums = outer.as_slice().range(0..entries.len());
        dot(to, values.as_slice().range(entries), sums);
    });
    for (at, &i) in square.constraints[k..].iter().enumerate() {
        Mp::add_to(column, place(i as usize), found.as_slice(), at);
    }
}
