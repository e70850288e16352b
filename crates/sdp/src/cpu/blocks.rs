//! Matrices with blocks on their diagonal, of numbers of limbs.

use nonius_linalg::Matrix;
use nonius_num::Element;

/// A matrix with blocks on its diagonal.
#[derive(Clone, Debug, PartialEq)]
pub struct Blocks<T: Element> {
    /// Those that are squares.
    pub squares: Vec<Matrix<T>>,
    /// The entries of the diagonal block.
    pub diagonal: Vec<T>,
}
