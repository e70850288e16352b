//! Powers with exact results.
//!
//! Let `x = m·2^a` with an odd `m >= 3`. Let `y = c·2^-s` with an odd `c`, or with `s = 0`. The
//! power `x^y` has finitely many bits just where three conditions hold: `c` is positive,
//! `m = r^(2^s)`, and `2^s` divides `a`. The power then is `(r·2^(a/2^s))^c` and has more than
//! `c·log2 r` bits. Few `y` come into question.
//!
//! Source: Lauter and Lefèvre, *An efficient rounding boundary test for pow(x, y) in double
//! precision*, IEEE Trans. Comput. 58 (2009).

use super::super::ball::{Ball, NONE};
use crate::integers::big::Big;
use crate::mp::{Bits, Mp};

/// Above `Bits::MOST + 1`: no greater `c` has an exact power, and no greater power of two is a
/// root's degree.
const GREATEST: u64 = 1 << 13;

/// The odd number and the exponent that make a number.
fn odd_part(x: &Ball) -> (Big, i64) {
    let zeros = x.words.first().map_or(0, |word| word.trailing_zeros());
    (Big::from_words(&x.words).shr(zeros as usize), x.unit() + i64::from(zeros))
}

/// `x^y` for exact positive `x` and `y`, where it has at most one bit more than the precision; `x`
/// is no power of two.
pub(super) fn exact_power(bits: Bits, x: &Ball, y: &Ball) -> Option<Mp> {
    if y.negative || y.words.len() > 1 || y.exponent > 13 {
        return None;
    }
    let zeros = y.words[0].trailing_zeros();
    let (mut c, exponent) = (y.words[0] >> zeros, y.unit() + i64::from(zeros));
    if exponent < -13 || c >= GREATEST {
        return None;
    }
    let (mut root, mut a) = odd_part(x);
    for _ in exponent..0 {
        root = square_root(&root)?;
        if a % 2 != 0 {
            return None;
        }
        a /= 2;
    }
    c <<= exponent.max(0);
    if (root.bit_length() as u64 - 1) * c > u64::from(bits.get()) + 1 {
        return None;
    }
    let mut power = root.clone();
    for bit in (0..c.ilog2()).rev() {
        power = power.mul(&power);
        if c >> bit & 1 == 1 {
            power = power.mul(&root);
        }
    }
    Some(Mp::rounded(bits, false, power.words(), a * c as i64, false))
}

/// The root of a square.
fn square_root(x: &Big) -> Option<Big> {
    // Odd squares are 1 modulo 8.
    if x.low_word() % 8 != 1 {
        return None;
    }
    let ball = Ball::new(false, x.words(), 0, NONE, x.words().len());
    let root = ball.sqrt(x.words().len() / 2 + 1);
    root.is_exact().then(|| Big::from_words(&root.integer_words()))
}
