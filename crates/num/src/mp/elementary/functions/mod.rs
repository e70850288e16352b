//! The functions of [`Mp`](crate::Mp): special values, exact cases, and balls for all others.

mod arc;
mod circular;
mod constants;
mod exact;
mod exponential;
mod hyperbolic;
mod inverse_hyperbolic;
mod logarithm;
mod power;
mod radical;

use super::super::Mp;
use super::super::bits::Bits;

/// Exponents of arguments from which on exponentials overflow or underflow.
const BEYOND_EXPONENTIAL: i32 = 30;

/// Whether `x + c·x³ + …` with `|c| <= ⅓` rounds to `x`: the rest is below half a unit of the last
/// place.
///
/// A neighbour below a power of two is `2^-p` of it away. With `x² < 2^-p` the rest is below
/// `2^-p/3` of `x`.
fn is_tiny_for_odd(x: &Mp) -> bool {
    x.head.exponent().is_some_and(|e| 2 * i64::from(e) <= -i64::from(x.bits.get()))
}

/// Whether `1 + c·x² + …` with `|c| <= ½` rounds to 1.
fn is_tiny_for_even(x: &Mp) -> bool {
    x.head.exponent().is_some_and(|e| 2 * i64::from(e) <= -2 - i64::from(x.bits.get()))
}

/// Whether `1 + x + …` rounds to 1 and `x + c·x² + …` with `|c| <= ½` to `x`.
fn is_tiny(x: &Mp) -> bool {
    x.head.exponent().is_some_and(|e| i64::from(e) <= -2 - i64::from(x.bits.get()))
}

/// `−1` or `1`.
fn signed_one(bits: Bits, negative: bool) -> Mp {
    let one = Mp::one(bits);
    if negative { -one } else { one }
}
