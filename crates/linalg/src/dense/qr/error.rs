//! How far a least squares solution, or a shortest one, is from the exact one.
//!
//! Let `A = A'·D` with columns of size 1 and `A' = Q·R`, and `r = b − A·x̂`. The solution of least
//! squares differs from `x̂` by `D⁻¹(RᵀR)⁻¹·A'ᵀr`, exactly. To first order, changes of `A` and `b`
//! by roundings of their entries change it by at most
//!
//! `|D⁻¹(RᵀR)⁻¹|·u·‖a'_j‖‖r‖ + ‖D⁻¹R⁻¹‖·u·(‖b‖ + Σ ‖a'_j‖|x'_j|)`
//!
//! for `x' = D·x̂` (Wedin 1973; Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed.,
//! Theorem 20.1; Golub and Van Loan, *Matrix Computations*, 4th ed., section 5.3.7). The first term
//! has the square of the condition. Its coefficients are added to `|A'ᵀr|`, which has as large a
//! rounding error, before norms are estimated from solutions with `R`.
//!
//! The shortest solution of `Aᵀx = b` differs from `x̂` by `Q·R⁻ᵀ·r'`, `r' = D⁻¹(b − Aᵀx̂)`, and by
//! a part of `x̂` in no row's direction: next to `n·u·‖x̂‖` by `n` reflections. Rounding `A` adds
//! `u·κ(R)·‖x̂‖` (ibid., Theorem 21.1), rounding the equations `Q·R⁻ᵀ` times roundings.

use nonius_num::Element;

use super::{Qr, exponents, scaled};
use crate::backend::Reflecting;
use crate::cpu::reduce::nrm2;
use crate::dense::condition::{inverse_norm_estimate, weighted_norm_estimate};
use crate::dense::gemm::gemm;
use crate::dense::{Transpose, residual};
use crate::{Error, MatRef, Matrix, Number, Size, Slice};

/// What is known of a solution.
pub(super) struct Quality<S> {
    /// The largest over `j` of `‖b_j − A·x_j‖₂ / ‖b_j‖₂`.
    pub(super) relative_residual: S,
    /// The largest error of a column beside its largest entry; infinite where nothing is known.
    pub(super) forward_error: S,
}

/// Exponents of right-hand sides beside unknowns of about 1, at most.
const MOST_RIGHTS: i32 = 900;
/// The largest change of `R` by `n` roundings, beside its least singular value, for which estimates
/// hold.
const TRUSTED: f64 = 1.0 / 8.0;

/// The relative error of rounding a number next to `2^e`, at most 1.
fn unit<T: Number>(format: T::Format, e: i32) -> T::Size {
    let least = (T::LEAST_EXPONENT - e).min(0);
    T::unit_roundoff(format).max(T::Size::from(1.0).ldexp(least))
}

fn norm<T: Number>(column: Slice<'_, T>) -> T::Size {
    nrm2(column).size()
}

/// `z` with rows times numbers.
fn times<T: Number>(factors: &[T::Size], z: &Matrix<T>) -> Matrix<T> {
    let entry = |i, _| T::from_size(factors[i]) * z.at(i, 0);
    Matrix::from_fn_in(z.format(), z.rows(), 1, entry)
}

/// Columns of a system, each times a power of two that brings its unknowns to about 1.
struct Columns<T: Element> {
    x: Matrix<T>,
    b: Matrix<T>,
    /// The exponents that both were divided by.
    sizes: Vec<i32>,
}

