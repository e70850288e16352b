//! `Fᵢ•A` for a symmetric `A`: sums over entries of `A` at given places.

use nonius_linalg::mp::{Matrix, Numbers};
use nonius_num::mp::{Head, Mp};

use super::sums::{Pair, Target};
use crate::cone::Square;

/// The entries of a square's constraints, as weights of the entries of a symmetric matrix's upper triangle.
#[derive(Clone, Debug)]
pub(super) struct Gathered {
    /// Their values, twice those beside the diagonal.
    weights: Numbers,
    /// Each weight, and where its entry stands, column by column.
    pairs: Vec<Pair>,
    starts: Vec<usize>,
}

impl Gathered {
    pub(super) fn new(square: &Square<Mp>) -> Self {
        let entries = &square.entries;
        let mut weights = Numbers::zeros(entries.values.bits(), entries.len());
        let mut pairs = Vec::with_capacity(entries.len());
        for (e, (&row, &col)) in entries.rows.iter().zip(&entries.cols).enumerate() {
            let value = entries.values.entry(e);
            let twice = value.to_mp(value.bits()).ldexp(i32::from(row != col));
            weights.put(e, twice.view());
            pairs.push((e, col as usize * square.order + row as usize));
        }
        Self { weights, pairs, starts: square.starts.clone() }
    }

    /// The product of matrix `k` with `A`, of which the upper triangle is read.
    pub(super) fn product(&self, k: usize, a: &Matrix, to: Target<'_>) -> Head {
        let pairs = &self.pairs[self.starts[k]..self.starts[k + 1]];
        to.gather(self.weights.as_slice(), a.numbers().as_slice(), pairs)
    }
}
