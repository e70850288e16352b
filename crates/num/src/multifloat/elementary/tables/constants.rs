//! Mathematical constants.
//!
//! Written by `crates/num/tools/elementary_tables.py`.

use super::bits;

/// `π`.
#[rustfmt::skip]
pub(in super::super::super) const PI: [f64; 5] = bits([
    0x400921fb54442d18, 0x3ca1a62633145c07, 0xb92f1976b7ed8fbc, 0x35c4cf98e804177d,
    0x32631d89cd9128a5,
]);

/// `2π`.
#[rustfmt::skip]
pub(in super::super::super) const TAU: [f64; 5] = bits([
    0x401921fb54442d18, 0x3cb1a62633145c07, 0xb93f1976b7ed8fbc, 0x35d4cf98e804177d,
    0x32731d89cd9128a5,
]);

/// `π / 2`.
#[rustfmt::skip]
pub(in super::super::super) const FRAC_PI_2: [f64; 5] = bits([
    0x3ff921fb54442d18, 0x3c91a62633145c07, 0xb91f1976b7ed8fbc, 0x35b4cf98e804177d,
    0x32531d89cd9128a5,
]);

/// `π / 3`.
#[rustfmt::skip]
pub(in super::super::super) const FRAC_PI_3: [f64; 5] = bits([
    0x3ff0c152382d7366, 0xbc9ee6913347c2a6, 0xb914bba47a9e5fd2, 0xb5bccaef65529b02,
    0x32497cb7bcc18b87,
]);

/// `π / 4`.
#[rustfmt::skip]
pub(in super::super::super) const FRAC_PI_4: [f64; 5] = bits([
    0x3fe921fb54442d18, 0x3c81a62633145c07, 0xb90f1976b7ed8fbc, 0x35a4cf98e804177d,
    0x32431d89cd9128a5,
]);

/// `π / 6`.
#[rustfmt::skip]
pub(in super::super::super) const FRAC_PI_6: [f64; 5] = bits([
    0x3fe0c152382d7366, 0xbc8ee6913347c2a6, 0xb904bba47a9e5fd2, 0xb5accaef65529b02,
    0x32397cb7bcc18b87,
]);

/// `π / 8`.
#[rustfmt::skip]
pub(in super::super::super) const FRAC_PI_8: [f64; 5] = bits([
    0x3fd921fb54442d18, 0x3c71a62633145c07, 0xb8ff1976b7ed8fbc, 0x3594cf98e804177d,
    0x32331d89cd9128a5,
]);

/// `1 / π`.
#[rustfmt::skip]
pub(in super::super::super) const FRAC_1_PI: [f64; 5] = bits([
    0x3fd45f306dc9c883, 0xbc76b01ec5417056, 0xb916447e493ad4ce, 0x35be21c820ff28b2,
    0xb24508510ea79237,
]);

/// `2 / π`.
#[rustfmt::skip]
pub(in super::super::super) const FRAC_2_PI: [f64; 5] = bits([
    0x3fe45f306dc9c883, 0xbc86b01ec5417056, 0xb926447e493ad4ce, 0x35ce21c820ff28b2,
    0xb25508510ea79237,
]);

/// `2 / √π`.
#[rustfmt::skip]
pub(in super::super::super) const FRAC_2_SQRT_PI: [f64; 5] = bits([
    0x3ff20dd750429b6d, 0x3c71ae3a914fed80, 0xb903cbbebf65f145, 0xb59e0c574632f53e,
    0xb23e6633be9e7f15,
]);

/// `√2`.
#[rustfmt::skip]
pub(in super::super::super) const SQRT_2: [f64; 5] = bits([
    0x3ff6a09e667f3bcd, 0xbc9bdd3413b26456, 0x39357d3e3adec175, 0x35b2775099da2f59,
    0x32260cce64552bf2,
]);

/// `1 / √2`.
#[rustfmt::skip]
pub(in super::super::super) const FRAC_1_SQRT_2: [f64; 5] = bits([
    0x3fe6a09e667f3bcd, 0xbc8bdd3413b26456, 0x39257d3e3adec175, 0x35a2775099da2f59,
    0x32160cce64552bf2,
]);

/// Euler's number `e`.
#[rustfmt::skip]
pub(in super::super::super) const E: [f64; 5] = bits([
    0x4005bf0a8b145769, 0x3ca4d57ee2b1013a, 0xb92618713a31d3e2, 0x35cc5a6d2b53c26d,
    0xb26f75cde60219b6,
]);

/// `ln 2`.
#[rustfmt::skip]
pub(in super::super::super) const LN_2: [f64; 5] = bits([
    0x3fe62e42fefa39ef, 0x3c7abc9e3b39803f, 0x3907b57a079a1934, 0xb5aace93a4ebe5d1,
    0xb2423a2a82ea0c24,
]);

/// `ln 10`.
#[rustfmt::skip]
pub(in super::super::super) const LN_10: [f64; 5] = bits([
    0x40026bb1bbb55516, 0xbcaf48ad494ea3e9, 0xb949ebae3ae0260c, 0xb5e2d10378be1cf1,
    0x3280403e05ae52c6,
]);

/// `log2 e`.
#[rustfmt::skip]
pub(in super::super::super) const LOG2_E: [f64; 5] = bits([
    0x3ff71547652b82fe, 0x3c7777d0ffda0d24, 0xb9160bb8a5442ab9, 0xb594b52d3ba6d74d,
    0x3239a342648fbc39,
]);

/// `log2 10`.
#[rustfmt::skip]
pub(in super::super::super) const LOG2_10: [f64; 5] = bits([
    0x400a934f0979a371, 0x3ca7f2495fb7fa6d, 0x394fb699b2d8abfc, 0x35ebd9d6a748db56,
    0x3280105cf0b3a0cd,
]);

/// `log10 e`.
#[rustfmt::skip]
pub(in super::super::super) const LOG10_E: [f64; 5] = bits([
    0x3fdbcb7b1526e50e, 0x3c695355baaafad3, 0x38fee191f71a3012, 0x3587268808e8fcb5,
    0x3203de3a94f1d509,
]);

/// `log10 2`.
#[rustfmt::skip]
pub(in super::super::super) const LOG10_2: [f64; 5] = bits([
    0x3fd34413509f79ff, 0xbc49dc1da994fd21, 0x38d22f04d5a618a8, 0x357e8f9a4c52f379,
    0x320adf318f2ca1a9,
]);
