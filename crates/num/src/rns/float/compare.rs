//! Order and equality: those of the values, whatever the formats.

use core::cmp::Ordering;

use super::{RnsFloat, RnsRef};

impl RnsRef<'_> {
    /// How magnitudes compare, by exponents, then intervals, then exactly; those of NaN are above all.
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

impl PartialOrd<RnsRef<'_>> for RnsRef<'_> {
    fn partial_cmp(&self, y: &RnsRef<'_>) -> Option<Ordering> {
        let (x, y) = (*self, *y);
        if x.head.is_nan() || y.head.is_nan() {
            return None;
        }
        if x.head.is_zero() && y.head.is_zero() {
            return Some(Ordering::Equal);
        }
        Some(match (x.head.is_negative(), y.head.is_negative()) {
            (false, false) => x.compare_magnitudes(y),
            (true, true) => y.compare_magnitudes(x),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        })
    }
}

impl PartialEq<RnsRef<'_>> for RnsRef<'_> {
    fn eq(&self, y: &RnsRef<'_>) -> bool {
        self.partial_cmp(y) == Some(Ordering::Equal)
    }
}

impl PartialOrd for RnsFloat {
    fn partial_cmp(&self, y: &Self) -> Option<Ordering> {
        self.view().partial_cmp(&y.view())
    }
}

impl PartialEq for RnsFloat {
    fn eq(&self, y: &Self) -> bool {
        self.view() == y.view()
    }
}
