//! What elementwise operations take.

use nonius_num::{Element, Plain};

use super::{MatRef, Matrix};

/// An operand of an elementwise operation on numbers `T`, with vectors or matrices `V`.
#[derive(Clone, Copy, Debug)]
pub enum Operand<T, V> {
    /// Each entry in its place; the shape must be that of the output.
    Entries(V),
    /// The same number everywhere.
    Scalar(T),
    /// What the output holds before: the operation is done in place.
    Output,
}

impl<T, V> Operand<T, V> {
    /// What errors call the operands.
    pub(crate) const NAMES: [&'static str; 3] = ["x", "y", "z"];
}

impl<T: Element> Operand<T, MatRef<'_, T>> {
    /// The operand of the block of `rows × cols` entries whose first is `(row, col)`.
    pub(crate) fn block(self, row: usize, col: usize, rows: usize, cols: usize) -> Self {
        match self {
            Operand::Entries(x) => Operand::Entries(x.block(row, col, rows, cols)),
            _ => self,
        }
    }
}

impl<'a, T: Element> From<MatRef<'a, T>> for Operand<T, MatRef<'a, T>> {
    fn from(x: MatRef<'a, T>) -> Self {
        Operand::Entries(x)
    }
}

impl<'a, T: Plain> From<&'a [T]> for Operand<T, MatRef<'a, T>> {
    fn from(x: &'a [T]) -> Self {
        Operand::Entries(x.into())
    }
}

impl<'a, T: Plain> From<&'a Vec<T>> for Operand<T, MatRef<'a, T>> {
    fn from(x: &'a Vec<T>) -> Self {
        Operand::Entries(x.into())
    }
}

impl<'a, T: Element> From<&'a Matrix<T>> for Operand<T, MatRef<'a, T>> {
    fn from(x: &'a Matrix<T>) -> Self {
        Operand::Entries(x.into())
    }
}
