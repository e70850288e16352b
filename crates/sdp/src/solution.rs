//! Points in the blocks of a problem.

use core::fmt;

use nonius_files::room::check_memory;
use nonius_linalg::sparse::Coo;
use nonius_linalg::{Element, Error, Number, Numbers};
use nonius_num::stored_bytes;

use crate::input::MatrixName;
use crate::{Block, Problem};

/// A block of `X` or `Y`.
#[derive(Clone, Debug, PartialEq)]
pub enum BlockValues<T: Element> {
    /// All entries of a matrix of this order, column by column.
    Dense {
        /// The order.
        order: usize,
        /// The entries.
        entries: Numbers<T>,
    },
    /// The entries on the diagonal, or those of a vector in a second-order cone.
    Diagonal(Numbers<T>),
}

impl<T: Element> BlockValues<T> {
    /// A block of zeros.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn zeros(block: Block, format: T::Format) -> Result<Self, Error> {
        let count = block.entries().ok_or_else(|| block.too_large())?;
        let entries = Numbers::try_zeros(format, count).ok_or_else(|| block.too_large())?;
        Ok(match block {
            Block::Dense(order) => Self::Dense { order, entries },
            Block::Diagonal(_) | Block::SecondOrder(_) => Self::Diagonal(entries),
        })
    }

    /// The order.
    pub fn order(&self) -> usize {
        match self {
            Self::Dense { order, .. } => *order,
            Self::Diagonal(entries) => entries.len(),
        }
    }

    /// The entries that are stored.
    pub fn entries(&self) -> &Numbers<T> {
        let (Self::Dense { entries, .. } | Self::Diagonal(entries)) = self;
        entries
    }

    /// The same, to be changed.
    pub(crate) fn entries_mut(&mut self) -> &mut Numbers<T> {
        let (Self::Dense { entries, .. } | Self::Diagonal(entries)) = self;
        entries
    }

    /// Entry `(i, j)`, if it is stored.
    pub fn at(&self, i: usize, j: usize) -> Option<T> {
        Some(self.entries().at(self.place(i, j)?))
    }

    /// Replaces entry `(i, j)` by `x`, rounded to the format of the block, if it is stored.
    pub fn set(&mut self, i: usize, j: usize, x: T) {
        if let Some(place) = self.place(i, j) {
            self.entries_mut().set(place, x);
        }
    }

    /// Where entry `(i, j)` is stored, if it is.
    fn place(&self, i: usize, j: usize) -> Option<usize> {
        let place = match self {
            Self::Dense { order, .. } => (i < *order && j < *order).then(|| i + j * order),
            Self::Diagonal(_) => (i == j).then_some(i),
        };
        place.filter(|&place| place < self.entries().len())
    }
}

/// `x`, `X` and `Y`.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution<T: Element> {
    /// A number for each constraint.
    pub x: Numbers<T>,
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
                    Block::SecondOrder(order) => ("second-order", order),
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

impl<T: Element> Solution<T> {
    /// Whether the point is one of a problem.
    ///
    /// ```
    /// use nonius_sdp::{BlockValues, Misfit, Solution, input};
    ///
    /// let problem = input::read_sparse("1\n1\n-2\n1\n1 1 1 1 1\n".as_bytes())?;
    /// let block = |n| vec![BlockValues::Diagonal(vec![1.0; n].into())];
    /// let point = Solution { x: vec![1.0].into(), primal: block(2), dual: block(3) };
    /// assert!(matches!(point.check(&problem), Err(Misfit::Block { block: 1, found: 3, .. })));
    /// # Ok::<(), nonius_sdp::input::ReadError>(())
    /// ```
    ///
    /// # Errors
    /// What it has too much or too little of.
    pub fn check(&self, problem: &Problem) -> Result<(), Misfit> {
        self.fits(problem.constraints(), problem.blocks())
    }

    /// The same for a problem of `constraints` constraints in these blocks.
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
                    (
                        Block::Diagonal(_) | Block::SecondOrder(_),
                        BlockValues::Diagonal(entries),
                    ) => (true, entries.len()),
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
    /// with after all its work. Numbers have this format.
    ///
    /// That is what a point and a copy of it take, which a change of precision makes.
    pub(crate) fn check_memory(problem: &Problem, format: T::Format) -> Result<(), Error> {
        let blocks = problem.blocks();
        let Some(largest) =
            blocks.iter().copied().max_by_key(|block| block.entries().unwrap_or(usize::MAX))
        else {
            return Ok(());
        };
        let fits = |bytes| check_memory("points", bytes).is_ok();
        let bytes = Self::bytes_of_two(problem, format);
        if bytes.is_some_and(fits) { Ok(()) } else { Err(largest.too_large()) }
    }

