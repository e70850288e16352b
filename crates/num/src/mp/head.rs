//! Sign, class and exponent in 32 bits.

/// Sign, class and exponent of a number.
///
/// The lowest bit is the sign. The others are the exponent `e` of a magnitude in `[2^(e−1), 2^e)`,
/// as a signed number; codes beyond the exponents stand for zero, infinity and NaN, so that larger
/// magnitudes have larger codes.
///
/// ```
/// use nonius_num::Mp;
/// use nonius_num::mp::Bits;
///
/// let x = Mp::from_f64(Bits::new(64)?, -6.0);
/// assert_eq!(x.head().exponent(), Some(3)); // 4 ≤ 6 < 8
/// assert!(x.head().is_negative());
/// // The range goes far beyond that of `f64`.
/// assert!(x.ldexp(1_000_000).is_finite());
/// # Ok::<(), nonius_num::mp::BitsError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Head(i32);

const ZERO: i32 = -(1 << 30);
const INFINITY: i32 = (1 << 30) - 2;
const NAN: i32 = (1 << 30) - 1;

impl Head {
    /// The least exponent.
    pub const LEAST_EXPONENT: i32 = -(1 << 28);
    /// The greatest exponent.
    pub const GREATEST_EXPONENT: i32 = 1 << 28;
    /// NaN.
    pub const NAN: Self = Self::new(NAN, false);

    #[inline(always)]
    const fn new(code: i32, negative: bool) -> Self {
        Self(code << 1 | negative as i32)
    }

    /// The head with these bits, which [`to_bits`](Self::to_bits) returned.
    #[inline(always)]
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits as i32)
    }

    /// The bits as which memory and kernels hold it.
    #[inline(always)]
    pub const fn to_bits(self) -> u32 {
        self.0 as u32
    }

    /// `+0` or `−0`.
    #[inline(always)]
    pub const fn zero(negative: bool) -> Self {
        Self::new(ZERO, negative)
    }

    /// `+∞` or `−∞`.
    #[inline(always)]
    pub const fn infinity(negative: bool) -> Self {
        Self::new(INFINITY, negative)
    }

    /// A magnitude in `[2^(e−1), 2^e)`: infinite beyond the greatest exponent, zero below the
    /// least.
    #[inline]
    pub const fn finite(negative: bool, e: i64) -> Self {
        if e > Self::GREATEST_EXPONENT as i64 {
            Self::infinity(negative)
        } else if e < Self::LEAST_EXPONENT as i64 {
            Self::zero(negative)
        } else {
            Self::new(e as i32, negative)
        }
    }

    /// The same for an exponent within the range.
    #[inline(always)]
    pub(super) const fn within(negative: bool, e: i32) -> Self {
        Self::new(e, negative)
    }

    /// The exponent `e` of a magnitude in `[2^(e−1), 2^e)`; `None` for zeros, infinities and NaN.
    #[inline(always)]
    pub const fn exponent(self) -> Option<i32> {
        match self.code() {
            e @ Self::LEAST_EXPONENT..=Self::GREATEST_EXPONENT => Some(e),
            _ => None,
        }
    }

    /// A number that grows with the magnitude: the exponent, where there is one. The code of zeros
    /// is so small that its sum with any exponent is below the sums of exponents.
    #[inline(always)]
    pub const fn code(self) -> i32 {
        self.0 >> 1
    }

    /// Whether the sign is minus.
    #[inline(always)]
    pub const fn is_negative(self) -> bool {
        self.0 & 1 == 1
    }

    /// Whether this is a zero.
    #[inline(always)]
    pub const fn is_zero(self) -> bool {
        self.code() == ZERO
    }

    /// Whether this is neither infinite nor NaN.
    #[inline(always)]
    pub const fn is_finite(self) -> bool {
        self.code() < INFINITY
    }

    /// Whether this is infinite.
    #[inline(always)]
    pub const fn is_infinite(self) -> bool {
        self.code() == INFINITY
    }

    /// Whether this is NaN.
    #[inline(always)]
    pub const fn is_nan(self) -> bool {
        self.code() == NAN
    }

    /// The head of the negative.
    #[inline(always)]
    #[must_use]
    pub const fn negated(self) -> Self {
        Self(self.0 ^ 1)
    }

    /// The head of the absolute value.
    #[inline(always)]
    #[must_use]
    pub const fn abs(self) -> Self {
        Self(self.0 & !1)
    }

    /// The head of the number times `2^k`.
    #[inline]
    #[must_use]
    pub const fn shifted(self, k: i64) -> Self {
        match self.exponent() {
            Some(e) => Self::finite(self.is_negative(), (e as i64).saturating_add(k)),
            None => self,
        }
    }
}

impl Default for Head {
    /// `+0`
    fn default() -> Self {
        Self::zero(false)
    }
}
