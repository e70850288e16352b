//! A matrix product as it is asked for.

use nonius_linalg::dense::Transpose;
use nonius_linalg::sparse::matrix_market::Entry;

/// A matrix product `alpha · op(A) · op(B) + beta · C`, each `op` nothing or the transpose.
#[derive(Debug)]
pub struct Matmul<'a, T: Entry> {
    /// `A`.
    pub a: &'a T::Matrix,
    /// `op` of `A`.
    pub transpose_a: Transpose,
    /// `B`.
    pub b: &'a T::Matrix,
    /// `op` of `B`.
    pub transpose_b: Transpose,
    /// The factor of the product.
    pub alpha: T,
}
