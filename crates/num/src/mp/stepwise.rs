//! The sums of [`gathered_dot`](super::gathered_dot), [`axpy`](super::axpy) and
//! [`xpay`](super::xpay) with every product and every addition rounded by itself: what a program
//! computes that knows no other operations, for comparison with such. A sum of `k` products is
//! within `k·u·Σ|x||y|` of the exact one, to first order in `u`.

use super::MpRef;
use super::arithmetic::{GUARD, product, sum_of};
use super::bits::{Bits, MOST_WORDS};
use super::head::Head;

/// Words that sums need, for numbers of any precision.
const SUM_WORDS: usize = MOST_WORDS + GUARD + 1;

/// [`gathered_dot`](super::gathered_dot), term by term from the first to the last.
///
/// Panics where a pair lies outside the lines, or `to` has other words than the precision takes.
pub fn dot(
    bits: Bits,
    x: (Bits, &[Head], &[u64]),
    y: (&[Head], &[u64]),
    pairs: impl Iterator<Item = (usize, usize)>,
    to: &mut [u64],
) -> Head {
    assert_eq!(to.len(), bits.words(), "words of a significand");
    to.fill(0);
    let mut head = Head::zero(false);
    let (mut term, mut next) = ([0; MOST_WORDS], [0; MOST_WORDS]);
    let (term, next) = (&mut term[..to.len()], &mut next[..to.len()]);
    for (i, j) in pairs {
        let x = at(x.0, (x.1, x.2), i);
        let of = product(bits, x, at(bits, y, j), term);
        let sum = MpRef::new(bits, head, to);
        head = sum_of::<SUM_WORDS>(bits, sum, MpRef::new(bits, of, term), next);
        to.copy_from_slice(next);
    }
    head
}

/// Sums that [`strided_dot`] forms and then adds.
pub const PARTIALS: usize = 256;

/// The sum of the products of two lines of equal length: product `i` belongs to sum `i mod 256` of
/// [`PARTIALS`], which are added pairwise, neighbours first.
///
/// Panics where the lines differ in length, or `to` has other words than the precision takes.
pub fn strided_dot(bits: Bits, x: (&[Head], &[u64]), y: (&[Head], &[u64]), to: &mut [u64]) -> Head {
    const LEVELS: usize = PARTIALS.ilog2() as usize;
    assert_eq!(x.0.len(), y.0.len(), "lengths");
    let (n, count) = (bits.words(), x.0.len());
    // Sums of 1, 2, 4, … partial sums that wait for their neighbours.
    let mut heads = [Head::zero(false); LEVELS];
    let mut waiting = [[0; MOST_WORDS]; LEVELS];
    let mut sum = [0; MOST_WORDS];
    let (sum, mut head) = (&mut sum[..n], Head::zero(false));
    for partial in 0..PARTIALS {
        let pairs = (partial..count).step_by(PARTIALS).map(|i| (i, i));
        head = dot(bits, (bits, x.0, x.1), y, pairs, to);
        let mut level = 0;
        while partial >> level & 1 == 1 {
            let neighbour = MpRef::new(bits, heads[level], &waiting[level][..n]);
            head = sum_of::<SUM_WORDS>(bits, neighbour, MpRef::new(bits, head, to), sum);
            to.copy_from_slice(sum);
            level += 1;
        }
        if level < LEVELS {
            heads[level] = head;
            waiting[level][..n].copy_from_slice(to);
        }
    }
    head
}

/// `y ← y + α·x`, entry by entry.
///
/// Panics unless all have the precision and the lines the same length.
pub fn axpy(alpha: MpRef<'_>, x: (&[Head], &[u64]), y: (&mut [Head], &mut [u64])) {
    each(alpha, x, y, false);
}

/// `y ← x + β·y`, entry by entry.
///
/// Panics unless all have the precision and the lines the same length.
pub fn xpay(x: (&[Head], &[u64]), beta: MpRef<'_>, y: (&mut [Head], &mut [u64])) {
    each(beta, x, y, true);
}

/// `y ← y + a·x`, or with the places of `x` and `y` exchanged `y ← x + a·y`.
fn each(a: MpRef<'_>, x: (&[Head], &[u64]), y: (&mut [Head], &mut [u64]), exchanged: bool) {
    let (bits, n) = (a.bits(), a.bits().words());
    assert_eq!((x.0.len(), y.1.len()), (y.0.len(), y.0.len() * n), "lengths");
    let (mut term, mut sum) = ([0; MOST_WORDS], [0; MOST_WORDS]);
    let (term, sum) = (&mut term[..n], &mut sum[..n]);
    for (i, (head, words)) in y.0.iter_mut().zip(y.1.chunks_exact_mut(n)).enumerate() {
        let (x, y) = (at(bits, x, i), MpRef::new(bits, *head, words));
        let (factor, summand) = if exchanged { (y, x) } else { (x, y) };
        let of = product(bits, a, factor, term);
        *head = sum_of::<SUM_WORDS>(bits, summand, MpRef::new(bits, of, term), sum);
        words.copy_from_slice(sum);
    }
}

/// Number `i` of a line.
fn at<'a>(bits: Bits, (heads, words): (&'a [Head], &'a [u64]), i: usize) -> MpRef<'a> {
    let n = bits.words();
    MpRef::new(bits, heads[i], &words[i * n..][..n])
}
