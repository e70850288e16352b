//! What is found.

use nonius_num::Element;

use crate::Matrix;

/// Singular values and vectors of an `m × n` matrix: `A = U·Σ·Vᵀ` with `k = min(m, n)` values.
#[derive(Clone, Debug)]
pub struct Svd<T: Element> {
    /// The singular values, in descending order.
    pub values: Vec<T>,
    /// `U`, `m × k`, and `V`, `n × k`, with orthonormal columns, where they are wanted.
    pub vectors: Option<(Matrix<T>, Matrix<T>)>,
}
