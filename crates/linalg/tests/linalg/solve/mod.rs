//! Factorisations, solutions, and the numbers that judge them.

mod cholesky;
mod common;
mod entry;
mod gauss_jordan;
mod inverse;
mod lu;
mod resident;
mod residual;
