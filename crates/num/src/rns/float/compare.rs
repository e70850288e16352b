//! Order of magnitudes: that of the values, whatever the formats.

use core::cmp::Ordering;

use super::RnsRef;

impl RnsRef<'_> {
    /// How magnitudes compare, by exponents, then intervals, then exactly; those of NaN are above
    /// all.
    pub fn compare_magnitudes(self, y: RnsRef<'_>) -> Ordering {
        if self.format != y.format {
            return self.to_mp().view().compare_magnitudes(y.to_mp().view());
        }
        let by_exponent = self.head.code().cmp(&y.head.code());
        by_exponent.then_with(|| match self.head.exponent() {
            Some(_) => self.format.tables().compare(self, y),
            None => Ordering::Equal,
        })
    }
}
