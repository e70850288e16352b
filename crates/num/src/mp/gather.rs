//! Sums of products of numbers that lie anywhere in two lines, rounded once, without memory of
//! their own.
//!
//! **Method and error** are those of [`Dot`](super::Dot): `(1 + 2^-61)·u·Σ|x_k·y_k|`, for all
//! exponents and however much cancels. Terms that are zero do not count, so that the sum is the
//! same with and without them. Numbers of 2 to 8 words, times numbers of as many words or of one,
//! are multiplied and added by loops of fixed length; where what is cut of a product decides no
//! carry, it is not computed. The sum is the same integer in each case.

use super::Mp;
use super::bits::{Bits, MOST_WORDS};
use super::dot::{add_shifted, sum_of_pairs};
use super::head::Head;
use super::round::round;
use super::rows::{self, add_signed};
use crate::integers::words::{multiply, negate};

/// Words of the longest sum: those of a number and three more hold 65 bits and twice the logarithm
/// of `2^63` terms.
const MOST_SUM: usize = MOST_WORDS + 3;
/// Words of the longest product that loops of fixed length compute, with zeros on either side.
const FIXED: usize = 48;

/// A line of numbers: their heads, and their words one after the other.
type Line<'a> = (&'a [Head], &'a [u64]);

/// The sum of the products `x[i]·y[j]` over the pairs `(i, j)`, rounded to `bits`: the significand
/// goes to `to`, the head is returned. A sum of nothing, or one that cancels, is +0.
///
/// Within `(1 + 2^-61)·u·Σ|x[i]·y[j]|` of the exact sum. Where a number is not finite, the sum is
/// what IEEE 754 makes of it.
///
/// Panics where a pair lies outside the lines, or `to` has other words than the precision takes.
#[inline(always)]
pub fn gathered_dot(
    bits: Bits,
    x: Line<'_>,
    y: Line<'_>,
    pairs: impl Iterator<Item = (usize, usize)> + Clone,
    to: &mut [u64],
) -> Head {
    assert_eq!(to.len(), bits.words(), "words of a significand");
    let (mut finite, mut greatest, mut terms) = (true, i32::MIN, 0_usize);
    for (i, j) in pairs.clone() {
        let (hx, hy) = (x.0[i], y.0[j]);
        finite &= hx.is_finite() & hy.is_finite();
        greatest = greatest.max(hx.code() + hy.code());
        terms += usize::from(!hx.is_zero() & !hy.is_zero());
    }
    if !finite && let Some(head) = sum_of_pairs(pairs.clone().map(|(i, j)| (x.0[i], y.0[j]))) {
        to.fill(0);
        return head;
    }
    if terms == 0 {
        to.fill(0);
        return Head::zero(false);
    }
    let carries = terms.next_power_of_two().trailing_zeros() as usize;
    let width = (bits.get() as usize + 65 + 2 * carries).div_ceil(64);
    let unit = i64::from(greatest) + carries as i64 + 1 - 64 * width as i64;
    let (nx, ny) = (x.1.len() / x.0.len().max(1), y.1.len() / y.0.len().max(1));
    let sum = Terms { x, y, unit };
    macro_rules! fixed {
        ($($n:literal $less:literal $more:literal)*) => {
            match (nx, ny, width) {
                $(
                    (1, $n, $less) => sum.fixed::<1, $n, $less, 0>(bits, pairs, to),
                    (1, $n, $more) => sum.fixed::<1, $n, $more, 0>(bits, pairs, to),
                    ($n, $n, $less) => sum.fixed::<$n, $n, $less, { 2 * $n - $less }>(bits, pairs, to),
                    ($n, $n, $more) => sum.fixed::<$n, $n, $more, { 2 * $n - $more }>(bits, pairs, to),
                )*
                _ => sum.general(bits, nx, ny, width, pairs, to),
            }
        };
    }
    fixed!(2 3 4  3 4 5  4 5 6  5 6 7  6 7 8  7 8 9  8 9 10)
}

impl Mp {
    /// The sum of products that [`gathered_dot`] computes, which replaces `self`.
    pub fn set_gathered(
        &mut self,
        x: (&[Head], &[u64]),
        y: (&[Head], &[u64]),
        pairs: impl Iterator<Item = (usize, usize)> + Clone,
    ) {
        self.head = gathered_dot(self.bits, x, y, pairs, self.words_mut());
    }
}

/// Products of finite numbers, and the exponent of the unit of their sum.
struct Terms<'a> {
    x: Line<'a>,
    y: Line<'a>,
    unit: i64,
}

