//! Square roots of long integers, by halves.
//!
//! The root of the upper half of an integer, and one division of what is left by twice that root,
//! give the whole root, too large by one at the most.
//!
//! Source: Zimmermann, *Karatsuba square root*, INRIA RR-3805 (1999).

use crate::integers::big::{Big, divide_words};
use crate::integers::words::add_with_carry;

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

/// [`integer_root`] of at most [`NEWTON`] words, by Newton's iteration, which falls from above
/// until it has arrived.
fn newton(square: &[u64], root: &mut [u64]) -> bool {
    let n = root.len();
    // Above the root, by less than two units of its highest word.
    let top = u128::from(square[2 * n - 1]) << 64 | u128::from(square[2 * n - 2]);
    root.fill(u64::MAX);
    root[n - 1] = top.isqrt() as u64;
    let (mut dividend, mut quotient) = ([0; 2 * NEWTON + 1], [0; NEWTON + 1]);
    // With a word of zeros above, so that the quotient fits.
    let (dividend, quotient) = (&mut dividend[..=2 * n], &mut quotient[..=n]);
    loop {
        dividend[..2 * n].copy_from_slice(square);
        dividend[2 * n] = 0;
        divide_words(dividend, root, quotient);
        // The quotient is at least the root just where the square of that is at most the number.
        let arrived = quotient[n] != 0 || quotient[..n].iter().rev().ge(root.iter().rev());
        if arrived {
            let remainder = dividend.iter().any(|&word| word != 0);
            return !remainder && quotient[..n] == *root && quotient[n] == 0;
        }
        let mut carry = false;
        for (root, &word) in root.iter_mut().zip(&*quotient) {
            (*root, carry) = add_with_carry(*root, word, carry);
        }
        let mut above = u64::from(carry);
        for word in root.iter_mut().rev() {
            (*word, above) = (*word >> 1 | above << 63, *word & 1);
        }
    }
}
