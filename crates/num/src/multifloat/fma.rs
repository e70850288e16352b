//! `a·b + c` with one rounding at the end.
//!
//! The product of the limbs and the sum with `c` are [exact](super::exact); the result is the
//! number of `N` limbs nearest to `a·b + c` (each limb rounded to nearest, ties to even), so its
//! error is at most half a unit in the last place whatever the cancellation, and exact where the
//! exact result fits. Some tens of times as slow as `a * b + c`.

use super::MultiFloat;
use super::exact::Exact;
use crate::Lane;

impl<const N: usize> MultiFloat<N> {
    /// `self · b + c`, rounded to nearest once. NaN, infinities and zeros as the IEEE 754
    /// `fusedMultiplyAdd`.
    ///
    /// ```
    /// use nonius_num::Dd;
    ///
    /// // How far the rounded quotient is from 1/3: the exact 3·q − 1.
    /// let third = Dd::from(1) / 3.0;
    /// let error = third.mul_add(Dd::from(3), -Dd::ONE);
    /// assert!(error != 0.0 && error.abs().to_f64() < 1e-29);
    /// ```
    #[must_use]
    pub fn mul_add(self, b: Self, c: Self) -> Self {
        let zero_product = self.0[0] == 0.0 || b.0[0] == 0.0;
        if zero_product && c.is_finite() && c.0[0] != 0.0 && self.is_finite() && b.is_finite() {
            return c;
        }
        if zero_product || !(self.is_finite() && b.is_finite() && c.is_finite()) {
            return Self::from_lane(Lane::mul_add(self.0[0], b.0[0], c.0[0]));
        }
        let mut sum = Exact::new(c);
        for x in self.0 {
            for y in b.0 {
                sum.add_product(x, y, 0);
            }
        }
        sum.round()
    }
}

#[cfg(test)]
mod tests {
    use crate::{Dd, Qd, Td};

    #[test]
    fn cancellation_leaves_the_error_of_the_product() {
        let x = Qd::from(2.0).sqrt();
        let p = x * x;
        let e = x.mul_add(x, -p);
        assert!(e.to_f64().abs() <= p.to_f64() * Qd::UNIT_ROUNDOFF);

        // (2^104 + 1)² = 2^208 + 2^105 + 1
        let x = Dd::from_limbs([2_f64.powi(104), 1.0]);
        let head = Dd::from_limbs([2_f64.powi(208), 2_f64.powi(105)]);
        assert_eq!(x.mul_add(x, -head), 1.0);

        let tiny = 2_f64.powi(-1000);
        let x = Dd::from_limbs([1.0, tiny]);
        let y = Dd::from_limbs([1.0, -tiny]);
        assert_eq!(x.mul_add(y, Dd::from(-1.0)).limbs(), [-0.0, 0.0]);
        assert_eq!(x.mul_add(x, Dd::from(-1.0)).limbs(), [2.0 * tiny, 0.0]);
    }

    #[test]
    fn one_rounding_at_ties() {
        // 1 + 2^-106 lies between two neighbours of two limbs; the product's last bit decides.
        let half = Td::from_limbs([1.0, 2_f64.powi(-53), 2_f64.powi(-200)]);
        let up = half.mul_add(Td::ONE, Td::ZERO);
        assert_eq!(up.limbs(), [1.0 + f64::EPSILON, -(2_f64.powi(-53)), 2_f64.powi(-200)]);
    }

    #[test]
    fn products_beyond_the_range() {
        let max = Dd::MAX;
        assert_eq!(max.mul_add(max, Dd::NEG_INFINITY), Dd::NEG_INFINITY);
        assert_eq!(max.mul_add(max, Dd::MIN), Dd::INFINITY);
        assert_eq!(max.mul_add(Dd::from(2.0), -max), max);
        let least = Dd::from(f64::from_bits(1));
        assert!(least.mul_add(-least, Dd::ZERO).limbs()[0].to_bits() == (-0.0_f64).to_bits());
        assert_eq!(least.mul_add(least, least), least);
    }

    #[test]
    fn specials_as_ieee() {
        let (zero, one) = (Dd::ZERO, Dd::ONE);
        assert!(Dd::INFINITY.mul_add(zero, one).is_nan());
        assert!(Dd::INFINITY.mul_add(one, Dd::NEG_INFINITY).is_nan());
        assert!(one.mul_add(one, Dd::NAN).is_nan());
        assert!(!zero.mul_add(one, -zero).is_sign_negative());
        assert!((-zero).mul_add(one, -zero).is_sign_negative());
        assert!(!one.mul_add(one, -one).is_sign_negative());
    }
}
