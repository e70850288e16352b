//! Approximate inverses `R` of `A`, and products with them.
//!
//! The first is computed in `f64`. What follows is Rump's method for matrices of any condition: with `P` next to `R·A`, in `f64`, and `X` an
//! inverse of `P`, the matrix `X·R` is a better one, as long as products are computed with as many bits more as the
//! condition needs (S. M. Rump, *Inversion of extremely ill-conditioned matrices in floating-point*, Japan J. Indust. Appl. Math. 26, 2009). So all factorisations
//! are in `f64`, and products of matrices do the rest; a step gains about 50 bits of condition.

use nonius_num::Real;
use nonius_num::mp::{Bits, Dot, Head, Mp};
use rayon::prelude::*;

use super::magnitude::Magnitude;
use super::residual::Residual;
use super::system::{System, to_f64};
use crate::backend::Dense;
use crate::dense::gemm::Products;
use crate::dense::{Lu, Transpose};
use crate::{Error, Matrix, mp};

/// An approximate inverse.
pub(super) enum Inverse {
    /// With `f64` entries.
    F64(Matrix<f64>),
    /// The transpose, with entries of more bits.
    Mp(mp::Matrix),
}

/// `Z = R·r` for a column `r`.
pub(super) struct Product {
    /// A column.
    pub(super) values: mp::Matrix,
    /// Row `i` of the exact product differs by less than `unit` times the sum of magnitudes in row `i` of `R`.
    pub(super) unit: Magnitude,
    /// The same for its rounding.
    pub(super) rounding: Vec<Magnitude>,
}

