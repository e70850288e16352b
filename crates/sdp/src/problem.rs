//! Problems.

use core::fmt;

use nonius_linalg::Error;

use crate::literals::Literals;

/// A block of the matrices' diagonal, or a second-order cone beside them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block {
    /// A symmetric matrix of this order.
    Dense(usize),
    /// A diagonal matrix of this order.
    Diagonal(usize),
    /// A vector of this order in the second-order cone: its entry of row 0 is not less than the
    /// norm of the others. Entries stand on the diagonal, as those of a diagonal matrix.
    SecondOrder(usize),
}

impl Block {
    /// Its order.
    pub fn order(self) -> usize {
        match self {
            Block::Dense(order) | Block::Diagonal(order) | Block::SecondOrder(order) => order,
        }
    }

    /// How many entries [`BlockValues`](crate::BlockValues) has of it; `None` where that cannot be
    /// counted.
    pub fn entries(self) -> Option<usize> {
        match self {
            Block::Dense(order) => order.checked_mul(order),
            Block::Diagonal(order) | Block::SecondOrder(order) => Some(order),
        }
    }

    /// The same as a number that nothing is too large for.
    pub(crate) fn size(self) -> f64 {
        match self {
            Block::Dense(order) => (order as f64).powi(2),
            Block::Diagonal(order) | Block::SecondOrder(order) => order as f64,
        }
    }

    /// That there is no memory for its entries.
    pub(crate) fn too_large(self) -> Error {
        match self {
            Block::Dense(order) => Error::TooLarge { rows: order, cols: order },
            Block::Diagonal(order) | Block::SecondOrder(order) => {
                Error::TooLarge { rows: order, cols: 1 }
            }
        }
    }
}

/// Where an entry is, everything counted from 0: matrices are `F₀, F₁, …`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The number of the matrix.
    pub matrix: u32,
    /// Its block.
    pub block: u32,
    /// The column, not less than the row.
    pub col: u32,
    /// The row.
    pub row: u32,
}

/// An entry that may differ from zero; its mirror image is another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where it is.
    pub place: Place,
    /// The place of its value among the [numbers](Problem::numbers).
    pub value: u32,
}

/// A block that cannot become a second-order cone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotDiagonal {
    /// The block, from 1.
    pub block: usize,
}

impl fmt::Display for NotDiagonal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { block } = self;
        write!(f, "block {block} is no diagonal block, which a second-order cone is made of")
    }
}

impl std::error::Error for NotDiagonal {}

/// A pair of programs; see the [crate](crate).
///
/// ```
/// use nonius_sdp::input::read_sparse;
///
/// let problem = read_sparse("2\n1\n2\n1 2\n0 1 1 2 -1\n1 1 1 1 1\n2 1 2 2 0.1\n".as_bytes())?;
/// assert_eq!((problem.constraints(), problem.order()), (2, 2));
/// // The only entry of F₂. Its value is the decimal of the file.
/// let entry = problem.matrix(2)[0];
/// assert_eq!((entry.place.row, entry.place.col), (1, 1));
/// assert_eq!(problem.numbers().text(entry.value), "0.1");
/// # Ok::<(), nonius_sdp::input::ReadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Problem {
    /// All numbers.
    numbers: Literals,
    /// Places of `c` among these.
    objective: Vec<u32>,
    blocks: Vec<Block>,
    entries: Vec<Entry>,
}

impl Problem {
    /// A problem of entries in any order, no two at one place.
    pub(crate) fn new(
        numbers: Literals,
        objective: Vec<u32>,
        blocks: Vec<Block>,
        mut entries: Vec<Entry>,
    ) -> Self {
        entries.sort_by_key(|entry| entry.place);
        Self { numbers, objective, blocks, entries }
    }

    /// The same problem with some of its diagonal blocks as second-order cones, which SDPA's files
    /// don't have. Blocks are counted from 0.
    ///
    /// ```
    /// use nonius_sdp::{Block, input::read_sparse};
    ///
    /// // The least t not less than the norm of (3, 4).
    /// let text = "1\n1\n-3\n1\n0 1 2 2 -3\n0 1 3 3 -4\n1 1 1 1 1\n";
    /// let problem = read_sparse(text.as_bytes())?.with_second_order([0])?;
    /// assert_eq!(problem.blocks(), [Block::SecondOrder(3)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`NotDiagonal`].
    pub fn with_second_order(
        mut self,
        blocks: impl IntoIterator<Item = usize>,
    ) -> Result<Self, NotDiagonal> {
        for number in blocks {
            match self.blocks.get_mut(number) {
                Some(block @ Block::Diagonal(_)) => *block = Block::SecondOrder(block.order()),
                _ => return Err(NotDiagonal { block: number.saturating_add(1) }),
            }
        }
        Ok(self)
    }

    /// All numbers of the problem.
    pub fn numbers(&self) -> &Literals {
        &self.numbers
    }

    /// Places of `c₁, c₂, …` among the [numbers](Self::numbers).
    pub fn objective(&self) -> &[u32] {
        &self.objective
    }

    /// The blocks of all matrices.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The entries of all matrices' upper triangles, by matrix, block, column and row.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Entries of `Fₖ`.
    pub fn matrix(&self, k: usize) -> &[Entry] {
        let begin = self.entries.partition_point(|entry| (entry.place.matrix as usize) < k);
        let end = self.entries.partition_point(|entry| entry.place.matrix as usize <= k);
        &self.entries[begin..end]
    }

    /// How many constraints there are: the number of variables `x`.
    pub fn constraints(&self) -> usize {
        self.objective.len()
    }

    /// The order of `X` and `Y`, rows of second-order cones included.
    pub fn order(&self) -> usize {
        self.blocks.iter().map(|block| block.order()).sum()
    }
}
