//! Products of long integers: a transform or Karatsuba's method above measured lengths, else the
//! schoolbook's.
//!
//! With `a = a₁β + a₀` and `b` alike, `ab = a₁b₁β² + (a₁b₁ + a₀b₀ − (a₁ − a₀)(b₁ − b₀))β + a₀b₀`.
//!
//! Source: Karatsuba and Ofman, *Multiplication of multidigit numbers on automata*, Soviet Physics
//! Doklady 7 (1963); Brent and Zimmermann, *Modern Computer Arithmetic*, 1.3.2.

use alloc::vec;

use super::transform;
use super::words::{add_with_carry, multiply, negate, sub_with_borrow};

/// Words of the shorter factor from which on halves are faster.
const LEAST_WORDS: usize = 40;

/// Words of the shorter factor from which on a transform is faster, measured, unless the other is a
/// few times as long.
const LEAST_TRANSFORMED: usize = 3000;

/// `out = a · b`; `out` holds `a.len() + b.len()` words, whatever they were before.
#[inline]
pub(crate) fn multiply_long(a: &[u64], b: &[u64], out: &mut [u64]) {
    if a.len().min(b.len()) < LEAST_WORDS {
        multiply(a, b, out);
    } else {
        multiply_by_parts(a, b, out);
    }
}

/// For factors of [`LEAST_WORDS`] or more.
#[inline(never)]
fn multiply_by_parts(a: &[u64], b: &[u64], out: &mut [u64]) {
    let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
    let n = short.len();
    if n >= LEAST_TRANSFORMED && long.len() <= 4 * n && transform::fits(out.len()) {
        return transform::multiply(a, b, out);
    }
    let mut scratch = vec![0; 4 * n + 128];
    if long.len() == n {
        return square_shaped(long, short, out, &mut scratch);
    }
    // Pieces of the longer factor, each as long as the shorter one.
    out.fill(0);
    let mut product = vec![0; 2 * n];
    for (i, piece) in long.chunks(n).enumerate() {
        let product = &mut product[..piece.len() + n];
        match piece.len() == n && n < LEAST_TRANSFORMED {
            true => square_shaped(piece, short, product, &mut scratch),
            false => multiply_long(piece, short, product),
        }
        add(&mut out[i * n..], product);
    }
}

/// For factors of equal length: `scratch` holds four times that and 128 words.
fn square_shaped(a: &[u64], b: &[u64], out: &mut [u64], scratch: &mut [u64]) {
    let n = a.len();
    if n < LEAST_WORDS {
        return multiply(a, b, out);
    }
    let half = n / 2;
    let upper = n - half;
    let ((a0, a1), (b0, b1)) = (a.split_at(half), b.split_at(half));
    let (middle, rest) = scratch.split_at_mut(2 * upper);
    // The differences wait where the product comes.
    let (x, y) = out[..2 * upper].split_at_mut(upper);
    let negative = difference(a1, a0, x) != difference(b1, b0, y);
    square_shaped(x, y, middle, rest);
    square_shaped(a0, b0, &mut out[..2 * half], rest);
    square_shaped(a1, b1, &mut out[2 * half..], rest);
    // a₁b₁ + a₀b₀ ∓ middle, with a word for carries.
    let sum = &mut rest[..2 * upper + 1];
    sum[..2 * upper].copy_from_slice(&out[2 * half..]);
    sum[2 * upper] = 0;
    add(sum, &out[..2 * half]);
    match negative {
        true => add(sum, middle),
        false => {
            subtract(sum, middle);
        }
    }
    add(&mut out[half..], sum);
}

/// `out = |x − y|`, and whether `x < y`, for an `x` that is not shorter.
fn difference(x: &[u64], y: &[u64], out: &mut [u64]) -> bool {
    out.copy_from_slice(x);
    let less = subtract(out, y);
    if less {
        negate(out);
    }
    less
}

/// `sum += x`, modulo the length of `sum`; words of `x` beyond are zero.
fn add(sum: &mut [u64], x: &[u64]) {
    let mut carry = false;
    let common = sum.len().min(x.len());
    let (low, high) = sum.split_at_mut(common);
    for (sum, &x) in low.iter_mut().zip(x) {
        (*sum, carry) = add_with_carry(*sum, x, carry);
    }
    for sum in high {
        if !carry {
            return;
        }
        (*sum, carry) = sum.overflowing_add(1);
    }
}

/// `sum −= x`; whether that borrows.
fn subtract(sum: &mut [u64], x: &[u64]) -> bool {
    let mut borrow = false;
    let (low, high) = sum.split_at_mut(x.len());
    for (sum, &x) in low.iter_mut().zip(x) {
        (*sum, borrow) = sub_with_borrow(*sum, x, borrow);
    }
    for sum in high {
        (*sum, borrow) = sum.overflowing_sub(u64::from(borrow));
    }
    borrow
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::decimal::testing::Random;

    #[test]
    fn very_long_products_are_those_of_the_schoolbook() {
        let mut random = Random::new(2);
        let n = LEAST_TRANSFORMED;
        // The last one goes by pieces.
        for (n, m) in [(n, n), (n + 7, 2 * n + 5), (2 * n, n + 1), (n, 4 * n + 1)] {
            for ones in [false, true] {
                let mut words = |count: usize| -> Vec<u64> {
                    (0..count).map(|_| if ones { u64::MAX } else { random.next() }).collect()
                };
                let (a, b) = (words(n), words(m));
                let mut expected = vec![0; n + m];
                for (i, &x) in a.iter().enumerate() {
                    let mut row = vec![0; m + 1];
                    multiply(&b, &[x], &mut row);
                    add(&mut expected[i..], &row);
                }
                let mut found = vec![7; n + m];
                multiply_long(&a, &b, &mut found);
                assert!(found == expected, "{n} and {m} words");
            }
        }
    }

    #[test]
    fn products_are_those_of_the_schoolbook() {
        let mut random = Random::new(1);
        for round in 0..400 {
            let mut words = |most: u64| -> Vec<u64> {
                let ones = random.below(3) == 0;
                let length = random.below(most) as usize;
                (0..length).map(|_| if ones { u64::MAX } else { random.next() }).collect()
            };
            let most = [90, 170, 400][round % 3];
            let (a, b) = (words(most), words(most));
            let mut expected = vec![0; a.len() + b.len()];
            let mut found = vec![7; a.len() + b.len()];
            multiply(&a, &b, &mut expected);
            multiply_long(&a, &b, &mut found);
            assert_eq!(found, expected, "{} and {} words", a.len(), b.len());
        }
    }
}