impl<T: Number> Columns<T> {
    /// Rows of `X` and `B` are divided by `2^x_scales` and `2^b_scales` too. A column without
    /// unknowns other than zero is brought to the size of `B`, and one whose unknowns are so small
    /// beside `B` that this would leave the range to `2^-MOST_RIGHTS` of it.
    fn new(x: &Matrix<T>, x_scales: &[i32], b: MatRef<'_, T>, b_scales: &[i32]) -> Self {
        let largest = |column: Slice<'_, T>, scales: &[i32]| {
            let with_scale = |(x, scale): (T, &i32)| Some(x.exponent()? - scale);
            column.iter().zip(scales).filter_map(with_scale).max()
        };
        let of_column = |j: usize| {
            let of_b = largest(b.column(j), b_scales);
            match largest(x.column(j), x_scales) {
                Some(of_x) => of_x.max(of_b.map_or(of_x, |e| e - MOST_RIGHTS)),
                None => of_b.unwrap_or(0),
            }
        };
        let sizes: Vec<i32> = (0..b.cols()).map(of_column).collect();
        let shifted = |a: MatRef<'_, T>, scales: &[i32]| a.scaled(|i, j| -scales[i] - sizes[j]);
        Self { x: shifted(x.view(), x_scales), b: shifted(b, b_scales), sizes }
    }
}

impl<T: Number, B: Reflecting<T>> Qr<T, B> {
    /// Of a solution of least squares with the matrix `a` that was factored without pivoting.
    pub(super) fn quality(
        &self,
        a: MatRef<'_, T>,
        x: &Matrix<T>,
        b: MatRef<'_, T>,
        condition: T::Size,
    ) -> Result<Quality<T::Size>, Error> {
        let (m, n) = a.shape();
        let exponents = exponents(a);
        let a = scaled(a, &exponents);
        let negative: Vec<i32> = exponents.iter().map(|e| -e).collect();
        let columns = Columns::new(x, &negative, b, &vec![0; m]);
        let r = residual(a.view(), columns.x.view(), columns.b.view())?;
        let gradient = gradient(&a, &r)?;
        let norms: Vec<T::Size> = (0..n).map(|j| norm(a.column(j))).collect();
        let format = a.format();
        let units: Vec<T::Size> = exponents.iter().map(|&e| unit::<T>(format, e)).collect();
        let zero = T::Size::ZERO;
        let (mut relative_residual, mut right) = (zero, zero);
        let (mut left, mut weights) = (vec![zero; n], vec![None; n]);
        for j in 0..b.cols() {
            let [of_r, of_b] = [&r, &columns.b].map(|c| norm(c.column(j)));
            if of_b == zero {
                continue;
            }
            relative_residual = relative_residual.max(of_r / of_b);
            let Some(of_x) = T::largest_exponent(x.column(j)) else {
                // Nothing is known beside zero, unless it is the solution.
                if gradient.iter().any(|gradient| gradient[j] != zero) {
                    right = T::Size::INFINITY;
                }
                continue;
            };
            let of_rounding = |k: usize| units[k] * norms[k];
            for (k, left) in left.iter_mut().enumerate() {
                *left = left.max(gradient[k][j] + of_rounding(k) * of_r);
            }
            let products =
                (0..n).fold(zero, |sum, k| sum + of_rounding(k) * columns.x.at(k, j).size());
            let size_of_b = T::largest_exponent(b.column(j)).unwrap_or(0);
            let of_given = unit::<T>(format, size_of_b) * of_b;
            right = right.max(products + of_given);
            for (weight, e) in weights.iter_mut().zip(&exponents) {
                *weight = (*weight).max(Some(columns.sizes[j] - of_x - e));
            }
        }
        // Whatever is one for all columns is infinite for one.
        let weights: Vec<i32> = weights.into_iter().map(|weight| weight.unwrap_or(0)).collect();
        let solve = |z: &Matrix<T>| self.solve_r(Transpose::No, &self.solve_r(Transpose::Yes, z)?);
        let of_left = weighted_norm_estimate(format, &weights, |op, z| match op {
            Transpose::No => solve(&times(&left, z)),
            Transpose::Yes => Ok(times(&left, &solve(z)?)),
        });
        let of_right = weighted_norm_estimate(format, &weights, |op, z| self.solve_r(op, z));
        let of_right = if right == zero { zero } else { right * of_right };
        let forward_error = trusted::<T>(format, of_left + of_right, n, condition);
        Ok(Quality { relative_residual, forward_error })
    }

