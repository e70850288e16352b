//! The 1-norm condition number, estimated from a few solutions with a factored matrix.
//!
//! Source: Higham, *FORTRAN codes for estimating the one-norm of a real or complex matrix*, ACM
//! Trans. Math. Softw. 14 (1988), Algorithm 4.1 (LAPACK's `xLACON`), after Hager (1984). The
//! estimate is the 1-norm of `A⁻¹x` for some `x` of unit norm and so a lower bound; it is seldom
//! less than a third of the norm.

use std::collections::BTreeSet;

use crate::backend::Reading;
use crate::dense::Transpose;
use crate::threads::{Grain, chunks, for_each, map};
use crate::{Error, MatRef, Matrix, Number, Size, Slice};

/// `‖A‖₁`, the largest sum of magnitudes in a column; 0 for an empty matrix. Rounded to the
/// significand of an `f64`.
///
/// ```
/// use nonius_linalg::Matrix;
/// use nonius_linalg::dense::{norm_infinity, norm_one};
///
/// let a = Matrix::from_fn(2, 2, |i, j| [[1.0, -2.0], [3.0, 4.0]][i][j]);
/// assert_eq!(norm_one(a.view()), 6.0);
/// assert_eq!(norm_infinity(a.view()), 7.0);
/// ```
pub fn norm_one<T: Number>(a: MatRef<'_, T>) -> Reading {
    size_of_columns(a).into()
}

/// `‖A‖_∞`, the largest sum of magnitudes in a row; 0 for an empty matrix. Rounded to the
/// significand of an `f64`.
pub fn norm_infinity<T: Number>(a: MatRef<'_, T>) -> Reading {
    size_of_rows(a).into()
}

/// `‖A‖₁`
pub(super) fn size_of_columns<T: Number>(a: MatRef<'_, T>) -> T::Size {
    let grain = Grain::shared_if(a.rows().saturating_mul(a.cols()) >= SHARED);
    let sums = map(a.cols(), grain, |j| sum_abs(a.column(j)));
    sums.into_iter().fold(T::Size::ZERO, Size::max)
}

/// `‖A‖_∞`
pub(super) fn size_of_rows<T: Number>(a: MatRef<'_, T>) -> T::Size {
    let mut sums = vec![T::Size::ZERO; a.rows()];
    along_rows(a, &mut sums, |sum, _, size| *sum += size);
    sums.into_iter().fold(T::Size::ZERO, Size::max)
}

/// Entries of a matrix that is worth several threads.
pub(super) const SHARED: usize = 1 << 20;
/// Rows that a thread takes at a time.
pub(super) const ROWS: usize = 256;

/// Gives something that belongs to each row the sizes of the row's entries, from column to column.
pub(super) fn along_rows<T: Number, S: Send>(
    a: MatRef<'_, T>,
    rows: &mut [S],
    work: impl Fn(&mut S, usize, T::Size) + Sync,
) {
    let grain = Grain::shared_if(a.rows().saturating_mul(a.cols()) >= SHARED);
    for_each(chunks(rows, ROWS), grain, |chunk, rows| {
        let first = chunk * ROWS;
        for j in 0..a.cols() {
            let entries = a.column(j).range(first..first + rows.len());
            rows.iter_mut().zip(T::sizes(entries)).for_each(|(row, size)| work(row, j, size));
        }
    });
}

fn sum_abs<T: Number>(x: Slice<'_, T>) -> T::Size {
    T::sizes(x).fold(T::Size::ZERO, |sum, x| sum + x)
}

/// `op(A)⁻¹` times a vector.
type Inverse<'a, T> = dyn Fn(Transpose, &Matrix<T>) -> Result<Matrix<T>, Error> + 'a;

/// An estimate of `‖A⁻¹‖₁` for a matrix of order `n`, given `op(A)⁻¹` times a vector. Infinite
/// where a product is not finite.
pub(crate) fn inverse_norm_estimate<T: Number>(
    format: T::Format,
    n: usize,
    apply: impl Fn(Transpose, &Matrix<T>) -> Result<Matrix<T>, Error>,
) -> T::Size {
    estimate(format, n, &apply).filter(|x| !x.is_nan()).unwrap_or(T::Size::INFINITY)
}