    /// Bytes of the matrices of two points; `None` where their entries cannot be counted.
    fn bytes_of_two(problem: &Problem, format: T::Format) -> Option<u128> {
        const MATRICES: usize = 4;
        let mut counts = problem.blocks().iter().map(|block| block.entries());
        let sum = counts.try_fold(0_usize, |sum, count| sum.checked_add(count?));
        let all = sum?.checked_mul(MATRICES)?;
        Some(all as u128 * stored_bytes::<T>(format) as u128)
    }
}

impl<T: Number> Solution<T> {
    /// The entries on the diagonal of a matrix with these blocks, `X` or `Y`.
    pub fn diagonal(blocks: &[BlockValues<T>]) -> impl Iterator<Item = T> {
        let of_block = |block| (0..BlockValues::order(block)).filter_map(move |i| block.at(i, i));
        blocks.iter().flat_map(of_block)
    }

    /// The entries on the diagonal of a matrix of a problem, `X` or `Y`, of second-order cones the
    /// first: their sum is `X•Y/μ` of the central path times the mean eigenvalue.
    pub(crate) fn eigenvalues(
        problem: &Problem,
        blocks: &[BlockValues<T>],
    ) -> impl Iterator<Item = T> {
        let of_block = |(kind, values): (&Block, _)| {
            let rows = match kind {
                Block::SecondOrder(order) => (*order).min(1),
                Block::Dense(_) | Block::Diagonal(_) => BlockValues::order(values),
            };
            (0..rows).filter_map(move |i| values.at(i, i))
        };
        problem.blocks().iter().zip(blocks).flat_map(of_block)
    }

    /// The entries other than zero of a matrix with these blocks, `X` or `Y`, above and below the
    /// diagonal.
    pub fn entries(blocks: &[BlockValues<T>]) -> Coo<T> {
        let formats = blocks.iter().map(|block| block.entries().format());
        let widest = formats.max_by_key(|&format| T::precision(format).bits());
        let (mut places, mut values) =
            (Vec::new(), Numbers::new(widest.unwrap_or(T::ZERO.format())));
        let mut first = 0;
        for block in blocks {
            let order = block.order();
            for col in 0..order {
                let rows = match block {
                    BlockValues::Dense { .. } => 0..order,
                    BlockValues::Diagonal(_) => col..col + 1,
                };
                for row in rows {
                    if let Some(value) = block.at(row, col).filter(|&value| value != T::ZERO) {
                        places.push((first + row, first + col));
                        values.push(value);
                    }
                }
            }
            first += order;
        }
        Coo::from_parts(first, first, places, values).expect("entries of the blocks")
    }
}

#[cfg(test)]
mod tests {
    use nonius_num::mp::{Bits, Mp};

    use super::*;

    /// A number of any precision by itself has room for the most bits; among others it has not.
    #[test]
    fn points_take_as_many_bytes_as_their_bits_need() {
        let text = "1\n2\n1000 -8\n1\n1 1 1 1 1\n";
        let problem = crate::input::read_sparse(text.as_bytes()).unwrap();
        for (bits, words) in [(106, 2), (424, 7)] {
            let bits = Bits::new(bits).unwrap();
            let bytes = Solution::<Mp>::bytes_of_two(&problem, bits);
            assert_eq!(bytes, Some(4 * (1_000_000 + 8) * (4 + 8 * words)));
            let block = BlockValues::<Mp>::zeros(Block::Dense(100), bits).unwrap();
            let (heads, all_words) = block.entries().as_slice().parts();
            assert_eq!([heads.len(), all_words.len()], [10_000, 10_000 * words as usize]);
        }
    }

    #[test]
    fn entries_beside_a_block_are_not_stored() {
        let mut block = BlockValues::Dense { order: 2, entries: vec![1.0, 2.0, 3.0, 4.0].into() };
        block.set(1, 0, 5.0);
        block.set(2, 0, 6.0);
        assert_eq!(block.entries().plain(), [1.0, 5.0, 3.0, 4.0]);
        for (i, j) in [(2, 0), (0, 2), (usize::MAX, 1), (1, usize::MAX)] {
            assert_eq!(block.at(i, j), None);
        }
        let diagonal = BlockValues::Diagonal(vec![7.0, 8.0].into());
        assert_eq!([diagonal.at(1, 1), diagonal.at(0, 1)], [Some(8.0), None]);
    }
}
