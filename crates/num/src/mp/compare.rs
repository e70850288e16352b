//! Order of magnitudes: that of the values, whatever the precisions.

use core::cmp::Ordering;

use super::MpRef;
use crate::integers::words::bits_at;

impl MpRef<'_> {
    /// How magnitudes compare; those of NaN are above all.
    pub fn compare_magnitudes(self, y: MpRef<'_>) -> Ordering {
        let by_exponent = self.head().code().cmp(&y.head().code());
        by_exponent.then_with(|| {
            // From the highest word down, and zeros below the lowest.
            let (x, y) = (self.words(), y.words());
            let places = 0..x.len().max(y.len());
            let word = |words: &[u64], i: usize| {
                words.len().checked_sub(i + 1).map_or(0, |i| bits_at(words, 64 * i))
            };
            let unequal = places.map(|i| word(x, i).cmp(&word(y, i))).find(|order| order.is_ne());
            unequal.unwrap_or(Ordering::Equal)
        })
    }
}
