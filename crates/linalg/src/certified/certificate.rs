//! What is proved of an approximate inverse.
//!
//! **Theorem** (A. Neumaier, *Interval methods for systems of equations*, 1990, section 4.1; S. M. Rump, *Verification methods*, Acta Numerica 19, 2010, section 10).
//! Let `G = I − R·A`, `γ_i >= Σ_j |G_ij|` and `γ = max γ_i < 1`. Then `A` and `R` are nonsingular, and for every `y` and `r = b − A·y` the
//! solution `x` satisfies
//!
//! `x − y = (I − G)^-1·R·r = R·r + G·(I − G)^-1·R·r`, so `|x − y − R·r|_i <= γ_i/(1 − γ)·‖R·r‖_∞`.
//!
//! **Rounding.** In `f64` a sum of `n` products, in any order, with fused multiply-adds or without, is within `n·u/(1 − n·u)·Σ|a||b| + n·2^-1074` of
//! the exact one, `u = 2^-53`. Products of mp numbers are within `(n + 3)·2^-p·Σ|a||b|` ([`mp::gemm`]). Row sums of these errors need `|R|·(|A|·e)`,
//! `e` being all ones: a product of a matrix and a vector of numbers that are not negative, multiplied by `1 + 4·n·u` in the end.

use nonius_num::Real;
use nonius_num::mp::{Bits, Mp};
use rayon::prelude::*;

use super::inverse::{Inverse, product, with_bits};
use super::magnitude::{Magnitude, leading};
use super::system::{Nearest, System, to_f64};
use crate::backend::Dense;
use crate::{Error, Matrix, mp};

/// Bounds for an approximate inverse.
pub(super) struct Certificate {
    /// `γ_i`
    pub(super) defects: Vec<f64>,
    /// `γ`; infinite where nothing is proved.
    pub(super) defect: f64,
    /// Upper bounds of `Σ_j |R_ij|`.
    pub(super) row_sums: Vec<Magnitude>,
}

impl Certificate {
    fn new(defects: Vec<f64>, row_sums: Vec<Magnitude>) -> Self {
        let known = |x: f64| if x.is_nan() { f64::INFINITY } else { x };
        let defect = defects.iter().copied().map(known).fold(0.0, f64::max);
        Self { defects, defect, row_sums }
    }

    /// For an inverse in `f64`, by products in `f64`.
    pub(super) fn in_f64<B: Dense<f64>>(
        backend: &B,
        system: &System,
        a: &Nearest,
        inverse: &Matrix<f64>,
    ) -> Result<Self, Error> {
        let n = system.order();
        let product = super::multiply_f64(backend, inverse, &a.matrix)?;
        let up = 1.0 + 4.0 * (n as f64 + 8.0) * f64::UNIT_ROUNDOFF;
        let mut row_sums_of_a = vec![0.0; n];
        let mut defects = vec![0.0; n];
        for j in 0..n {
            for (sum, x) in row_sums_of_a.iter_mut().zip(a.matrix.col(j)) {
                *sum += x.abs();
            }
            for (i, (defect, x)) in defects.iter_mut().zip(product.col(j)).enumerate() {
                *defect += if i == j { (1.0 - x).abs() } else { x.abs() };
            }
        }
        let relative = super::sum_error(n) + a.relative + system.matrix_error.to_f64();
        let of_row = |sum: f64| sum * up * relative + n as f64 * a.absolute;
        let weights: Vec<f64> = row_sums_of_a.into_iter().map(of_row).collect();
        let mut sums = vec![0.0; n];
        let mut errors = vec![0.0; n];
        for (k, weight) in weights.into_iter().enumerate() {
            for ((sum, error), x) in sums.iter_mut().zip(&mut errors).zip(inverse.col(k)) {
                *sum += x.abs();
                *error += x.abs() * weight;
            }
        }
        for (defect, error) in defects.iter_mut().zip(errors) {
            // What underflows is less than the least normal number.
            *defect = (*defect * up + error * up + f64::MIN_POSITIVE) * up;
        }
        let row_sums = sums.into_iter().map(|sum| Magnitude::new(sum * up, 0));
        Ok(Self::new(defects, row_sums.collect()))
    }

    /// By a product with so many bits, which is returned next to it, rounded to `f64`.
    pub(super) fn by_product(
        system: &System,
        inverse: &Inverse,
        bits: Bits,
    ) -> Result<(Self, Matrix<f64>), Error> {
        let n = system.order();
        let transpose = inverse.transpose(bits);
        let rows = with_bits(&system.rows, bits);
        // The numbers given may have more bits than the product.
        let cut = if system.rows.bits() > bits {
            Magnitude::power(-i64::from(bits.get()))
        } else {
            Magnitude::ZERO
        };
        // (R·A)ᵀ
        let p = product(&rows, &transpose)?;
        let units = Magnitude::new(n as f64 + 4.0, -i64::from(bits.get()));
        let relative = units.plus(system.matrix_error).plus(cut);
        // No entry of A exceeds 1.
        let of_sum = relative.times(Magnitude::new(n as f64, 0));
        let found: Vec<(f64, Magnitude)> = (0..n)
            .into_par_iter()
            .map(|i| {
                let row_sum = row_sum(&transpose, i);
                let defect = defect(&p, i).plus(row_sum.times(of_sum));
                let bound = if defect.is_zero() { 0.0 } else { defect.to_f64() };
                (bound, row_sum)
            })
            .collect();
        let (defects, row_sums) = found.into_iter().unzip();
        let nearest = Matrix::from_fn(n, n, |i, j| to_f64(p.at(j, i), 0).0);
        Ok((Self::new(defects, row_sums), nearest))
    }
}

/// `Σ_j |(I − P)_ij|`, of the transpose of `P`.
fn defect(p: &mp::Matrix, i: usize) -> Magnitude {
    let column = p.col(i);
    (0..column.len()).fold(Magnitude::ZERO, |sum, j| {
        let x = column.at(j);
        if i != j {
            return sum.plus(Magnitude::above(x));
        }
        let one = Mp::one(x.bits());
        // Rounded once, which doubling covers.
        sum.plus(Magnitude::above((one.view() - x).view()).shifted(1))
    })
}

/// `Σ_j |R_ij|`, of the transpose of `R`.
fn row_sum(transpose: &mp::Matrix, i: usize) -> Magnitude {
    let column = transpose.col(i);
    let largest = column.heads().iter().map(|head| head.code()).max().unwrap_or(0);
    let mut sum = 0.0;
    for j in 0..column.len() {
        let x = column.at(j);
        let Some((m, e)) = leading(x) else {
            if x.head().is_zero() {
                continue;
            }
            return Magnitude::INFINITE;
        };
        let down = (e - i64::from(largest)).max(-900) as i32;
        sum += m.ldexp(down);
    }
    // Below 2^-900 numbers count as that times their significand; all roundings together are less than this factor adds.
    let up = 1.0 + 4.0 * (column.len() as f64 + 8.0) * f64::UNIT_ROUNDOFF;
    Magnitude::new(sum * up, i64::from(largest))
}
