//! Solutions that few bits hold, tried as such.

use nonius_num::mp::{Bits, Mp, MpRef};

use super::column::Column;
use super::magnitude::Magnitude;
use super::residual::{is_solution, lowest_bit};
use super::system::System;
use crate::mp;

/// Bits by which the known ones have to exceed those of a candidate: a number that only looks short
/// is one in a billion.
const SPARE: i64 = 30;

/// Replaces the column by the solution, where that is next to it and has fewer bits than are known:
/// zeros, integers, sums of few powers of two. The system is nonsingular and held exactly.
pub(super) fn exact(system: &System, column: &mut Column) -> bool {
    let Some(candidate) = short(column) else { return false };
    if !is_solution(system, &candidate, column.index) {
        return false;
    }
    column.values = candidate;
    column.errors.fill(Magnitude::ZERO);
    column.worst = Magnitude::ZERO;
    true
}

/// The entries rounded to what is known of them, where that leaves each with few bits.
fn short(column: &Column) -> Option<mp::Matrix> {
    let bits = Bits::new(column.values.bits().get() + 64).ok()?;
    let mut candidate = mp::Matrix::zeros_in(bits, column.values.rows(), 1);
    let largest =
        (0..column.values.rows()).filter_map(|i| column.values.entry(i, 0).head().exponent()).max();
    for (i, error) in column.errors.iter().enumerate() {
        let x = column.values.entry(i, 0);
        let (Some(e), Some(radius)) = (x.head().exponent(), error.exponent()) else {
            if !error.is_finite() {
                return None;
            }
            candidate.put(i, 0, x);
            continue;
        };
        let e = i64::from(e);
        if radius >= e {
            // Zero, where it is far below the others.
            if radius > i64::from(largest?) - 2 * SPARE {
                return None;
            }
            continue;
        }
        candidate.put(i, 0, rounded(x, e, radius, bits)?.view());
    }
    Some(candidate)
}

/// Whether a number with this bound of its error may be one of few bits.
pub(super) fn is_short(x: MpRef<'_>, error: Magnitude) -> bool {
    let (Some(e), Some(radius)) = (x.head().exponent(), error.exponent()) else { return true };
    let bits = Bits::new(x.bits().get() + 64);
    let rounded = |bits| rounded(x, e.into(), radius, bits);
    radius >= i64::from(e) || bits.is_ok_and(|bits| rounded(bits).is_some())
}

/// A number below `2^e` rounded to what is known of it, with an error below `2^radius`, where that
/// leaves few bits.
fn rounded(x: MpRef<'_>, e: i64, radius: i64, bits: Bits) -> Option<Mp> {
    let rounded = multiple_of(x, radius + 2, bits)?;
    let length = lowest_bit(rounded.view()).map_or(0, |low| e - low);
    (length + SPARE <= e - radius).then_some(rounded)
}

/// The multiple of `2^k` next to `x`: what is left after `3·2^(k + p − 2)` is added and subtracted,
/// for `p` bits.
pub(super) fn multiple_of(x: MpRef<'_>, k: i64, bits: Bits) -> Option<Mp> {
    let anchor = Mp::from_f64(bits, 3.0).ldexp(i32::try_from(k + i64::from(bits.get()) - 2).ok()?);
    let mut sum = Mp::zero(bits);
    sum.set_sum(x, anchor.view());
    let mut result = Mp::zero(bits);
    result.set_difference(sum.view(), anchor.view());
    Some(result)
}
