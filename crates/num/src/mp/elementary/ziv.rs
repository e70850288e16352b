//! Ziv's strategy: more words until the rounding is decided.
//!
//! Source: Ziv, *Fast evaluation of elementary mathematical functions with correctly rounded last
//! bit*, ACM TOMS 17 (1991).

use super::super::Mp;
use super::super::bits::Bits;
use super::ball::Ball;

/// Bits beyond the precision that the first attempt has at least.
const GUARD: usize = 22;

/// The number of the precision that is nearest to the one in the balls that `approximate` computes
/// with so many words.
///
/// The number must be one of the precision or of one bit more only where a ball is exact: else the
/// attempts never end.
pub(super) fn round(bits: Bits, mut approximate: impl FnMut(usize) -> Ball) -> Mp {
    let mut n = (bits.get() as usize + GUARD).div_ceil(64).max(2);
    loop {
        if let Some(x) = approximate(n).rounded(bits) {
            return x;
        }
        n += n.div_ceil(2);
    }
}
