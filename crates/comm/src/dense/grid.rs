//! Rows and columns of ranks.

use core::ops::Range;

use crate::Communicator;

/// Ranks in rows and columns: rank `r` of `P × Q` is in row `r mod P`.
#[derive(Clone, Debug)]
pub struct Grid {
    ranks: Communicator,
    rows: usize,
    cols: usize,
    tile: usize,
}

impl Grid {
    /// The ranks in the most nearly square grid, for matrices with tiles of that order. It has no
    /// fewer columns than rows: best for LU, whose rows are exchanged.
    ///
    /// Panics where `tile` is zero.
    pub fn new(ranks: &Communicator, tile: usize) -> Self {
        assert_ne!(tile, 0, "order of tiles");
        let size = ranks.size();
        let fits = |rows: &usize| size.is_multiple_of(*rows) && rows * rows <= size;
        let rows = (1..=size).rev().find(fits).unwrap_or(1);
        Self { ranks: ranks.clone(), rows, cols: size / rows, tile }
    }

    /// The same with no fewer rows than columns: best for Cholesky, whose columns are shared out.
    ///
    /// Panics where `tile` is zero.
    pub fn tall(ranks: &Communicator, tile: usize) -> Self {
        let Self { ranks, rows, cols, tile } = Self::new(ranks, tile);
        Self { ranks, rows: cols, cols: rows, tile }
    }

    /// The ranks.
    pub fn ranks(&self) -> &Communicator {
        &self.ranks
    }

    /// How many rows and columns of ranks there are.
    pub fn shape(&self) -> (usize, usize) {
        (self.rows, self.cols)
    }

    /// The order of tiles.
    pub fn tile(&self) -> usize {
        self.tile
    }

    /// The row and column of a rank.
    pub(super) fn place(&self, rank: usize) -> (usize, usize) {
        (rank % self.rows, rank / self.rows)
    }

    /// A rank's part of `count` things, where all have as many, but for one.
    pub(super) fn even(&self, rank: usize, count: usize) -> Range<usize> {
        let [begin, end] = [rank, rank + 1].map(|cut| count * cut / self.ranks.size());
        begin..end
    }

    /// The row and column of this one.
    pub(super) fn here(&self) -> (usize, usize) {
        self.place(self.ranks.rank())
    }
}
