//! Which part of a matrix an operation means.

use super::Transpose;

/// Half of a square matrix, the diagonal included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Triangle {
    /// Entries `(i, j)` with `i >= j`.
    Lower,
    /// Entries `(i, j)` with `i <= j`.
    Upper,
}

/// What stands on the diagonal of a triangular matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Diagonal {
    /// The stored entries.
    NonUnit,
    /// Ones; the stored entries are not read.
    Unit,
}

/// The side on which a matrix multiplies another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// From the left.
    Left,
    /// From the right.
    Right,
}

impl Triangle {
    /// Whether entry `(i, j)` belongs to it.
    #[inline(always)]
    pub fn contains(self, i: usize, j: usize) -> bool {
        match self {
            Triangle::Lower => i >= j,
            Triangle::Upper => i <= j,
        }
    }

    /// The triangle that `op(A)` fills when this one of `A` is filled.
    #[must_use]
    pub fn transposed(self, transpose: Transpose) -> Self {
        match (self, transpose) {
            (triangle, Transpose::No) => triangle,
            (Triangle::Lower, Transpose::Yes) => Triangle::Upper,
            (Triangle::Upper, Transpose::Yes) => Triangle::Lower,
        }
    }
}
