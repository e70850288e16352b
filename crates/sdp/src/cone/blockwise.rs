//! What ranks ask of a cone that has some of a program's blocks, or all.

use nonius_linalg::{Error, Number, Numbers};

use super::Cone;

/// A cone that says what each block contributes, the diagonal one counted last, and that has the
/// Schur complement column by column.
///
/// What the operations of a [`Cone`] yield is the sum of what blocks contribute: that of the
/// diagonal one, then those of the squares, one after the other. So ranks that share out the blocks
/// find the same bits.
pub trait Blockwise: Cone {
    /// What each block has of `A•B`.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn inner_products(
        &self,
        a: &Self::Blocks,
        b: &Self::Blocks,
    ) -> Result<Numbers<Self::Number>, Error>;

    /// What each block has of `F₀•A` for a symmetric `A`.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn constant_products(&self, a: &Self::Blocks) -> Result<Numbers<Self::Number>, Error>;

    /// What each block has of `Fᵢ•A` for a symmetric `A`: a square for the constraints that have
    /// entries in it, the diagonal block for all.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn products_of_blocks(&self, a: &Self::Blocks) -> Result<Vec<Numbers<Self::Number>>, Error>;

    /// `vᵢ ← Fᵢ•A`, from what each block has of it.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn add_products(
        &self,
        products: &[Numbers<Self::Number>],
        v: &mut Self::Vector,
    ) -> Result<(), Error>;

    /// How many unknowns [`solve_schur`](Cone::solve_schur) finds at a time.
    fn substitution(&self) -> usize;

    /// How many entries each column of the Schur complement's lower triangle has, where it is
    /// sparse; `None` where all.
    fn sparse_columns(&self) -> Option<Vec<usize>>;

    /// Some columns of [the Schur complement](Cone::form_schur), each from the diagonal down; where
    /// it is sparse, the entries that it has.
    ///
    /// # Errors
    /// [`Error::TooLarge`]; [`Error::Device`].
    fn schur_columns(
        &self,
        u: &Self::Blocks,
        v: &Self::Blocks,
        columns: &[usize],
    ) -> Result<Vec<Numbers<Self::Number>>, Error>;

    /// Puts all columns into a Schur complement.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn put_columns(
        &self,
        columns: &[Numbers<Self::Number>],
        b: &mut Self::Schur,
    ) -> Result<(), Error>;
}

/// The sum of what blocks contribute: that of the last one, then those of the others, one after the
/// other.
///
/// Panics where there is none.
pub(crate) fn total<T: Number>(blocks: &Numbers<T>) -> T {
    let last = blocks.len() - 1;
    blocks.as_slice().range(0..last).iter().fold(blocks.at(last), |sum, x| sum + x)
}
