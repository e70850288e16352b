//! Reading and writing where a truncated power of ten does not decide: integers of any size.
//!
//! A number is compared with a power of ten times an integer. The power is exact where it is not
//! much longer than the number. Else it is truncated, which bounds the number between two others;
//! where these do not decide, they are made closer (Ziv, *Fast evaluation of elementary
//! mathematical functions with correctly rounded last bit*, ACM Trans. Math. Softw. 17, 1991).
//!
//! Boundaries of rounding have few digits, so that few digits of a text matter, however long it
//! is. For a number in `[10^(M−1), 10^M)` at `p` bits the boundaries are `m·2^f` with
//! `2^p <= m < 2^(p+1)`. Their digits stand at the places `M − 1` down to the lesser of `f` and 0.
//! From `10^(M−1) < 2^(p+1+f)` follows `−f < p + 1 + 3.33·(1 − M)`. So `p + 5 + 3|M|` digits hold
//! every boundary. Of all further digits it matters only whether one is not zero.

use alloc::vec::Vec;

use crate::decimal::digits::from_digits;
use crate::decimal::scan::Written;
use crate::decimal::shortest::{Neighbours, append_digits};
use crate::integers::big::Big;
use crate::integers::words::zero_below;
use crate::mp::bits::Bits;
use crate::mp::head::Head;
use crate::mp::number::MpRef;
use crate::mp::round::round;

/// Bits beyond those of the number that a truncated power of ten has at first.
const SPARE_BITS: usize = 96;

/// `5^n` within `[low, low + error]·2^exponent`.
struct PowerBounds {
    low: Big,
    error: Big,
    exponent: i64,
}

impl PowerBounds {
    /// With `bits` significant bits, exact where these are enough.
    fn of_five(n: usize, bits: usize) -> Self {
        // 5^n < 2^(7n/3).
        if n < bits * 3 / 7 {
            return Self { low: Big::power_of_five(n), error: Big::from_words(&[]), exponent: 0 };
        }
        let mut power = Big::from_words(&[1]);
        let (mut exponent, mut inexact) = (0, false);
        let steps = usize::BITS - n.leading_zeros();
        for step in (0..steps).rev() {
            power = power.mul(&power);
            exponent *= 2;
            if n >> step & 1 == 1 {
                power.multiply_add_small(5, 0);
            }
            let excess = power.bit_length().saturating_sub(bits);
            if excess > 0 {
                inexact |= power.trailing_zeros() < excess;
                power = power.shr(excess);
                exponent += excess as i64;
            }
        }
        // A step doubles the relative error and adds less than 2^(1 − bits): less than 2^(steps + 2
        // − bits) in the end.
        let error =
            if inexact { Big::from_words(&[1 << (steps + 3)]) } else { Big::from_words(&[]) };
        Self { low: power, error, exponent }
    }
}

/// Rounds a number to `to`; returns the head and whether nothing was rounded off.
///
/// The number is not zero.
#[cold]
pub(super) fn read(
    bits: Bits,
    negative: bool,
    written: Written<'_>,
    to: &mut [u64],
) -> (Head, bool) {
    let mut working = bits.get() as usize + SPARE_BITS;
    loop {
        let bounds = Bounds::of(written, bits, working);
        if bounds.decide(bits) {
            let Bounds { low, exponent, inexact, .. } = bounds;
            let head = round(bits, negative, low.words(), exponent, inexact, to);
            let fits = low.bit_length() - low.trailing_zeros() <= bits.get() as usize;
            return (head, !inexact && fits && head.exponent().is_some());
        }
        working *= 2;
    }
}

/// A magnitude in `[low, high]·2^exponent`; `low·2^exponent` itself unless `inexact`.
struct Bounds {
    low: Big,
    high: Big,
    exponent: i64,
    inexact: bool,
}

impl Bounds {
    /// With `working` significant bits or more.
    fn of(number: Written<'_>, bits: Bits, working: usize) -> Self {
        let Leading { digits, exponent, left_out } = Leading::of(number, bits, working);
        let power = PowerBounds::of_five(exponent.unsigned_abs() as usize, 4 * working);
        let (one, most) = (Big::from_words(&[1]), power.low.add(&power.error));
        let open = left_out == LeftOut::Any;
        let above = if open { digits.add(&one) } else { digits.clone() };
        let is_single = !open && power.error.is_zero();
        let inexact = left_out != LeftOut::Nothing || !power.error.is_zero();
        if exponent >= 0 {
            let low = digits.mul(&power.low);
            let high = if is_single { low.clone() } else { above.mul(&most) };
            return Self { low, high, exponent: power.exponent + exponent, inexact };
        }
        let shift = (working + most.bit_length()).saturating_sub(digits.bit_length());
        let (low, rest) = digits.shl(shift).divide(&most);
        let exponent = exponent - power.exponent - shift as i64;
        let inexact = inexact || !rest.is_zero();
        if is_single {
            // Of the rest it matters only whether there is one.
            return Self { high: low.clone(), low, exponent, inexact };
        }
        let (high, rest) = above.shl(shift).divide(&power.low);
        let high = if rest.is_zero() { high } else { high.add(&one) };
        Self { low, high, exponent, inexact }
    }

    /// Whether all numbers within round alike.
    fn decide(&self, bits: Bits) -> bool {
        if self.low == self.high {
            // No boundary lies above `low` up to the number, and there are more bits than the
            // precision has.
            return true;
        }
        let cell = self.low.bit_length() - bits.get() as usize - 1;
        !zero_below(self.low.words(), cell) && self.low.shr(cell) == self.high.shr(cell)
    }
}

