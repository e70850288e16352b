//! Conversions from and to `f64` and sums of limbs, each rounded once.

use super::bits::Bits;
use super::head::Head;
use super::{Mp, MpRef};
use crate::MultiFloat;
use crate::decimal::limbs;
use crate::integers::words::negate;

/// Words that hold any sum of limbs.
const SUM_WORDS: usize = 34;

impl Mp {
    /// `x`, exactly: no precision is below 64 bits.
    pub fn from_f64(bits: Bits, x: f64) -> Self {
        Self::from_limbs(bits, &[x])
    }

    /// The number nearest to a sum of limbs.
    ///
    /// ```
    /// use nonius_num::mp::Bits;
    /// use nonius_num::{Mp, Qd};
    ///
    /// let bits = Bits::new(424)?;
    /// // How far the quad-double is from π.
    /// let error = Mp::from_multifloat(bits, Qd::PI) - Mp::pi(bits);
    /// assert!(!error.is_zero() && error.abs().to_f64() < 4.0 * Qd::UNIT_ROUNDOFF);
    /// # Ok::<(), nonius_num::mp::BitsError>(())
    /// ```
    pub fn from_multifloat<const N: usize>(bits: Bits, x: MultiFloat<N>) -> Self {
        Self::from_limbs(bits, &x.limbs())
    }

    /// The number nearest to the sum of at most four limbs, of which the first is the largest in
    /// magnitude; a first limb that is not finite stands for the sum.
    pub fn from_limbs(bits: Bits, limbs: &[f64]) -> Self {
        let first = limbs.first().copied().unwrap_or(0.0);
        let negative = first.is_sign_negative();
        match () {
            () if first.is_nan() => return Self::nan(bits),
            () if first.is_infinite() => return Self::infinity(bits, negative),
            () if first == 0.0 => return Self::without_words(bits, Head::zero(negative)),
            () => {}
        }
        let nonzero = limbs.iter().filter(|&&limb| limb != 0.0);
        let exponents = nonzero.map(|&limb| limbs::decompose(limb).1);
        let (lowest, highest) =
            exponents.fold((i32::MAX, i32::MIN), |(low, high), e| (low.min(e), high.max(e)));
        // Four significands of 53 bits.
        let words = &mut [0; SUM_WORDS][..((highest - lowest) as usize + 55).div_ceil(64)];
        limbs::compose(limbs, lowest, words);
        if negative {
            negate(words);
        }
        Self::rounded(bits, negative, words, i64::from(lowest), false)
    }

    /// The nearest `f64`; infinite beyond its range, gradually zero below.
    pub fn to_f64(&self) -> f64 {
        self.view().to_f64()
    }

    /// The nearest sum of `N` limbs.
    ///
    /// ```
    /// use nonius_num::mp::Bits;
    /// use nonius_num::{Mp, Qd};
    ///
    /// let x: Qd = Mp::pi(Bits::new(1000)?).to_multifloat();
    /// assert_eq!(x, Qd::PI);
    /// # Ok::<(), nonius_num::mp::BitsError>(())
    /// ```
    pub fn to_multifloat<const N: usize>(&self) -> MultiFloat<N> {
        self.view().to_multifloat()
    }
}

impl MpRef<'_> {
    /// The nearest `f64`; infinite beyond its range, gradually zero below.
    pub fn to_f64(self) -> f64 {
        let [x] = self.to_limbs();
        x
    }

    /// The nearest sum of `N` limbs: limbs taken greedily, as in [`decimal`](crate::decimal).
    pub fn to_multifloat<const N: usize>(self) -> MultiFloat<N> {
        MultiFloat::from_limbs(self.to_limbs())
    }

    /// The limbs of the nearest sum of `N`; infinite beyond its range.
    pub fn to_limbs<const N: usize>(self) -> [f64; N] {
        let head = self.head();
        let first = match head.exponent() {
            Some(e @ -1080..=1030) => {
                let mut words = [0; super::bits::MOST_WORDS];
                let words = &mut words[..self.words().len()];
                words.copy_from_slice(self.words());
                let unit = e - 64 * words.len() as i32;
                return limbs::nearest(words, unit, head.is_negative());
            }
            Some(e) if e > 0 => f64::INFINITY,
            Some(_) => 0.0,
            None if head.is_nan() => f64::NAN,
            None if head.is_zero() => 0.0,
            None => f64::INFINITY,
        };
        let mut limbs = [0.0; N];
        limbs[0] = if head.is_negative() { -first } else { first };
        limbs
    }
}
