//! Numbers as integers: multiples of a power of two, in digits.

use crate::Lane;

/// Integers of magnitude up to `2^bits` in balanced digits to a base that is a power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixedPoint {
    bits: u32,
    digit: u32,
}

impl FixedPoint {
    /// The most bits: digits keep their places as `f64`s.
    pub const MOST_BITS: u32 = 900;

    /// Integers of magnitude up to `2^bits` in digits to base `2^digit`; panics beyond
    /// [`MOST_BITS`](Self::MOST_BITS), or for digits of no or more than 44 bits.
    pub fn new(bits: u32, digit: u32) -> Self {
        assert!(bits <= Self::MOST_BITS, "{bits} bits");
        assert!((1..=44).contains(&digit), "digits of {digit} bits");
        Self { bits, digit }
    }

    /// Bits of the magnitude.
    pub fn bits(self) -> u32 {
        self.bits
    }

    /// Bits of a digit.
    pub fn digit(self) -> u32 {
        self.digit
    }

    /// Number of digits: the top one takes the sign as well.
    pub fn digits(self) -> usize {
        (self.bits + 1).div_ceil(self.digit) as usize
    }

    /// The integer nearest to a number of `N` limbs of magnitude up to `2^bits`, as `Σ digits`: for
    /// digits of `w` bits, digit `i` is a multiple of `2^(wi)`, and its magnitude at most
    /// `N·2^(wi + w − 1)`. They are handed over as `to(i, digit)`, from the highest to the lowest.
    ///
    /// Each limb is rounded to an integer, ties to even. In normal form at most one limb has both
    /// an integral and a fractional part, and the limbs after it are at most `1/4` together: the
    /// integer is within `3/4 + 2^-50` of the number. It does not depend on the base. Limb `l` is
    /// at most `2^(bits − 53l)` then, and has no part in digits above that.
    #[inline(always)]
    pub fn split<const N: usize, L: Lane>(self, limbs: [L; N], mut to: impl FnMut(usize, L)) {
        let mut rest = limbs;
        for i in (0..self.digits()).rev() {
            // Adding 1.5·2^(52 + e) rounds to a multiple of 2^e.
            let anchor = L::splat(power(52 + self.digit * i as u32) * 1.5);
            let mut sum = L::splat(0.0);
            for (l, limb) in rest.iter_mut().enumerate() {
                if self.bits + 2 < self.digit * i as u32 + 53 * l as u32 {
                    break;
                }
                let high = (*limb + anchor) - anchor;
                *limb = *limb - high;
                sum = sum + high;
            }
            to(i, sum);
        }
    }
}

/// `2^e`, for `e <= 1023`.
pub(super) const fn power(e: u32) -> f64 {
    f64::from_bits(((1023 + e) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;
    use crate::decimal::testing::Random;
    use crate::{Dd, MultiFloat, Qd};

    fn check<const N: usize>(bits: u32, number: MultiFloat<N>) {
        let integers = [22, 28, 36, 44].map(|digit| {
            let fixed = FixedPoint::new(bits, digit);
            let mut digits = vec![0.0; fixed.digits()];
            fixed.split(number.limbs(), |i, digit| digits[i] = digit);
            let mut integer = MultiFloat::<N>::from(0.0);
            for (i, &x) in digits.iter().enumerate().rev() {
                let unit = power(digit * i as u32);
                assert_eq!(x % unit, 0.0);
                assert!(x.abs() <= N as f64 * unit * power(digit - 1));
                integer += MultiFloat::from(x);
            }
            assert_eq!(integer, integer.round());
            assert!(
                (integer - number).abs() <= 0.75 + 1.0 / power(50),
                "{number} became {integer}"
            );
            integer
        });
        assert!(integers.iter().all(|integer| *integer == integers[0]));
    }

    #[test]
    fn the_integer_is_near() {
        let mut random = Random::new(5);
        for _ in 0..20_000 {
            let mut uniform = || (random.next() as i64) as f64 / power(63);
            let dd = Dd::from(uniform()) + uniform() * 1e-17;
            let qd =
                Qd::from(uniform()) + uniform() * 1e-17 + uniform() * 1e-33 + uniform() * 1e-49;
            let drop = (uniform() * 220.0) as i32;
            check(106, dd.ldexp(106));
            check(106, dd.ldexp(106 - drop.abs()));
            check(212, qd.ldexp(212));
            check(212, qd.ldexp(212 - drop.abs()));
        }
        for bits in [1, 20, 21, 22, 43, 44, 106] {
            check(bits, Dd::from(power(bits)));
            check(bits, -Dd::from(power(bits)));
        }
        check(50, Dd::from(0.5) - 1e-20);
        check(50, Dd::from(2.5) + 1e-20);
        check(50, Dd::from(0.0));
    }
}
