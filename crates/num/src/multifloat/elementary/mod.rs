//! Elementary functions at 2, 3 and 4 limbs.
//!
//! Each function has a branch-free core for the arguments that occur most, written over [`Lane`](crate::Lane): vector
//! kernels run it on SIMD registers, scalars on `f64`, and both give the same bits. The method of
//! [`MultiFloat`](super::MultiFloat) runs the core where all lanes are in its domain; otherwise, and for single numbers, it calls a scalar
//! function that also knows the specials (C99 Annex F), the ends of the exponent range and enormous arguments.
//!
//! Errors are stated in units of the last place, `2^(e − p + 1)` for results in `[2^e, 2^(e+1))` with `p = 52·N`. They hold for
//! results of magnitude `2^(-1022 + p)` or more; below, limbs under the smallest subnormal are lost.

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
mod tables;
mod wide;

#[cfg(test)]
mod tests;
