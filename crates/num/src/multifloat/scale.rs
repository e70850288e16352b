//! Powers of two: `ldexp`, `frexp`, exponents.

use super::MultiFloat;

/// `x · 2^k` with one rounding at the most, for any `k`.
pub(crate) fn ldexp_f64(x: f64, k: i32) -> f64 {
    libm::ldexp(x, k)
}

impl<const N: usize> MultiFloat<N> {
    /// `self · 2^k`; exact unless it overflows (to ∞) or limbs fall below the smallest subnormal.
    ///
    /// ```
    /// use nonius_num::Qd;
    ///
    /// assert_eq!(Qd::PI.ldexp(-1), Qd::FRAC_PI_2);
    /// ```
    #[must_use]
    pub fn ldexp(self, k: i32) -> Self {
        let first = ldexp_f64(self.0[0], k);
        if !first.is_finite() {
            return if self.is_finite() {
                self.ldexp_to_the_limit(k)
            } else {
                Self::from_lane(first)
            };
        }
        if first == 0.0 {
            return Self::from_lane(first);
        }
        let mut z = self.0.map(|x| ldexp_f64(x, k));
        // Limbs rounded at the subnormal boundary may no longer be in normal form.
        if k < 0 {
            z = Self::renormalize(z).0;
        }
        Self(z)
    }

    /// [`ldexp`](Self::ldexp) where the first limb overflows: ∞, except that `2^1024` with a
    /// negative tail of more than a quarter unit is the largest `f64` with a positive tail of less
    /// than half a unit.
    #[cold]
    fn ldexp_to_the_limit(self, k: i32) -> Self {
        const HALF_ULP: f64 = f64::EPSILON / 8.0; // of the predecessor of 1/2
        let sign = 1_f64.copysign(self.0[0]);
        let (m, exponent) = self.frexp();
        let infinite = Self::from_lane(f64::INFINITY * sign);
        if m.0[0] != 0.5 * sign || i64::from(exponent) + i64::from(k) != 1025 {
            return infinite;
        }
        let lower = core::array::from_fn(|i| if i + 1 < N { m.0[i + 1] } else { 0.0 });
        let tail = Self(lower) + 2.0 * HALF_ULP * sign;
        if tail.abs() >= HALF_ULP {
            return infinite;
        }
        let limbs = core::array::from_fn(|i| {
            if i == 0 { (0.5 - 2.0 * HALF_ULP) * sign } else { tail.0[i - 1] }
        });
        Self(limbs.map(|x: f64| ldexp_f64(x, 1025)))
    }

    /// `(m, e)` with `self = m · 2^e` and the first limb of `m` in [1/2, 1); exact, except that
    /// limbs of `m` may fall below the smallest subnormal. Zeros, infinities and NaN return
    /// themselves and 0.
    ///
    /// ```
    /// use nonius_num::Dd;
    ///
    /// assert_eq!(Dd::from(12).frexp(), (Dd::from(0.75), 4));
    /// ```
    #[must_use]
    pub fn frexp(self) -> (Self, i32) {
        if self.0[0] == 0.0 || !self.0[0].is_finite() {
            return (self, 0);
        }
        let (_, exponent) = libm::frexp(self.0[0]);
        (Self(self.0.map(|x| ldexp_f64(x, -exponent))), exponent)
    }

    /// The exponent `e` with `2^e <= |first limb| < 2^(e+1)`; `None` for zeros, infinities and NaN.
    #[must_use]
    pub fn exponent(self) -> Option<i32> {
        (self.0[0] != 0.0 && self.0[0].is_finite()).then(|| libm::frexp(self.0[0]).1 - 1)
    }
}
