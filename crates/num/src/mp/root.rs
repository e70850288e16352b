//! Square roots, rounded once, from integers.

use super::bits::{Bits, MOST_WORDS};
use super::head::Head;
use super::round::{round, shift_up};
use super::square_root::integer_root;
use super::{Mp, MpRef};

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
    ///
    /// ```
    /// use nonius_num::Mp;
    /// use nonius_num::mp::Bits;
    ///
    /// let bits = Bits::new(512)?;
    /// let x = Mp::from_f64(bits, 2.0).sqrt();
    /// assert!(x.to_string().starts_with("1.41421356237309504880168872420969807856967187537694"));
    /// # Ok::<(), nonius_num::mp::BitsError>(())
    /// ```
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
    // The root of an integer of twice as many words, of which at most the highest bit is zero: so
    // that of the root is one. The exponent has to be even, and a root has two words.
    let n = (bits.get() as usize + 2).div_ceil(64).max(x.words().len() / 2 + 1).max(2);
    let shift = 128 * n - 64 * x.words().len() - x.unit().rem_euclid(2) as usize;
    let (mut square, mut root) = ([0; 2 * ROOT], [0; ROOT]);
    let (square, root) = (&mut square[..2 * n], &mut root[..n]);
    shift_up(x.words(), shift, square);
    let exact = integer_root(square, root);
    round(bits, false, root, (x.unit() - shift as i64) / 2, !exact, to)
}
