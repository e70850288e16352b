//! Integers times powers of two, before they are rounded.

use nonius::Mp;
use nonius::num::mp::Bits;

/// The most bits, which hold every sum of limbs.
pub(crate) fn most_bits() -> Bits {
    Bits::new(Bits::MOST).unwrap_or(Bits::FEWEST)
}

/// `±(Σ words[i]·2^(64·i) + θ)·2^exponent`.
pub(crate) struct Exact {
    pub(crate) is_negative: bool,
    pub(crate) words: Vec<u64>,
    pub(crate) exponent: i64,
    /// Whether `0 < θ < 1`; then there are more words than any rounding needs. Else `θ = 0`.
    pub(crate) is_more: bool,
}

impl Exact {
    /// A number of the most bits that has the same nearest sums of limbs. Those have fewer bits, so
    /// that of the bits below the most it does to know whether any is set: the last one says so.
    pub(crate) fn for_limbs(&self) -> Mp {
        let zeros = self.words.iter().rev().take_while(|&&word| word == 0).count();
        let words = &self.words[..self.words.len() - zeros];
        let (below, kept) = words.split_at(words.len().saturating_sub(Bits::MOST as usize / 64));
        let mut kept = kept.to_vec();
        if let Some(lowest) = kept.first_mut() {
            *lowest |= u64::from(self.is_more || below.iter().any(|&word| word != 0));
        }
        let exponent = self.exponent + 64 * below.len() as i64;
        Mp::rounded(most_bits(), self.is_negative, &kept, exponent, false)
    }
}
