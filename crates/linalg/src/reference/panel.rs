//! Factorisation of a few columns, as a textbook writes it.
//!
//! Golub and Van Loan, *Matrix Computations*, 4th ed.: Algorithms 3.4.1 (LU with partial pivoting) and 4.2.1
//! (Cholesky, by columns).

use crate::backend::Breakdown;
use crate::{MatMut, Scalar};

/// [`lu_panel`](crate::backend::Panel::lu_panel).
pub(crate) fn lu_panel<T: Scalar>(
    mut a: MatMut<'_, T>,
    pivots: &mut [usize],
) -> Result<(), Breakdown> {
    let (m, n) = (a.rows(), a.cols());
    for (j, exchange) in pivots.iter_mut().enumerate() {
        let row = largest(a.col_mut(j)[j..].iter().map(|x| x.limb(0))) + j;
        *exchange = row;
        a.swap_rows(j, row);
        let pivot = a.at(j, j);
        if pivot.limb(0) == 0.0 || !pivot.is_finite() {
            return Err(Breakdown { column: j, pivot: pivot.limb(0) });
        }
        for i in j + 1..m {
            *a.at_mut(i, j) /= pivot;
        }
        for k in j + 1..n {
            for i in j + 1..m {
                let product = a.at(i, j) * a.at(j, k);
                *a.at_mut(i, k) -= product;
            }
        }
    }
    Ok(())
}

/// The index of the largest first limb in magnitude, the first of equals; NaN loses unless it comes first.
pub(crate) fn largest(first_limbs: impl Iterator<Item = f64>) -> usize {
    let mut best = (0, -1.0);
    for (i, x) in first_limbs.enumerate() {
        if i == 0 || x.abs() > best.1 {
            best = (i, x.abs());
        }
    }
    best.0
}

/// [`cholesky_panel`](crate::backend::Panel::cholesky_panel).
pub(crate) fn cholesky_panel<T: Scalar>(mut a: MatMut<'_, T>) -> Result<(), Breakdown> {
    let (m, n) = (a.rows(), a.cols());
    for j in 0..n {
        let pivot = a.at(j, j);
        if pivot.limb(0) <= 0.0 || !pivot.is_finite() {
            return Err(Breakdown { column: j, pivot: pivot.limb(0) });
        }
        let root = pivot.sqrt();
        *a.at_mut(j, j) = root;
        for i in j + 1..m {
            *a.at_mut(i, j) /= root;
        }
        for k in j + 1..n {
            for i in k..m {
                let product = a.at(i, j) * a.at(k, j);
                *a.at_mut(i, k) -= product;
            }
        }
    }
    Ok(())
}
