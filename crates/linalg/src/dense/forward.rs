//! How far a solution of `A·X = B` is from the exact one, estimated from its residual.
//!
//! **Theorem.** `|x − x̂| <= |A⁻¹|·|b − A·x̂|`, and where `A` and `b` are rounded entry by entry,
//! `|x − x̂| <= |A⁻¹|·(|b − A·x̂| + u·(|A||x̂| + |b|))` to first order (Higham, *Accuracy and
//! Stability of Numerical Algorithms*, 2nd ed., section 7.2 and equation (7.31), LAPACK's `FERR`).
//! So with `g_i` the largest of `(|b − A·x̂| + u·(|A||x̂| + |b|))_i / ‖x̂‖_∞` over the columns, the
//! relative error of each in the ∞-norm is at most `‖A⁻¹·diag(g)‖_∞`. Residuals have twice the
//! precision, and the norm is estimated from solutions with the factors: seldom below a third of
//! it. Scales of rows do not matter.
//!
//! Solutions with the factors say something of `A⁻¹` where the factors are those of a matrix close
//! to `A`. They are exact for one within about `n·u·|L||U|`; where a change of `n` times the
//! roundings above may make the error as large as an eighth of the solution, the estimate is
//! infinite. So it is where the balanced matrix may be singular, that is where `n·u·κ₁` of it
//! reaches an eighth: a singular matrix has other solutions beside those found, without a residual.

use super::Transpose;
use super::balance::Balanced;
use super::condition::{inverse_norm_estimate, size_of_columns, weighted_norm_estimate};
use super::residual::{Judged, judge, largest, largest_exponent, relative_residual};
use crate::backend::Reading;
use crate::{Error, MatRef, Matrix, Number, Size};

/// The largest change by `n` roundings of each term that a solution is judged with.
const TRUSTED: f64 = 1.0 / 8.0;

/// What is known of a solution.
pub(crate) struct Quality {
    /// See [`relative_residual`].
    pub(crate) relative_residual: Reading,
    /// An estimate of `κ₁(A)`.
    pub(crate) condition: Reading,
    /// An estimate of the largest error of a column beside its largest entry; infinite where
    /// nothing is known.
    pub(crate) forward_error: Reading,
}

/// The estimate of an error, where the factors are good enough for one.
pub(super) fn trusted<S: Size>(estimate: S, n: usize) -> S {
    if S::from(n as f64) * estimate < TRUSTED.into() { estimate } else { S::INFINITY }
}

/// Judges the solution of a system that was balanced, `solve` being solutions with `op(D₁·A·D₂)`.
/// The largest residuals of the balanced system may be `known` to the backend that solved it.
pub(crate) fn quality<T: Number>(
    (a, x, b): (MatRef<'_, T>, &Matrix<T>, MatRef<'_, T>),
    balanced: &Balanced<'_, T>,
    known: impl FnOnce() -> Result<Option<Vec<Reading>>, Error>,
    solve: impl Fn(Transpose, &Matrix<T>) -> Result<Matrix<T>, Error>,
) -> Result<Quality, Error> {
    let (n, format) = (a.rows(), a.format());
    let y = balanced.unknowns(x);
    let scaled = y.is_some();
    let y = y.as_ref().unwrap_or(x);
    let Judged { relative, mut rows } = judge(balanced.a(), y.view(), balanced.b(), known)?;
    let relative_residual =
        if scaled { relative_residual(a, x.view(), b)? } else { relative.into() };
    let weights = weights(balanced, y, &mut rows);
    let by_rows =
        |z: &Matrix<T>| Matrix::from_fn_in(format, n, 1, |i, _| T::from_size(rows[i]) * z.at(i, 0));
    let changes = |op, z: &Matrix<T>| match op {
        Transpose::No => solve(op, &by_rows(z)),
        Transpose::Yes => Ok(by_rows(&solve(op, z)?)),
    };
    let forward_error = match x.cols() {
        0 => T::Size::ZERO,
        _ => trusted(weighted_norm_estimate(format, &weights, changes), n),
    };
    let condition = condition(a, balanced, &solve);
    let of_balanced = if balanced.scales_matrix() {
        size_of_columns(balanced.a()) * inverse_norm_estimate(format, n, &solve)
    } else {
        condition
    };
    let known = n == 0 || trusted(of_balanced * T::unit_roundoff(format), n).is_finite();
    let forward_error = if known { forward_error } else { T::Size::INFINITY };
    let (condition, forward_error) = (condition.into(), forward_error.into());
    Ok(Quality { relative_residual, condition, forward_error })
}

