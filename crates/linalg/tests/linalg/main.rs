//! Linear algebra on the host, against exact arithmetic, the reference kernels and what theorems
//! say.

#[macro_use]
mod every;

mod accumulate;
mod certified;
mod dense;
mod krylov;
mod matrix_market;
mod mp;
mod orthogonal;
mod random;
mod same_bits;
mod solve;
mod sparse;
mod tridiag;
