//! Square roots of long integers, by halves.
//!
//! The root of the upper half of an integer, and one division of what is left by twice that root,
//! give the whole root, too large by one at the most.
//!
//! Source: Zimmermann, *Karatsuba square root*, INRIA RR-3805 (1999).

use super::root::integer_root as newton;
use crate::decimal::big::Big;

/// Words of roots up to which Newton's iteration from a word is faster.
const NEWTON: usize = 8;

/// `⌊√square⌋`, and whether that is all of it. The highest two bits of the square are not both
/// zero, and the root has half its words, at least two.
pub(super) fn integer_root(square: &[u64], root: &mut [u64]) -> bool {
    if root.len() <= NEWTON {
        return newton(square, root);
    }
    let (value, rest) = root_and_rest(square);
    root.fill(0);
    root[..value.words().len()].copy_from_slice(value.words());
    rest.is_zero()
}

fn root_and_rest(square: &[u64]) -> (Big, Big) {
    let n = square.len() / 2;
    if n <= NEWTON {
        let mut root = [0; NEWTON];
        newton(square, &mut root[..n]);
        let root = Big::from_words(&root[..n]);
        let rest = Big::from_words(square).sub(&root.mul(&root));
        return (root, rest);
    }
    let low = n / 2;
    let (high_root, high_rest) = root_and_rest(&square[2 * low..]);
    let middle = high_rest.shl(64 * low).add(&Big::from_words(&square[low..2 * low]));
    let (quotient, rest) = middle.divide(&high_root.shl(1));
    let mut root = high_root.shl(64 * low).add(&quotient);
    let mut rest = rest.shl(64 * low).add(&Big::from_words(&square[..low]));
    let cut = quotient.mul(&quotient);
    if rest < cut {
        let one = Big::from_words(&[1]);
        rest = rest.add(&root.shl(1)).sub(&one);
        root = root.sub(&one);
    }
    (root, rest.sub(&cut))
}