/// Exponents by which errors of unknowns count beside the largest entries of `X`. To `rows` is
/// added what becomes of numbers next to the end of the range, those given and those of the
/// solution.
fn weights<T: Number>(balanced: &Balanced<'_, T>, y: &Matrix<T>, rows: &mut [T::Size]) -> Vec<i32> {
    let n = y.rows();
    let mut weights: Vec<Option<i32>> = vec![None; n];
    let mut sizes = vec![T::Size::ZERO; n];
    let mut right = T::Size::ZERO;
    for j in 0..y.cols() {
        let column = y.column(j);
        let Some(largest) = largest(column).exponent() else { continue };
        let with_scale = |(y, col): (T, &i32)| Some(y.exponent()? + col);
        let of_x = column.iter().zip(&balanced.cols).filter_map(with_scale).max().unwrap_or(0);
        for (weight, col) in weights.iter_mut().zip(&balanced.cols) {
            *weight = (*weight).max(Some(col + largest - of_x));
        }
        for (size, y) in sizes.iter_mut().zip(column.iter()) {
            *size = size.max(y.size().ldexp(-largest));
        }
        if !balanced.is_inverse() {
            let least = T::LEAST_EXPONENT - balanced.rights[j] - largest;
            right = right.max(T::Size::from(1.0).ldexp(least));
        }
    }
    let of_columns = sizes
        .iter()
        .zip(&balanced.cols)
        .fold(T::Size::ZERO, |sum, (size, &col)| sum + size.ldexp(col + T::LEAST_EXPONENT));
    for (row, &scale) in rows.iter_mut().zip(&balanced.rows) {
        *row += of_columns.ldexp(scale) + right.ldexp(scale);
    }
    weights.into_iter().map(|weight| weight.unwrap_or(0)).collect()
}

/// `κ₁(A)`, of which factors of the balanced matrix know the second factor.
pub(super) fn condition<T: Number>(
    a: MatRef<'_, T>,
    balanced: &Balanced<'_, T>,
    solve: impl Fn(Transpose, &Matrix<T>) -> Result<Matrix<T>, Error>,
) -> T::Size {
    let (n, format) = (a.rows(), a.format());
    if !balanced.scales_matrix() {
        return size_of_columns(a) * inverse_norm_estimate(format, n, solve);
    }
    let size = largest_exponent(a).unwrap_or(0);
    let norm = size_of_columns(a.scaled(|_, _| -size).view());
    let most = |scales: &[i32]| scales.iter().copied().max().unwrap_or(0);
    let (row, col) = (most(&balanced.rows), most(&balanced.cols));
    let by = |scales: &[i32], most: i32, z: &Matrix<T>| z.view().scaled(|i, _| scales[i] - most);
    let by_rows = |z: &Matrix<T>| by(&balanced.rows, row, z);
    let by_cols = |z: &Matrix<T>| by(&balanced.cols, col, z);
    let estimate = inverse_norm_estimate(format, n, |op, z| match op {
        Transpose::No => Ok(by_cols(&solve(op, &by_rows(z))?)),
        Transpose::Yes => Ok(by_rows(&solve(op, &by_cols(z))?)),
    });
    (norm * estimate).ldexp(size + row + col)
}
