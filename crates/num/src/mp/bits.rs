//! Precisions.

use core::error::Error;
use core::fmt;

/// The bits of a significand: from [`LEAST`](Self::LEAST) to [`MOST`](Self::MOST).
///
/// ```
/// use nonius_num::mp::Bits;
///
/// assert_eq!(Bits::new(424)?.words(), 7);
/// assert!(Bits::new(63).is_err() && Bits::new(4097).is_err());
/// # Ok::<(), nonius_num::mp::BitsError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bits(u16);

/// A number of bits that no precision has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitsError {
    /// The number.
    pub bits: u32,
}

impl Bits {
    /// Bits of the lowest precision.
    pub const LEAST: u32 = 64;
    /// Bits of the highest precision.
    pub const MOST: u32 = 4096;

    /// The lowest precision.
    pub const FEWEST: Self = Self(Self::LEAST as u16);

    /// The precision with this number of bits.
    ///
    /// # Errors
    /// [`BitsError`] outside the range.
    pub const fn new(bits: u32) -> Result<Self, BitsError> {
        if bits >= Self::LEAST && bits <= Self::MOST {
            Ok(Self(bits as u16))
        } else {
            Err(BitsError { bits })
        }
    }

    /// The precision of `bits` bits, from 2 to [`MOST`](Self::MOST), for the text and the rounding
    /// of other formats.
    #[inline(always)]
    pub(crate) const fn internal(bits: u32) -> Self {
        Self(bits as u16)
    }

    /// The number of bits.
    #[inline(always)]
    pub const fn get(self) -> u32 {
        self.0 as u32
    }

    /// Words of a significand.
    #[inline(always)]
    pub const fn words(self) -> usize {
        (self.0 as usize).div_ceil(64)
    }

    /// Bits of the lowest word that are below the precision.
    #[inline(always)]
    pub(super) const fn padding(self) -> u32 {
        64 * self.words() as u32 - self.get()
    }
}

/// Most words of a significand.
pub(super) const MOST_WORDS: usize = Bits::MOST as usize / 64;

/// `424`
impl fmt::Display for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for BitsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected bits from {} to {}, found {}", Bits::LEAST, Bits::MOST, self.bits)
    }
}

impl Error for BitsError {}
