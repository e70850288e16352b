//! How well `X` solves `A·X = B`, computed in twice the precision of the entries.

use super::norm_infinity;
use crate::scalar::exponent;
use crate::{Error, MatRef, Matrix, Scalar, cpu};

/// `B − A·X`, accumulated in twice the precision and rounded once.
///
/// Before the final rounding the error is at most `n·u²·(|B| + |A||X|)`, entrywise, `n` being the number of columns
/// of `A` (see [`cpu::residual`]). Entries near the ends of the exponent range cost nothing but a relative `2^-500`
/// of the largest `|a||x|`: powers of two are taken out.
///
/// # Errors
/// [`Error::Shape`], and [`Error::NotFinite`] for the first operand with such an entry.
pub fn residual<T: Scalar>(
    a: MatRef<'_, T>,
    x: MatRef<'_, T>,
    b: MatRef<'_, T>,
) -> Result<Matrix<T>, Error> {
    check(a, x, b)?;
    let mut all = Matrix::zeros(b.rows(), b.cols());
    in_moderate_parts(a, x, b, |first, a, x, b, exponent| {
        let r = residual_of_part(a, x, b);
        for j in 0..r.cols() {
            for (to, from) in all.col_mut(first + j).iter_mut().zip(r.col(j)) {
                *to = if exponent == 0 { *from } else { from.ldexp(exponent) };
            }
        }
    });
    Ok(all)
}

fn check<T: Scalar>(a: MatRef<'_, T>, x: MatRef<'_, T>, b: MatRef<'_, T>) -> Result<(), Error> {
    Error::check_shape("x", (a.cols(), b.cols()), x.shape())?;
    Error::check_shape("b", (a.rows(), x.cols()), b.shape())?;
    Error::check_finite("a", a)?;
    Error::check_finite("x", x)?;
    Error::check_finite("b", b)
}

fn residual_of_part<T: Scalar>(a: MatRef<'_, T>, x: MatRef<'_, T>, b: MatRef<'_, T>) -> Matrix<T> {
    let mut r = b.to_matrix();
    cpu::residual::residual(a, x, r.view_mut());
    r
}

/// Calls `part(j, A', X', B', e)` for systems whose products neither overflow nor underflow: the whole system, `j`
/// and `e` being 0, or its columns one by one, where `B' − A'X'` times `2^e` is column `j` of `B − AX`.
fn in_moderate_parts<T: Scalar>(
    a: MatRef<'_, T>,
    x: MatRef<'_, T>,
    b: MatRef<'_, T>,
    mut part: impl FnMut(usize, MatRef<'_, T>, MatRef<'_, T>, MatRef<'_, T>, i32),
) {
    let moderate = |e: Option<i32>| e.is_none_or(|e| e.abs() <= 250);
    if [a, x, b].into_iter().all(|operand| moderate(largest_exponent(operand))) {
        return part(0, a, x, b, 0);
    }
    let a_exponent = largest_exponent(a);
    let a = a.to_matrix().map(|a| a.ldexp(-a_exponent.unwrap_or(0)));
    for j in 0..x.cols() {
        let (x, b) = (MatRef::from_column(x.col(j)), MatRef::from_column(b.col(j)));
        let (x_exponent, b_exponent) = (largest_exponent(x), largest_exponent(b));
        let of_products = a_exponent.zip(x_exponent).map(|(a, x)| a + x);
        let common = of_products.max(b_exponent).unwrap_or(0);
        let shift = of_products.map_or(0, |e| e - common) - x_exponent.unwrap_or(0);
        let x = x.to_matrix().map(|x| x.ldexp(shift));
        let b = b.to_matrix().map(|b| b.ldexp(-common));
        part(j, a.view(), x.view(), b.view(), common);
    }
}

/// The exponent of the largest magnitude; `None` where all entries are zero.
fn largest_exponent<T: Scalar>(a: MatRef<'_, T>) -> Option<i32> {
    (0..a.cols()).filter_map(|j| exponent(largest(a.col(j)))).max()
}

fn largest<T: Scalar>(x: &[T]) -> f64 {
    x.iter().map(|x| x.limb(0).abs()).fold(0.0, f64::max)
}

/// The normwise backward error of the columns of `X`, the largest over `j` of `‖b_j − A·x_j‖ / (‖A‖‖x_j‖ + ‖b_j‖)` in
/// the ∞-norm: the least `ε` for which `x_j` solves exactly a system with `A` and `b_j` changed by `ε` in norm (Rigal
/// and Gaches 1967; Higham, *Accuracy and Stability of Numerical Algorithms*, Theorem 7.1). The residual is that of
/// [`residual`].
///
/// # Errors
/// As [`residual`].
pub fn relative_residual<T: Scalar>(
    a: MatRef<'_, T>,
    x: MatRef<'_, T>,
    b: MatRef<'_, T>,
) -> Result<f64, Error> {
    check(a, x, b)?;
    let mut worst = 0.0_f64;
    in_moderate_parts(a, x, b, |_, a, x, b, _| {
        let r = residual_of_part(a, x, b);
        let norm = norm_infinity(a);
        for j in 0..r.cols() {
            let size = norm * largest(x.col(j)) + largest(b.col(j));
            let residual = largest(r.col(j));
            worst = worst.max(if residual == 0.0 { 0.0 } else { residual / size });
        }
    });
    Ok(worst)
}
