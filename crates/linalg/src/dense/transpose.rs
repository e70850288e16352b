//! How an operand enters a product.

/// How an operand enters a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transpose {
    /// As it is.
    No,
    /// Transposed.
    Yes,
}

impl Transpose {
    /// The shape of `op(A)` for an `A` of the given shape.
    #[inline(always)]
    pub fn shape(self, (rows, cols): (usize, usize)) -> (usize, usize) {
        match self {
            Transpose::No => (rows, cols),
            Transpose::Yes => (cols, rows),
        }
    }

    /// The other one.
    #[must_use]
    pub fn flipped(self) -> Self {
        match self {
            Transpose::No => Transpose::Yes,
            Transpose::Yes => Transpose::No,
        }
    }
}