    /// Of a shortest solution of `Aᵀ·X = B` with the matrix `a` that was factored without pivoting.
    pub(super) fn quality_of_shortest(
        &self,
        a: MatRef<'_, T>,
        x: &Matrix<T>,
        b: MatRef<'_, T>,
        condition: T::Size,
    ) -> Result<Quality<T::Size>, Error> {
        let (m, n) = a.shape();
        let exponents = exponents(a);
        let a = scaled(a, &exponents);
        let columns = Columns::new(x, &vec![0; m], b, &exponents);
        let r = residual(a.transposed().view(), columns.x.view(), columns.b.view())?;
        let norms: Vec<T::Size> = (0..n).map(|j| norm(a.column(j))).collect();
        let format = a.format();
        let units: Vec<T::Size> = exponents.iter().map(|&e| unit::<T>(format, e)).collect();
        let zero = T::Size::ZERO;
        let (mut relative_residual, mut rest) = (zero, zero);
        let mut left = vec![zero; n];
        let roundings = T::Size::from(n as f64) * T::unit_roundoff(format);
        let of_reflections = roundings * (T::Size::from(1.0) + condition);
        for j in 0..b.cols() {
            let of_b = norm(columns.b.column(j));
            if of_b == zero {
                continue;
            }
            relative_residual =
                relative_residual.max(self.relative(&r, &exponents, b, &columns, j));
            let Some(of_x) = T::largest_exponent(x.column(j)) else {
                rest = T::Size::INFINITY;
                continue;
            };
            let length = norm(columns.x.column(j));
            for (k, left) in left.iter_mut().enumerate() {
                let products = norms[k] * length + columns.b.at(k, j).size();
                *left = left.max(r.at(k, j).size() + units[k] * products);
            }
            // Unknowns are between 1 and 2 in size, unless below the range.
            let lost = unit::<T>(format, of_x) * (m as f64).sqrt().into();
            let given = units.iter().copied().fold(zero, Size::max) * condition;
            rest = rest.max((of_reflections + given) * length + lost);
        }
        let of_left = inverse_norm_estimate(format, n, |op, z| match op {
            Transpose::No => Ok(times(&left, &self.solve_r(Transpose::No, z)?)),
            Transpose::Yes => self.solve_r(Transpose::Yes, &times(&left, z)),
        });
        let estimate = T::Size::from((n as f64).sqrt()) * of_left + rest;
        Ok(Quality {
            relative_residual,
            forward_error: trusted::<T>(format, estimate, n, condition),
        })
    }

    /// `‖r_j‖₂ / ‖b_j‖₂` of the equations as they were given.
    fn relative(
        &self,
        r: &Matrix<T>,
        exponents: &[i32],
        b: MatRef<'_, T>,
        columns: &Columns<T>,
        j: usize,
    ) -> T::Size {
        let size = T::largest_exponent(b.column(j)).unwrap_or(0);
        let shift = columns.sizes[j] - size;
        let of_given = |m: &Matrix<T>| {
            let column = m.view().block(0, j, m.rows(), 1);
            norm(column.scaled(|i, _| exponents[i] + shift).column(0))
        };
        of_given(r) / of_given(&columns.b)
    }
}

/// `|A'ᵀr|` for each column of `A'`, and in it of `r`.
fn gradient<T: Number>(a: &Matrix<T>, r: &Matrix<T>) -> Result<Vec<Vec<T::Size>>, Error> {
    let mut found = Matrix::zeros_in(a.format(), a.cols(), r.cols());
    let (yes, no) = (Transpose::Yes, Transpose::No);
    gemm(yes, no, T::ONE, a.view(), r.view(), T::ZERO, found.view_mut())?;
    let row = |k: usize| (0..r.cols()).map(|j| found.at(k, j).size()).collect();
    Ok((0..a.cols()).map(row).collect())
}

/// The estimate of an error, where `R` is good enough for one.
fn trusted<T: Number>(
    format: T::Format,
    estimate: T::Size,
    n: usize,
    condition: T::Size,
) -> T::Size {
    let roundings = T::Size::from(n as f64) * T::unit_roundoff(format);
    let good = roundings * condition < TRUSTED.into();
    if good && estimate < 1.0.into() { estimate } else { T::Size::INFINITY }
}
