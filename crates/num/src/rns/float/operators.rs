//! Operators. A result has the operands' format; of two formats that with more bits, or the left one where these are as many.

use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

use super::{RnsFloat, RnsRef};

macro_rules! operators {
    ($($operator:ident $method:ident $set:ident;)*) => {$(
        impl<'a> $operator<RnsRef<'a>> for RnsRef<'_> {
            type Output = RnsFloat;

            fn $method(self, y: RnsRef<'a>) -> RnsFloat {
                let right = y.format.bits() > self.format.bits();
                let mut z = RnsFloat::zero(if right { y.format } else { self.format });
                z.$set(self, y);
                z
            }
        }

        impl<'a> $operator<&'a RnsFloat> for &RnsFloat {
            type Output = RnsFloat;

            fn $method(self, y: &'a RnsFloat) -> RnsFloat {
                self.view().$method(y.view())
            }
        }

        impl $operator for RnsFloat {
            type Output = RnsFloat;

            fn $method(self, y: RnsFloat) -> RnsFloat {
                self.view().$method(y.view())
            }
        }
    )*};
}

operators! {
    Add add set_sum;
    Sub sub set_difference;
    Mul mul set_product;
    Div div set_quotient;
}

/// Keeps the format of the left side.
impl AddAssign for RnsFloat {
    fn add_assign(&mut self, y: RnsFloat) {
        let mut sum = Self::zero(&self.format);
        sum.set_sum(self.view(), y.view());
        *self = sum;
    }
}

impl Neg for RnsFloat {
    type Output = RnsFloat;

    fn neg(mut self) -> RnsFloat {
        self.head = self.head.negated();
        self
    }
}
