//! Sums of products, rounded once.
//!
//! **Method.** Every product `x_k·y_k` is cut to a multiple of one unit `2^f` and added to an
//! integer of `W` words. With `2^E` above all products in magnitude and `c = ⌈log2 n⌉` for `n`
//! products of numbers other than zero, `f = E + c + 1 − 64W`, and `W` words are at least
//! `p + 65 + 2c` bits. The sum is rounded to `p` bits in the end. This is the method of FLINT's
//! `arb_dot` (F. Johansson, *Faster arbitrary-precision dot product and matrix multiplication*,
//! ARITH 2019).
//!
//! **Error.** The integer has room for the sum, which is at most `2^(E + c)`. A product loses less
//! than a unit, all of them less than `2^(f + c) <= 2^(E − p − 64)`. The largest product is at
//! least `2^(E − 2)`, since significands are at least `1/2`. So the sum before the last rounding is
//! within `2^-62·u·Σ|x_k·y_k|`, with `u = 2^-p`, and the result within
//!
//! `(1 + 2^-61)·u·Σ|x_k·y_k|`
//!
//! of the exact sum, for all exponents and however much cancels. Where the sum cancels, more is
//! true: before the last rounding it is within `2^(E − p − 64)`, whatever its size. It is the
//! correctly rounded sum where no product is cut: for integers, for instance, whose products spread
//! over at most `p + 64 + c` bits.

use alloc::vec::Vec;

use super::Mp;
use super::arithmetic::{negate, product_of_specials};
use super::bits::Bits;
use super::head::Head;
use super::round::round;
use crate::decimal::words::multiply;

/// Memory for sums of products, rounded to one precision.
///
/// ```
/// use nonius_num::Mp;
/// use nonius_num::mp::{Bits, Dot};
///
/// // 1 + 2⁻¹⁰⁰ − 1 in 64 bits: a sum that is rounded once keeps the small term.
/// let bits = Bits::new(64)?;
/// let (one, small) = (Mp::one(bits), Mp::one(bits).ldexp(-100));
/// assert!((one + small - one).is_zero());
/// let heads = |numbers: &[Mp]| numbers.iter().map(Mp::head).collect::<Vec<_>>();
/// let words = |numbers: &[Mp]| numbers.iter().map(|x| x.words()[0]).collect::<Vec<_>>();
/// let (x, y) = ([one, small, -one], [one; 3]);
/// let mut sum = Mp::zero(bits);
/// sum.set_dot(&mut Dot::new(bits), (&heads(&x), &words(&x)), (&heads(&y), &words(&y)));
/// assert_eq!(sum, small);
/// # Ok::<(), nonius_num::mp::BitsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Dot {
    bits: Bits,
    sum: Vec<u64>,
    /// A product, between words that are zero.
    product: Vec<u64>,
}

impl Mp {
    /// The sum of products that [`Dot::of`] computes, which replaces `self`.
    ///
    /// Panics unless the precisions are the same.
    pub fn set_dot(&mut self, dot: &mut Dot, x: (&[Head], &[u64]), y: (&[Head], &[u64])) {
        assert_eq!(self.bits, dot.bits, "precision");
        self.head = dot.of(x, y, self.words_mut());
    }
}

/// Words that are zero on either side of a product.
const MARGIN_WORDS: usize = 1;

impl Dot {
    /// For sums of this precision.
    pub fn new(bits: Bits) -> Self {
        Self { bits, sum: Vec::new(), product: Vec::new() }
    }

    /// The sum of the products of numbers of two lines, given by their heads and their words one
    /// after the other, rounded: the significand goes to `to`, the head is returned. A sum of
    /// nothing, one that cancels, or one below the range is +0. Factors that are zero change no bit
    /// of the sum. All numbers of a line have the same words; how many may differ between the
    /// lines, and from those of the sum.
    ///
    /// Within `(1 + 2^-61)·u·Σ|x_k·y_k|` of the exact sum: see the source of this module for the
    /// proof. Where a number is not finite, the sum is what IEEE 754 makes of it.
    ///
    /// Panics unless the lines have the same length, words for their heads, and `to` has the words
    /// that the precision takes.
    pub fn of(&mut self, x: (&[Head], &[u64]), y: (&[Head], &[u64]), to: &mut [u64]) -> Head {
        let n = self.bits.words();
        let terms = x.0.len();
        assert_eq!(y.0.len(), terms, "terms");
        let (nx, ny) = (x.1.len() / terms.max(1), y.1.len() / terms.max(1));
        assert_eq!((x.1.len(), y.1.len(), to.len()), (terms * nx, terms * ny, n), "words");
        let [(finite_x, zero_x), (finite_y, zero_y)] = [x.0, y.0].map(classes);
        let pairs = || x.0.iter().copied().zip(y.0.iter().copied());
        if !(finite_x && finite_y)
            && let Some(head) = sum_of_pairs(pairs())
        {
            to.fill(0);
            return head;
        }
        let greatest = pairs().map(|(x, y)| x.code() + y.code()).fold(i32::MIN, i32::max);
        if greatest < 2 * Head::LEAST_EXPONENT {
            to.fill(0);
            return Head::zero(false);
        }
        let products = if zero_x || zero_y {
            pairs().filter(|(x, y)| !x.is_zero() & !y.is_zero()).count()
        } else {
            terms
        };
        let carries = products.next_power_of_two().trailing_zeros() as usize;
        let width = (self.bits.get() as usize + 65 + 2 * carries).div_ceil(64);
        let unit = i64::from(greatest) + carries as i64 + 1 - 64 * width as i64;
        self.sum.clear();
        self.sum.resize(width, 0);
        self.product.clear();
        self.product.resize(nx + ny + 2 * MARGIN_WORDS, 0);
        match (nx, ny) {
            (1, 1) => self.add_all::<1, 1>(x, y, unit),
            (2, 2) => self.add_all::<2, 2>(x, y, unit),
            (3, 3) => self.add_all::<3, 3>(x, y, unit),
            (4, 4) => self.add_all::<4, 4>(x, y, unit),
            (5, 5) => self.add_all::<5, 5>(x, y, unit),
            (6, 6) => self.add_all::<6, 6>(x, y, unit),
            (7, 7) => self.add_all::<7, 7>(x, y, unit),
            (8, 8) => self.add_all::<8, 8>(x, y, unit),
            (1, 2) => self.add_all::<1, 2>(x, y, unit),
            (1, 3) => self.add_all::<1, 3>(x, y, unit),
            (1, 4) => self.add_all::<1, 4>(x, y, unit),
            (1, 5) => self.add_all::<1, 5>(x, y, unit),
            (1, _) => self.add_all::<1, 0>(x, y, unit),
            _ => self.add_all::<0, 0>(x, y, unit),
        }
        let negative = self.sum[width - 1] >> 63 == 1;
        if negative {
            negate(&mut self.sum);
        }
        let head = round(self.bits, negative, &self.sum, unit, false, to);
        if head.is_zero() { Head::zero(false) } else { head }
    }

