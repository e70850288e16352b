//! Factorisations by orthogonal matrices, and what stands on them.

mod eigen;
mod least_squares;
mod qr;
mod svd;
