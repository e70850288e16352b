//! Operators. A result has the operands' format; of two formats that with more bits, or the left
//! one where these are as many.

use super::{RnsFloat, RnsRef};
use crate::operators::operators;

operators! { RnsFloat, RnsRef }

impl RnsRef<'_> {
    fn wider_zero(self, y: RnsRef<'_>) -> RnsFloat {
        let right = y.format.bits() > self.format.bits();
        RnsFloat::zero(if right { y.format } else { self.format })
    }
}
