//! Conversions between limb counts and to and from `f32` and `f64`. Integers:
//! [`integer`](super::integer).

use super::MultiFloat;
use super::exact::Exact;

impl<const N: usize> From<f64> for MultiFloat<N> {
    #[inline(always)]
    fn from(x: f64) -> Self {
        Self::from_lane(x)
    }
}

impl<const N: usize> From<f32> for MultiFloat<N> {
    #[inline(always)]
    fn from(x: f32) -> Self {
        Self::from_lane(f64::from(x))
    }
}

impl<const N: usize> Default for MultiFloat<N> {
    fn default() -> Self {
        Self::ZERO
    }
}

macro_rules! widen {
    ($($from:literal => $to:literal),*) => {$(
        impl From<MultiFloat<$from>> for MultiFloat<$to> {
            #[inline]
            fn from(x: MultiFloat<$from>) -> Self {
                x.convert()
            }
        }
    )*};
}

widen!(2 => 3, 2 => 4, 3 => 4);

/// Whether adding `low` and whatever may follow it leaves `high` the nearest `f64`; false also
/// where it is in doubt.
#[inline(always)]
fn is_rounded(high: f64, low: f64) -> bool {
    // What follows is at most 2^-53·|low|.
    high + low * (1.0 + 4.0 * f64::EPSILON) == high
}

impl<const N: usize> MultiFloat<N> {
    /// The nearest `f64`, ties to even.
    ///
    /// ```
    /// use nonius_num::Dd;
    ///
    /// // Halfway between two `f64`s, the second limb decides.
    /// let half = f64::EPSILON / 2.0;
    /// assert_eq!(Dd::from_limbs([1.0, half]).to_f64(), 1.0);
    /// assert_eq!((Dd::from_limbs([1.0, half]) + 1e-30).to_f64(), 1.0 + f64::EPSILON);
    /// ```
    #[inline]
    pub fn to_f64(self) -> f64 {
        // The first limb, unless the others move the sum to a tie or across it.
        if self.0[1] == 0.0 || !self.is_finite() || is_rounded(self.0[0], self.0[1]) {
            self.0[0]
        } else {
            self.round_to_f64()
        }
    }

    #[cold]
    fn round_to_f64(self) -> f64 {
        Exact::new(self).round::<2>().0[0]
    }

    /// The nearest `f32`, ties to even.
    pub fn to_f32(self) -> f32 {
        let (first, rest) = (self.0[0], self.0[1]);
        if rest == 0.0 || !self.is_finite() || first.to_bits() & 1 == 1 {
            return first as f32;
        }
        // Rounded to an odd last bit first, after which the second rounding is that of the exact
        // value (Boldo, Melquiond 2008).
        let odd = if rest > 0.0 { first.next_up() } else { first.next_down() };
        odd as f32
    }

    /// The same number with `M` limbs: exact for `M >= N`, else the nearest (each limb what is
    /// left, rounded to nearest, ties to even).
    ///
    /// ```
    /// use nonius_num::{Dd, Qd};
    ///
    /// assert_eq!(Qd::PI.convert::<2>(), Dd::PI);
    /// assert_eq!(Qd::from(Dd::PI).to_f64(), std::f64::consts::PI);
    /// ```
    #[inline]
    pub fn convert<const M: usize>(self) -> MultiFloat<M> {
        let mut limbs = [0.0; M];
        let kept = if M < N { M } else { N };
        limbs[..kept].copy_from_slice(&self.0[..kept]);
        if M < N && self.is_finite() {
            let rounded =
                (0..M).all(|i| self.0[i + 1] == 0.0 || is_rounded(self.0[i], self.0[i + 1]));
            if !rounded {
                return self.round_to();
            }
        }
        MultiFloat(limbs)
    }

    #[cold]
    fn round_to<const M: usize>(self) -> MultiFloat<M> {
        Exact::new(self).round()
    }
}

#[cfg(test)]
mod tests {
    use crate::{Dd, Qd, Td};

    #[test]
    fn lower_limbs_break_ties() {
        let half = f64::EPSILON / 2.0;
        let tiny = 2_f64.powi(-300);
        assert_eq!(Qd::from_limbs([1.0, half, tiny, 0.0]).to_f64(), 1.0 + f64::EPSILON);
        assert_eq!(Qd::from_limbs([1.0, half, -tiny, 0.0]).to_f64(), 1.0);
        assert_eq!(Qd::from_limbs([1.0, half, 0.0, 0.0]).to_f64(), 1.0);
        let odd = 1.0 + f64::EPSILON;
        assert_eq!(Qd::from_limbs([odd, half, 0.0, 0.0]).to_f64(), odd + f64::EPSILON);
        assert_eq!(Qd::from_limbs([odd, half, -tiny, 0.0]).to_f64(), odd);
        // Below a power of two the spacing is half as wide.
        assert_eq!(Dd::from_limbs([1.0, -half]).to_f64(), 1.0_f64.next_down());
        assert_eq!(Td::from_limbs([1.0, -half / 2.0, -tiny]).to_f64(), 1.0_f64.next_down());
        // Beyond the largest f64.
        let tie = 2_f64.powi(970);
        assert_eq!(Td::from_limbs([f64::MAX, tie, -1.0]).to_f64(), f64::MAX);
        assert_eq!(Td::MAX.to_f64(), f64::MAX);
    }

    #[test]
    fn single_precision_is_rounded_once() {
        let tie = 1.0 + f64::from(f32::EPSILON) / 2.0;
        assert_eq!(Dd::from(tie).to_f32(), 1.0);
        assert_eq!(Dd::from_limbs([tie, 2_f64.powi(-500)]).to_f32(), 1.0 + f32::EPSILON);
        assert_eq!(Dd::from_limbs([tie, -(2_f64.powi(-500))]).to_f32(), 1.0);
        assert_eq!(Dd::MAX.to_f32(), f32::INFINITY);
        assert_eq!(Dd::from(1e-46).to_f32(), 0.0);
        let half_least = 2_f64.powi(-150);
        assert_eq!(Dd::from_limbs([half_least, 1e-300]).to_f32(), f32::from_bits(1));
        assert!(Dd::NAN.to_f32().is_nan());
    }

    #[test]
    fn fewer_limbs_are_rounded_to_nearest() {
        let (half, tiny) = (2_f64.powi(-107), 2_f64.powi(-400));
        let head = 2_f64.powi(-54);
        assert_eq!(Td::from_limbs([1.0, head, half]).convert::<2>().limbs(), [1.0, head]);
        let above = Qd::from_limbs([1.0, head, half, tiny]).convert::<2>();
        assert_eq!(above.limbs(), [1.0, head.next_up()]);
        assert_eq!(Qd::from_limbs([1.0, head, half, -tiny]).convert::<2>().limbs(), [1.0, head]);
        assert_eq!(Dd::from_limbs([1.0, tiny]).convert::<4>().limbs(), [1.0, tiny, 0.0, 0.0]);
        assert_eq!(Qd::INFINITY.convert::<2>(), Dd::INFINITY);
    }
}
