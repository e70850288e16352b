//! Rounding to integers, exact on every input.
//!
//! A limb with a fraction has its own unit below 1, so the limbs after it, at most half that unit,
//! cannot carry its value across an integer or a half; they only decide what lies exactly on one.
//! So: leave the limbs that are integers, round the first that is not (looking at the next for
//! ties), drop the others, and bring the sum back into normal form.

use super::MultiFloat;
use super::exact::Exact;

impl<const N: usize> MultiFloat<N> {
    /// The largest integer not above `self`.
    #[must_use]
    pub fn floor(self) -> Self {
        self.round_limb(|limb, _, _| libm::floor(limb))
    }

    /// The smallest integer not below `self`.
    #[must_use]
    pub fn ceil(self) -> Self {
        self.round_limb(|limb, _, _| libm::ceil(limb))
    }

    /// `self` without its fraction: rounded toward zero.
    #[must_use]
    pub fn trunc(self) -> Self {
        if self.is_sign_negative() { self.ceil() } else { self.floor() }
    }

    /// The nearest integer, halves away from zero.
    ///
    /// ```
    /// use nonius_num::Dd;
    ///
    /// // The second limb decides: this number is a little less than 1/2.
    /// let x = Dd::from(0.5) - 1e-30;
    /// assert_eq!(x.round(), 0.0);
    /// assert_eq!(Dd::from(0.5).round(), 1.0);
    /// ```
    #[must_use]
    pub fn round(self) -> Self {
        let negative = self.is_sign_negative();
        self.round_limb(|limb, tail, _| nearest(limb, tail, |_| !negative))
    }

    /// The nearest integer, halves to the even one.
    ///
    /// ```
    /// use nonius_num::Dd;
    ///
    /// assert_eq!(Dd::from(2.5).round_ties_even(), 2.0);
    /// assert_eq!((Dd::from(2.5) + 1e-30).round_ties_even(), 3.0);
    /// ```
    #[must_use]
    pub fn round_ties_even(self) -> Self {
        self.round_limb(|limb, tail, odd_above| {
            nearest(limb, tail, |below| odd_above != is_odd(below))
        })
    }

    /// `self − self.trunc()`, exactly; as with `f64`, +0 for integers and NaN for infinities.
    ///
    /// ```
    /// use nonius_num::Qd;
    ///
    /// let x = Qd::from(1_u64 << 62) + 0.25;
    /// assert_eq!(x.fract(), 0.25);
    /// ```
    #[must_use]
    pub fn fract(self) -> Self {
        if !self.is_finite() {
            return Self::NAN;
        }
        let mut fraction = Exact::new(self);
        for limb in self.trunc().0 {
            fraction.add(-limb, 0);
        }
        fraction.round()
    }

    /// Whether `self` is finite and an integer.
    #[must_use]
    pub fn is_integer(self) -> bool {
        self.0.iter().all(|&limb| is_integer(limb))
    }

    /// Replaces the first limb that is not an integer by
    /// `round(limb, next limb, whether the limbs above sum to an odd number)` and drops the rest.
    fn round_limb(self, round: impl Fn(f64, f64, bool) -> f64) -> Self {
        if !self.is_finite() {
            return self;
        }
        let Some(i) = self.0.iter().position(|&limb| !is_integer(limb)) else { return self };
        let mut limbs = [0.0; N];
        limbs[..i].copy_from_slice(&self.0[..i]);
        let odd_above = limbs.iter().fold(false, |odd, &limb| odd != is_odd(limb));
        let tail = self.0.get(i + 1).copied().unwrap_or(0.0);
        limbs[i] = round(self.0[i], tail, odd_above);
        let rounded = Self::renormalize(limbs);
        if rounded.0[0] == 0.0 { Self::ZERO.copysign(self) } else { rounded }
    }
}

