//! Elementary functions at 2, 3 and 4 limbs.
//!
//! Each function has a branch-free core for the arguments that occur most, written over
//! [`Lane`](crate::Lane): vector kernels run it on SIMD registers, scalars on `f64`, and both give
//! the same bits. The method of [`MultiFloat`](super::MultiFloat) runs the core where all lanes are
//! in its domain; otherwise, and for single numbers, it calls a scalar function that also knows the
//! specials (C99 Annex F), the ends of the exponent range and enormous arguments.
//!
//! **Errors** are in units of the last place, `2^(e − p + 1)` for results in `[2^e, 2^(e+1))` with
//! `p = 52·N`, and hold for results of magnitude `2^(-1022 + p)` or more; below, limbs under the
//! smallest subnormal are lost. The bounds of logarithms, cube roots, powers and exponentials are
//! sums of the worst cases of their parts. For the others that sum is between 3 and 9 (every
//! operation of `N` limbs is off by up to 1, a quotient by up to 4), but would need all roundings
//! to be at their worst and of one sign: the bound of 4 stands on the measurement, which stays
//! below a third of it. The worst errors found by `oracle` among more than 150 000 inputs for each
//! function and width, which press on zeros, ends of ranges and table boundaries and climb from the
//! worst:
//!
//! | | bound | dd | td | qd |
//! |---|---|---|---|---|
//! | `exp` `exp2` | 2 | 0.31 | 0.25 | 0.20 |
//! | `exp_m1` | 4 | 0.54 | 0.51 | 0.23 |
//! | `ln` `log10` `ln_1p` | 1 | 0.07 | 0.03 | 0.01 |
//! | `log2` | 1 | 0.16 | 0.08 | 0.04 |
//! | `pow`, `powi` beyond ±511 | 2 | 0.57 | 0.63 | 0.63 |
//! | `powi` up to 511; down to −511 | 2 | 0.07; 0.44 | 0.04; 0.45 | 0.01; 0.29 |
//! | `cbrt` | 1 | 0.57 | 0.52 | 0.51 |
//! | `hypot` | 4 | 0.63 | 0.31 | 0.30 |
//! | `sin` `cos` | 4 | 1.02 | 0.37 | 0.28 |
//! | `tan` | 4 | 0.95 | 0.49 | 0.21 |
//! | `asin` `acos` | 4 | 0.88 | 0.38 | 0.26 |
//! | `atan` `atan2` | 4 | 0.63 | 0.55 | 0.45 |
//! | `sinh` `cosh` | 4 | 0.63 | 0.53 | 0.25 |
//! | `tanh` | 4 | 0.87 | 0.66 | 0.27 |
//! | `asinh` `acosh` `atanh` | 4 | 1.18 | 0.48 | 0.45 |

mod arc;
mod circular;
mod constants;
mod domain;
mod exponential;
mod huge;
mod hyperbolic;
mod inverse_hyperbolic;
mod limbs;
mod logarithm;
mod power;
mod quotient;
mod reduce;
mod root;
mod series;
pub(super) mod tables;
mod wide;

#[cfg(test)]
mod tests;
