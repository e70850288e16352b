//! Operators. A result has the higher one of the operands' precisions.

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
