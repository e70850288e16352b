//! Matrices and vectors: products, sums, functions of entries.

mod conformance;
mod converted;
mod crt;
mod elementwise;
mod products;
mod vectors;
