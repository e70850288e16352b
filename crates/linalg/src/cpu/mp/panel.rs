//! Factorisation of a few columns, from left to right: an entry is what is left of one of the
//! matrix after one sum of products is subtracted.
//!
//! **Error.** `|P·A − L·U| <= (n + 5)·u·|L||U|` for `n` columns, and the same for `A − L·Lᵀ`: the
//! sum and the difference are rounded once each, the quotient twice.

use nonius_num::Mp;
use nonius_num::mp::{Head, MpRef};

use super::lines::Strided;
use super::vectors::divide;
use crate::backend::Breakdown;
use crate::threads::{Grain, for_each};
use crate::{MatMut, Number, Numbers};

/// Rows that a thread takes at a time.
const ROWS: usize = 16;

/// [`lu_panel`](crate::backend::Panel::lu_panel).
pub(in crate::cpu) fn lu(mut a: MatMut<'_, Mp>, pivots: &mut [usize]) -> Result<(), Breakdown> {
    let (m, n) = a.shape();
    let mut column = Numbers::<Mp>::zeros(a.format(), m);
    for (j, exchange) in pivots.iter_mut().enumerate() {
        // The rows of U above the diagonal, one after the other; then all rows below at once.
        for i in 1..j {
            let view = a.as_ref();
            let above = Strided::of_column(view, 0, j, i);
            let x = Strided::of_row(view, i, 0, i).remainder(view.entry(i, j), above);
            a.put(i, j, x.view());
        }
        let view = a.as_ref();
        let above = Strided::of_column(view, 0, j, j);
        let below = column.as_mut_slice().range(j..m);
        for_each(&mut below.pieces(ROWS)[..], Grain::ANY, |piece, to| {
            for i in 0..to.len() {
                let row = j + piece * ROWS + i;
                let x = Strided::of_row(view, row, 0, j).remainder(view.entry(row, j), above);
                to.put(i, x.view());
            }
        });
        let below = column.as_slice().range(j..m);
        let larger = |best: (u64, usize), i: usize| {
            let size = rank(below.entry(i));
            if size > best.0 { (size, i) } else { best }
        };
        let row = j + (0..below.len()).fold((0, 0), larger).1;
        let pivot = column.at(row);
        if pivot.is_zero() || !Mp::are_finite(below) {
            let pivot = if pivot.is_zero() { 0.0 } else { f64::NAN };
            return Err(Breakdown { column: j, pivot });
        }
        *exchange = row;
        a.column_mut(j).range(j..m).copy_from(column.as_slice().range(j..m));
        for k in 0..n {
            a.column_mut(k).swap(j, row);
        }
        divide(a.column_mut(j).range(j + 1..m), pivot);
    }
    Ok(())
}

/// The order of magnitudes among which a pivot is chosen: exponents, and the first 34 bits.
fn rank(x: MpRef<'_>) -> u64 {
    let (Some(exponent), Some(&highest)) = (x.head().exponent(), x.words().last()) else {
        return if x.head().is_zero() { 0 } else { u64::MAX };
    };
    ((exponent - Head::LEAST_EXPONENT + 1) as u64) << 33 | highest << 1 >> 31
}

/// [`cholesky_panel`](crate::backend::Panel::cholesky_panel).
pub(in crate::cpu) fn cholesky(mut a: MatMut<'_, Mp>) -> Result<(), Breakdown> {
    let (m, n) = a.shape();
    let mut column = Numbers::<Mp>::zeros(a.format(), m);
    for j in 0..n {
        let view = a.as_ref();
        let this = Strided::of_row(view, j, 0, j);
        let below = column.as_mut_slice().range(j..m);
        for_each(&mut below.pieces(ROWS)[..], Grain::ANY, |piece, to| {
            for i in 0..to.len() {
                let row = j + piece * ROWS + i;
                let x = Strided::of_row(view, row, 0, j).remainder(view.entry(row, j), this);
                to.put(i, x.view());
            }
        });
        let pivot = column.at(j);
        if !pivot.is_finite() || pivot <= Mp::ZERO {
            return Err(Breakdown { column: j, pivot: pivot.leading().to_f64() });
        }
        let root = pivot.sqrt();
        a.column_mut(j).range(j..m).copy_from(column.as_slice().range(j..m));
        a.put(j, j, root.view());
        divide(a.column_mut(j).range(j + 1..m), root);
    }
    Ok(())
}
