//! Batches of tridiagonal systems.

mod failures;
mod methods;
mod periodic;
mod pivoting;
mod random;
