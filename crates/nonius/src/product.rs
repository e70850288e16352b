//! A matrix product as it is asked for.

use nonius_linalg::dense::Transpose;
use nonius_linalg::{Matrix, Number};

/// A matrix product `alpha · op(A) · op(B) + beta · C`, each `op` nothing or the transpose.
#[derive(Debug)]
pub struct Matmul<'a, T: Number> {
    /// `A`.
    pub a: &'a Matrix<T>,
    /// `op` of `A`.
    pub transpose_a: Transpose,
    /// `B`.
    pub b: &'a Matrix<T>,
    /// `op` of `B`.
    pub transpose_b: Transpose,
    /// The factor of the product.
    pub alpha: T,
}
