//! Factorisations by orthogonal matrices, and what stands on them.

mod common;
mod eigen;
mod least_squares;
mod qr;
mod svd;
