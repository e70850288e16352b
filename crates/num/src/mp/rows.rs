//! Products of a few words, and shifted sums, without loops that a compiler might leave rolled up.

use crate::decimal::words::multiply_add;

/// Writes the words from `LOW` on of `x·y`, without the products of words `i` and `j` with `i + j < LOW`, to `out`, from word `AT` on.
#[inline(always)]
pub(super) fn product<
    const X: usize,
    const Y: usize,
    const LOW: usize,
    const AT: usize,
    const ROOM: usize,
>(
    x: &[u64; X],
    y: &[u64; Y],
    out: &mut [u64; ROOM],
) {
    const { assert!(X <= 8 && Y <= 8 && LOW < Y && AT + X + Y <= ROOM + LOW) };
    macro_rules! rows {
        ($($i:literal)*) => {$(
            if $i < X {
                let mut carry = 0;
                for j in LOW.saturating_sub($i)..Y {
                    let to = &mut out[AT + $i + j - LOW];
                    // Nothing is there yet where the first row comes, and at the end of any.
                    let before = if $i == 0 { 0 } else { *to };
                    (*to, carry) = multiply_add(x[$i], y[j], before, carry);
                }
                out[AT + $i + Y - LOW] = carry;
            }
        )*};
    }
    rows!(0 1 2 3 4 5 6 7);
}

/// `sum` and the `W` words that begin `offset < 64` bits above the first bit of `from`, of which there is one word more, or their negative.
#[inline(always)]
pub(super) fn add_bits<const W: usize>(
    mut sum: [u64; W],
    from: &[u64],
    offset: u32,
    negative: bool,
) -> [u64; W] {
    let from = &from[..W + 1];
    let flip = if negative { u64::MAX } else { 0 };
    let mut carry = negative;
    for i in 0..W {
        let part = (from[i] >> offset | (from[i + 1] << 1) << (63 - offset)) ^ flip;
        let (value, first) = sum[i].overflowing_add(part);
        let (value, second) = value.overflowing_add(u64::from(carry));
        sum[i] = value;
        carry = first | second;
    }
    sum
}
