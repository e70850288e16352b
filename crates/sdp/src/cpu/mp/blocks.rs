//! Matrices with blocks on their diagonal.

use nonius_linalg::mp::{Matrix, Numbers, SliceMut};

/// A matrix with blocks on its diagonal.
#[derive(Clone, Debug)]
pub struct MpBlocks {
    /// Those that are squares.
    pub squares: Vec<Matrix>,
    /// The entries of the diagonal block.
    pub diagonal: Numbers,
}

impl MpBlocks {
    /// All entries, block after block.
    pub(super) fn parts(&self) -> impl Iterator<Item = &Numbers> {
        self.squares.iter().map(Matrix::numbers).chain([&self.diagonal])
    }

    pub(super) fn parts_mut(&mut self) -> impl Iterator<Item = SliceMut<'_>> {
        let squares = self.squares.iter_mut().map(Matrix::numbers_mut);
        squares.chain([self.diagonal.as_mut_slice()])
    }
}
