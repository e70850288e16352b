//! `v + a·u` for lines of numbers, rounded once: what `axpy` and its kin are made of.
//!
//! **Result.** The number of the precision nearest to the exact `v + a·u`, ties to even. A product beyond the range counts as infinite or zero, and
//! specials follow IEEE 754, as if the product were an operand of the sum.
//!
//! **Method.** Let `n` be the words of a number. The upper `n + 1` words of the product, without the terms that lie wholly below them, and `v` are
//! cut to a common unit `2^(T − 64(n + 1))`, where `2^T` is four times the larger one's bound, and added as integers. What is lost is below `n + 4` units. If the sum after that
//! is nowhere near the middle of two numbers, it is rounded; else, and where some 30 bits cancel, the exact product and sum are formed. Numbers of more
//! than 8 words always take that way.

use super::arithmetic::{product_of_specials, sum_of};
use super::bits::{Bits, MOST_WORDS};
use super::head::Head;
use super::rows::{self, add_bits};
use super::view::MpRef;
use crate::decimal::words::multiply;

/// Numbers to be read: heads, and words one number after the other.
type Line<'a> = (&'a [Head], &'a [u64]);
/// The same, to be changed.
type LineMut<'a> = (&'a mut [Head], &'a mut [u64]);

/// `y ← y + α·x`, entry by entry, each rounded once.
///
/// Panics unless all have the precision and the lines the same length.
#[inline]
pub fn axpy(alpha: MpRef<'_>, x: Line<'_>, y: LineMut<'_>) {
    lines(alpha, Operand::Given(x), Operand::Output, y);
}

/// `y ← x + β·y`, entry by entry, each rounded once.
///
/// Panics unless all have the precision and the lines the same length.
#[inline]
pub fn xpay(x: Line<'_>, beta: MpRef<'_>, y: LineMut<'_>) {
    lines(beta, Operand::Output, Operand::Given(x), y);
}

/// Where a factor or summand lies.
#[derive(Clone, Copy)]
enum Operand<'a> {
    Given(Line<'a>),
    /// In the line that the result replaces.
    Output,
}

#[inline(always)]
fn lines(a: MpRef<'_>, u: Operand<'_>, v: Operand<'_>, to: LineMut<'_>) {
    let n = a.bits().words();
    for operand in [u, v] {
        if let Operand::Given((heads, words)) = operand {
            assert_eq!((heads.len(), words.len()), (to.0.len(), to.1.len()), "lengths");
        }
    }
    assert_eq!(to.1.len(), to.0.len() * n, "words");
    match n {
        2 => fixed::<2, 3, 0>(a, u, v, to),
        3 => fixed::<3, 4, 1>(a, u, v, to),
        4 => fixed::<4, 5, 2>(a, u, v, to),
        5 => fixed::<5, 6, 3>(a, u, v, to),
        6 => fixed::<6, 7, 4>(a, u, v, to),
        7 => fixed::<7, 8, 5>(a, u, v, to),
        8 => fixed::<8, 9, 6>(a, u, v, to),
        _ => general(a, u, v, to),
    }
}

impl Operand<'_> {
    #[inline(always)]
    fn at<'b>(&'b self, i: usize, n: usize, to: &'b LineMut<'_>) -> (Head, &'b [u64]) {
        match self {
            Operand::Given((heads, words)) => (heads[i], &words[i * n..][..n]),
            Operand::Output => (to.0[i], &to.1[i * n..][..n]),
        }
    }
}

/// Numbers of any words.
fn general(a: MpRef<'_>, u: Operand<'_>, v: Operand<'_>, to: LineMut<'_>) {
    let n = a.bits().words();
    for i in 0..to.0.len() {
        let mut words = [0; MOST_WORDS];
        let (u, v) = (u.at(i, n, &to), v.at(i, n, &to));
        let head = exact(a, u, v, &mut words[..n]);
        to.0[i] = head;
        to.1[i * n..][..n].copy_from_slice(&words[..n]);
    }
}

/// Numbers of `N` words, with sums of `W = N + 1` and products from word `LOW = N − 2` on.
#[inline(always)]
fn fixed<const N: usize, const W: usize, const LOW: usize>(
    a: MpRef<'_>,
    u: Operand<'_>,
    v: Operand<'_>,
    to: LineMut<'_>,
) {
    let Some(factor) = a.words().first_chunk::<N>() else { return };
    for i in 0..to.0.len() {
        let ((hu, wu), (hv, wv)) = (u.at(i, N, &to), v.at(i, N, &to));
        let (Some(wu), Some(wv)) = (wu.first_chunk::<N>(), wv.first_chunk::<N>()) else { return };
        let (head, words) = match number::<N, W, LOW>(a, factor, (hu, wu), (hv, wv)) {
            Some(number) => number,
            None => {
                let mut words = [0; N];
                let head = exact(a, (hu, wu), (hv, wv), &mut words);
                (head, words)
            }
        };
        to.0[i] = head;
        to.1[i * N..][..N].copy_from_slice(&words);
    }
}

