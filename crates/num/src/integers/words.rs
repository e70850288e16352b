//! The steps that arithmetic of words is made of.

/// Product of two words plus two more, which cannot overflow two words: `(low, high)`.
#[inline(always)]
pub(crate) fn multiply_add(a: u64, b: u64, c: u64, d: u64) -> (u64, u64) {
    let wide = u128::from(a) * u128::from(b) + u128::from(c) + u128::from(d);
    (wide as u64, (wide >> 64) as u64)
}

/// `words · factor + addend` in place; returns the word carried out.
#[inline]
pub(crate) fn multiply_small(words: &mut [u64], factor: u64, addend: u64) -> u64 {
    let mut carry = addend;
    for word in words {
        (*word, carry) = multiply_add(*word, factor, carry, 0);
    }
    carry
}

/// `to += x·y + z·w`, word by word, for lines of equal length; returns `[carry of x·y, carry of
/// z·w]`, of which the former comes in.
///
/// Two rows at a time have two chains of carries and half the loads and stores of one row after the
/// other.
#[inline(always)]
pub(crate) fn add_two_rows(
    to: &mut [u64],
    (x, y): (u64, &[u64]),
    (z, w): (u64, &[u64]),
    carry: u64,
) -> [u64; 2] {
    let mut carries = [carry, 0];
    for ((to, &y), &w) in to.iter_mut().zip(y).zip(w) {
        let first;
        (first, carries[0]) = multiply_add(x, y, *to, carries[0]);
        (*to, carries[1]) = multiply_add(z, w, first, carries[1]);
    }
    carries
}

/// `out = a · b`; `out` holds `a.len() + b.len()` words, whatever they were before.
#[inline]
pub(crate) fn multiply(a: &[u64], b: &[u64], out: &mut [u64]) {
    out.fill(0);
    let Some((&lowest, upper)) = b.split_first() else { return };
    let (lower, highest) = (&b[..upper.len()], b[upper.len()]);
    let n = upper.len();
    let mut pairs = a.chunks_exact(2);
    let mut i = 0;
    for pair in &mut pairs {
        let row = &mut out[i..i + n + 3];
        let (low, carry) = multiply_add(pair[0], lowest, row[0], 0);
        row[0] = low;
        let [first, second] =
            add_two_rows(&mut row[1..=n], (pair[0], upper), (pair[1], lower), carry);
        (row[n + 1], row[n + 2]) = multiply_add(pair[1], highest, first, second);
        i += 2;
    }
    for &x in pairs.remainder() {
        let mut carry = 0;
        for (to, &y) in out[i..].iter_mut().zip(b) {
            (*to, carry) = multiply_add(x, y, *to, carry);
        }
        out[i + b.len()] = carry;
    }
}

/// A divisor of two words by one, with its reciprocal: a quotient takes two products.
///
/// Source: Möller and Granlund, *Improved division by invariant integers*, IEEE Trans. Comput. 60
/// (2011), Algorithm 4.
#[derive(Clone, Copy)]
pub(crate) struct Divisor {
    value: u64,
    /// `⌊(2^128 − 1) / value⌋ − 2^64`.
    reciprocal: u64,
}

impl Divisor {
    /// A divisor whose highest bit is set.
    #[inline]
    pub(crate) const fn new(value: u64) -> Self {
        debug_assert!(value >> 63 == 1);
        Self { value, reciprocal: (u128::MAX / value as u128) as u64 }
    }

    /// Quotient and remainder of `high·2^64 + low`, for a `high` below the divisor.
    #[inline(always)]
    pub(crate) fn divide(self, high: u64, low: u64) -> (u64, u64) {
        debug_assert!(high < self.value);
        let (fraction, whole) = multiply_add(self.reciprocal, high, low, 0);
        let mut quotient = whole.wrapping_add(high).wrapping_add(1);
        let mut rest = low.wrapping_sub(quotient.wrapping_mul(self.value));
        if rest > fraction {
            quotient = quotient.wrapping_sub(1);
            rest = rest.wrapping_add(self.value);
        }
        if rest >= self.value {
            quotient = quotient.wrapping_add(1);
            rest -= self.value;
        }
        (quotient, rest)
    }
}

/// `words = ⌊words / divisor⌋` in place, for a divisor that is not zero; returns the remainder.
pub(crate) fn divide_small(words: &mut [u64], divisor: u64) -> u64 {
    let offset = divisor.leading_zeros();
    let by = Divisor::new(divisor << offset);
    let Some(&highest) = words.last() else { return 0 };
    // Of the shifted dividend the words from the highest bits down.
    let mut rest = highest.checked_shr(64 - offset).unwrap_or(0);
    for i in (0..words.len()).rev() {
        let below = if i > 0 { words[i - 1] } else { 0 };
        let part = words[i] << offset | below.checked_shr(64 - offset).unwrap_or(0);
        (words[i], rest) = by.divide(rest, part);
    }
    rest >> offset
}

