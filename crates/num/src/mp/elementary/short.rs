//! Short products: the upper words of a product of fractions.
//!
//! Fractions of `n >= 2` words have a product of `2n` words. The products of words in columns up to
//! `n − 3` are left out. Together they are below `n·2^(64(n − 1))`, which is `n·2^-64` units of
//! word `n`. The words below that one are cut off: a result is less than 2 units too small.
//!
//! Source: Mulders, *On short multiplications and divisions*, AAECC 11 (2000), the schoolbook step.

use crate::integers::words::{add_two_rows, add_with_carry, multiply_add};

/// Words below those of the result in the room for a product.
pub(super) const BELOW: usize = 2;

/// `a·b` for fractions of `n` words, in `room[BELOW..]`: less than 2 units too small.
#[inline]
pub(super) fn multiply_high(a: &[u64], b: &[u64], room: &mut [u64]) {
    let n = a.len();
    debug_assert!(n >= BELOW && b.len() == n && room.len() == n + BELOW);
    room.fill(0);
    // Fractions have zeros above and, where they need not be long, below.
    let skipped = a.iter().take_while(|&&word| word == 0).count();
    let lowest = n - BELOW;
    let mut i = skipped;
    // Rows that begin in the lowest column, by twos.
    while i + 1 < lowest {
        two_rows(&mut room[..i + 4], (a[i], &b[lowest - i..]), (a[i + 1], &b[lowest - i - 1..]));
        i += 2;
    }
    for (i, &x) in a.iter().enumerate().skip(i) {
        let from = lowest.saturating_sub(i);
        one_row(&mut room[i + from - lowest..=i + BELOW], x, &b[from..]);
    }
}

/// `a²` for a fraction of `n` words, in `room[BELOW..]`: less than 2 units too small.
#[inline]
pub(super) fn square_high(a: &[u64], room: &mut [u64]) {
    let n = a.len();
    debug_assert!(n >= BELOW && room.len() == n + BELOW);
    room.fill(0);
    let lowest = n - BELOW;
    let mut i = a.iter().take_while(|&&word| word == 0).count();
    // Products of different words, once: first rows that begin in the lowest column, by twos.
    while 2 * i + 3 < lowest {
        two_rows(&mut room[..i + 4], (a[i], &a[lowest - i..]), (a[i + 1], &a[lowest - i - 1..]));
        i += 2;
    }
    for i in i..n - 1 {
        let from = lowest.saturating_sub(i).max(i + 1);
        one_row(&mut room[i + from - lowest..=i + BELOW], a[i], &a[from..]);
    }
    let (mut above, mut carry) = (0, false);
    let first = lowest.div_ceil(2);
    let skipped = 2 * first - lowest;
    for word in &mut room[..skipped] {
        (*word, above) = (*word << 1 | above, *word >> 63);
    }
    for (&x, pair) in a[first..].iter().zip(room[skipped..].chunks_exact_mut(2)) {
        let (low, high) = multiply_add(x, x, 0, 0);
        let doubled = [pair[0] << 1 | above, pair[1] << 1 | pair[0] >> 63];
        above = pair[1] >> 63;
        (pair[0], carry) = add_with_carry(doubled[0], low, carry);
        (pair[1], carry) = add_with_carry(doubled[1], high, carry);
    }
}

/// `row += x·y`, of which the last word is the carry.
#[inline(always)]
fn one_row(row: &mut [u64], x: u64, y: &[u64]) {
    let mut carry = 0;
    for (to, &y) in row.iter_mut().zip(y) {
        (*to, carry) = multiply_add(x, y, *to, carry);
    }
    row[y.len()] = carry;
}

/// `row += x·y + z·w`, where `w` has a word more than `y`, and the last word is the carry.
#[inline(always)]
fn two_rows(row: &mut [u64], (x, y): (u64, &[u64]), (z, w): (u64, &[u64])) {
    let n = y.len();
    let [first, second] = add_two_rows(&mut row[..n], (x, y), (z, w), 0);
    (row[n], row[n + 1]) = multiply_add(z, w[n], first, second);
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::*;
    use crate::decimal::testing::Random;
    use crate::integers::words::multiply;

    #[test]
    fn short_products_are_two_units_off_at_most() {
        let mut random = Random::new(1);
        for n in 2..40 {
            for round in 0..40 {
                let mut fraction = |ones: bool| -> Vec<u64> {
                    (0..n).map(|_| if ones { u64::MAX } else { random.next() }).collect()
                };
                let (a, b) = (fraction(round % 4 == 0), fraction(round % 3 == 0));
                let (mut full, mut room) = (vec![0; 2 * n], vec![7; n + BELOW]);
                for square in [false, true] {
                    let b = if square { &a } else { &b };
                    multiply(&a, b, &mut full);
                    match square {
                        true => square_high(&a, &mut room),
                        false => multiply_high(&a, b, &mut room),
                    }
                    let mut borrow = false;
                    let error: Vec<u64> = full[n - BELOW..]
                        .iter()
                        .zip(&room)
                        .map(|(&x, &y)| {
                            let error;
                            (error, borrow) = crate::integers::words::sub_with_borrow(x, y, borrow);
                            error
                        })
                        .collect();
                    assert!(!borrow, "{n} words: too large");
                    assert!(error[BELOW..].iter().all(|&word| word == 0), "{n} words");
                    assert!(error[1] <= n as u64, "{n} words");
                }
            }
        }
    }
}