/// An estimate of `‖D·M‖_∞` for powers of two `D = diag(2^weights)`, by products with `M` and its
/// transpose: the largest of those for groups of rows with powers of about one size. Together, rows
/// with small powers would be lost in rounding errors beside the others.
pub(crate) fn weighted_norm_estimate<T: Number>(
    format: T::Format,
    weights: &[i32],
    product: impl Fn(Transpose, &Matrix<T>) -> Result<Matrix<T>, Error>,
) -> T::Size {
    /// Exponents of a group.
    const GROUP: i32 = 32;
    let (n, group) = (weights.len(), |weight: i32| weight.div_euclid(GROUP));
    let of_group = |chosen: i32| {
        let weighted = |z: &Matrix<T>| {
            Matrix::from_fn_in(format, n, 1, |i, _| {
                if group(weights[i]) == chosen { z.at(i, 0).ldexp(weights[i]) } else { T::ZERO }
            })
        };
        // The 1-norm of the transpose.
        inverse_norm_estimate(format, n, |op, z| match op {
            Transpose::No => product(Transpose::Yes, &weighted(z)),
            Transpose::Yes => Ok(weighted(&product(Transpose::No, z)?)),
        })
    };
    let groups: BTreeSet<i32> = weights.iter().map(|&weight| group(weight)).collect();
    groups.into_iter().map(of_group).fold(T::Size::ZERO, Size::max)
}

fn estimate<T: Number>(format: T::Format, n: usize, apply: &Inverse<'_, T>) -> Option<T::Size> {
    /// Steps of Hager's method at the most.
    const MOST_STEPS: usize = 5;
    let product = |op, x: &Matrix<T>| {
        let y = apply(op, x).ok()?;
        T::are_finite(y.column(0)).then_some(y)
    };
    let vector = |entry: &dyn Fn(usize) -> T| Matrix::from_fn_in(format, n, 1, |i, _| entry(i));
    if n == 0 {
        return Some(T::Size::ZERO);
    }
    let share = T::ONE.to_format(format) / T::from_f64(n as f64);
    let mut y = product(Transpose::No, &vector(&|_| share))?;
    let mut best = sum_abs(y.column(0));
    if n == 1 {
        return Some(best);
    }
    let mut signs = vector(&|i| sign(y.at(i, 0)));
    let mut at = None;
    for _ in 1..MOST_STEPS {
        // The gradient of ‖A⁻¹x‖₁ at x; where it is largest, a unit vector does better.
        let gradient = product(Transpose::Yes, &signs)?;
        let next = largest(&gradient);
        let stationary =
            at.is_some_and(|at: usize| gradient.at(at, 0).abs() >= gradient.at(next, 0).abs());
        if stationary {
            break;
        }
        at = Some(next);
        let unit = vector(&|i| if i == next { T::ONE } else { T::ZERO });
        y = product(Transpose::No, &unit)?;
        let norm = sum_abs(y.column(0));
        let new_signs = vector(&|i| sign(y.at(i, 0)));
        if norm <= best || new_signs == signs {
            best = best.max(norm);
            break;
        }
        best = norm;
        signs = new_signs;
    }
    // A vector that unmasks the matrices made to deceive the iteration.
    let alternating = vector(&|i| {
        let size = 1.0 + i as f64 / (n - 1) as f64;
        T::from_f64(if i % 2 == 0 { size } else { -size })
    });
    let other = sum_abs(product(Transpose::No, &alternating)?.column(0));
    Some(best.max(other * T::Size::from(2.0) / T::Size::from(3.0 * n as f64)))
}

fn sign<T: Number>(x: T) -> T {
    if x < T::ZERO { -T::ONE } else { T::ONE }
}

fn largest<T: Number>(x: &Matrix<T>) -> usize {
    (0..x.rows()).fold(0, |best, i| if x.at(i, 0).abs() > x.at(best, 0).abs() { i } else { best })
}
