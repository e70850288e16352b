//! A program of which ranks share the work.

use nonius_comm::dense::{Cargo, Link, Panels, Ranks, Tiled};
use nonius_comm::owners;
use nonius_linalg::backend::Memory;
use nonius_linalg::{Error, Numbers, Slice};

use super::lists::Lists;
use crate::cone::{Blockwise, Program};

/// A program whose blocks and columns of the Schur complement ranks share out, seen from one of
/// them: see the [module](super). All ranks call all operations, in the same order.
#[expect(missing_debug_implementations, reason = "cones of a backend")]
pub struct RanksCone<L: Blockwise, B: Link> {
    pub(super) ranks: Ranks<B>,
    /// The whole program, for the Schur complement and for vectors.
    pub(super) whole: L,
    /// The blocks that this rank has; the others have no rows there.
    pub(super) own: L,
    /// The rank of each block, the diagonal one last.
    pub(super) blocks: Vec<usize>,
    /// The constraints of each square, and all for the diagonal block.
    constraints: Vec<usize>,
    /// The rank that forms a column of the Schur complement.
    pub(super) columns: Vec<usize>,
}

/// A Schur complement that ranks have, or its Cholesky factor.
#[expect(missing_debug_implementations, reason = "matrices of a backend")]
pub enum RanksSchur<L: Blockwise<Number: Cargo>, B: Memory<L::Number> + 'static> {
    /// A dense one in tiles, and once it is factored, the factor's panels.
    Tiled {
        /// The lower triangle, or the factor.
        matrix: Tiled<L::Number, B>,
        /// What systems are solved with.
        panels: Option<Panels<L::Number, B>>,
    },
    /// A sparse one, on every rank.
    Whole(L::Schur),
}

impl<L: Blockwise<Number: Cargo>, B: Link> RanksCone<L, B> {
    /// A program, of which all ranks have the data. `costs` say what the columns of the Schur
    /// complement cost, and `local` puts a program into this rank's memory.
    ///
    /// # Errors
    /// Those of `local`; [`Error::TooLarge`].
    pub fn new(
        ranks: &Ranks<B>,
        program: Program<L::Number>,
        costs: &[f64],
        local: impl Fn(Program<L::Number>) -> Result<L, Error>,
    ) -> Result<Self, Error>
    where
        B: Clone,
    {
        ranks.attempt(|| {
            let (size, me) = (ranks.grid().ranks().size(), ranks.grid().ranks().rank());
            // Products of matrices, and sums over entries.
            let squares = program.squares().iter();
            let of_squares = squares.map(|s| (s.order as f64).powi(3) + s.entries.len() as f64);
            let of_rows = program.diagonal().order + program.diagonal().constraints.len();
            let costs_of_blocks: Vec<f64> = of_squares.chain([of_rows as f64]).collect();
            let blocks = owners(&costs_of_blocks, size);
            let constraints = program.squares().iter().map(|square| square.constraints.len());
            let constraints = constraints.chain([program.constraints()]).collect();
            let own = local(program.part(|block| blocks[block] == me)?)?;
            let columns = owners(costs, size);
            Ok(Self {
                ranks: ranks.clone(),
                whole: local(program)?,
                own,
                blocks,
                constraints,
                columns,
            })
        })
    }

    /// Whether this rank has a block.
    pub(super) fn has(&self, block: usize) -> bool {
        self.blocks[block] == self.ranks.grid().ranks().rank()
    }

    /// How many rows each block has, the diagonal one last.
    pub(super) fn orders(&self) -> Vec<usize> {
        self.whole.squares().into_iter().chain([self.whole.diagonal()]).collect()
    }

    /// How many entries each block has.
    pub(super) fn entries(&self) -> Vec<usize> {
        let squares = self.whole.squares().into_iter().map(|order| order * order);
        squares.chain([self.whole.diagonal()]).collect()
    }

    /// All entries of a matrix, whose blocks ranks have.
    pub(super) fn gathered(&self, a: &L::Blocks) -> Result<Vec<Numbers<L::Number>>, Error> {
        let mine = self.own.download_blocks(a)?;
        self.all(self.entries(), |block| mine[block].as_slice())
    }

    /// The numbers that ranks have of each block, as many as `lengths` says.
    pub(super) fn all<'a, T: Cargo>(
        &self,
        lengths: Vec<usize>,
        mine: impl Fn(usize) -> Slice<'a, T>,
    ) -> Result<Vec<Numbers<T>>, Error>
    where
        L: Blockwise<Number = T>,
    {
        let lists = Lists { owners: &self.blocks, lengths };
        lists.all(self.ranks.grid().ranks(), self.whole.format(), mine)
    }

    /// What each block contributes to a sum, of which ranks have what their blocks do.
    pub(super) fn contributions(
        &self,
        mine: &Numbers<L::Number>,
    ) -> Result<Numbers<L::Number>, Error> {
        let one = |block: usize| mine.as_slice().range(block..block + 1);
        let lists = self.all(vec![1; self.blocks.len()], one)?;
        let mut all = Numbers::with_capacity(self.whole.format(), lists.len());
        lists.iter().for_each(|list| all.push(list.at(0)));
        Ok(all)
    }

    /// The products of all blocks with the constraints' matrices.
    pub(super) fn products(&self, a: &L::Blocks) -> Result<Vec<Numbers<L::Number>>, Error> {
        let mine = self.own.products_of_blocks(a)?;
        self.all(self.constraints.clone(), |block| mine[block].as_slice())
    }

    /// The whole of a matrix in this rank's memory.
    pub(super) fn whole_of(&self, a: &L::Blocks) -> Result<L::Blocks, Error> {
        self.whole.upload_blocks(&self.gathered(a)?)
    }
}