/// `sum += x·factor`, modulo the length of `sum`, which is longer than `x`.
#[inline]
pub(crate) fn add_multiple(sum: &mut [u64], x: &[u64], factor: u64) {
    let (low, high) = sum.split_at_mut(x.len());
    let mut carry = 0;
    for (sum, &x) in low.iter_mut().zip(x) {
        (*sum, carry) = multiply_add(x, factor, *sum, carry);
    }
    for sum in high {
        let over;
        (*sum, over) = sum.overflowing_add(carry);
        carry = u64::from(over);
    }
}

/// `sum −= x·factor`, modulo the length of `sum`, which is longer than `x`.
#[inline]
pub(crate) fn subtract_multiple(sum: &mut [u64], x: &[u64], factor: u64) {
    let (low, high) = sum.split_at_mut(x.len());
    let mut carry = 0;
    for (sum, &x) in low.iter_mut().zip(x) {
        let (part, above) = multiply_add(x, factor, carry, 0);
        let borrow;
        (*sum, borrow) = sum.overflowing_sub(part);
        carry = above + u64::from(borrow);
    }
    for sum in high {
        let borrow;
        (*sum, borrow) = sum.overflowing_sub(carry);
        carry = u64::from(borrow);
    }
}

/// The words of `a · b` from word `from` up, without what the words below would carry into them.
///
/// `out` holds `a.len() + b.len() − from` words of zeros. With `m` the smaller length, what is left
/// out is less than `m·2^(64·(from + 1))`: at most `m` products at each place below `from`, each of
/// them at most `(2^64 − 1)^2`.
#[inline]
pub(crate) fn multiply_from(a: &[u64], b: &[u64], from: usize, out: &mut [u64]) {
    for (i, &x) in a.iter().enumerate() {
        let start = from.saturating_sub(i);
        if start >= b.len() {
            continue;
        }
        let row = &mut out[i + start - from..];
        let mut carry = 0;
        for (word, &y) in row.iter_mut().zip(&b[start..]) {
            (*word, carry) = multiply_add(x, y, *word, carry);
        }
        row[b.len() - start] = carry;
    }
}

/// Number of words up to the highest one that is not zero.
#[inline]
pub(crate) fn length(words: &[u64]) -> usize {
    words.iter().rposition(|&w| w != 0).map_or(0, |i| i + 1)
}

/// Number of bits up to and including the highest set one.
#[inline]
pub(crate) fn bit_length(words: &[u64]) -> usize {
    match words.iter().rposition(|&w| w != 0) {
        Some(i) => 64 * i + 64 - words[i].leading_zeros() as usize,
        None => 0,
    }
}

/// The 64 bits from bit `position` up; bits beyond the last word are zero.
#[inline]
pub(crate) fn bits_at(words: &[u64], position: usize) -> u64 {
    let (index, offset) = (position / 64, position % 64);
    let low = words.get(index).copied().unwrap_or(0) >> offset;
    if offset == 0 {
        return low;
    }
    low | words.get(index + 1).copied().unwrap_or(0) << (64 - offset)
}

/// Whether bits 0 to `position − 1` are all zero.
#[inline]
pub(crate) fn zero_below(words: &[u64], position: usize) -> bool {
    let (index, offset) = (position / 64, position % 64);
    let whole = index.min(words.len());
    words[..whole].iter().all(|&w| w == 0)
        && (offset == 0 || words.get(index).is_none_or(|w| w << (64 - offset) == 0))
}

/// Adds `value · 2^position`, or subtracts it, modulo `2^(64·words.len())`.
#[inline]
pub(crate) fn add_shifted(words: &mut [u64], value: u64, position: usize, subtract: bool) {
    let (index, offset) = (position / 64, position % 64);
    let wide = u128::from(value) << offset;
    let mut parts = [wide as u64, (wide >> 64) as u64].into_iter();
    let mut carry = false;
    for word in words.iter_mut().skip(index) {
        let part = parts.next();
        if part.is_none() && !carry {
            return;
        }
        let step = if subtract { sub_with_borrow } else { add_with_carry };
        (*word, carry) = step(*word, part.unwrap_or(0), carry);
    }
}

/// `2^(64·words.len()) − words`.
pub(crate) fn negate(words: &mut [u64]) {
    let mut carry = true;
    for word in words {
        (*word, carry) = (!*word).overflowing_add(u64::from(carry));
    }
}

/// `x + y + carry` and the carry out.
#[inline(always)]
pub(crate) fn add_with_carry(x: u64, y: u64, carry: bool) -> (u64, bool) {
    let (sum, first) = x.overflowing_add(y);
    let (sum, second) = sum.overflowing_add(u64::from(carry));
    (sum, first | second)
}

/// `x − y − borrow` and the borrow out.
#[inline(always)]
pub(crate) fn sub_with_borrow(x: u64, y: u64, borrow: bool) -> (u64, bool) {
    let (difference, first) = x.overflowing_sub(y);
    let (difference, second) = difference.overflowing_sub(u64::from(borrow));
    (difference, first | second)
}
