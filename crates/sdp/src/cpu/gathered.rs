//! `Fᵢ•A` for a symmetric `A`: sums over entries of `A` at given places.

use nonius_linalg::{Element, Matrix, Numbers, SliceMut};

use super::kernels::Kernels;
use crate::cone::Square;

/// The entries of a square's constraints, as weights of the entries of a symmetric matrix's upper
/// triangle.
#[derive(Clone, Debug)]
pub(super) struct Gathered<T: Element> {
    /// Where the entries stand, column by column.
    places: Vec<usize>,
    /// Their values, twice those beside the diagonal.
    weights: Numbers<T>,
    starts: Vec<usize>,
}

impl<T: Kernels> Gathered<T> {
    pub(super) fn new(square: &Square<T>) -> Self {
        let entries = &square.entries;
        let mut weights = Numbers::with_capacity(entries.values.format(), entries.len());
        let mut places = Vec::with_capacity(entries.len());
        for (e, (&row, &col)) in entries.rows.iter().zip(&entries.cols).enumerate() {
            let value = entries.values.at(e);
            weights.push(if row == col { value } else { value.ldexp(1) });
            places.push(row as usize + col as usize * square.order);
        }
        Self { places, weights, starts: square.starts.clone() }
    }

    /// The product of matrix `k` with `A`, of which the upper triangle is read.
    pub(super) fn product(&self, k: usize, a: &Matrix<T>, to: SliceMut<'_, T>) {
        let range = self.starts[k]..self.starts[k + 1];
        let weights = self.weights.as_slice().range(range.clone());
        T::weigh(to, weights, a.numbers().as_slice(), &self.places[range]);
    }
}
