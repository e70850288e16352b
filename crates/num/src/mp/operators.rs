//! Operators. A result has the higher one of the operands' precisions.

use core::fmt;
use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

use super::{Mp, MpRef};

macro_rules! operators {
    ($($operator:ident $method:ident $set:ident;)*) => {$(
        impl<'a> $operator<MpRef<'a>> for MpRef<'_> {
            type Output = Mp;

            fn $method(self, y: MpRef<'a>) -> Mp {
                let mut z = Mp::zero(self.bits().max(y.bits()));
                z.$set(self, y);
                z
            }
        }

        impl<'a> $operator<&'a Mp> for &Mp {
            type Output = Mp;

            fn $method(self, y: &'a Mp) -> Mp {
                self.view().$method(y.view())
            }
        }

        impl $operator for Mp {
            type Output = Mp;

            fn $method(self, y: Mp) -> Mp {
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

impl Mp {
    /// `x − y`, rounded to the precision of `self`, which it replaces.
    pub fn set_difference(&mut self, x: MpRef<'_>, y: MpRef<'_>) {
        self.set_sum(x, y.negated());
    }
}

/// Keeps the precision of the left side.
impl AddAssign for Mp {
    fn add_assign(&mut self, y: Mp) {
        let mut sum = Mp::zero(self.bits);
        sum.set_sum(self.view(), y.view());
        *self = sum;
    }
}

impl Neg for Mp {
    type Output = Mp;

    fn neg(mut self) -> Mp {
        self.head = self.head.negated();
        self
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
