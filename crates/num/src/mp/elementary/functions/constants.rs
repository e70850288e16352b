//! Mathematical constants, each the nearest number of the precision.

use super::super::ball::Ball;
use super::super::ziv::round;
use crate::mp::{Bits, Mp};

macro_rules! constants {
    ($($name:ident $about:literal $words:ident $ball:expr;)*) => {
        impl Mp {
            $(
                #[doc = concat!($about, ", correctly rounded.")]
                #[must_use]
                pub fn $name(bits: Bits) -> Self {
                    round(bits, |$words| $ball)
                }
            )*
        }
    };
}

constants! {
    pi "π" n Ball::pi(n);
    tau "2π" n Ball::pi(n).ldexp(1);
    frac_pi_2 "π / 2" n Ball::pi(n).ldexp(-1);
    frac_pi_4 "π / 4" n Ball::pi(n).ldexp(-2);
    frac_1_pi "1 / π" n Ball::inverse_pi(n);
    e "Euler's number e" n Ball::integer(1).exp(n);
    ln_2 "ln 2" n Ball::ln_2(n);
    ln_10 "ln 10" n Ball::ln_10(n);
    log2_e "log2 e" n Ball::integer(1).div(&Ball::ln_2(n), n);
    log10_e "log10 e" n Ball::integer(1).div(&Ball::ln_10(n), n);
    sqrt_2 "√2" n Ball::integer(2).sqrt(n);
    frac_1_sqrt_2 "1 / √2" n Ball::integer(2).sqrt(n).ldexp(-1);
}
