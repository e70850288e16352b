//! A program of which ranks share the work.

use nonius_comm::dense::{Cargo, Link, Ranks};
use nonius_comm::owners;
use nonius_linalg::{Element, Error, Numbers, Slice};

use super::deal::dealt;
use super::lists::Lists;
use crate::cone::{Blockwise, Program};

/// A program whose blocks and columns of the Schur complement ranks share out, seen from one of
/// them: see the [module](super). All ranks call all operations, in the same order.
#[expect(missing_debug_implementations, reason = "cones of a backend")]
pub struct RanksCone<L: Blockwise, B: Link> {
    pub(crate) ranks: Ranks<B>,
    /// The whole program, for the Schur complement and for vectors.
    pub(crate) whole: L,
    /// The blocks that this rank has; the others have no rows there.
    pub(crate) own: L,
    /// The rank of each block, the diagonal one last; of a divided one it is the rank that speaks
    /// for all.
    pub(crate) blocks: Vec<usize>,
    /// Whether all ranks have a block, whose work they divide.
    pub(crate) divided: Vec<bool>,
    /// The rank that forms a column of the Schur complement.
    pub(crate) columns: Vec<usize>,
    /// Whether ranks factor the Schur complement together.
    pub(crate) in_tiles: bool,
}

/// How ranks share a program out.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What the columns of the Schur complement cost.
    pub costs: Vec<f64>,
    /// How many columns that follow one another one rank forms.
    pub together: usize,
    /// For each block, the diagonal one last, the first one of those that lie on one rank with it.
    pub groups: Vec<usize>,
    /// Rows of a square from which on all ranks have it and divide the work on it, where that is
    /// more than a rank's part of the work on all blocks.
    pub least_divided: usize,
    /// Constraints from which on ranks factor the Schur complement together.
    pub least_in_tiles: usize,
}

impl<L: Blockwise<Number: Cargo>, B: Link> RanksCone<L, B> {
    /// A program, of which all ranks have the data. `whole` puts it into this rank's memory, and is
    /// told by a function which columns of the Schur complement this rank forms; `own` does the
    /// same with this rank's blocks, and is told which of all blocks are divided.
    ///
    /// # Errors
    /// Those of `whole` and `own`; [`Error::TooLarge`].
    pub fn new(
        ranks: &Ranks<B>,
        program: Program<L::Number>,
        plan: &Plan,
        whole: impl FnOnce(Program<L::Number>, &dyn Fn(usize) -> bool) -> Result<L, Error>,
        own: impl FnOnce(Program<L::Number>, &[bool]) -> Result<L, Error>,
    ) -> Result<Self, Error> {
        ranks.attempt(|| {
            let (size, me) = (ranks.grid().ranks().size(), ranks.grid().ranks().rank());
            // Products of matrices, and sums over entries.
            let squares = program.squares().iter();
            let of_squares = squares.map(|s| (s.order as f64).powi(3) + s.entries.len() as f64);
            let of_rows = program.diagonal().order + program.diagonal().constraints.len();
            let costs: Vec<f64> = of_squares.chain([of_rows as f64]).collect();
            let part = costs.iter().sum::<f64>() / size as f64;
            let is_large = program.squares().iter().map(|s| s.order >= plan.least_divided);
            let is_divided = is_large.zip(&costs).map(|(large, &cost)| large && cost > part);
            let divided: Vec<bool> = is_divided.map(|yes| yes && size > 1).chain([false]).collect();
            let mut of_groups = vec![0.0; costs.len()];
            for (block, &group) in plan.groups.iter().enumerate().filter(|(at, _)| !divided[*at]) {
                of_groups[group] += costs[block];
            }
            let of_groups = owners(&of_groups, size);
            let blocks: Vec<usize> = plan.groups.iter().map(|&group| of_groups[group]).collect();
            let has = |block: usize| blocks[block] == me || divided[block];
            let own = own(program.part(has)?, &divided)?;
            let runs = plan.costs.chunks(plan.together).map(|costs| costs.iter().sum());
            let of_runs = owners(&runs.collect::<Vec<f64>>(), size);
            let columns = 0..plan.costs.len();
            let columns: Vec<usize> = columns.map(|j| of_runs[j / plan.together]).collect();
            let whole = whole(program, &|column| columns[column] == me)?;
            let in_tiles = columns.len() >= plan.least_in_tiles;
            Ok(Self { ranks: ranks.clone(), whole, own, blocks, divided, columns, in_tiles })
        })
    }

    /// Whether this rank has a block.
    pub(super) fn has(&self, block: usize) -> bool {
        self.divided[block] || self.blocks[block] == self.ranks.grid().ranks().rank()
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

    /// The rank that computes with a block of one of two matrices, where ranks divide the work on
    /// that block.
    pub(super) fn dealt(&self, which: usize, block: usize) -> Option<usize> {
        let place = || self.divided[..block].iter().filter(|&&is_divided| is_divided).count();
        self.divided[block].then(|| dealt(which, place(), self.ranks.grid().ranks().size()))
    }

    /// Of a matrix's blocks the numbers of those that this rank has, and none of the others.
    ///
    /// Panics where the number of blocks or of their entries differs.
    pub(super) fn mine<'a, E: Element>(&self, a: &[Slice<'a, E>]) -> Vec<Slice<'a, E>> {
        let lengths: Vec<usize> = a.iter().map(|part| part.len()).collect();
        assert_eq!(lengths, self.entries(), "entries of blocks");
        let mine = |(block, &part): (usize, &Slice<'a, E>)| match self.has(block) {
            true => part,
            false => part.range(0..0),
        };
        a.iter().enumerate().map(mine).collect()
    }

    /// All entries of a matrix, whose blocks ranks have.
    pub(crate) fn gathered(&self, a: &L::Blocks) -> Result<Vec<Numbers<L::Number>>, Error> {
        let mut mine = self.own.download_blocks(a)?;
        // What all ranks have needs no message.
        let sent = |(length, &is_divided)| if is_divided { 0 } else { length };
        let sent: Vec<usize> = self.entries().into_iter().zip(&self.divided).map(sent).collect();
        let mut all =
            self.all(sent.clone(), |block| mine[block].as_slice().range(0..sent[block]))?;
        for block in (0..all.len()).filter(|&block| self.divided[block]) {
            core::mem::swap(&mut all[block], &mut mine[block]);
        }
        Ok(all)
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
        let (mine, counts) = (self.own.products_of_blocks(a)?, self.whole.product_counts());
        self.all(counts.clone(), |block| mine[block].as_slice().range(0..counts[block]))
    }

    /// The diagonals of all blocks.
    pub(super) fn diagonals(&self, a: &L::Blocks) -> Result<Vec<Vec<f64>>, Error> {
        let mine = self.own.diagonals(a)?;
        let lists = Lists { owners: &self.blocks, lengths: self.orders() };
        let ranks = self.ranks.grid().ranks();
        let all = lists.all(ranks, (), |block| Slice::from(&mine[block][..]))?;
        Ok(all.into_iter().map(|list| list.plain().to_vec()).collect())
    }
}
