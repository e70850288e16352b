//! Batches of tridiagonal systems.

mod common;
mod failures;
mod methods;
mod periodic;
mod pivoting;
