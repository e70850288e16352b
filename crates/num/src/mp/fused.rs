//! `v + a·u` for lines of numbers, rounded once: what `axpy` and its kin are made of.
//!
//! **Result.** The number of the precision nearest to the exact `v + a·u`, ties to even. A product
//! beyond the range counts as infinite or zero, and specials follow IEEE 754, as if the product
//! were an operand of the sum.
//!
//! **Method.** Numbers of 2 to 8 words are computed from upper words where those can decide
//! ([`multiple`](super::multiple)); else, where a number is not finite and where exponents are
//! extreme, the exact product and sum are formed. Numbers of other lengths always take that way.

use super::arithmetic::{product_of_specials, sum_of};
use super::bits::{Bits, MOST_WORDS};
use super::head::Head;
use super::multiple::{BLOCK, Multiple, Places};
use super::number::MpRef;
use crate::integers::words::multiply;

/// Numbers to be read: heads, and words one number after the other.
type Line<'a> = (&'a [Head], &'a [u64]);
/// The same, to be changed.
type LineMut<'a> = (&'a mut [Head], &'a mut [u64]);

/// `y ← y + α·x`, entry by entry, each rounded once.
///
/// Panics unless all have the precision and the lines the same length.
#[inline(always)]
pub fn axpy(alpha: MpRef<'_>, x: Line<'_>, y: LineMut<'_>) {
    lines::<false>(alpha, x, y);
}

/// `y ← x + β·y`, entry by entry, each rounded once.
///
/// Panics unless all have the precision and the lines the same length.
#[inline(always)]
pub fn xpay(x: Line<'_>, beta: MpRef<'_>, y: LineMut<'_>) {
    lines::<true>(beta, x, y);
}

/// Bits of the lowest word below the precision that make a word below it needless.
const SPARE_BITS: u32 = 16;

/// `y ← y + a·x`, or where `EXCHANGED` `y ← x + a·y`.
#[inline(always)]
fn lines<const EXCHANGED: bool>(a: MpRef<'_>, x: Line<'_>, y: LineMut<'_>) {
    let n = a.bits().words();
    assert_eq!((x.0.len(), x.1.len()), (y.0.len(), y.1.len()), "lengths");
    assert_eq!(y.1.len(), y.0.len() * n, "words");
    let short = a.bits().padding() >= SPARE_BITS;
    macro_rules! fixed {
        ($($n:literal $more:literal)*) => {
            match (n, short) {
                $(
                    ($n, true) => fixed::<$n, $n, EXCHANGED>(a, x, y),
                    ($n, false) => fixed::<$n, $more, EXCHANGED>(a, x, y),
                )*
                _ => general(EXCHANGED, a, x, y),
            }
        };
    }
    fixed!(2 3  3 4  4 5  5 6  6 7  7 8  8 9)
}

/// Numbers of `N` words, with sums of `W`.
#[inline(always)]
fn fixed<const N: usize, const W: usize, const EXCHANGED: bool>(
    a: MpRef<'_>,
    x: Line<'_>,
    y: LineMut<'_>,
) {
    let Some(multiple) = Multiple::<N, W>::new(a) else { return general(EXCHANGED, a, x, y) };
    let mut places = Places::default();
    let words =
        x.1.as_chunks::<N>().0.chunks(BLOCK).zip(y.1.as_chunks_mut::<N>().0.chunks_mut(BLOCK));
    for ((hx, hy), (x, y)) in x.0.chunks(BLOCK).zip(y.0.chunks_mut(BLOCK)).zip(words) {
        for (i, (hx, hy)) in hx.iter().zip(&*hy).enumerate() {
            let (hu, hv) = if EXCHANGED { (*hy, *hx) } else { (*hx, *hy) };
            places.set(i, multiple.place(hu, hv));
        }
        for (i, ((hx, x), (hy, y))) in hx.iter().zip(x).zip(hy.iter_mut().zip(y)).enumerate() {
            let (u, v) = if EXCHANGED { ((*hy, &*y), (*hx, x)) } else { ((*hx, x), (*hy, &*y)) };
            (*hy, *y) = multiple.plus(places.at(i), u.1, v.1).unwrap_or_else(|| {
                let mut words = [0; N];
                (exact(a, (u.0, u.1), (v.0, v.1), &mut words), words)
            });
        }
    }
}

/// Numbers of any words.
#[inline(never)]
pub(super) fn general(exchanged: bool, a: MpRef<'_>, x: Line<'_>, y: LineMut<'_>) {
    let n = a.bits().words();
    let mut words = [0; MOST_WORDS];
    for (i, (head, y)) in y.0.iter_mut().zip(y.1.chunks_exact_mut(n)).enumerate() {
        let (x, old) = ((x.0[i], &x.1[i * n..][..n]), (*head, &*y));
        let (u, v) = if exchanged { (old, x) } else { (x, old) };
        *head = exact(a, u, v, &mut words[..n]);
        y.copy_from_slice(&words[..n]);
    }
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
