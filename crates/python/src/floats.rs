//! Formats of IEEE 754 and of the x87, bit by bit: what `numpy.half` and `numpy.longdouble` hold.

use nonius::Mp;
use nonius::num::mp::Bits;

/// A binary format.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Format {
    /// Bits of a significand.
    pub(crate) precision: u32,
    /// All bits of a number.
    width: u32,
    /// Exponent of the last place of the smallest numbers.
    least: i32,
    /// Whether the highest bit of a significand is stored.
    is_leading_stored: bool,
}

/// Half precision.
pub(crate) const HALF: Format =
    Format { precision: 11, width: 16, least: -24, is_leading_stored: false };
/// Single precision.
pub(crate) const SINGLE: Format =
    Format { precision: 24, width: 32, least: -149, is_leading_stored: false };
/// Extended precision of the x87.
pub(crate) const EXTENDED: Format =
    Format { precision: 64, width: 80, least: -16445, is_leading_stored: true };
/// Quadruple precision.
pub(crate) const QUADRUPLE: Format =
    Format { precision: 113, width: 128, least: -16494, is_leading_stored: false };

impl Format {
    /// Bits of a significand that are stored.
    fn stored(self) -> u32 {
        self.precision - u32::from(!self.is_leading_stored)
    }

    /// The exponent field of infinities and NaN.
    fn last_exponent(self) -> u128 {
        (1 << (self.width - 1 - self.stored())) - 1
    }

    /// The number of these bits, exactly.
    pub(crate) fn decode(self, bits: u128) -> Mp {
        // No format here has a significand of more bits.
        let wide = Bits::new(128).unwrap_or(Bits::FEWEST);
        let stored = self.stored();
        let is_negative = bits >> (self.width - 1) & 1 == 1;
        let field = bits >> stored & self.last_exponent();
        let significand = bits & ((1 << stored) - 1);
        let fraction = significand & ((1 << (self.precision - 1)) - 1);
        if field == self.last_exponent() {
            let is_infinite = fraction == 0;
            return if is_infinite { Mp::infinity(wide, is_negative) } else { Mp::nan(wide) };
        }
        let leading = u128::from(!self.is_leading_stored && field > 0) << (self.precision - 1);
        let significand = significand | leading;
        let exponent = i64::from(self.least) + field.saturating_sub(1) as i64;
        let words = [significand as u64, (significand >> 64) as u64];
        Mp::rounded(wide, is_negative, &words, exponent, false)
    }

    /// The bits of the nearest number, of two equally near ones of that with an even significand.
    pub(crate) fn encode(self, x: &Mp) -> u128 {
        let head = x.head();
        let sign = u128::from(head.is_negative()) << (self.width - 1);
        let infinity = match self.is_leading_stored {
            true => self.last_exponent() << self.stored() | 1 << (self.precision - 1),
            false => self.last_exponent() << self.stored(),
        };
        let Some(e) = head.exponent() else {
            return match () {
                () if head.is_nan() => infinity | 1 << (self.precision - 2),
                () if head.is_zero() => sign,
                () => sign | infinity,
            };
        };
        let (significand, place) = self.nearest(x, e);
        // Zero for the smallest exponent, with and without the leading bit.
        let field = i64::from(place) - i64::from(self.least);
        if field >= self.last_exponent() as i64 {
            return sign | infinity;
        }
        let is_normal = significand >> (self.precision - 1) != 0;
        let bits = match self.is_leading_stored {
            true => (field as u128 + u128::from(is_normal)) << self.stored() | significand,
            // The leading bit counts one in the exponent.
            false => ((field as u128) << self.stored()) + significand,
        };
        if bits >= infinity { sign | infinity } else { sign | bits }
    }

    /// The magnitude of a finite number rounded to a multiple of a power of two: the multiple, of
    /// at most [`precision`](Self::precision) bits, and the exponent of the power.
    fn nearest(self, x: &Mp, e: i32) -> (u128, i32) {
        let (low, high) = x.words().split_at(x.words().len().saturating_sub(2));
        let top = match *high {
            [second, first] => u128::from(first) << 64 | u128::from(second),
            [first] => u128::from(first) << 64,
            _ => 0,
        };
        let is_more = low.iter().any(|&word| word != 0);
        let place = (e - self.precision as i32).max(self.least);
        // Bits of `top` below the place, at least 15.
        let below = (place - (e - 128)) as u32;
        if below > 128 {
            return (0, self.least);
        }
        let kept = top.checked_shr(below).unwrap_or(0);
        let half = 1 << (below - 1);
        let is_past_half = top & (half - 1) != 0 || is_more || kept & 1 == 1;
        let significand = kept + u128::from(top & half != 0 && is_past_half);
        match significand >> self.precision {
            0 => (significand, place),
            _ => (significand >> 1, place + 1),
        }
    }
}

/// The nearest number of single precision.
pub(crate) fn to_single(x: &Mp) -> f32 {
    f32::from_bits(SINGLE.encode(x) as u32)
}
