//! How well `X` solves `A·X = B`, computed in higher precision than that of the entries.

use nonius_num::Element;

use super::condition::{SHARED, along_rows, size_of_rows};
use crate::backend::Reading;
use crate::threads::{Grain, map};
use crate::{Error, MatRef, Matrix, Number, Size, Slice, SliceMut, cpu};

/// The residual `B − A·X`, accumulated in twice the precision and rounded once.
///
/// Before the final rounding the error is at most `n·u²·(|B| + |A||X|)`, entrywise, `n` being the
/// number of columns of `A` (see [`cpu::residual`]). Entries near the ends of the exponent range
/// cost nothing but a relative `2^-500` of the largest `|a||x|`: powers of two are taken out.
///
/// ```
/// use nonius_linalg::Matrix;
/// use nonius_linalg::dense::residual;
///
/// // 1 − (1/3)·3 in twice the precision: what is wrong with the rounded third.
/// let a = Matrix::from_fn(1, 1, |_, _| 3.0);
/// let x = Matrix::from_fn(1, 1, |_, _| 1.0 / 3.0);
/// let b = Matrix::identity(1);
/// assert_eq!(residual(a.view(), x.view(), b.view())?[(0, 0)], 2.0_f64.powi(-54));
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
///
/// # Errors
/// [`Error::Shape`]; [`Error::Precision`] for an operand of another precision than `B`; and
/// [`Error::NotFinite`] for the first operand with such an entry.
pub fn residual<T: Number>(
    a: MatRef<'_, T>,
    x: MatRef<'_, T>,
    b: MatRef<'_, T>,
) -> Result<Matrix<T>, Error> {
    check(a, x, b)?;
    let Some(scaled) = Scaled::of(a, x, b) else { return Ok(residual_in_range(a, x, b)) };
    let (a, x, b) = scaled.views();
    let mut r = residual_in_range(a, x, b);
    for (j, &exponent) in scaled.exponents.iter().enumerate() {
        scale(r.column_mut(j), exponent);
    }
    Ok(r)
}

fn check<T: Number>(a: MatRef<'_, T>, x: MatRef<'_, T>, b: MatRef<'_, T>) -> Result<(), Error> {
    Error::check_shape("x", (a.cols(), b.cols()), x.shape())?;
    Error::check_shape("b", (a.rows(), x.cols()), b.shape())?;
    Error::check_format::<T>("a", b.format(), a.format())?;
    Error::check_format::<T>("x", b.format(), x.format())?;
    Error::check_finite("a", a)?;
    Error::check_finite("x", x)?;
    Error::check_finite("b", b)
}

fn residual_in_range<T: Number>(a: MatRef<'_, T>, x: MatRef<'_, T>, b: MatRef<'_, T>) -> Matrix<T> {
    let mut r = b.to_matrix();
    cpu::residual::residual(a, x, r.view_mut());
    r
}

/// A system whose products neither overflow nor underflow.
struct Scaled<T: Element> {
    a: Matrix<T>,
    x: Matrix<T>,
    b: Matrix<T>,
    /// Column `j` of the original `B − A·X` is that of these matrices times two to this power.
    exponents: Vec<i32>,
}

impl<T: Number> Scaled<T> {
    /// `None` where the operands are fit as they are.
    fn of(a: MatRef<'_, T>, x: MatRef<'_, T>, b: MatRef<'_, T>) -> Option<Self> {
        let moderate = |e: Option<i32>| e.is_none_or(|e| e.abs() <= 250);
        if [a, x, b].into_iter().all(|operand| moderate(largest_exponent(operand))) {
            return None;
        }
        let a_exponent = largest_exponent(a);
        let a = a.scaled(|_, _| -a_exponent.unwrap_or(0));
        let (mut x, mut b) = (x.to_matrix(), b.to_matrix());
        let mut exponents = Vec::with_capacity(b.cols());
        for j in 0..b.cols() {
            let x_exponent = T::largest_exponent(x.column(j));
            let b_exponent = T::largest_exponent(b.column(j));
            let of_products = a_exponent.zip(x_exponent).map(|(a, x)| a + x);
            let common = of_products.max(b_exponent).unwrap_or(0);
            let shift = of_products.map_or(0, |e| e - common) - x_exponent.unwrap_or(0);
            scale(x.column_mut(j), shift);
            scale(b.column_mut(j), -common);
            exponents.push(common);
        }
        Some(Self { a, x, b, exponents })
    }

