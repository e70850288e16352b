//! How well `X` solves `A·X = B`, computed in higher precision than that of the entries.

use nonius_num::Real;

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
    let Some(scaled) = Scaled::of(a, x, b) else { return Ok(residual_in_range(a, x, b)) };
    let (a, x, b) = scaled.views();
    let mut r = residual_in_range(a, x, b);
    for (j, &exponent) in scaled.exponents.iter().enumerate() {
        for r in r.col_mut(j) {
            *r = r.ldexp(exponent);
        }
    }
    Ok(r)
}

fn check<T: Scalar>(a: MatRef<'_, T>, x: MatRef<'_, T>, b: MatRef<'_, T>) -> Result<(), Error> {
    Error::check_shape("x", (a.cols(), b.cols()), x.shape())?;
    Error::check_shape("b", (a.rows(), x.cols()), b.shape())?;
    Error::check_finite("a", a)?;
    Error::check_finite("x", x)?;
    Error::check_finite("b", b)
}

fn residual_in_range<T: Scalar>(a: MatRef<'_, T>, x: MatRef<'_, T>, b: MatRef<'_, T>) -> Matrix<T> {
    let mut r = b.to_matrix();
    cpu::residual::residual(a, x, r.view_mut());
    r
}

/// A system whose products neither overflow nor underflow.
struct Scaled<T> {
    a: Matrix<T>,
    x: Matrix<T>,
    b: Matrix<T>,
    /// Column `j` of the original `B − A·X` is that of these matrices times two to this power.
    exponents: Vec<i32>,
}

impl<T: Scalar> Scaled<T> {
    /// `None` where the operands are fit as they are.
    fn of(a: MatRef<'_, T>, x: MatRef<'_, T>, b: MatRef<'_, T>) -> Option<Self> {
        let moderate = |e: Option<i32>| e.is_none_or(|e| e.abs() <= 250);
        if [a, x, b].into_iter().all(|operand| moderate(largest_exponent(operand))) {
            return None;
        }
        let a_exponent = largest_exponent(a);
        let a = a.to_matrix().map(|a| a.ldexp(-a_exponent.unwrap_or(0)));
        let (mut x, mut b) = (x.to_matrix(), b.to_matrix());
        let mut exponents = Vec::with_capacity(b.cols());
        for j in 0..b.cols() {
            let x_exponent = largest_exponent(MatRef::from_column(x.col(j)));
            let b_exponent = largest_exponent(MatRef::from_column(b.col(j)));
            let of_products = a_exponent.zip(x_exponent).map(|(a, x)| a + x);
            let common = of_products.max(b_exponent).unwrap_or(0);
            let shift = of_products.map_or(0, |e| e - common) - x_exponent.unwrap_or(0);
            x.col_mut(j).iter_mut().for_each(|x| *x = x.ldexp(shift));
            b.col_mut(j).iter_mut().for_each(|b| *b = b.ldexp(-common));
            exponents.push(common);
        }
        Some(Self { a, x, b, exponents })
    }

    fn views(&self) -> (MatRef<'_, T>, MatRef<'_, T>, MatRef<'_, T>) {
        (self.a.view(), self.x.view(), self.b.view())
    }
}

/// The exponent of the largest magnitude; `None` where all entries are zero.
pub(crate) fn largest_exponent<T: Scalar>(a: MatRef<'_, T>) -> Option<i32> {
    (0..a.cols()).filter_map(|j| exponent(largest(a.col(j)))).max()
}

fn largest<T: Scalar>(x: &[T]) -> f64 {
    x.iter().map(|x| x.limb(0).abs()).fold(0.0, f64::max)
}

/// Columns of `X`, by limbs, from which on slicing `A` costs less than [`residual`]: measured at `n = 1600`.
const SLICING: [usize; 5] = [0, 40, 24, 8, 8];

/// The normwise backward error of the columns of `X`, the largest over `j` of `‖b_j − A·x_j‖ / (‖A‖‖x_j‖ + ‖b_j‖)` in
/// the ∞-norm: the least `ε` for which `x_j` solves exactly a system with `A` and `b_j` changed by `ε` in norm (Rigal
/// and Gaches 1967; Higham, *Accuracy and Stability of Numerical Algorithms*, Theorem 7.1).
///
/// With `u` the unit roundoff and `n` the number of columns of `A`, the figure is within `n·2^-24·u` of the exact one, and a
/// relative error of a few `2^-53`: see [`cpu::backward_error`], which for many columns is faster than [`residual`].
///
/// # Errors
/// As [`residual`].
pub fn relative_residual<T: Scalar>(
    a: MatRef<'_, T>,
    x: MatRef<'_, T>,
    b: MatRef<'_, T>,
) -> Result<f64, Error> {
    check(a, x, b)?;
    let scaled = Scaled::of(a, x, b);
    let (a, x, b) = scaled.as_ref().map_or((a, x, b), Scaled::views);
    Ok(relative(norm_infinity(a), x, b, &Residuals::of(a, x, b).largest()))
}

