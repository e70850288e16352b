//! `R = B − A·Y` with a bound of its error.
//!
//! **Error.** A product of a row of `A` with a column of `Y` is summed with one rounding ([`Dot`]):
//! with `p` bits and every product below `2^E` in magnitude it is within
//! `2^(E − p − 64) + 2^-p·|s|` of the exact sum, `s` being the result. The difference from `B` is
//! rounded once more. Where the entries given are within `α|A|` and `β|B|` of those held, the
//! residual given differs by at most `α·n·2^E + β|b|`.

use nonius_num::mp::{Bits, Dot, Head, Mp, MpRef};

use super::machine::{HostRows, Machine};
use super::magnitude::Magnitude;
use super::system::System;
use crate::threads::{Grain, all, map_with};
use crate::{Error, mp};

/// The residual of one right-hand side.
pub(super) struct Residual {
    /// One column.
    pub(super) values: mp::Matrix,
    /// Bounds all its entries.
    pub(super) largest: Magnitude,
    /// Bounds the errors of its entries that come from rounding.
    pub(super) rounding: Magnitude,
    /// Bounds those that come from what is given.
    pub(super) given: Magnitude,
}

/// The residual of `y`, a column, for right-hand side `j`, with sums of `bits` bits. Hosts share
/// its rows.
///
/// # Errors
/// [`Error::Device`].
pub(super) fn residual<M: Machine>(
    machine: &M,
    system: &System,
    y: &mp::Matrix,
    j: usize,
    bits: Bits,
) -> Result<Residual, Error> {
    let HostRows { values, bounds } = machine.on_hosts(system.order(), &mut |rows| {
        let row = |dot: &mut Dot, i| row(system, y, rows.start + i, j, bits, dot);
        Ok(HostRows::of(bits, map_with(rows.len(), Grain::ANY, || Dot::new(bits), row)))
    })?;
    let [mut largest, mut rounding, mut given] = [Magnitude::ZERO; 3];
    for (i, &[of_rounding, of_given]) in bounds.iter().enumerate() {
        largest = largest.max(Magnitude::above(values.entry(i, 0)));
        rounding = rounding.max(of_rounding);
        given = given.max(of_given);
    }
    Ok(Residual { values, largest, rounding, given })
}

/// A row of the residual, and bounds of its errors: from rounding, and from what is given.
fn row(
    system: &System,
    y: &mp::Matrix,
    i: usize,
    j: usize,
    bits: Bits,
    dot: &mut Dot,
) -> (Mp, [Magnitude; 2]) {
    let (a, b, y) = (system.rows.column(i), system.rights.entry(i, j), y.column(0));
    let mut s = Mp::zero(bits);
    s.set_dot(dot, (a.heads(), a.words()), (y.heads(), y.words()));
    let mut value = Mp::zero(bits);
    value.set_difference(b, s.view());
    let p = i64::from(bits.get());
    let (cut, products) = match greatest(a.heads(), y.heads()) {
        None => (Magnitude::ZERO, Magnitude::ZERO),
        Some(e) => (Magnitude::power(e - p - 64), Magnitude::power(e)),
    };
    let unit = |x: MpRef<'_>| Magnitude::above(x).shifted(-p);
    let rounding = cut.plus(unit(s.view())).plus(unit(value.view()));
    let n = Magnitude::new(system.order() as f64, 0);
    let of_matrix = system.matrix_error.times(products).times(n);
    let of_rights = system.rights_error.times(Magnitude::above(b));
    let radius = system.radii.get(i).copied().unwrap_or(Magnitude::ZERO);
    (value, [rounding, of_matrix.plus(of_rights).plus(radius)])
}

/// The `E` with every product below `2^E` in magnitude; `None` where all are zero.
pub(super) fn greatest(x: &[Head], y: &[Head]) -> Option<i64> {
    let codes = x.iter().zip(y).map(|(x, y)| x.code() + y.code());
    let greatest = codes.fold(i32::MIN, i32::max);
    (greatest >= 2 * Head::LEAST_EXPONENT).then_some(i64::from(greatest))
}

/// Whether `A·y = b` for the numbers held, exactly, for right-hand side `j`.
pub(super) fn is_solution(system: &System, y: &mp::Matrix, j: usize) -> bool {
    let n = system.order();
    all(n, Grain::ANY, |i| {
        let (a, b) = (system.rows.column(i), system.rights.entry(i, j));
        let mut products = (0..n).filter_map(|k| {
            let (a, y) = (a.entry(k), y.entry(k, 0));
            Some((
                lowest_bit(a)? + lowest_bit(y)?,
                i64::from(a.head().code()) + i64::from(y.head().code()),
            ))
        });
        let first = products.next();
        let span = first.map_or(0, |first| {
            let (low, high) = products.fold(first, |(low, high), (l, h)| (low.min(l), high.max(h)));
            high - low
        });
        // Sums of `n` multiples of the lowest bit fit, and nothing is cut.
        let carries = i64::from(usize::BITS - n.leading_zeros());
        let Some(bits) = u32::try_from(span + carries).ok().map(|bits| bits.max(Bits::LEAST))
        else {
            return false;
        };
        let Ok(bits) = Bits::new(bits) else { return false };
        let y = y.column(0);
        let mut s = Mp::zero(bits);
        s.set_dot(&mut Dot::new(bits), (a.heads(), a.words()), (y.heads(), y.words()));
        s.view() == b
    })
}

/// The exponent of the lowest bit that is set.
pub(super) fn lowest_bit(x: MpRef<'_>) -> Option<i64> {
    let e = i64::from(x.head().exponent()?);
    let words = x.words();
    let zeros = words.iter().take_while(|&&word| word == 0).count();
    let within = words.get(zeros)?.trailing_zeros();
    Some(e - 64 * (words.len() - zeros) as i64 + i64::from(within))
}
