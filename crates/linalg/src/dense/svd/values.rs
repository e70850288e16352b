//! What is found.

use nonius_num::Element;

use crate::Matrix;

/// `A = U·Σ·Vᵀ` for an `m × n` matrix, with `k = min(m, n)` singular values.
#[derive(Clone, Debug)]
pub struct Svd<T: Element> {
    /// The singular values, in descending order.
    pub values: Vec<T>,
    /// `U`, `m × k`, and `V`, `n × k`, with orthonormal columns, where they are wanted.
    pub vectors: Option<(Matrix<T>, Matrix<T>)>,
}
