//! What is proved of an approximate inverse.
//!
//! **Theorem** (A. Neumaier, *Interval methods for systems of equations*, 1990, section 4.1; S. M.
//! Rump, *Verification methods*, Acta Numerica 19, 2010, section 10). Let `G = I − R·A`,
//! `γ_i >= Σ_j |G_ij|` and `γ = max γ_i < 1`. Then `A` and `R` are nonsingular, and for every `y`
//! and `r = b − A·y` the solution `x` satisfies
//!
//! `x − y = (I − G)^-1·R·r = R·r + G·(I − G)^-1·R·r`, so `|x − y − R·r|_i <= γ_i/(1 − γ)·‖R·r‖_∞`.
//!
//! **Rounding.** In `f64` a sum of `n` products, in any order, with fused multiply-adds or without,
//! is within `n·u/(1 − n·u)·Σ|a||b| + n·2^-1074` of the exact one, `u = 2^-53`. Row sums of these
//! errors need `|R|·(|A|·e)`, `e` being all ones: a product of a matrix and a vector of numbers
//! that are not negative, multiplied by `1 + 4·n·u` in the end. Products of mp numbers are within
//! `3n·2^-p` times powers of two that are at most twice the largest magnitudes of the row and of
//! the column ([`Machine::product`]): for no entry of `A` exceeds 1, within `6n·2^-p·Σ_j |R_ij|`.

use nonius_num::Fixed;
use nonius_num::mp::Bits;

use super::inverse::Inverse;
use super::machine::{Held, Machine};
use super::magnitude::Magnitude;
use super::system::{FLUSHED, System};
use crate::Error;
use crate::backend::Memory;

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

    /// Upper bounds of `γ_i/(1 − γ)`, where `γ` is below 1/2.
    pub(super) fn shares(&self) -> Vec<f64> {
        // At most a few roundings beside 1 − γ >= 1/2.
        let up = 1.0 + 8.0 * f64::EPSILON;
        self.defects.iter().map(|defect| defect / (1.0 - self.defect) * up).collect()
    }

    /// For an inverse in `f64`, by products in `f64`, of the matrix [nearest](Machine::nearest) to
    /// `A′`.
    pub(super) fn in_f64<M: Machine>(
        machine: &M,
        system: &System,
        a: &<M as Memory<f64>>::Matrix,
        inverse: &<M as Memory<f64>>::Matrix,
    ) -> Result<Self, Error> {
        let n = system.order();
        let product = machine.times(machine.view(inverse), machine.view(a))?;
        let up = 1.0 + 4.0 * (n as f64 + 8.0) * f64::UNIT_ROUNDOFF;
        let ones = vec![1.0; n];
        let relative =
            super::sum_error(n) + 2.0 * f64::UNIT_ROUNDOFF + system.matrix_error.to_f64();
        let of_row = |sum: f64| sum * up * relative + n as f64 * FLUSHED;
        let sums_of_a = machine.row_sums(machine.view(a), &ones)?;
        let weights: Vec<f64> = sums_of_a.into_iter().map(of_row).collect();
        let mut defects = machine.row_defects(machine.view(&product), 0)?;
        let sums = machine.row_sums(machine.view(inverse), &ones)?;
        let errors = machine.row_sums(machine.view(inverse), &weights)?;
        for (defect, error) in defects.iter_mut().zip(errors) {
            // What underflows is less than the least normal number.
            *defect = (*defect * up + error * up + f64::MIN_POSITIVE) * up;
        }
        let row_sums = sums.into_iter().map(|sum| Magnitude::new(sum * up, 0));
        Ok(Self::new(defects, row_sums.collect()))
    }

    /// The certificate by a product with `bits` bits, and that product rounded to `f64`.
    pub(super) fn by_product<M: Machine>(
        machine: &M,
        system: &System,
        rows: &M::Numbers,
        inverse: &Inverse<M>,
        bits: Bits,
    ) -> Result<(Self, <M as Memory<f64>>::Matrix), Error> {
        let n = system.order();
        let transpose = inverse.transpose(machine, bits)?;
        // The numbers given may have more bits than the product.
        let cut = if rows.bits() > bits {
            Magnitude::power(-i64::from(bits.get()))
        } else {
            Magnitude::ZERO
        };
        // (R·A)ᵀ
        let p = machine.product(false, &machine.rounded(rows, bits)?, &transpose)?;
        let units = Magnitude::new(6.0 * n as f64, -i64::from(bits.get()));
        let relative = units.plus(system.matrix_error).plus(cut);
        // No entry of A exceeds 1.
        let of_sum = relative.times(Magnitude::new(n as f64, 0));
        let row_sums = machine.column_sums(&transpose, &vec![1.0; n])?;
        let defects =
            machine.column_defects(&p, 0)?.into_iter().zip(&row_sums).map(|(defect, sum)| {
                let defect = defect.plus(sum.times(of_sum));
                if defect.is_zero() { 0.0 } else { defect.to_f64() }
            });
        Ok((Self::new(defects.collect(), row_sums), machine.nearest(&p)?))
    }
}
