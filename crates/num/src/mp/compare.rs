//! Order and equality: those of the values, whatever the precisions.

use core::cmp::Ordering;

use super::{Mp, MpRef};
use crate::decimal::words::bits_at;

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

impl PartialOrd<MpRef<'_>> for MpRef<'_> {
    fn partial_cmp(&self, y: &MpRef<'_>) -> Option<Ordering> {
        let (x, y) = (*self, *y);
        if x.head().is_nan() || y.head().is_nan() {
            return None;
        }
        if x.head().is_zero() && y.head().is_zero() {
            return Some(Ordering::Equal);
        }
        Some(match (x.head().is_negative(), y.head().is_negative()) {
            (false, false) => x.compare_magnitudes(y),
            (true, true) => y.compare_magnitudes(x),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        })
    }
}

impl PartialEq<MpRef<'_>> for MpRef<'_> {
    fn eq(&self, y: &MpRef<'_>) -> bool {
        self.partial_cmp(y) == Some(Ordering::Equal)
    }
}

impl PartialOrd for Mp {
    fn partial_cmp(&self, y: &Self) -> Option<Ordering> {
        self.view().partial_cmp(&y.view())
    }
}

impl PartialEq for Mp {
    fn eq(&self, y: &Self) -> bool {
        self.view() == y.view()
    }
}