    fn views(&self) -> (MatRef<'_, T>, MatRef<'_, T>, MatRef<'_, T>) {
        (self.a.view(), self.x.view(), self.b.view())
    }
}

/// The exponent of the largest magnitude; `None` where all entries are zero.
pub(crate) fn largest_exponent<T: Number>(a: MatRef<'_, T>) -> Option<i32> {
    let of_column = |j| T::largest_exponent(a.column(j));
    match a.rows().saturating_mul(a.cols()) {
        // Columns without rows may be any number: nothing is done for each.
        0 => None,
        SHARED.. => map(a.cols(), Grain::ANY, of_column).into_iter().flatten().max(),
        _ => (0..a.cols()).filter_map(of_column).max(),
    }
}

/// The largest magnitude.
pub(super) fn largest<T: Number>(x: Slice<'_, T>) -> T::Size {
    T::sizes(x).fold(T::Size::ZERO, Size::max)
}

/// `x ← 2^exponent·x`
pub(super) fn scale<T: Number>(mut x: SliceMut<'_, T>, exponent: i32) {
    (0..x.len()).for_each(|i| x.set(i, x.at(i).ldexp(exponent)));
}

impl<T: Number> MatRef<'_, T> {
    /// The matrix with entry `(i, j)` multiplied by two to the power `exponent(i, j)`.
    pub(crate) fn scaled(&self, exponent: impl Fn(usize, usize) -> i32) -> Matrix<T> {
        let (rows, cols) = self.shape();
        let entry = |i, j| self.at(i, j).ldexp(exponent(i, j));
        Matrix::from_fn_in(self.format(), rows, cols, entry)
    }
}

/// The normwise backward error of the columns of `X`, the largest over `j` of
/// `‖b_j − A·x_j‖ / (‖A‖‖x_j‖ + ‖b_j‖)` in the ∞-norm: the least `ε` for which `x_j` solves exactly
/// a system with `A` and `b_j` changed by `ε` in norm (Rigal and Gaches 1967; Higham, *Accuracy and
/// Stability of Numerical Algorithms*, Theorem 7.1).
///
/// With `u` the unit roundoff and `n` the number of columns of `A`, the figure is within
/// `n·2^-24·u` of the exact one, and a relative error of a few `2^-53`: see
/// [`cpu::backward_error`], which for many columns is faster than [`residual`].
///
/// ```
/// use nonius_linalg::Matrix;
/// use nonius_linalg::dense::{Method, relative_residual, solve};
///
/// let a = Matrix::from_fn(8, 8, |i, j| 1.0 / (i + j + 1) as f64);
/// let b = Matrix::from_fn(8, 1, |_, _| 1.0);
/// let x = solve(a.view(), b.view(), Method::Lu)?.x;
/// // However ill-conditioned the matrix, elimination is backward stable.
/// assert!(relative_residual(a.view(), x.view(), b.view())? < 8.0 * f64::EPSILON);
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
///
/// # Errors
/// As [`residual`].
pub fn relative_residual<T: Number>(
    a: MatRef<'_, T>,
    x: MatRef<'_, T>,
    b: MatRef<'_, T>,
) -> Result<Reading, Error> {
    check(a, x, b)?;
    let scaled = Scaled::of(a, x, b);
    let (a, x, b) = scaled.as_ref().map_or((a, x, b), Scaled::views);
    Ok(relative(size_of_rows(a), x, b, &Residuals::of(a, x, b).largest()).into())
}

fn relative<T: Number>(
    norm: T::Size,
    x: MatRef<'_, T>,
    b: MatRef<'_, T>,
    residuals: &[T::Size],
) -> T::Size {
    let relative = residuals.iter().enumerate().map(|(j, &residual)| {
        let size = norm * largest(x.column(j)) + largest(b.column(j));
        if residual == T::Size::ZERO { residual } else { residual / size }
    });
    relative.fold(T::Size::ZERO, Size::max)
}

/// What is known of `B − A·X`.
enum Residuals<T: Number> {
    /// Its entries.
    Entries(Matrix<T>),
    /// The largest magnitude in each column.
    Largest(Vec<T::Size>),
}

