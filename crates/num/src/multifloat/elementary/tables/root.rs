//! Table of the cube root.
//!
//! Written by `crates/num/tools/elementary_tables.py`.

use super::{Polynomial, planes};

/// `((1 + d)^(1/3) − 1) / d` for |d| < 2^-46: binomial coefficients.
#[rustfmt::skip]
pub(in super::super) static SERIES: Polynomial = Polynomial {
    terms: [1, 2, 3, 4],
    coefficients: &planes([
        [0x3fd5555555555555, 0x3c75555555555555, 0x3915555555555555, 0x35b5555555555555],
        [0xbfbc71c71c71c71c, 0xbc5c71c71c71c71c, 0xb8fc71c71c71c71c, 0xb59c71c71c71c71c],
        [0x3faf9add3c0ca458, 0x3c4f9add3c0ca458, 0x38ef9add3c0ca458, 0x358f9add3c0ca458],
        [0xbfa511e8d2b3183b, 0x3be0db20a88f4696, 0xb889cf8a021b6415, 0xb501e8d2b3183aff],
    ]),
};
