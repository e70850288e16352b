//! The 1-norm condition number, estimated from a few solutions with a factored matrix.
//!
//! Source: Higham, *FORTRAN codes for estimating the one-norm of a real or complex matrix*, ACM Trans. Math. Softw.
//! 14 (1988), Algorithm 4.1 (LAPACK's `xLACON`), after Hager (1984). The estimate is the 1-norm of `A⁻¹x` for some
//! `x` of unit norm and so a lower bound; it is seldom less than a third of the norm.

use std::collections::BTreeSet;

use crate::dense::Transpose;
use crate::{Error, MatRef, Matrix, Scalar};

/// `‖A‖₁`, the largest sum of magnitudes in a column; 0 for an empty matrix. Rounded to `f64`.
pub fn norm_one<T: Scalar>(a: MatRef<'_, T>) -> f64 {
    (0..a.cols()).map(|j| sum_abs(a.col(j))).fold(0.0, f64::max)
}

/// `‖A‖_∞`, the largest sum of magnitudes in a row; 0 for an empty matrix. Rounded to `f64`.
pub fn norm_infinity<T: Scalar>(a: MatRef<'_, T>) -> f64 {
    let mut sums = vec![0.0; a.rows()];
    for j in 0..a.cols() {
        for (sum, x) in sums.iter_mut().zip(a.col(j)) {
            *sum += x.limb(0).abs();
        }
    }
    sums.into_iter().fold(0.0, f64::max)
}

fn sum_abs<T: Scalar>(x: &[T]) -> f64 {
    x.iter().map(|x| x.limb(0).abs()).sum()
}

/// `op(A)⁻¹` times a vector.
type Inverse<'a, T> = dyn Fn(Transpose, &Matrix<T>) -> Result<Matrix<T>, Error> + 'a;

/// An estimate of `‖A⁻¹‖₁` for a matrix of order `n`, given `op(A)⁻¹` times a vector. Infinite where a product is not
/// finite.
pub(crate) fn inverse_norm_estimate<T: Scalar>(
    n: usize,
    apply: impl Fn(Transpose, &Matrix<T>) -> Result<Matrix<T>, Error>,
) -> f64 {
    estimate(n, &apply).filter(|x| !x.is_nan()).unwrap_or(f64::INFINITY)
}

/// An estimate of `‖D·M‖_∞` for powers of two `D = diag(2^weights)`, by products with `M` and its
/// transpose: the largest of those for groups of rows with powers of about one size. Together, rows
/// with small powers would be lost in rounding errors beside the others.
pub(crate) fn weighted_norm_estimate<T: Scalar>(
    weights: &[i32],
    product: impl Fn(Transpose, &Matrix<T>) -> Result<Matrix<T>, Error>,
) -> f64 {
    /// Exponents of a group.
    const GROUP: i32 = 32;
    let (n, group) = (weights.len(), |weight: i32| weight.div_euclid(GROUP));
    let of_group = |chosen: i32| {
        let weighted = |z: &Matrix<T>| {
            Matrix::from_fn(n, 1, |i, _| {
                if group(weights[i]) == chosen { z[(i, 0)].ldexp(weights[i]) } else { T::ZERO }
            })
        };
        // The 1-norm of the transpose.
        inverse_norm_estimate(n, |op, z| match op {
            Transpose::No => product(Transpose::Yes, &weighted(z)),
            Transpose::Yes => Ok(weighted(&product(Transpose::No, z)?)),
        })
    };
    let groups: BTreeSet<i32> = weights.iter().map(|&weight| group(weight)).collect();
    groups.into_iter().map(of_group).fold(0.0, f64::max)
}

fn estimate<T: Scalar>(n: usize, apply: &Inverse<'_, T>) -> Option<f64> {
    /// Steps of Hager's method at the most.
    const MOST_STEPS: usize = 5;
    let product = |op, x: &Matrix<T>| {
        let y = apply(op, x).ok()?;
        y.as_slice().iter().all(|y| y.is_finite()).then_some(y)
    };
    if n == 0 {
        return Some(0.0);
    }
    let mut y =
        product(Transpose::No, &Matrix::from_fn(n, 1, |_, _| T::ONE / T::from_f64(n as f64)))?;
    let mut best = sum_abs(y.as_slice());
    if n == 1 {
        return Some(best);
    }
    let mut signs = y.map(sign);
    let mut at = None;
    for _ in 1..MOST_STEPS {
        // The gradient of ‖A⁻¹x‖₁ at x; where it is largest, a unit vector does better.
        let gradient = product(Transpose::Yes, &signs)?;
        let next = largest(&gradient);
        let stationary =
            at.is_some_and(|at: usize| gradient[(at, 0)].abs() >= gradient[(next, 0)].abs());
        if stationary {
            break;
        }
        at = Some(next);
        y = product(
            Transpose::No,
            &Matrix::from_fn(n, 1, |i, _| if i == next { T::ONE } else { T::ZERO }),
        )?;
        let norm = sum_abs(y.as_slice());
        let new_signs = y.map(sign);
        if norm <= best || new_signs == signs {
            best = best.max(norm);
            break;
        }
        best = norm;
        signs = new_signs;
    }
    // A vector that unmasks the matrices made to deceive the iteration.
    let alternating = Matrix::from_fn(n, 1, |i, _| {
        let size = 1.0 + i as f64 / (n - 1) as f64;
        T::from_f64(if i % 2 == 0 { size } else { -size })
    });
    let other = sum_abs(product(Transpose::No, &alternating)?.as_slice()) * 2.0 / (3.0 * n as f64);
    Some(best.max(other))
}

fn sign<T: Scalar>(x: T) -> T {
    if x < T::ZERO { -T::ONE } else { T::ONE }
}

fn largest<T: Scalar>(x: &Matrix<T>) -> usize {
    (0..x.rows()).fold(0, |best, i| if x[(i, 0)].abs() > x[(best, 0)].abs() { i } else { best })
}
