//! Integers of a few 64-bit words, least significant word first: the steps that the fast paths are made of.

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

/// `out = a · b`; `out` holds `a.len() + b.len()` words, whatever they were before.
#[inline]
pub(crate) fn multiply(a: &[u64], b: &[u64], out: &mut [u64]) {
    out.fill(0);
    for (i, &x) in a.iter().enumerate() {
        let mut carry = 0;
        for (j, &y) in b.iter().enumerate() {
            (out[i + j], carry) = multiply_add(x, y, out[i + j], carry);
        }
        out[i + b.len()] = carry;
    }
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