/// The integer nearest to `limb + tail`, where `limb` is not an integer; `up` decides for a half,
/// given the integer below.
fn nearest(limb: f64, tail: f64, up: impl Fn(f64) -> bool) -> f64 {
    let truncated = libm::trunc(limb);
    let fraction = limb - truncated; // exact
    if fraction.abs() != 0.5 {
        return if fraction.abs() < 0.5 { truncated } else { truncated + 1_f64.copysign(fraction) };
    }
    let below = limb - 0.5;
    let up = if tail == 0.0 { up(below) } else { tail > 0.0 };
    if up { below + 1.0 } else { below }
}

/// Whether a finite number is an integer; false for NaN and infinities.
fn is_integer(x: f64) -> bool {
    x - libm::trunc(x) == 0.0
}

/// Whether an integer is odd.
fn is_odd(x: f64) -> bool {
    // From 2^53 on every number is even.
    x.abs() < 9_007_199_254_740_992.0 && x as i64 % 2 != 0
}

#[cfg(test)]
mod tests {
    use crate::{Dd, MultiFloat, Qd};

    fn pair(high: f64, low: f64) -> Dd {
        Dd::from_limbs([high, low])
    }

    #[test]
    fn tails_decide_at_integers_and_halves() {
        let tiny = 2_f64.powi(-1074);
        assert_eq!(pair(1.0, -tiny).floor(), 0.0);
        assert_eq!(pair(1.0, -tiny).trunc(), 0.0);
        assert_eq!(pair(1.0, -tiny).round(), 1.0);
        assert_eq!(pair(-1.0, tiny).ceil(), 0.0);
        assert!(pair(-1.0, tiny).ceil().is_sign_negative());
        assert_eq!(pair(1.0, tiny).ceil(), 2.0);
        assert_eq!(pair(0.5, -tiny).round(), 0.0);
        assert_eq!(pair(0.5, tiny).round_ties_even(), 1.0);
        assert_eq!(pair(-0.5, -tiny).round(), -1.0);
        assert_eq!(pair(-0.5, tiny).round(), 0.0);
        assert_eq!(pair(1.0, -tiny).fract().limbs(), [1.0, -tiny]);
        assert_eq!(pair(-1.0, tiny).fract().limbs(), [-1.0, tiny]);
    }

    #[test]
    fn halves_below_large_limbs() {
        let large = 2_f64.powi(54);
        assert_eq!(pair(large, 0.5).round(), pair(large, 1.0));
        assert_eq!(pair(large, 0.5).round_ties_even(), large);
        assert_eq!(pair(large, 1.5).round_ties_even(), pair(large, 2.0));
        assert_eq!(pair(large, -0.5).round(), large);
        assert_eq!(pair(-large, -0.5).round(), pair(-large, -1.0));
        assert_eq!(pair(large, -0.5).floor(), pair(large, -1.0));
        // The halves' neighbours in f64.
        assert_eq!(Dd::from(0.5_f64.next_down()).round(), 0.0);
        assert_eq!(Dd::from(-(0.5_f64.next_down())).round(), 0.0);
    }

    #[test]
    fn as_f64_on_single_limbs() {
        for x in [
            0.0,
            -0.0,
            0.3,
            -0.3,
            0.5,
            -0.5,
            1.5,
            2.5,
            -2.5,
            -7.0,
            1e300,
            f64::INFINITY,
            f64::MIN_POSITIVE,
        ] {
            let same = |ours: Qd, theirs: f64| {
                assert_eq!(ours.first().to_bits(), theirs.to_bits(), "{x}");
            };
            let y = MultiFloat::from(x);
            same(y.floor(), x.floor());
            same(y.ceil(), x.ceil());
            same(y.trunc(), x.trunc());
            same(y.round(), x.round());
            same(y.round_ties_even(), x.round_ties_even());
            assert!(y.fract() == x.fract() || x.is_infinite());
            assert_eq!(y.is_integer(), x.fract() == 0.0 && x.is_finite());
        }
    }
}
