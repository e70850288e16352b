//! Conversions between `MultiFloat` and the primitive types.

use super::MultiFloat;

impl<const N: usize> From<f64> for MultiFloat<N> {
    #[inline(always)]
    fn from(x: f64) -> Self {
        Self::from_lane(x)
    }
}

impl<const N: usize> From<i32> for MultiFloat<N> {
    #[inline(always)]
    fn from(x: i32) -> Self {
        Self::from_lane(f64::from(x))
    }
}

impl<const N: usize> Default for MultiFloat<N> {
    fn default() -> Self {
        Self::ZERO
    }
}

impl<const N: usize> MultiFloat<N> {
    /// The nearest `f64`.
    #[inline]
    pub fn to_f64(self) -> f64 {
        self.0[0]
    }

    /// The same number with `M` limbs: exact for `M >= N`, else rounded to nearest.
    #[inline]
    pub fn convert<const M: usize>(self) -> MultiFloat<M> {
        let mut limbs = [0.0; M];
        let kept = if M < N { M } else { N };
        limbs[..kept].copy_from_slice(&self.0[..kept]);
        if M < N && self.is_finite() {
            return MultiFloat::renormalize_with_tail(limbs, self.0[M]);
        }
        MultiFloat(limbs)
    }
}