impl<T: Number> Residuals<T> {
    /// Of operands in range.
    fn of(a: MatRef<'_, T>, x: MatRef<'_, T>, b: MatRef<'_, T>) -> Self {
        if x.cols() < T::SLICING {
            Self::Entries(residual_in_range(a, x, b))
        } else {
            Self::of_largest(cpu::backward_error::largest_residuals(a, x, b))
        }
    }

    fn of_largest(all: Vec<Reading>) -> Self {
        Self::Largest(all.into_iter().map(T::Size::from).collect())
    }

    fn largest(&self) -> Vec<T::Size> {
        match self {
            Self::Entries(r) => (0..r.cols()).map(|j| largest(r.column(j))).collect(),
            Self::Largest(all) => all.clone(),
        }
    }

    /// A bound of the magnitude of entry `(i, j)`.
    fn at(&self, i: usize, j: usize) -> T::Size {
        match self {
            Self::Entries(r) => r.at(i, j).size(),
            Self::Largest(all) => all[j],
        }
    }
}

/// How well `X` solves `A·X = B`, as a whole and row by row.
pub(super) struct Judged<S> {
    /// See [`relative_residual`].
    pub(super) relative: S,
    /// The largest `(|b_j − A·x_j| + u·(|A||x_j| + |b_j|))_i / 2^e` over `j`, where `2^e` is the
    /// size of the largest entry of `x_j`. Infinite where such a column is zero and the right-hand
    /// side is not.
    pub(super) rows: Vec<S>,
}

/// [`Judged`], for a matrix whose largest entries are of ordinary size. Where the other operands
/// are in range too, the largest residuals may be `known` otherwise.
pub(super) fn judge<T: Number>(
    a: MatRef<'_, T>,
    x: MatRef<'_, T>,
    b: MatRef<'_, T>,
    known: impl FnOnce() -> Result<Option<Vec<Reading>>, Error>,
) -> Result<Judged<T::Size>, Error> {
    check(a, x, b)?;
    let scaled = Scaled::of(a, x, b);
    let views = scaled.as_ref().map_or((a, x, b), Scaled::views);
    let known = if scaled.is_none() { known()? } else { None };
    let residuals =
        known.map_or_else(|| Residuals::of(views.0, views.1, views.2), Residuals::of_largest);
    let relative = relative(size_of_rows(views.0), views.1, views.2, &residuals.largest());
    let unit = T::unit_roundoff(a.format());
    let mut rows = vec![T::Size::ZERO; a.rows()];
    let mut largest_x = vec![T::Size::ZERO; a.cols()];
    for j in 0..x.cols() {
        let Some(size) = largest(x.column(j)).exponent() else {
            if largest(b.column(j)) > T::Size::ZERO {
                rows.fill(T::Size::INFINITY);
            }
            // Zero is the solution for zero where the matrix is regular: as sure as one of ones.
            largest_x.iter_mut().for_each(|size| *size = size.max(1.0.into()));
            continue;
        };
        let common = scaled.as_ref().map_or(0, |scaled| scaled.exponents[j]);
        let (of_residual, of_given) = (Power::new(common - size), Power::new(-size));
        for (largest, x) in largest_x.iter_mut().zip(x.column(j).iter()) {
            *largest = largest.max(of_given.times(x.size()));
        }
        for (i, (row, b)) in rows.iter_mut().zip(b.column(j).iter()).enumerate() {
            let rounding = unit * of_given.times(b.size());
            *row = row.max(of_residual.times(residuals.at(i, j)) + rounding);
        }
    }
    along_rows(a, &mut rows, |row, k, size| *row += unit * (size * largest_x[k]));
    Ok(Judged { relative, rows })
}

/// A power of two beyond the range of one number.
struct Power<S>([S; 2]);

impl<S: Size> Power<S> {
    fn new(k: i32) -> Self {
        Self([k / 2, k - k / 2].map(|k| S::from(1.0).ldexp(k)))
    }

    fn times(&self, x: S) -> S {
        x * self.0[0] * self.0[1]
    }
}

#[cfg(test)]
mod tests {
    use super::largest_exponent;
    use crate::MatRef;

    #[test]
    fn columns_without_rows_take_no_time_and_no_memory() {
        assert_eq!(largest_exponent(MatRef::<f64>::from_parts(&[], 0, usize::MAX, 0)), None);
        assert_eq!(largest_exponent(MatRef::from_parts(&[0.0, -3.0, 0.25], 1, 3, 1)), Some(1));
    }
}