impl Inverse {
    /// The inverse of a matrix in `f64`, or of one next to it where elimination meets a zero; `None` where that has no finite one. Steps take `seed`s of their
    /// own, lest the next perturbation undo the last.
    pub(super) fn of<B: Dense<f64>>(
        backend: &B,
        a: &Matrix<f64>,
        seed: u32,
    ) -> Result<Option<Matrix<f64>>, Error> {
        let mut perturbed = None;
        for attempt in 0..3_u64 {
            let found =
                Lu::new(backend.clone(), backend.upload(perturbed.as_ref().unwrap_or(a).view()))
                    .and_then(|lu| lu.inverse());
            match found {
                Ok(inverse) if inverse.as_slice().iter().all(|x| x.is_finite()) => {
                    return Ok(Some(inverse));
                }
                Ok(_) | Err(Error::Singular { .. } | Error::Overflow { .. }) => {
                    perturbed = Some(perturb(a, 4 * u64::from(seed) + attempt));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    /// The bits of its entries.
    pub(super) fn bits(&self) -> Option<Bits> {
        match self {
            Self::F64(_) => None,
            Self::Mp(transpose) => Some(transpose.bits()),
        }
    }

    /// The transpose with entries of so many bits.
    pub(super) fn transpose(&self, bits: Bits) -> mp::Matrix {
        match self {
            Self::F64(r) => transposed(r, bits),
            Self::Mp(transpose) => with_bits(transpose, bits),
        }
    }

    /// `X·R`, with so many bits.
    pub(super) fn improved(&self, x: &Matrix<f64>, bits: Bits) -> Result<Self, Error> {
        product(&self.transpose(bits), &transposed(x, bits)).map(Self::Mp)
    }

    /// The inverse by elimination with so many bits, or this one where that meets a zero.
    pub(super) fn eliminated(&self, system: &System, bits: Bits) -> Self {
        match mp::inverse(&with_bits(&system.rows, bits)) {
            // Of the transpose, as the rows of A are the columns of what was inverted.
            Ok(transpose) => Self::Mp(transpose),
            Err(_) => Self::Mp(self.transpose(bits)),
        }
    }

    /// `R·r`.
    pub(super) fn apply<B: Dense<f64>>(&self, backend: &B, r: &Residual) -> Result<Product, Error> {
        match self {
            Self::F64(inverse) => apply_f64(backend, inverse, r),
            Self::Mp(transpose) => Ok(apply_mp(transpose, r)),
        }
    }
}

/// `A·B` of two matrices with the same bits.
pub(super) fn product(a: &mp::Matrix, b: &mp::Matrix) -> Result<mp::Matrix, Error> {
    let bits = a.bits();
    let mut c = mp::Matrix::try_zeros(bits, a.rows(), b.cols())?;
    let (no, one, zero) = (Transpose::No, Mp::one(bits), Mp::zero(bits));
    mp::gemm(Products::default(), no, no, one.view(), a, b, zero.view(), &mut c)?;
    Ok(c)
}

/// The same entries, rounded to so many bits.
pub(super) fn with_bits(a: &mp::Matrix, bits: Bits) -> mp::Matrix {
    let mut result = mp::Matrix::zeros(bits, a.rows(), a.cols());
    let count = a.rows().max(1);
    let columns = result.numbers_mut().pieces(count);
    columns.into_par_iter().enumerate().for_each(|(j, mut column)| {
        (0..column.len()).for_each(|i| column.set(i, a.at(i, j)));
    });
    result
}

/// The transpose of a matrix of finite numbers.
fn transposed(a: &Matrix<f64>, bits: Bits) -> mp::Matrix {
    let (rows, words) = (a.cols(), bits.words());
    let mut result = mp::Matrix::zeros(bits, rows, a.rows());
    let columns = result.numbers_mut().pieces(rows.max(1));
    columns.into_par_iter().enumerate().for_each(|(j, column)| {
        let (heads, significands) = column.into_parts();
        for (i, (head, number)) in
            heads.iter_mut().zip(significands.chunks_exact_mut(words)).enumerate()
        {
            let x = a[(j, i)];
            let Some(e) = crate::scalar::exponent(x) else { continue };
            *head = Head::finite(x < 0.0, i64::from(e) + 1);
            // A significand of 53 bits at most, as an integer.
            number[words - 1] = (x.abs().ldexp(-e) * (1_u64 << 52) as f64) as u64 * (1 << 11);
        }
    });
    result
}

/// The matrix with entries that differ by about a unit in the last place of the largest: for one whose elimination meets a zero.
fn perturb(a: &Matrix<f64>, seed: u64) -> Matrix<f64> {
    let largest = a.as_slice().iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let mut state = (2 * seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    a.map(|x| {
        // xorshift (Marsaglia 2003): any numbers without structure will do.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let unit = (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0;
        x + largest * f64::EPSILON * 4.0 * unit
    })
}

/// **Error.** With `r` scaled to at most 1: its rounding to `f64`, `2^-52` or less than `2^-381`; and the sum of `n` products.
fn apply_f64<B: Dense<f64>>(
    backend: &B,
    inverse: &Matrix<f64>,
    r: &Residual,
) -> Result<Product, Error> {
    let n = inverse.rows();
    let bits = super::least_bits();
    let mut values = mp::Matrix::zeros(bits, n, 1);
    let Some(scale) = r.largest.exponent() else {
        return Ok(Product { values, unit: r.largest, rounding: vec![Magnitude::ZERO; n] });
    };
    let scaled = Matrix::from_fn(n, 1, |i, _| to_f64(r.values.at(i, 0), -scale).0);
    let z = super::multiply_f64(backend, inverse, &scaled)?;
    for i in 0..n {
        values.set(i, 0, Mp::from_f64(bits, z[(i, 0)]).ldexp(scale as i32).view());
    }
    let roundings = super::sum_error(n) + 2.0 * f64::EPSILON;
    let unit = Magnitude::new(roundings, scale).plus(Magnitude::power(scale - 300));
    Ok(Product { values, unit, rounding: vec![Magnitude::power(scale - 1000); n] })
}

/// **Error.** That of [`Dot`], as for [residuals](super::residual), and of the rounding of `r` to the bits of the inverse.
fn apply_mp(transpose: &mp::Matrix, r: &Residual) -> Product {
    let (n, bits) = (transpose.cols(), transpose.bits());
    let p = i64::from(bits.get());
    let r_values = with_bits(&r.values, bits);
    let largest_r = r_values.numbers().as_slice().heads().iter().map(|head| head.code()).max();
    let rows: Vec<(Mp, Magnitude)> = (0..n)
        .into_par_iter()
        .map_init(
            || Dot::new(bits),
            |dot, i| {
                let (a, y) = (transpose.col(i), r_values.col(0));
                let mut s = Mp::zero(bits);
                s.set_dot(dot, (a.heads(), a.words()), (y.heads(), y.words()));
                let largest = a.heads().iter().map(|head| head.code()).max();
                let cut = match (largest, largest_r) {
                    (Some(a), Some(y)) => Magnitude::power(i64::from(a) + i64::from(y) - p - 64),
                    _ => Magnitude::ZERO,
                };
                let rounding = cut.plus(Magnitude::above(s.view()).shifted(-p));
                (s, rounding)
            },
        )
        .collect();
    let mut values = mp::Matrix::zeros(bits, n, 1);
    let mut rounding = Vec::with_capacity(n);
    for (i, (value, error)) in rows.into_iter().enumerate() {
        values.set(i, 0, value.view());
        rounding.push(error);
    }
    Product { values, unit: r.largest.shifted(-p), rounding }
}
