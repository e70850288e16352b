//! Points in the blocks of a problem.

use nonius_linalg::sparse::matrix_market::Entry;
use nonius_linalg::sparse::{Coo, Triplet};

use crate::Block;

/// A symmetric block of `X` or `Y`.
#[derive(Clone, Debug, PartialEq)]
pub enum BlockValues<T> {
    /// All entries of a matrix of this order, column by column.
    Dense {
        /// The order.
        order: usize,
        /// The entries.
        entries: Vec<T>,
    },
    /// The entries on the diagonal.
    Diagonal(Vec<T>),
}

impl<T> BlockValues<T> {
    /// The order.
    pub fn order(&self) -> usize {
        match self {
            Self::Dense { order, .. } => *order,
            Self::Diagonal(entries) => entries.len(),
        }
    }

    /// Entry `(i, j)`, if it is stored.
    pub fn at(&self, i: usize, j: usize) -> Option<&T> {
        match self {
            Self::Dense { order, entries } => entries.get(i + j * order),
            Self::Diagonal(entries) => entries.get(i).filter(|_| i == j),
        }
    }

    /// Entry `(i, j)`, to be changed, if it is stored.
    pub fn at_mut(&mut self, i: usize, j: usize) -> Option<&mut T> {
        match self {
            Self::Dense { order, entries } => entries.get_mut(i + j * *order),
            Self::Diagonal(entries) => entries.get_mut(i).filter(|_| i == j),
        }
    }
}

impl<T: Clone> BlockValues<T> {
    /// A block with the same number everywhere.
    pub fn filled(block: Block, number: &T) -> Self {
        match block {
            Block::Dense(order) => {
                Self::Dense { order, entries: vec![number.clone(); order * order] }
            }
            Block::Diagonal(order) => Self::Diagonal(vec![number.clone(); order]),
        }
    }
}

/// `x`, `X` and `Y`.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution<T> {
    /// A number for each constraint.
    pub x: Vec<T>,
    /// The blocks of `X`.
    pub primal: Vec<BlockValues<T>>,
    /// The blocks of `Y`.
    pub dual: Vec<BlockValues<T>>,
}

impl<T: Entry> Solution<T> {
    /// The entries on the diagonal of a matrix with these blocks, `X` or `Y`.
    pub fn diagonal(blocks: &[BlockValues<T>]) -> impl Iterator<Item = &T> {
        let of_block = |block| (0..BlockValues::order(block)).filter_map(move |i| block.at(i, i));
        blocks.iter().flat_map(of_block)
    }

    /// The entries other than zero of a matrix with these blocks, `X` or `Y`, above and below the diagonal.
    pub fn entries(blocks: &[BlockValues<T>]) -> Coo<T> {
        let mut triplets = Vec::new();
        let mut first = 0;
        for block in blocks {
            let order = block.order();
            for col in 0..order {
                let rows = match block {
                    BlockValues::Dense { .. } => 0..order,
                    BlockValues::Diagonal(_) => col..col + 1,
                };
                for row in rows {
                    if let Some(value) = block.at(row, col).filter(|value| !value.is_zero()) {
                        let (row, col) = (first + row, first + col);
                        triplets.push(Triplet { row, col, value: value.clone() });
                    }
                }
            }
            first += order;
        }
        Coo::new(first, first, triplets).expect("entries of the blocks")
    }
}
