//! The trait [`Elementary`].

use crate::mp::{Bits, Mp};
use crate::traits::Elementary;

/// Methods that call the inherent ones of the same names.
macro_rules! methods {
    ($($constant:ident)*; $($unary:ident)*; $($binary:ident)*) => {
        $(
            fn $constant(bits: Bits) -> Self {
                Mp::$constant(bits)
            }
        )*
        $(
            fn $unary(self) -> Self {
                Mp::$unary(&self)
            }
        )*
        $(
            fn $binary(self, y: Self) -> Self {
                Mp::$binary(&self, &y)
            }
        )*
    };
}

impl Elementary for Mp {
    methods! {
        pi tau frac_pi_2 frac_pi_4 frac_1_pi e ln_2 ln_10 log2_e log10_e sqrt_2 frac_1_sqrt_2;
        exp exp2 exp_m1 ln log2 log10 ln_1p cbrt sin cos tan asin acos atan
        sinh cosh tanh asinh acosh atanh;
        pow hypot atan2
    }

    fn powi(self, n: i32) -> Self {
        Mp::powi(&self, n)
    }

    fn sin_cos(self) -> (Self, Self) {
        Mp::sin_cos(&self)
    }
}
