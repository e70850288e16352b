//! Square roots, rounded once, from integers.

use super::bits::{Bits, MOST_WORDS};
use super::head::Head;
use super::round::{round, shift_up};
use super::{Mp, MpRef};
use crate::decimal::big::divide_words;
use crate::decimal::words::add_with_carry;

impl Mp {
    /// `√x`, rounded to the precision of `self`, which it replaces; NaN below zero.
    pub fn set_root(&mut self, x: MpRef<'_>) {
        let head = match x.head() {
            head if head.is_zero() || head.is_nan() => head,
            head if head.is_negative() => Head::NAN,
            head if head.is_infinite() => head,
            _ => root(self.bits, x, self.words_mut()),
        };
        self.set_head(head);
    }

    /// Square root; NaN below zero.
    #[must_use]
    pub fn sqrt(&self) -> Self {
        let mut root = Self::zero(self.bits);
        root.set_root(self.view());
        root
    }
}

/// Most words of a root: a precision, two bits more and what fills a word.
const ROOT: usize = MOST_WORDS + 1;

fn root(bits: Bits, x: MpRef<'_>, to: &mut [u64]) -> Head {
    // The root of an integer of twice as many words, of which at most the highest bit is zero: so that of the root is one. The exponent has to be even, and a root has two words.
    let n = (bits.get() as usize + 2).div_ceil(64).max(x.words().len() / 2 + 1).max(2);
    let shift = 128 * n - 64 * x.words().len() - x.unit().rem_euclid(2) as usize;
    let (mut square, mut root) = ([0; 2 * ROOT], [0; ROOT]);
    let (square, root) = (&mut square[..2 * n], &mut root[..n]);
    shift_up(x.words(), shift, square);
    let exact = super::square_root::integer_root(square, root);
    round(bits, false, root, (x.unit() - shift as i64) / 2, !exact, to)
}

/// `⌊√square⌋`, and whether that is all of it, by Newton's iteration, which falls from above until it has arrived. The highest two bits of the square are not both zero, and the
/// root has half its words, at least two.
pub(super) fn integer_root(square: &[u64], root: &mut [u64]) -> bool {
    let n = root.len();
    // Above the root, by less than two units of its highest word.
    let top = u128::from(square[2 * n - 1]) << 64 | u128::from(square[2 * n - 2]);
    root.fill(u64::MAX);
    root[n - 1] = top.isqrt() as u64;
    let (mut dividend, mut quotient) = ([0; 2 * ROOT + 1], [0; ROOT + 1]);
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
