//! Limits and precision of the formats.

use super::MultiFloat;

impl<const N: usize> MultiFloat<N> {
    /// Zero.
    pub const ZERO: Self = Self::from_first(0.0);
    /// One.
    pub const ONE: Self = Self::from_first(1.0);
    /// Not a number.
    pub const NAN: Self = Self::from_first(f64::NAN);
    /// Positive infinity.
    pub const INFINITY: Self = Self::from_first(f64::INFINITY);
    /// Negative infinity.
    pub const NEG_INFINITY: Self = Self::from_first(f64::NEG_INFINITY);

    /// Significand bits `p` the format is counted with: 52·N.
    pub const MANTISSA_DIGITS: u32 = 52 * N as u32;
    /// Decimal digits that survive a round trip through text: ⌊(p−1)·log10 2⌋.
    pub const DIGITS: u32 = ((Self::MANTISSA_DIGITS - 1) as u64 * 30_103 / 100_000) as u32;
    /// Unit in the last place of 1: `2^(1-p)`.
    pub const EPSILON: Self = Self::from_first(power_of_two(1 - Self::MANTISSA_DIGITS as i32));
    /// Unit roundoff `u = 2^-p`, half the unit in the last place of 1.
    pub const UNIT_ROUNDOFF: f64 = power_of_two(-(Self::MANTISSA_DIGITS as i32));
    /// The smallest positive number with all its `p` bits: `2^(-1022 + p)`.
    pub const MIN_FULL_PRECISION: Self =
        Self::from_first(power_of_two(-1022 + Self::MANTISSA_DIGITS as i32));
    /// The smallest positive number whose first limb is normal: `2^-1022`.
    pub const MIN_POSITIVE: Self = Self::from_first(f64::MIN_POSITIVE);
    /// The largest finite number: every limb the largest that does not overlap its predecessor.
    pub const MAX: Self = Self(largest_limbs());
    /// The smallest finite number, `-MAX`.
    pub const MIN: Self = Self(negated(largest_limbs()));

    /// A single limb followed by zeros, in constants.
    pub(crate) const fn from_first(x: f64) -> Self {
        let mut limbs = [0.0; N];
        limbs[0] = x;
        Self::from_limbs(limbs)
    }
}

const fn power_of_two(k: i32) -> f64 {
    f64::from_bits(((k + 1023) as u64) << 52)
}

/// Limb `i` is the largest `f64` below half the unit in the last place of limb `i − 1`.
const fn largest_limbs<const N: usize>() -> [f64; N] {
    let mut limbs = [f64::MAX; N];
    let mut i = 1;
    while i < N {
        limbs[i] = limbs[i - 1] * power_of_two(-54);
        i += 1;
    }
    limbs
}

const fn negated<const N: usize>(mut limbs: [f64; N]) -> [f64; N] {
    let mut i = 0;
    while i < N {
        limbs[i] = -limbs[i];
        i += 1;
    }
    limbs
}
