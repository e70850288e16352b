//! Matrices with blocks on their diagonal.

use nonius_linalg::{Element, Matrix, Numbers, Slice, SliceMut};

/// A matrix with blocks on its diagonal.
#[derive(Clone, Debug, PartialEq)]
pub struct Blocks<T: Element> {
    /// Those that are squares.
    pub squares: Vec<Matrix<T>>,
    /// The entries of the diagonal block, those of second-order cones last.
    pub diagonal: Numbers<T>,
}

impl<T: Element> Blocks<T> {
    /// All entries, block after block.
    pub(super) fn parts(&self) -> impl Iterator<Item = Slice<'_, T>> {
        let squares = self.squares.iter().map(Matrix::numbers);
        squares.chain([&self.diagonal]).map(Numbers::as_slice)
    }

    /// The same, to be changed.
    pub(super) fn parts_mut(&mut self) -> impl Iterator<Item = SliceMut<'_, T>> {
        let squares = self.squares.iter_mut().map(Matrix::numbers_mut);
        squares.chain([self.diagonal.as_mut_slice()])
    }
}
