//! What decimal numbers need of integers.

use num_bigint::{BigInt, Sign};

use super::towards::Towards;

pub(super) fn ten_to(exponent: i64) -> BigInt {
    BigInt::from(10).pow(exponent.max(0) as u32)
}

/// The number of digits, or one more.
pub(super) fn length(digits: &BigInt) -> i64 {
    // 30103/100000 is above lg 2.
    digits.bits() as i64 * 30_103 / 100_000 + 1
}

/// Whether ten divides a number.
pub(super) fn has_ten(digits: &BigInt) -> bool {
    // 2⁶⁴ is one more than a multiple of five.
    !digits.bit(0) && digits.iter_u64_digits().map(|digit| digit % 5).sum::<u64>() % 5 == 0
}

/// The greatest common divisor, not negative.
pub(super) fn common_divisor(mut a: BigInt, mut b: BigInt) -> BigInt {
    while b.bits() > 64 {
        a %= &b;
        core::mem::swap(&mut a, &mut b);
    }
    let word = |number: &BigInt| number.iter_u64_digits().next().unwrap_or(0);
    let mut least = word(&b);
    if least == 0 {
        return if a.sign() == Sign::Minus { -a } else { a };
    }
    let mut less = word(&(a % least));
    while less != 0 {
        (least, less) = (less, least % less);
    }
    BigInt::from(least)
}

/// The quotient of integers, rounded; the divisor is not zero.
pub(super) fn divide(dividend: &BigInt, divisor: &BigInt, towards: Towards) -> BigInt {
    let quotient = dividend / divisor;
    let rest = dividend - &quotient * divisor;
    if rest.sign() == Sign::NoSign {
        return quotient;
    }
    // It was cut towards zero.
    match (towards, rest.sign() == divisor.sign()) {
        (Towards::Below, false) => quotient - 1,
        (Towards::Above, true) => quotient + 1,
        _ => quotient,
    }
}

/// What is left of a number other than zero without all its factors of a kind, and how many these
/// are.
pub(super) fn without(mut number: BigInt, factor: u32) -> (BigInt, u32) {
    let mut count = 0;
    loop {
        let quotient = &number / factor;
        if &quotient * factor != number {
            return (number, count);
        }
        number = quotient;
        count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_divisors() {
        let power = |base: u32, exponent: u32| BigInt::from(base).pow(exponent);
        let cases = [
            (power(6, 90), power(10, 70), power(2, 70)),
            (-power(3, 5), power(3, 60), power(3, 5)),
            (power(7, 30), -power(5, 40), BigInt::from(1)),
            (BigInt::ZERO, -power(3, 50), power(3, 50)),
            (BigInt::from(12), BigInt::from(-18), BigInt::from(6)),
            (power(2, 64) * 3_u32, power(2, 64), power(2, 64)),
        ];
        for (a, b, expected) in cases {
            assert_eq!(common_divisor(a.clone(), b.clone()), expected, "{a} {b}");
            assert_eq!(common_divisor(b, a), expected);
        }
        for exponent in 0..90 {
            assert!(!has_ten(&power(5, exponent)));
            assert_eq!(has_ten(&(power(5, exponent) * 2_u32)), exponent > 0);
            assert!(!has_ten(&(power(2, 3 * exponent + 1) * 3_u32)));
        }
    }
}
