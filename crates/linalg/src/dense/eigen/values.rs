//! What is found, and what is asked for.

use nonius_num::Element;

use crate::Matrix;

/// Whether vectors are wanted beside values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vectors {
    /// Values alone, for a third of the work or less.
    No,
    /// Vectors too.
    Yes,
}

/// Eigenvalues and eigenvectors of a symmetric matrix: `A = V·Λ·Vᵀ`.
#[derive(Clone, Debug)]
pub struct Eigen<T: Element> {
    /// The eigenvalues, in ascending order.
    pub values: Vec<T>,
    /// The eigenvectors where they are wanted: column `j` is that of `values[j]`, of length 1.
    pub vectors: Option<Matrix<T>>,
}
