//! Products of a few words, and shifted sums, without loops that a compiler might leave rolled up.

use crate::integers::words::{add_with_carry, multiply_add};

/// Writes `x·y` to `out`, from word `AT` on.
#[inline(always)]
pub(super) fn product<const X: usize, const Y: usize, const AT: usize, const ROOM: usize>(
    x: &[u64; X],
    y: &[u64; Y],
    out: &mut [u64; ROOM],
) {
    const { assert!(X <= 8 && AT + X + Y <= ROOM) };
    macro_rules! rows {
        ($($i:literal)*) => {$(
            if $i < X {
                let mut carry = 0;
                for j in 0..Y {
                    let to = &mut out[AT + $i + j];
                    // Nothing is there yet where the first row comes, and at the end of any.
                    let before = if $i == 0 { 0 } else { *to };
                    (*to, carry) = multiply_add(x[$i], y[j], before, carry);
                }
                out[AT + $i + Y] = carry;
            }
        )*};
    }
    rows!(0 1 2 3 4 5 6 7);
}

/// Words `FROM` on of `x·y`, without the products of words `i` and `j` with `i + j < FROM − 1` and
/// the lower halves of those with `i + j = FROM − 1`. So it is too small by less than `2·FROM`
/// units of the lowest word.
#[inline(always)]
pub(super) fn upper<const X: usize, const Y: usize, const FROM: usize, const W: usize>(
    x: &[u64; X],
    y: &[u64; Y],
) -> [u64; W] {
    const { assert!(X <= 8 && FROM <= X && X <= Y && X + Y <= FROM + W) };
    let mut out = [0; W];
    macro_rules! rows {
        ($($i:literal)*) => {$(
            if $i < X {
                // A row's own words first, then all to the sum: each is one chain of carries.
                let at = $i.max(FROM) - FROM;
                let length = Y - FROM.saturating_sub($i);
                let (mut row, mut above, mut carry) = ([0; Y], 0, false);
                for j in FROM.saturating_sub($i + 1)..Y {
                    let wide = u128::from(x[$i]) * u128::from(y[j]);
                    if $i + j >= FROM {
                        let word = &mut row[$i + j - FROM - at];
                        (*word, carry) = add_with_carry(wide as u64, above, carry);
                    }
                    above = (wide >> 64) as u64;
                }
                above += u64::from(carry);
                carry = false;
                for k in 0..length {
                    (out[at + k], carry) = add_with_carry(out[at + k], row[k], carry);
                }
                out[at + length] = above + u64::from(carry);
            }
        )*};
    }
    rows!(0_usize 1 2 3 4 5 6 7);
    out
}

/// The 64 bits that begin `offset < 64` bits above the first of `low`, which `high` follows.
///
/// Compilers know the same with `|` as one instruction, which takes longer than these on most
/// processors.
#[inline(always)]
pub(super) const fn funnel(low: u64, high: u64, offset: u32) -> u64 {
    low >> offset ^ (high << 1) << (63 - offset)
}

/// `sum ± Σ part(i)·2^(64·i)`, in two's complement. Signs are as good as random:
/// nothing branches on them.
#[inline(always)]
pub(super) fn add_signed<const W: usize>(
    sum: &mut [u64; W],
    part: impl Fn(usize) -> u64,
    negative: bool,
) {
    let mask = u64::from(negative).wrapping_neg();
    let mut carry = negative;
    for (i, word) in sum.iter_mut().enumerate() {
        (*word, carry) = add_with_carry(*word, part(i) ^ mask, carry);
    }
}
