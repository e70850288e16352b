//! Points in the blocks of a problem.

use core::fmt;

use nonius_files::room::check_memory;
use nonius_linalg::Error;
use nonius_linalg::Number;
use nonius_linalg::sparse::matrix_market::Entry;
use nonius_linalg::sparse::{Coo, Triplet};

use crate::input::MatrixName;
use crate::{Block, Problem};

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
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn filled(block: Block, number: &T) -> Result<Self, Error> {
        let count = block.entries().ok_or_else(|| block.too_large())?;
        let mut entries = Vec::new();
        entries.try_reserve_exact(count).map_err(|_| block.too_large())?;
        entries.resize(count, number.clone());
        Ok(match block {
            Block::Dense(order) => Self::Dense { order, entries },
            Block::Diagonal(_) => Self::Diagonal(entries),
        })
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

/// Why a point is not one of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// `x` has not a number for each constraint.
    Variables {
        /// How many constraints there are.
        expected: usize,
        /// How many numbers `x` has.
        found: usize,
    },
    /// A matrix has not the problem's number of blocks.
    Blocks {
        /// The matrix.
        matrix: MatrixName,
        /// How many blocks the problem has.
        expected: usize,
        /// How many the matrix has.
        found: usize,
    },
    /// A block is of another kind or order, or has not all its entries.
    Block {
        /// The matrix.
        matrix: MatrixName,
        /// The block, from 1.
        block: usize,
        /// The problem's.
        expected: Block,
        /// How many entries there are.
        found: usize,
    },
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Variables { expected, found } => write!(
                f,
                "the point has {found} numbers x where the problem has {expected} constraints"
            ),
            Self::Blocks { matrix, expected, found } => {
                write!(f, "{matrix} has {found} blocks where the problem has {expected}")
            }
            Self::Block { matrix, block, expected, found } => {
                let (kind, order) = match expected {
                    Block::Dense(order) => ("dense", order),
                    Block::Diagonal(order) => ("diagonal", order),
                };
                write!(
                    f,
                    "block {block} of {matrix} has {found} entries, or another kind, where the problem has a {kind} block of order {order}"
                )
            }
        }
    }
}

impl std::error::Error for Misfit {}

impl From<Misfit> for Error {
    fn from(misfit: Misfit) -> Self {
        let (operand, expected, found) = match misfit {
            Misfit::Variables { expected, found } => ("x", (expected, 1), (found, 1)),
            Misfit::Blocks { matrix, expected, found } => {
                (if matrix == MatrixName::X { "X" } else { "Y" }, (expected, 1), (found, 1))
            }
            Misfit::Block { matrix, expected, found, .. } => {
                let operand = if matrix == MatrixName::X { "a block of X" } else { "a block of Y" };
                (operand, (expected.entries().unwrap_or(usize::MAX), 1), (found, 1))
            }
        };
        Error::Shape { operand, expected, found }
    }
}

impl<T> Solution<T> {
    /// Whether the point is one of a problem.
    ///
    /// # Errors
    /// What it has too much or too little of.
    pub fn check(&self, problem: &Problem) -> Result<(), Misfit> {
        self.fits(problem.constraints(), problem.blocks())
    }

    /// The same for a problem of so many constraints in these blocks.
    pub(crate) fn fits(&self, constraints: usize, blocks: &[Block]) -> Result<(), Misfit> {
        let (expected, found) = (constraints, self.x.len());
        if found != expected {
            return Err(Misfit::Variables { expected, found });
        }
        for (matrix, own) in [(MatrixName::X, &self.primal), (MatrixName::Y, &self.dual)] {
            let (expected, found) = (blocks.len(), own.len());
            if found != expected {
                return Err(Misfit::Blocks { matrix, expected, found });
            }
            for (block, (&expected, values)) in (1..).zip(blocks.iter().zip(own)) {
                let (fits, found) = match (expected, values) {
                    (Block::Dense(n), BlockValues::Dense { order, entries }) => {
                        (n == *order, entries.len())
                    }
                    (Block::Diagonal(_), BlockValues::Diagonal(entries)) => (true, entries.len()),
                    (_, BlockValues::Dense { entries, .. } | BlockValues::Diagonal(entries)) => {
                        (false, entries.len())
                    }
                };
                if !fits || expected.entries() != Some(found) {
                    return Err(Misfit::Block { matrix, block, expected, found });
                }
            }
        }
        Ok(())
    }

    /// An error where a point of a problem takes more memory than there is: what a run would end
    /// with after all its work.
    ///
    /// That is what a point and a copy of it take, which a change of precision makes.
    pub(crate) fn check_memory(problem: &Problem) -> Result<(), Error> {
        const MATRICES: usize = 4;
        let blocks = problem.blocks();
        let Some(largest) =
            blocks.iter().copied().max_by_key(|block| block.entries().unwrap_or(usize::MAX))
        else {
            return Ok(());
        };
        let mut counts = blocks.iter().map(|block| block.entries());
        let sum = counts.try_fold(0_usize, |sum, count| sum.checked_add(count?));
        let all = sum.and_then(|sum| sum.checked_mul(MATRICES));
        let bytes = |count: usize| count as u128 * size_of::<T>() as u128;
        let fits = |count| check_memory("points", bytes(count)).is_ok();
        if all.is_some_and(fits) { Ok(()) } else { Err(largest.too_large()) }
    }
}

impl<T: Number> Solution<T> {
    /// The entries on the diagonal of a matrix with these blocks, `X` or `Y`.
    pub fn diagonal(blocks: &[BlockValues<T>]) -> impl Iterator<Item = &T> {
        let of_block = |block| (0..BlockValues::order(block)).filter_map(move |i| block.at(i, i));
        blocks.iter().flat_map(of_block)
    }

    /// The entries other than zero of a matrix with these blocks, `X` or `Y`, above and below the
    /// diagonal.
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
                        triplets.push(Triplet { row, col, value: *value });
                    }
                }
            }
            first += order;
        }
        Coo::new(first, first, triplets).expect("entries of the blocks")
    }
}
