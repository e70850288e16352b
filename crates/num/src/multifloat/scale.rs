//! Powers of two: `ldexp`, `frexp`, exponents.

use super::MultiFloat;

/// `x · 2^k` with one rounding at the most, for any `k`.
pub(crate) fn ldexp_f64(x: f64, k: i32) -> f64 {
    libm::ldexp(x, k)
}

impl<const N: usize> MultiFloat<N> {
    /// `self · 2^k`; exact unless it overflows (to ∞) or limbs fall below the smallest subnormal.
    #[must_use]
    pub fn ldexp(self, k: i32) -> Self {
        let first = ldexp_f64(self.0[0], k);
        if !first.is_finite() || first == 0.0 {
            return Self::from_lane(first);
        }
        let mut z = self.0.map(|x| ldexp_f64(x, k));
        // Limbs rounded at the subnormal boundary may no longer be in normal form.
        if k < 0 {
            z = Self::renormalize(z).0;
        }
        Self(z)
    }

    /// `(m, e)` with `self = m · 2^e` and the first limb of `m` in [1/2, 1); exact, limbs that were subnormal included.
    /// Zeros, infinities and NaN return themselves and 0.
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