/// The leading digits of a text as an integer: the number is `(digits + θ)·10^exponent` with
/// `0 <= θ < 1`.
struct Leading {
    digits: Big,
    exponent: i64,
    left_out: LeftOut,
}

/// What is known of the digits after the leading ones.
#[derive(PartialEq)]
enum LeftOut {
    /// `θ = 0`.
    Nothing,
    /// `θ > 0`, and no boundary of rounding lies above `digits·10^exponent` up to the number.
    NoBoundary,
    /// `θ > 0`.
    Any,
}

impl Leading {
    /// As many digits as make `working` bits, or all that matter.
    fn of(number: Written<'_>, bits: Bits, working: usize) -> Self {
        let all = number.integer.iter().chain(number.fraction).skip_while(|&&digit| digit == b'0');
        let total = all.clone().count();
        let last = number.exponent - number.fraction.len() as i64;
        let magnitude = (last + total as i64).unsigned_abs() as usize;
        let relevant = bits.get() as usize + 5 + 3 * magnitude;
        // 10^n > 2^(3n).
        let most = relevant.min(working / 3 + 1);
        let digits = from_digits(all.clone().take(most));
        let exponent = last + total.saturating_sub(most) as i64;
        let left_out = match all.skip(most).any(|&digit| digit != b'0') {
            false => LeftOut::Nothing,
            true if most == relevant => LeftOut::NoBoundary,
            true => LeftOut::Any,
        };
        Self { digits, exponent, left_out }
    }
}

/// Appends the shortest digits of a magnitude and returns the decimal exponent of the first one.
///
/// `k` is the exponent of [`Neighbours::floor_log10`] for a quarter of the last bit's worth.
#[cold]
pub(super) fn append_shortest(
    x: MpRef<'_>,
    neighbours: &Neighbours,
    k: i64,
    out: &mut Vec<u8>,
) -> i64 {
    let significand = Big::from_words(x.words());
    let mut working = x.bits().get() as usize + SPARE_BITS;
    loop {
        let quotients = Quotients::new(&significand, x.unit(), x.quarter_unit(), k, working);
        let Quotients { numerator, denominator, unit, error } = &quotients;
        if let Some(chunks) = neighbours.nearest(numerator, denominator, unit, error) {
            return append_digits(&chunks, k, out);
        }
        working *= 2;
    }
}

/// The magnitude divided by `10^k`, rounded to an integer, ties to even.
pub(super) fn rounded_quotient(x: MpRef<'_>, k: i64) -> Big {
    let significand = Big::from_words(x.words());
    let mut working = x.bits().get() as usize + SPARE_BITS;
    loop {
        let quotients = Quotients::new(&significand, x.unit(), x.quarter_unit(), k, working);
        if let Some(rounded) = quotients.rounded() {
            return rounded;
        }
        working *= 2;
    }
}

/// A number and a quarter of its last bit's worth, divided by a power of ten: `numerator /
/// denominator` and `unit / denominator`, either less than `error / denominator` too small, or
/// exact where `error` is zero.
struct Quotients {
    numerator: Big,
    denominator: Big,
    unit: Big,
    error: Big,
}

impl Quotients {
    /// `number·2^e` and `2^unit` divided by `10^k`.
    fn new(number: &Big, e: i64, unit: i64, k: i64, bits: usize) -> Self {
        let power = PowerBounds::of_five(k.unsigned_abs() as usize, 4 * bits);
        // Powers of two of the number and of the unit over that of the denominator.
        let (e, unit) = (e - k, unit - k);
        let base = e.min(unit);
        if k < 0 {
            // Times 5^−k.
            let shift = base + power.exponent;
            let up = |x: &Big, by: i64| x.shl((by - base + shift.max(0)) as usize);
            let denominator = Big::from_words(&[1]).shl((-shift).max(0) as usize);
            let error = up(&number.mul(&power.error), e);
            return Self {
                numerator: up(&number.mul(&power.low), e),
                unit: up(&power.low, unit),
                denominator,
                error,
            };
        }
        // Divided by a power in [low, low + error]: as if by the larger one.
        let shift = base - power.exponent;
        let up = |x: &Big, by: i64| x.shl((by - base + shift.max(0)) as usize);
        let most = power.low.add(&power.error);
        let denominator = most.shl((-shift).max(0) as usize);
        let (numerator, unit) = (up(number, e), up(&Big::from_words(&[1]), unit));
        // number/low − number/most = number·error/(low·most).
        let error = if power.error.is_zero() {
            power.error
        } else {
            let (quotient, _) = numerator.mul(&power.error).divide(&power.low);
            quotient.add(&Big::from_words(&[1]))
        };
        Self { numerator, denominator, unit, error }
    }

    /// The quotient of the number rounded to an integer, ties to even, where the bounds decide it.
    fn rounded(&self) -> Option<Big> {
        let Self { numerator, denominator, error, .. } = self;
        // ⌊(2x + 1)/2⌋ for the quotient x.
        let whole = denominator.shl(1);
        let (rounded, rest) = numerator.shl(1).add(denominator).divide(&whole);
        if rest.is_zero() && rounded.low_word() & 1 == 1 {
            // A tie, or a little more.
            return error.is_zero().then(|| rounded.sub(&Big::from_words(&[1])));
        }
        // The quotient is less than the upper bound.
        (rest.add(&error.shl(1)) <= whole).then_some(rounded)
    }
}
