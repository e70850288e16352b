//! Vectors that evolve under tridiagonal matrices.

mod failures;
mod obstacles;
mod same_bits;
mod steps;
pub(crate) mod suite;
