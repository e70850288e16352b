//! What a factorisation by supernodes asks of dense matrices.

use crate::{Error, Matrix, Number, Numbers};

/// Operations on panels, dense matrices column by column, and on vectors.
pub trait Kernels<T: Number>: Sync {
    /// Subtracts `W·Wᵀ` from the rows `places` of `A`, in its first `cols` columns, which go to the
    /// columns of `A` with the numbers of their rows; on and below the diagonal, where `places`
    /// ascend.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    fn subtract(
        &self,
        w: &Matrix<T>,
        cols: usize,
        places: &[u32],
        a: &mut Matrix<T>,
    ) -> Result<(), Error>;
    /// Puts the Cholesky factor in the place of the square at the top, of whose lower triangle
    /// alone is read, and multiplies what is below by the inverse of its transpose; whether there
    /// is a factor.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    fn factor(&self, a: &mut Matrix<T>) -> Result<bool, Error>;
    /// `x ← L⁻¹·x` for the square and as many numbers of `x` from `first` on, then the rows below
    /// times these subtracted from the numbers `below` of `x`.
    fn forward(&self, a: &Matrix<T>, first: usize, below: &[u32], x: &mut Numbers<T>);
    /// The transpose of [`forward`](Self::forward).
    fn backward(&self, a: &Matrix<T>, first: usize, below: &[u32], x: &mut Numbers<T>);
}
