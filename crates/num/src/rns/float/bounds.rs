//! Intervals that hold the magnitude of a significand.

/// `X/2^p` lies within `[low, high]/2^62`, which lies within `[1/2, 1]`.
///
/// Sums and products of these are computed with numbers rounded outwards; they widen with every
/// operation, by a few units. When they are wider than `2^35` units, the significand is evaluated
/// anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    low: u64,
    high: u64,
}

/// 1
pub(super) const UNIT: u64 = 1 << 62;

impl Bounds {
    /// The greatest width, which leaves 26 bits.
    pub(super) const WIDEST: u64 = 1 << 35;

    /// Of one half, and of numbers without significand.
    pub(super) const HALF: Self = Self { low: UNIT / 2, high: UNIT / 2 };

    /// The part of the interval where significands are.
    #[inline(always)]
    pub(super) const fn new(low: u64, high: u64) -> Self {
        let low = if low < UNIT / 2 { UNIT / 2 } else { low };
        let high = if high > UNIT { UNIT } else { high };
        Self { low, high }
    }

    /// The lower bound of `X/2^p`, times `2^62`.
    #[inline(always)]
    pub fn low(self) -> u64 {
        self.low
    }

    /// The upper bound of `X/2^p`, times `2^62`.
    #[inline(always)]
    pub fn high(self) -> u64 {
        self.high
    }

    /// Of a significand that is off by half a unit of its last place, at most.
    #[inline(always)]
    pub(super) fn rounded(self, bits: usize) -> Self {
        let half = if bits < 61 { 1 << (61 - bits) } else { 1 };
        Self::new(self.low - half, self.high + half)
    }
}