fn relative<T: Scalar>(norm: f64, x: MatRef<'_, T>, b: MatRef<'_, T>, residuals: &[f64]) -> f64 {
    let relative = residuals.iter().enumerate().map(|(j, &residual)| {
        let size = norm * largest(x.col(j)) + largest(b.col(j));
        if residual == 0.0 { 0.0 } else { residual / size }
    });
    relative.fold(0.0, f64::max)
}

/// What is known of `B − A·X`.
enum Residuals<T> {
    /// Its entries.
    Entries(Matrix<T>),
    /// The largest magnitude in each column.
    Largest(Vec<f64>),
}

impl<T: Scalar> Residuals<T> {
    /// Of operands in range.
    fn of(a: MatRef<'_, T>, x: MatRef<'_, T>, b: MatRef<'_, T>) -> Self {
        if x.cols() < SLICING[T::LIMBS] {
            Self::Entries(residual_in_range(a, x, b))
        } else {
            Self::Largest(cpu::backward_error::largest_residuals(a, x, b))
        }
    }

    fn largest(&self) -> Vec<f64> {
        match self {
            Self::Entries(r) => (0..r.cols()).map(|j| largest(r.col(j))).collect(),
            Self::Largest(all) => all.clone(),
        }
    }

    /// A bound of the magnitude of entry `(i, j)`.
    fn at(&self, i: usize, j: usize) -> f64 {
        match self {
            Self::Entries(r) => r[(i, j)].limb(0).abs(),
            Self::Largest(all) => all[j],
        }
    }
}

/// How well `X` solves `A·X = B`, as a whole and row by row.
pub(super) struct Judged {
    /// See [`relative_residual`].
    pub(super) relative: f64,
    /// The largest `(|b_j − A·x_j| + u·(|A||x_j| + |b_j|))_i / 2^e` over `j`, where `2^e` is the size of the largest entry
    /// of `x_j`. Infinite where such a column is zero and the right-hand side is not.
    pub(super) rows: Vec<f64>,
}

/// [`Judged`], for a matrix whose largest entries are of ordinary size. Where the other operands
/// are in range too, the largest residuals may be `known` otherwise.
pub(super) fn judge<T: Scalar>(
    a: MatRef<'_, T>,
    x: MatRef<'_, T>,
    b: MatRef<'_, T>,
    known: impl FnOnce() -> Result<Option<Vec<f64>>, Error>,
) -> Result<Judged, Error> {
    check(a, x, b)?;
    let scaled = Scaled::of(a, x, b);
    let views = scaled.as_ref().map_or((a, x, b), Scaled::views);
    let known = if scaled.is_none() { known()? } else { None };
    let residuals =
        known.map_or_else(|| Residuals::of(views.0, views.1, views.2), Residuals::Largest);
    let relative = relative(norm_infinity(views.0), views.1, views.2, &residuals.largest());
    let mut rows = vec![0.0_f64; a.rows()];
    let mut largest_x = vec![0.0_f64; a.cols()];
    for j in 0..x.cols() {
        let Some(size) = largest_exponent(MatRef::from_column(x.col(j))) else {
            if largest(b.col(j)) > 0.0 {
                rows.fill(f64::INFINITY);
            }
            // Zero is the solution for zero where the matrix is regular: as sure as one of ones.
            largest_x.iter_mut().for_each(|size| *size = size.max(1.0));
            continue;
        };
        let common = scaled.as_ref().map_or(0, |scaled| scaled.exponents[j]);
        let (of_residual, of_given) = (Power::new(common - size), Power::new(-size));
        for (largest, x) in largest_x.iter_mut().zip(x.col(j)) {
            *largest = largest.max(of_given.times(x.limb(0).abs()));
        }
        for (i, (row, b)) in rows.iter_mut().zip(b.col(j)).enumerate() {
            let rounding = T::UNIT_ROUNDOFF * of_given.times(b.limb(0).abs());
            *row = row.max(of_residual.times(residuals.at(i, j)) + rounding);
        }
    }
    for (k, size) in largest_x.into_iter().enumerate() {
        for (row, a) in rows.iter_mut().zip(a.col(k)) {
            *row += T::UNIT_ROUNDOFF * (a.limb(0).abs() * size);
        }
    }
    Ok(Judged { relative, rows })
}

/// A power of two beyond the range of one number.
struct Power([f64; 2]);

impl Power {
    fn new(k: i32) -> Self {
        Self([k / 2, k - k / 2].map(|k| 1.0_f64.ldexp(k)))
    }

    fn times(&self, x: f64) -> f64 {
        x * self.0[0] * self.0[1]
    }
}