impl Terms<'_> {
    /// The sum for numbers of `X` and `Y` words in `W` words, to which those of a product from word
    /// `FROM` on contribute.
    #[inline(always)]
    fn fixed<const X: usize, const Y: usize, const W: usize, const FROM: usize>(
        self,
        bits: Bits,
        pairs: impl Iterator<Item = (usize, usize)>,
        to: &mut [u64],
    ) -> Head {
        const { assert!(2 * W + X + Y < FIXED) };
        let mut sum = [0_u64; W];
        // The product lies from word `W` on, between zeros.
        let mut product = [0; FIXED];
        for (i, j) in pairs {
            let (hx, hy) = (self.x.0[i], self.y.0[j]);
            let (Some(x), Some(y)) =
                (self.x.1[i * X..].first_chunk::<X>(), self.y.1[j * Y..].first_chunk::<Y>())
            else {
                continue;
            };
            let lowest = i64::from(hx.code() + hy.code()) - 64 * (X + Y) as i64;
            // Products of zeros lie so far below all others that no bit is left of them.
            let down = self.unit - lowest;
            let (skip, offset) = (down >> 6, (down & 63) as u32);
            let negative = hx.is_negative() != hy.is_negative();
            if FROM + W == X + Y
                && skip == FROM as i64
                && let Some(upper) = upper::<X, Y, FROM, W>(x, y, offset)
            {
                let above = |i: usize| if i + 1 < W { upper[i + 1] } else { 0 };
                add_signed(&mut sum, |i| rows::funnel(upper[i], above(i), offset), negative);
                continue;
            }
            // Word `i` of the sum gets bits of the words `i + skip` and `i + skip + 1` of the
            // product.
            if skip < (X + Y) as i64 {
                rows::product::<X, Y, W, FIXED>(x, y, &mut product);
                let from = &product[(W as i64 + skip) as usize..][..W + 1];
                add_signed(&mut sum, |i| rows::funnel(from[i], from[i + 1], offset), negative);
            }
        }
        finish(bits, &mut sum, self.unit, to)
    }

    /// The sum for numbers of any words.
    fn general(
        self,
        bits: Bits,
        nx: usize,
        ny: usize,
        width: usize,
        pairs: impl Iterator<Item = (usize, usize)>,
        to: &mut [u64],
    ) -> Head {
        let mut sum = [0; MOST_SUM];
        let sum = &mut sum[..width];
        // Between a word that is zero on either side.
        let mut product = [0; 2 * MOST_WORDS + 2];
        let product = &mut product[..nx + ny + 2];
        for (i, j) in pairs {
            let (hx, hy) = (self.x.0[i], self.y.0[j]);
            if hx.is_zero() || hy.is_zero() {
                continue;
            }
            let (x, y) = (&self.x.1[i * nx..][..nx], &self.y.1[j * ny..][..ny]);
            multiply(x, y, &mut product[1..=nx + ny]);
            let lowest = i64::from(hx.code()) + i64::from(hy.code()) - 64 * (nx + ny) as i64;
            let negative = hx.is_negative() != hy.is_negative();
            add_shifted(sum, product, self.unit - lowest, negative);
        }
        finish(bits, sum, self.unit, to)
    }
}

/// Bits of the lowest word of a product's upper words that have to be cut for these to be computed
/// alone.
const CUT: u32 = 8;

/// The words of `x·y` from word `FROM` on, of which the lowest `offset` bits may be wrong; `None`
/// where those above could be.
#[inline(always)]
fn upper<const X: usize, const Y: usize, const FROM: usize, const W: usize>(
    x: &[u64; X],
    y: &[u64; Y],
    offset: u32,
) -> Option<[u64; W]> {
    if FROM > 0 && offset < CUT {
        return None;
    }
    let words = rows::upper::<X, Y, FROM, W>(x, y);
    // A carry from the words below would have to pass the bits that are cut.
    let decided = FROM == 0 || words[0] | u64::MAX << offset < u64::MAX - 2 * FROM as u64;
    decided.then_some(words)
}

/// Rounds a sum in two's complement.
fn finish(bits: Bits, sum: &mut [u64], unit: i64, to: &mut [u64]) -> Head {
    let negative = sum.last().is_some_and(|word| word >> 63 == 1);
    if negative {
        negate(sum);
    }
    let head = round(bits, negative, sum, unit, false, to);
    if head.is_zero() { Head::zero(false) } else { head }
}
