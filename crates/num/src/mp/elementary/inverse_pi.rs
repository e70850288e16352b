//! `2/π` with many words, by binary splitting of a series with rational terms.
//!
//! `4/π = Σ (−1)^k (1123 + 21460k)·(2k−1)!!·(4k−1)!! / (882^(2k+1)·32^k·k!³)`, a term of which has 19.5 bits more than the one
//! before.
//!
//! Source: Ramanujan, *Modular equations and approximations to π*, Quart. J. Math. 45 (1914); Haible and Papanikolaou, *Fast
//! multiprecision evaluation of series of rational numbers*, ANTS-III (1998).

use alloc::vec::Vec;

use crate::decimal::big::Big;

/// Sums of `a(k)·p(1)···p(k) / (q(1)···q(k))` over a range, with the products of the range's `p` and `q`.
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

/// `⌊2^bits·x / y⌋` up to a few units, from as many leading words as that takes.
fn quotient(x: &Big, y: &Big, bits: usize) -> Big {
    let kept = bits + 64;
    let dropped = y.bit_length().saturating_sub(kept);
    let (x, y) = (x.shr(dropped), y.shr(dropped));
    x.shl(bits).divide(&y).0
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
