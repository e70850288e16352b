//! Ziv's strategy: more words until the rounding is decided.
//!
//! Source: Ziv, *Fast evaluation of elementary mathematical functions with correctly rounded last
//! bit*, ACM TOMS 17 (1991).

use super::super::Mp;
use super::super::bits::Bits;
use super::ball::Ball;

/// Bits beyond the precision that the first attempt has at least.
const GUARD: usize = 22;

/// The number of precision `bits` that is nearest to a value. `approximate(n)` computes balls of
/// the value with `n` words.
///
/// Where the value is a number of the precision or a tie, some ball has to be exact. Without one,
/// the attempts would never end.
pub(super) fn round(bits: Bits, mut approximate: impl FnMut(usize) -> Ball) -> Mp {
    let mut n = (bits.get() as usize + GUARD).div_ceil(64).max(2);
    loop {
        if let Some(x) = approximate(n).rounded(bits) {
            return x;
        }
        n += n.div_ceil(2);
    }
}
