//! Factorisation of a few columns, as a textbook writes it.
//!
//! Golub and Van Loan, *Matrix Computations*, 4th ed.: Algorithms 3.4.1 (LU with partial pivoting)
//! and 4.2.1 (Cholesky, by columns).

use crate::backend::{Breakdown, Reading};
use crate::{MatMut, Number};

/// [`lu_panel`](crate::backend::Panel::lu_panel).
pub(crate) fn lu_panel<T: Number>(
    mut a: MatMut<'_, T>,
    pivots: &mut [usize],
) -> Result<(), Breakdown> {
    let (m, n) = (a.rows(), a.cols());
    for (j, exchange) in pivots.iter_mut().enumerate() {
        let row = largest((j..m).map(|i| a.at(i, j).leading())) + j;
        *exchange = row;
        a.swap_rows(j, row);
        let pivot = a.at(j, j);
        if pivot == T::ZERO || !pivot.is_finite() {
            return Err(Breakdown { column: j, pivot: pivot.leading().to_f64() });
        }
        for i in j + 1..m {
            a.set(i, j, a.at(i, j) / pivot);
        }
        for k in j + 1..n {
            for i in j + 1..m {
                let product = a.at(i, j) * a.at(j, k);
                a.set(i, k, a.at(i, k) - product);
            }
        }
    }
    Ok(())
}

/// The index of the largest leading part in magnitude, the first of equals; NaN loses unless it
/// comes first.
pub(crate) fn largest(leading: impl Iterator<Item = Reading>) -> usize {
    let mut best = (0, Reading::ZERO);
    for (i, x) in leading.map(Reading::abs).enumerate() {
        let larger = !x.significand.is_nan() && !best.1.significand.is_nan() && !x.at_most(best.1);
        if i == 0 || larger {
            best = (i, x);
        }
    }
    best.0
}

/// [`cholesky_panel`](crate::backend::Panel::cholesky_panel).
pub(crate) fn cholesky_panel<T: Number>(mut a: MatMut<'_, T>) -> Result<(), Breakdown> {
    let (m, n) = (a.rows(), a.cols());
    for j in 0..n {
        let pivot = a.at(j, j);
        if pivot <= T::ZERO || !pivot.is_finite() {
            return Err(Breakdown { column: j, pivot: pivot.leading().to_f64() });
        }
        let root = pivot.sqrt();
        a.set(j, j, root);
        for i in j + 1..m {
            a.set(i, j, a.at(i, j) / root);
        }
        for k in j + 1..n {
            for i in k..m {
                let product = a.at(i, j) * a.at(k, j);
                a.set(i, k, a.at(i, k) - product);
            }
        }
    }
    Ok(())
}