/// `v + a·u` where that can be rounded with what the upper words say.
#[inline(always)]
fn number<const N: usize, const W: usize, const LOW: usize>(
    a: MpRef<'_>,
    factor: &[u64; N],
    (hu, wu): (Head, &[u64; N]),
    (hv, wv): (Head, &[u64; N]),
) -> Option<(Head, [u64; N])> {
    const { assert!(W == N + 1 && N >= 2 && N <= 8 && LOW + 2 == N) };
    let ha = a.head();
    let exponent = i64::from(ha.code()) + i64::from(hu.code());
    let range = i64::from(Head::LEAST_EXPONENT) + 1..=i64::from(Head::GREATEST_EXPONENT);
    let zero = hv.is_zero();
    if ha.exponent().is_none() || hu.exponent().is_none() || !(zero || hv.exponent().is_some()) {
        return None;
    }
    if !range.contains(&exponent) {
        return None;
    }
    let other = if zero { exponent } else { i64::from(hv.code()) };
    let top = exponent.max(other) + 2;
    let negative = ha.is_negative() != hu.is_negative();
    // Words `N − 2` on of the product, above them zeros. It is too small by less than `N − 2` units of word `N − 1`.
    let mut product = [0; 24];
    rows::product::<N, N, LOW, 0, 24>(factor, wu, &mut product);
    let sum = add([0; W], &product[1..], N + 1, top - exponent, negative);
    let mut summand = [0; 24];
    summand[1..=N].copy_from_slice(wv);
    let mut sum = add(sum, &summand, N + 1, top - other, hv.is_negative());
    // Signs and roundings are random: no branches on them.
    let minus = sum[N] >> 63 == 1;
    let flip = 0_u64.wrapping_sub(u64::from(minus));
    let mut carry = minus;
    for word in &mut sum {
        (*word, carry) = (*word ^ flip).overflowing_add(u64::from(carry));
    }
    let zeros = sum[N].leading_zeros();
    if zeros > 30 {
        return None;
    }
    let mut words = [0; N];
    for (i, word) in words.iter_mut().enumerate() {
        *word = sum[i + 1] << zeros | (sum[i] >> 1) >> (63 - zeros);
    }
    let low = sum[0] << zeros;
    // What lies below the precision, and half a unit of it.
    let padding = a.bits().padding();
    let mask = (1_u64 << padding) - 1;
    let (tail, half) = if padding == 0 {
        (u128::from(low), 1_u128 << 63)
    } else {
        (u128::from(words[0] & mask) << 64 | u128::from(low), 1_u128 << (63 + padding))
    };
    words[0] &= !mask;
    if tail.abs_diff(half) <= (N as u128 + 4) << zeros {
        return None;
    }
    let mut e = top - i64::from(zeros);
    let mut carry = u64::from(tail > half) << padding;
    for word in &mut words {
        let over;
        (*word, over) = word.overflowing_add(carry);
        carry = u64::from(over);
    }
    if carry == 1 {
        words[N - 1] = 1 << 63;
        e += 1;
    }
    let head = Head::finite(minus, e);
    if head.exponent().is_none() {
        words = [0; N];
    }
    Some((head, words))
}

/// `sum` and the `length` words of `from`, which zeros follow, cut to the unit of the sum, or their negative. The highest of them lies `down` bits below the highest of the sum.
#[inline(always)]
fn add<const W: usize>(
    sum: [u64; W],
    from: &[u64],
    length: usize,
    down: i64,
    negative: bool,
) -> [u64; W] {
    let (whole, offset) = ((down >> 6) as usize, (down & 63) as u32);
    if whole >= length {
        return sum;
    }
    add_bits(sum, &from[length - W + whole..], offset, negative)
}

/// `v + a·u` by the exact product; the significand goes to `to`.
#[cold]
#[inline(never)]
fn exact(a: MpRef<'_>, u: (Head, &[u64]), v: (Head, &[u64]), to: &mut [u64]) -> Head {
    let (bits, n) = (a.bits(), a.bits().words());
    let mut words = [0; 2 * MOST_WORDS];
    let words = &mut words[..2 * n];
    let ha = a.head();
    let head = match (ha.exponent(), u.0.exponent()) {
        (Some(x), Some(y)) => {
            multiply(a.words(), u.1, words);
            let mut e = i64::from(x) + i64::from(y);
            if words[2 * n - 1] >> 63 == 0 {
                e -= 1;
                let mut below = 0;
                for word in words.iter_mut() {
                    (*word, below) = (*word << 1 | below, *word >> 63);
                }
            }
            Head::finite(ha.is_negative() != u.0.is_negative(), e)
        }
        _ => product_of_specials(ha, u.0),
    };
    if head.exponent().is_none() {
        words.fill(0);
    }
    let wide = Bits::internal(128 * n as u32);
    let product = MpRef::new(wide, head, words);
    sum_of::<{ 2 * MOST_WORDS + 3 }>(bits, product, MpRef::new(bits, v.0, v.1), to)
}
