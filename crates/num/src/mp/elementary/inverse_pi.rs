//! `2/π` with many words, by binary splitting of a series with rational terms.
//!
//! `4/π = Σ (−1)^k (1123 + 21460k)·(2k−1)!!·(4k−1)!! / (882^(2k+1)·32^k·k!³)`, a term of which has
//! 19.5 bits more than the one before.
//!
//! Source: Ramanujan, *Modular equations and approximations to π*, Quart. J. Math. 45 (1914);
//! Haible and Papanikolaou, *Fast multiprecision evaluation of series of rational numbers*,
//! ANTS-III (1998).

use alloc::vec::Vec;

use crate::integers::big::Big;

/// Sums of `a(k)·p(1)···p(k) / (q(1)···q(k))` over a range, with the products of the range's `p`
/// and `q`.
struct Part {
    p: Big,
    q: Big,
    /// Sums of terms that are added and subtracted, over `q`.
    sum: Big,
    negative: bool,
}

/// The leading `n` words of `2/π`, less than a unit off.
pub(super) fn two_over_pi(n: usize) -> Vec<u64> {
    let bits = 64 * (n + 1);
    let all = split(0, bits as u64 * 2 / 39 + 2);
    // 2/π = sum / (1764·q).
    let mut q = all.q;
    q.multiply_add_small(1764, 0);
    let quotient = quotient(&all.sum, &q, bits);
    let mut words = quotient.words().to_vec();
    words.resize(n + 1, 0);
    words.split_off(1)
}

/// `⌊2^bits·x / y⌋` up to a unit, from leading bits: 64 more than the quotient has, and so far is
/// it off.
fn quotient(x: &Big, y: &Big, bits: usize) -> Big {
    let k = bits + 64;
    let dropped = y.bit_length().saturating_sub(k);
    let up = k.saturating_sub(y.bit_length());
    let leading = |x: &Big| if up > 0 { x.shl(up) } else { x.shr(dropped) };
    leading(x).mul(&reciprocal(&leading(y), k)).shr(2 * k - bits)
}

/// Bits up to which a division by the schoolbook is faster.
const SHORT: usize = 1 << 12;

/// `2^(2k) / y` for a `y` of `k` bits, up to `2^(3−k)` of itself, by Newton's iteration.
///
/// With `h` bits of `y` the reciprocal `r` is off by less than `2^(4−h)`, relatively, that of the
/// bits left out included. A step squares that, to less than `2^−k` for `h = k/2 + 8`, and rounds
/// twice, by less than `2^(2−k)`.
fn reciprocal(y: &Big, k: usize) -> Big {
    let one = Big::from_words(&[1]);
    if k <= SHORT {
        return one.shl(2 * k).divide(y).0;
    }
    let h = k / 2 + 8;
    let r = reciprocal(&y.shr(k - h), h);
    // 2^(2k)/y = r·2^(k−h)·(1 + d/2^(k+h) + …) with d = 2^(k+h) − y·r.
    let (product, whole) = (y.mul(&r), one.shl(k + h));
    let shifted = r.shl(k - h);
    match product < whole {
        true => shifted.add(&r.mul(&whole.sub(&product)).shr(2 * h)),
        false => shifted.sub(&r.mul(&product.sub(&whole)).shr(2 * h)),
    }
}

/// Terms `from..to`, of which there is one at least.
fn split(from: u64, to: u64) -> Part {
    if to - from == 1 {
        return term(from);
    }
    let middle = (from + to) / 2;
    let (low, high) = (split(from, middle), split(middle, to));
    // Terms alternate: so do the signs of parts that begin at odd ones.
    let (a, b) = (low.sum.mul(&high.q), high.sum.mul(&low.p));
    let (sum, negative) = match (low.negative == high.negative, a < b) {
        (true, _) => (a.add(&b), low.negative),
        (false, false) => (a.sub(&b), low.negative),
        (false, true) => (b.sub(&a), high.negative),
    };
    Part { p: low.p.mul(&high.p), q: low.q.mul(&high.q), sum, negative }
}

fn term(k: u64) -> Part {
    let product = |factors: &[u64]| {
        let mut product = Big::from_words(&[1]);
        for &factor in factors {
            product.multiply_add_small(factor, 0);
        }
        product
    };
    let (p, q) = match k {
        0 => (product(&[]), product(&[])),
        // 882²·32 and k³; for (2k−1)!!·(4k−1)!! three odd factors.
        _ => (product(&[2 * k - 1, 4 * k - 3, 4 * k - 1]), product(&[24_893_568, k, k, k])),
    };
    let mut sum = p.clone();
    sum.multiply_add_small(1123 + 21460 * k, 0);
    Part { p, q, sum, negative: k % 2 == 1 }
}
