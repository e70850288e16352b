//! Operators. A result has the higher one of the operands' precisions.

use core::fmt;

use super::{Mp, MpRef};
use crate::operators::operators;

operators! { Mp, MpRef }

impl MpRef<'_> {
    fn wider_zero(self, y: MpRef<'_>) -> Mp {
        Mp::zero(self.bits().max(y.bits()))
    }
}

impl Mp {
    /// `x − y`, rounded to the precision of `self`, which it replaces.
    pub fn set_difference(&mut self, x: MpRef<'_>, y: MpRef<'_>) {
        self.set_sum(x, y.negated());
    }
}

/// The shortest text that reads back as the same number.
impl fmt::Display for MpRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = alloc::vec::Vec::new();
        self.append_decimal(&mut text);
        f.pad(core::str::from_utf8(&text).unwrap_or_default())
    }
}

/// The shortest text that reads back as the same number.
impl fmt::Display for Mp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.view().fmt(f)
    }
}