    /// Adds the products of finite numbers in units of `2^unit`. `X` and `Y` are the numbers of
    /// words, or 0 where the compiler need not know them.
    fn add_all<const X: usize, const Y: usize>(
        &mut self,
        x: (&[Head], &[u64]),
        y: (&[Head], &[u64]),
        unit: i64,
    ) {
        let nx = if X == 0 { x.1.len() / x.0.len() } else { X };
        let ny = if Y == 0 { y.1.len() / y.0.len() } else { Y };
        let n = nx + ny;
        assert_eq!(self.product.len(), n + 2 * MARGIN_WORDS);
        let words = x.1.chunks_exact(nx).zip(y.1.chunks_exact(ny));
        for ((hx, hy), (wx, wy)) in x.0.iter().zip(y.0).zip(words) {
            if hx.is_zero() || hy.is_zero() {
                continue;
            }
            multiply(wx, wy, &mut self.product[MARGIN_WORDS..MARGIN_WORDS + n]);
            let lowest = i64::from(hx.code()) + i64::from(hy.code()) - 64 * n as i64;
            let negative = hx.is_negative() != hy.is_negative();
            add_shifted(&mut self.sum, &self.product, unit - lowest, negative);
        }
    }
}

/// `sum ± ⌊product / 2^down⌋`, where `product` has [`MARGIN_WORDS`] words that are zero on either
/// side.
#[inline(always)]
pub(super) fn add_shifted(sum: &mut [u64], product: &[u64], down: i64, subtract: bool) {
    let (skip, offset) = (down.div_euclid(64), down.rem_euclid(64) as u32);
    // Word `i` of the sum gets bits of the words `i + skip` and `i + skip + 1` of the product.
    let first = usize::try_from(-1 - skip).unwrap_or(0);
    let from = skip + first as i64 + MARGIN_WORDS as i64;
    let Ok(from) = usize::try_from(from) else { return };
    if from + 1 >= product.len() || first >= sum.len() {
        return;
    }
    let flip = if subtract { u64::MAX } else { 0 };
    let mut carry = subtract;
    let sum = &mut sum[first..];
    let (words, above) = sum.split_at_mut(sum.len().min(product.len() - 1 - from));
    for (word, pair) in words.iter_mut().zip(product[from..].windows(2)) {
        let part = (pair[0] >> offset | (pair[1] << 1) << (63 - offset)) ^ flip;
        let (value, first) = word.overflowing_add(part);
        let (value, second) = value.overflowing_add(u64::from(carry));
        (*word, carry) = (value, first | second);
    }
    // What follows is zero, or for a difference ones: all that can change is by the carry.
    if carry != subtract {
        for word in above {
            let over;
            (*word, over) =
                if subtract { word.overflowing_sub(1) } else { word.overflowing_add(1) };
            if !over {
                return;
            }
        }
    }
}

/// Whether all numbers are finite, and whether some are zero.
fn classes(heads: &[Head]) -> (bool, bool) {
    heads
        .iter()
        .fold((true, false), |(finite, zero), x| (finite & x.is_finite(), zero | x.is_zero()))
}

/// The sum where a product is not finite; `None` where all are.
pub(super) fn sum_of_pairs(pairs: impl Iterator<Item = (Head, Head)>) -> Option<Head> {
    let (mut sum, finite) = (None, |x: Head| x.is_finite());
    for (x, y) in pairs.filter(|&(x, y)| !(finite(x) && finite(y))) {
        let product = product_of_specials(x, y);
        sum = match sum {
            _ if product.is_nan() => return Some(Head::NAN),
            Some(other) if other != product => return Some(Head::NAN),
            _ => Some(product),
        };
    }
    sum
}
