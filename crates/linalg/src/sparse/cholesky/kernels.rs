//! What a factorisation by supernodes asks of dense matrices.

use crate::Error;
use crate::sparse::Values;

/// Operations on panels, dense matrices column by column, and on entries and vectors `V`.
pub trait Kernels<V: Values>: Sync {
    /// A dense matrix.
    type Panel: Send + Sync;

    /// A matrix of zeros.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    fn panel(&self, rows: usize, cols: usize) -> Result<Self::Panel, Error>;
    /// `A ← 0`
    fn clear(&self, a: &mut Self::Panel);
    /// Entry `place` of `A`, counted by columns, becomes number `i` of `values`.
    fn put(&self, a: &mut Self::Panel, place: usize, values: &V, i: usize);
    /// Copies the rows of `A` from `first` on to rows `places` of `W`, whose columns from `col` on they get.
    fn gather(
        &self,
        a: &Self::Panel,
        first: usize,
        places: &[u32],
        w: &mut Self::Panel,
        col: usize,
    );
    /// Subtracts `W·Wᵀ` from the rows `places` of `A`, in its first `cols` columns, which go to the columns of `A` with the numbers of their rows; on and below the diagonal, where `places` ascend.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    fn subtract(
        &self,
        w: &Self::Panel,
        cols: usize,
        places: &[u32],
        a: &mut Self::Panel,
    ) -> Result<(), Error>;
    /// Puts the Cholesky factor in the place of the square at the top, of whose lower triangle alone is read, and multiplies what is below by the inverse of its transpose; whether there is a factor.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    fn factor(&self, a: &mut Self::Panel) -> Result<bool, Error>;
    /// `x ← L⁻¹·x` for the square and as many numbers of `x` from `first` on, then the rows below times these subtracted from the numbers `below` of `x`.
    fn forward(&self, a: &Self::Panel, first: usize, below: &[u32], x: &mut V);
    /// The transpose of [`forward`](Self::forward).
    fn backward(&self, a: &Self::Panel, first: usize, below: &[u32], x: &mut V);
}
