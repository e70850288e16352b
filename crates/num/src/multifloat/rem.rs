//! Remainders of a division to an integer quotient, exact whatever the size of the quotient.
//!
//! The dividend is reduced by multiples of the divisor in [exact](super::exact) arithmetic, some 50
//! bits of the quotient at a time. The remainder is then rounded to nearest once; this is without
//! error wherever it fits into the limbs, as it always does unless an operand's limbs have gaps
//! between them.

use core::ops::Rem;

use super::MultiFloat;
use super::exact::Exact;

/// `x = quotient·y + rest` with `|rest| < |y|` and the sign of `rest` that of `x`, for finite `x`
/// and finite `y ≠ 0`.
struct Division {
    quotient: Exact,
    rest: Exact,
}

impl Division {
    fn new<const N: usize>(x: MultiFloat<N>, y: MultiFloat<N>) -> Self {
        let mut division = Self { quotient: Exact::zero(), rest: Exact::new(x) };
        let (y_mantissa, y_exponent) = Exact::new(y).leading();
        loop {
            // The quotient's leading bits, off by a relative 2^-48 or, where it is short, by at
            // most 2.
            let (mantissa, exponent) = division.rest.leading();
            let shift = exponent - y_exponent;
            if mantissa == 0.0 || shift < -1 {
                break;
            }
            let excess = (shift - 50).max(0);
            let q = libm::trunc(libm::ldexp(mantissa / y_mantissa, shift - excess));
            if q == 0.0 {
                break;
            }
            division.take(q, y, excess);
        }
        // What is left is below |y| but for the rounding of the last estimate.
        let negative = x.is_sign_negative();
        let toward_zero = if negative == y.is_sign_negative() { 1.0 } else { -1.0 };
        while !division.rest.is_zero() && division.rest.is_negative() != negative {
            division.take(-toward_zero, y, 0);
        }
        loop {
            let mut next = division.rest.clone();
            for limb in y.0 {
                next.add(-toward_zero * limb, 0);
            }
            if !next.is_zero() && next.is_negative() != negative {
                return division;
            }
            division.take(toward_zero, y, 0);
        }
    }

    /// Moves `q · 2^shift` divisors from the rest to the quotient.
    fn take<const N: usize>(&mut self, q: f64, y: MultiFloat<N>, shift: i32) {
        self.quotient.add(q, shift);
        for limb in y.0 {
            self.rest.add_product(-q, limb, shift);
        }
    }

    /// Makes the rest of a negative dividend positive.
    fn make_euclidean<const N: usize>(&mut self, y: MultiFloat<N>) {
        if self.rest.is_negative() {
            self.take(if y.is_sign_negative() { 1.0 } else { -1.0 }, y, 0);
        }
    }
}

impl<const N: usize> Rem for MultiFloat<N> {
    type Output = Self;

    /// `self − y·trunc(self / y)`, exactly (see the module's documentation for limbs with gaps).
    /// The sign, also of zero, is that of `self`; NaN for an infinite dividend or a zero divisor.
    fn rem(self, y: Self) -> Self {
        if !self.is_finite() || y.is_nan() || y.0[0] == 0.0 {
            return Self::NAN;
        }
        if self.0[0] == 0.0 || y.is_infinite() {
            return self;
        }
        Division::new(self, y).rest.round::<N>().copysign(self)
    }
}

impl<const N: usize> MultiFloat<N> {
    /// The least nonnegative remainder: `self − y·n` for an integer `n`, in `[0, |y|)` before it is
    /// rounded to nearest. Specials as with `f64`: a negative number modulo ∞ is ∞, a negative
    /// multiple of `y` gives −0.
    ///
    /// ```
    /// use nonius_num::Dd;
    ///
    /// assert_eq!(Dd::from(-7).rem_euclid(Dd::from(3)), 2.0);
    /// // Exact, whatever the quotient: 10³⁰ is 1 modulo 3.
    /// let x: Dd = "1e30".parse()?;
    /// assert_eq!(x % Dd::from(3), 1.0);
    /// # Ok::<(), nonius_num::ParseDecimalError>(())
    /// ```
    #[must_use]
    pub fn rem_euclid(self, y: Self) -> Self {
        if !self.is_finite() || !y.is_finite() || self.0[0] == 0.0 || y.0[0] == 0.0 {
            let r = self % y;
            return if r.0[0] < 0.0 { y.abs() } else { r };
        }
        let mut division = Division::new(self, y);
        if division.rest.is_zero() {
            return Self::ZERO.copysign(self);
        }
        division.make_euclidean(y);
        division.rest.round()
    }

    /// The integer `n` for which `self = n·y + self.rem_euclid(y)`, rounded to nearest where it is
    /// too long. Specials as with `f64`.
    #[must_use]
    pub fn div_euclid(self, y: Self) -> Self {
        if !self.is_finite() || !y.is_finite() || self.0[0] == 0.0 || y.0[0] == 0.0 {
            let q = self / y;
            let below = y.is_infinite() && self.is_finite() && self.0[0] < 0.0;
            return if below { -Self::ONE.copysign(y) } else { q };
        }
        let mut division = Division::new(self, y);
        division.make_euclidean(y);
        let zero = division.quotient.is_zero();
        let quotient = division.quotient.round::<N>();
        // A quotient that truncates to zero has the sign of the division, as with `f64`.
        if zero && self.is_sign_negative() != y.is_sign_negative() { -quotient } else { quotient }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Dd, Qd, Td};

    #[test]
    fn huge_quotients() {
        // 2^1000 ≡ 2^(1000 mod 4) ≡ 1 (mod 5), 2^1023 ≡ 3.
        let five = Qd::from(5.0);
        assert_eq!(Qd::ONE.ldexp(1000) % five, 1.0);
        assert_eq!(Qd::ONE.ldexp(1023) % five, 3.0);
        assert_eq!(-Qd::ONE.ldexp(1023) % five, -3.0);
        assert_eq!((-Qd::ONE.ldexp(1023)).rem_euclid(five), 2.0);
        let least = Dd::from(f64::from_bits(3));
        assert_eq!(Dd::MAX % least, Dd::from(f64::from_bits(1)));
        // (2^1000 − 1) / 5 = 0x333…3
        let x = Dd::from_limbs([2_f64.powi(1000), -1.0]);
        assert_eq!(x % 5.0, 0.0);
    }

    #[test]
    fn signs_and_specials_as_f64() {
        let values =
            [0.0, -0.0, 1.0, -1.0, 5.5, -5.5, 6.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
        let same = |ours: Td, theirs: f64| {
            assert!(
                ours.first().to_bits() == theirs.to_bits() || (ours.is_nan() && theirs.is_nan())
            );
        };
        for x in values {
            for y in values {
                let (a, b) = (Td::from(x), Td::from(y));
                same(a % b, x % y);
                same(a.rem_euclid(b), x.rem_euclid(y));
                same(a.div_euclid(b), x.div_euclid(y));
            }
        }
    }

    #[test]
    fn quotient_and_remainder_rebuild_the_dividend() {
        let x = Td::from(1e30) / 7.0;
        let y = Td::from(-3.0).sqrt().max(Td::from(3.0).sqrt());
        for x in [x, -x] {
            for y in [y, -y] {
                let (n, r) = (x.div_euclid(y), x.rem_euclid(y));
                assert!(n.is_integer() && r >= 0.0 && r < y.abs());
                assert!((n.mul_add(y, r) - x).abs() <= x.abs() * Td::UNIT_ROUNDOFF);
            }
        }
    }
}
