//! The condition number from an approximate inverse.

use nonius_num::Real;

use super::inverse::Inverse;
use super::machine::Machine;
use super::magnitude::Magnitude;
use super::system::System;
use crate::Error;

/// `‖A‖_∞·‖A^-1‖_∞` of the matrix before scaling, to a few units of `f64` where the inverse is
/// close: an estimate, not a bound.
pub(super) fn condition<M: Machine>(
    machine: &M,
    system: &System,
    inverse: &Inverse<M>,
) -> Result<Magnitude, Error> {
    let greatest = system.row_scales.iter().copied().max().unwrap_or(0);
    // What is less than the others by more than the range of exponents is left out.
    let weight = |&scale: &i64| 1.0_f64.ldexp((scale - greatest).max(-2000) as i32);
    let weights: Vec<f64> = system.row_scales.iter().map(weight).collect();
    let sums: Vec<Magnitude> = match inverse {
        Inverse::F64(r) => {
            let sums = machine.row_sums(machine.view(r), &weights)?;
            sums.into_iter().map(|sum| Magnitude::new(sum, 0)).collect()
        }
        Inverse::Mp(transpose) => machine.column_sums(transpose, &weights)?,
    };
    let rows = sums.into_iter().zip(&system.column_scales);
    let norm = rows.map(|(sum, scale)| sum.shifted(scale + greatest));
    Ok(system.norm.times(norm.fold(Magnitude::ZERO, Magnitude::max)))
}
