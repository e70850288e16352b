//! The condition number from an approximate inverse.

use super::inverse::Inverse;
use super::magnitude::{Magnitude, leading};
use super::system::System;

/// `‖A‖_∞·‖A^-1‖_∞` of the matrix before scaling, to a few units of `f64` where the inverse is close: an estimate, not a bound.
pub(super) fn condition(system: &System, inverse: &Inverse) -> Magnitude {
    let n = system.order();
    let sum = |entry: &dyn Fn(usize) -> Magnitude| {
        (0..n).map(entry).fold(Magnitude::ZERO, Magnitude::plus)
    };
    let scale = |i: usize, j: usize| -(system.row_scales[i] + system.column_scales[j]);
    let norm = (0..n)
        .map(|i| sum(&|j| Magnitude::above(system.rows.at(j, i)).shifted(scale(i, j))))
        .fold(Magnitude::ZERO, Magnitude::max);
    let entry = |i: usize, j: usize| match inverse {
        Inverse::F64(r) => Magnitude::new(r[(i, j)].abs(), 0),
        Inverse::Mp(transpose) => {
            leading(transpose.at(j, i)).map_or(Magnitude::ZERO, |(m, e)| Magnitude::new(m, e))
        }
    };
    let scaled =
        |i: usize, j: usize| entry(i, j).shifted(system.column_scales[i] + system.row_scales[j]);
    let inverse_norm = (0..n).map(|i| sum(&|j| scaled(i, j))).fold(Magnitude::ZERO, Magnitude::max);
    norm.times(inverse_norm)
}
