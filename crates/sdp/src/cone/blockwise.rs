//! What ranks ask of a cone that has some of a program's blocks, or all.

use nonius_linalg::{Error, Number, Numbers};

use super::Congruent;

/// A cone that says what each block contributes, the diagonal one counted last.
///
/// What the operations of a [`Cone`](super::Cone) yield is the sum of what blocks contribute, in an
/// order of the cone's own. So ranks that share out the blocks find the same bits.
pub trait Blockwise: Congruent {
    /// The sum of what the blocks of a program contribute, in the order of this cone.
    fn sum(&self, contributions: &Numbers<Self::Number>) -> Self::Number {
        total(contributions)
    }

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

    /// How many numbers of each block's [products](Self::products_of_blocks) count.
    fn product_counts(&self) -> Vec<usize>;

    /// What each block has of `Fᵢ•A` for a symmetric `A`, for all constraints or for those with
    /// entries in it.
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

    /// What [`schur_sizes`](super::Cone::schur_sizes) takes of a matrix: each block's diagonal.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn diagonals(&self, a: &Self::Blocks) -> Result<Vec<Vec<f64>>, Error>;

    /// [`schur_sizes`](super::Cone::schur_sizes) by the diagonals of `U` and `V`.
    fn sizes_of_schur(&self, u: &[Vec<f64>], v: &[Vec<f64>]) -> Vec<f64>;
}

/// The sum of what blocks contribute: that of the last one, then those of the others, one after the
/// other.
///
/// Panics where there is none.
pub(crate) fn total<T: Number>(blocks: &Numbers<T>) -> T {
    let last = blocks.len() - 1;
    blocks.as_slice().range(0..last).iter().fold(blocks.at(last), |sum, x| sum + x)
}
