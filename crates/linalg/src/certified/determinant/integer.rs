//! Determinants that are integers times a power of two, and what that proves.
//!
//! Let entry `(i, j)` be an integer times `2^(r_i + c_j)`. The determinant is an integer times
//! `2^(Σ r_i + Σ c_j)`, and at most the product of the Euclidean norms of the rows (Hadamard). So
//! an approximation with an error of less than half that unit tells it exactly; and one that is
//! zero modulo primes, whose product exceeds that bound beside the unit, is zero.

use nonius_num::mp::{Bits, Mp};

use super::super::candidate::multiple_of;
use super::super::magnitude::Magnitude;
use super::super::modular;
use super::super::residual::lowest_bit;
use super::super::system::System;

/// `Σ r_i + Σ c_j` for the entries held.
pub(super) fn unit(system: &System) -> i64 {
    let (held, n) = (&system.rows, system.order());
    let low = |i: usize, j: usize| lowest_bit(held.entry(i, j));
    let rows: Vec<i64> =
        (0..n).map(|i| (0..n).filter_map(|j| low(i, j)).min().unwrap_or(0)).collect();
    let columns = (0..n).map(|j| (0..n).filter_map(|i| Some(low(i, j)? - rows[i])).min());
    rows.iter().sum::<i64>() + columns.flatten().sum::<i64>()
}

/// Whether the determinant is proved to be zero: an integer modulo enough primes, unless these take
/// too long.
pub(super) fn is_zero(system: &System, unit: i64) -> bool {
    let (held, n) = (&system.rows, system.order());
    let square = |i: usize, j: usize| {
        let x = Magnitude::above(held.entry(i, j));
        x.times(x)
    };
    let row = |i: usize| (0..n).fold(Magnitude::ZERO, |sum, j| sum.plus(square(i, j)));
    let bound = (0..n).fold(Magnitude::power(0), |product, i| product.times(row(i)));
    // The square of the determinant is below twice this power.
    let Some(exponent) = bound.exponent() else { return false };
    modular::is_singular_modulo(held, exponent / 2 + 2 - unit)
}

/// The multiple of `2^unit` that is within `error` of `x`, where that is the only one.
pub(super) fn nearest(x: &Mp, error: Magnitude, unit: i64) -> Option<Mp> {
    if !error.shifted(1).less(Magnitude::power(unit)) {
        return None;
    }
    let e = i64::from(x.head().exponent()?);
    // Enough for all multiples of the unit that are as large.
    let needed = u32::try_from((e - unit + 8).max(Bits::LEAST.into())).ok()?;
    let bits = Bits::new(needed.max(x.bits().get())).ok()?;
    multiple_of(x.view(), unit, bits)
}
