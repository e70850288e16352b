//! Columns of the Schur complement by sums of the operators.

use core::ops::Range;

use nonius_linalg::{Matrix, Scalar};

use crate::cone::{Diagonal, Entries, Square};
use crate::cpu::kernels::{Factors, Pair};

/// [`entries_times`](crate::cpu::kernels::Kernels::entries_times), column by column.
pub(super) fn entries_times<T: Scalar>(
    entries: &[(usize, usize, usize)],
    values: &[T],
    v: &Matrix<T>,
    g: &mut Matrix<T>,
) {
    let entries: Vec<(usize, usize, T)> =
        entries.iter().map(|&(row, col, e)| (row, col, values[e])).collect();
    for c in 0..g.cols() {
        let (from, to) = (v.col(c), g.col_mut(c));
        for &(row, col, value) in &entries {
            to[row] += value * from[col];
        }
    }
}

/// [`add_diagonal`](crate::cpu::kernels::Kernels::add_diagonal), term by term.
pub(super) fn add_diagonal<T: Scalar>(
    diagonal: &Diagonal<T>,
    own: &[Pair],
    uv: &[T],
    column: &mut [T],
    mut place: impl FnMut(usize) -> usize,
) {
    let values = diagonal.values.plain();
    for &(number, row) in own {
        let weight = values[number] * uv[row];
        // From this entry on: constraints ascend.
        let behind = number..diagonal.starts[row + 1];
        for (&i, &value) in diagonal.constraints[behind.clone()].iter().zip(&values[behind]) {
            if let Some(entry) = column.get_mut(place(i as usize)) {
                *entry += weight * value;
            }
        }
    }
}

/// The constraints from number `k` on, with their entries.
fn behind<T: Scalar>(square: &Square<T>, k: usize) -> impl Iterator<Item = (usize, Range<usize>)> {
    (k..square.constraints.len())
        .map(|i| (square.constraints[i] as usize, square.starts[i]..square.starts[i + 1]))
}

/// [`add_half`](crate::cpu::kernels::Kernels::add_half), term by term.
pub(super) fn add_half<T: Scalar>(
    square: &Square<T>,
    k: usize,
    (u, g): (&Matrix<T>, &Matrix<T>),
    column: &mut [T],
    mut place: impl FnMut(usize) -> usize,
) {
    let entry = |a: usize, b: usize| {
        let terms = u.col(a).iter().zip(g.col(b));
        terms.fold(T::ZERO, |sum, (&x, &y)| sum + x * y)
    };
    let Entries { rows, cols, values } = &square.entries;
    let values = values.plain();
    for (i, entries) in behind(square, k) {
        let at = place(i);
        for e in entries {
            let (row, col) = (rows[e] as usize, cols[e] as usize);
            let value =
                if row == col { entry(row, row) } else { entry(row, col) + entry(col, row) };
            column[at] += values[e] * value;
        }
    }
}

/// [`add_sparse`](crate::cpu::kernels::Kernels::add_sparse), term by term.
pub(super) fn add_sparse<T: Scalar>(
    Factors { square, u, v }: Factors<'_, T>,
    k: usize,
    column: &mut [T],
    mut place: impl FnMut(usize) -> usize,
) {
    let Entries { rows, cols, values } = &square.entries;
    let (own, values) = (square.starts[k]..square.starts[k + 1], values.plain());
    for (i, entries) in behind(square, k) {
        let mut sum = T::ZERO;
        for f in entries {
            let (row, col) = (rows[f] as usize, cols[f] as usize);
            // Columns of the symmetric matrices instead of rows.
            let (u, v) = ([u.col(row), u.col(col)], [v.col(row), v.col(col)]);
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
                products += values[e] * product;
            }
            sum += values[f] * products;
        }
        column[place(i)] += sum;
    }
}
