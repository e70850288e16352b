//! Mathematical constants, each the nearest number of the format.

use super::super::MultiFloat;
use super::tables::constants as limbs;

macro_rules! constants {
    ($($name:ident $about:literal;)*) => {
        impl<const N: usize> MultiFloat<N> {
            $(
                #[doc = $about]
                pub const $name: Self = first_limbs(&limbs::$name);
            )*
        }
    };
}

constants! {
    PI "π";
    TAU "2π";
    FRAC_PI_2 "π / 2";
    FRAC_PI_3 "π / 3";
    FRAC_PI_4 "π / 4";
    FRAC_PI_6 "π / 6";
    FRAC_PI_8 "π / 8";
    FRAC_1_PI "1 / π";
    FRAC_2_PI "2 / π";
    FRAC_2_SQRT_PI "2 / √π";
    SQRT_2 "√2";
    FRAC_1_SQRT_2 "1 / √2";
    E "Euler's number e";
    LN_2 "ln 2";
    LN_10 "ln 10";
    LOG2_E "log2 e";
    LOG2_10 "log2 10";
    LOG10_E "log10 e";
    LOG10_2 "log10 2";
}

const fn first_limbs<const N: usize>(limbs: &[f64; 5]) -> MultiFloat<N> {
    let mut first = [0.0; N];
    let mut i = 0;
    while i < N {
        first[i] = limbs[i];
        i += 1;
    }
    MultiFloat::from_limbs(first)
}
