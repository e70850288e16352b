//! Between `Mp` and MPFR's `Float`; and random numbers of any precision.

use nonius_num::mp::{Bits, Mp, MpRef};
use nonius_testkit::Random;
use rug::integer::Order;
use rug::{Float, Integer};

/// The same number, without rounding.
pub fn float(x: MpRef<'_>) -> Float {
    let bits = x.bits().get();
    let head = x.head();
    let magnitude = match head.exponent() {
        Some(e) => {
            let integer = Integer::from_digits(x.words(), Order::Lsf);
            Float::with_val(bits, integer) << (e - 64 * x.words().len() as i32)
        }
        None if head.is_nan() => return Float::with_val(bits, f64::NAN),
        None if head.is_zero() => Float::with_val(bits, 0.0),
        None => Float::with_val(bits, f64::INFINITY),
    };
    if head.is_negative() { -magnitude } else { magnitude }
}

/// The number of a precision nearest to `x`, ties to even; zeros, infinities and NaN stay.
pub fn nearest(bits: Bits, x: &Float) -> Mp {
    let x = Float::with_val(bits.get(), x);
    match x.to_integer_exp() {
        Some((significand, exponent)) if x.is_normal() => {
            let words = significand.to_digits::<u64>(Order::Lsf);
            Mp::rounded(bits, x.is_sign_negative(), &words, exponent.into(), false)
        }
        _ => Mp::from_f64(bits, x.to_f64()),
    }
}

/// Whether both are the same number, signs of zeros included, or both NaN.
pub fn same(x: MpRef<'_>, y: &Float) -> bool {
    let x = float(x);
    x.is_nan() && y.is_nan() || x == *y && x.is_sign_negative() == y.is_sign_negative()
}

/// A number with random bits or long runs of zeros and ones, its exponent up to `range` in
/// magnitude.
pub fn number(bits: Bits, range: i32, random: &mut Random) -> Mp {
    let kind = random.below(4);
    let words: Vec<u64> = (0..bits.words())
        .map(|_| match (kind, random.below(3)) {
            (0, 0) => 0,
            (0, 1) => u64::MAX,
            _ => random.bits(),
        })
        .collect();
    let exponent = random.below(2 * range as usize + 1) as i64 - i64::from(range);
    let exponent = exponent - 64 * words.len() as i64;
    Mp::rounded(bits, random.bits() & 1 == 1, &words, exponent, false)
}
