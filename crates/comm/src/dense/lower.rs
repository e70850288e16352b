//! Lower triangles that ranks form column by column.

use core::ops::Range;

use nonius_linalg::backend::{Memory, View, ViewMut};
use nonius_linalg::{Error, Matrix, Numbers, Slice};

use super::axis::Axis;
use super::cargo::Cargo;
use super::carry::{Carry, Link, TAG, lost};
use super::grid::Grid;
use super::matrix::Tiled;
use super::ranks::Ranks;

impl<B: Link> Ranks<B> {
    /// A matrix of zeros, where every rank has the memory.
    ///
    /// # Errors
    /// [`Error::TooLarge`]; [`Error::Device`] where another rank has failed.
    pub fn try_zeros<T: Cargo>(
        &self,
        format: T::Format,
        rows: usize,
        cols: usize,
    ) -> Result<Tiled<T, B>, Error>
    where
        B: Carry<T> + 'static,
    {
        self.attempt(|| {
            let (here, [row_axis, col_axis]) = (self.grid.here(), self.axes(rows, cols));
            let owned = (row_axis.owned(here.0), col_axis.owned(here.1));
            Matrix::<T>::try_zeros_in(format, owned.0, owned.1)
                .map_err(|_| Error::TooLarge { rows, cols })?;
            Ok(self.zeros(format, rows, cols))
        })
    }

    /// Fills the lower triangle of a square matrix, whose columns ranks have: column `j` is that of
    /// rank `owners[j]`. `mine` are the columns of this one, ascending, each from the diagonal
    /// down. There are zeros above the diagonal afterwards.
    ///
    /// Panics where there are not as many owners as columns, or where columns of this rank are
    /// missing or of another length.
    ///
    /// # Errors
    /// [`Error::Device`] where a rank has failed; [`Error::TooLarge`].
    pub fn fill_lower<T: Cargo>(
        &self,
        owners: &[usize],
        mine: &[Numbers<T>],
        to: &mut Tiled<T, B>,
    ) -> Result<(), Error>
    where
        B: Carry<T> + 'static,
    {
        let count = owners.len();
        assert_eq!((to.rows.count, to.cols.count), (count, count), "shape");
        let columns = Columns { grid: &self.grid, owners, rows: to.rows, cols: to.cols };
        self.attempt(|| {
            let (me, ranks) = (self.grid.ranks().rank(), self.grid.ranks());
            let others = (1..ranks.size()).map(|step| (me + step) % ranks.size());
            for rank in others.clone() {
                let words = columns.pack(mine, me, rank);
                if !words.is_empty() {
                    ranks.send_words(rank, TAG, words).map_err(lost)?;
                }
            }
            let format = self.local.view(&to.local).format();
            let (height, width) = (to.rows.owned(to.here.0), to.cols.owned(to.here.1));
            let mut found = Matrix::try_zeros_in(format, height, width)?;
            columns.unpack(&columns.pack(mine, me, me), (me, me), &mut found);
            for rank in others {
                let count = columns.count(rank, me) * T::words_of(format);
                if count > 0 {
                    let words = ranks.receive_words(rank, TAG, count).map_err(lost)?;
                    columns.unpack(&words, (rank, me), &mut found);
                }
            }
            to.local = self.local.upload(found.view());
            Ok(())
        })
    }

    /// Adds numbers to the diagonal of a matrix.
    ///
    /// Panics where they are not as many as rows and columns.
    ///
    /// # Errors
    /// [`Error::Device`] where a rank has failed.
    pub fn add_to_diagonal<T: Cargo>(
        &self,
        numbers: Slice<'_, T>,
        to: &mut Tiled<T, B>,
    ) -> Result<(), Error>
    where
        B: Carry<T> + 'static,
    {
        let (count, (p, q)) = (numbers.len(), to.here);
        assert_eq!((to.rows.count, to.cols.count), (count, count), "shape");
        self.attempt(|| {
            // Rows and columns are cut into the same tiles.
            let columns = to.cols.runs(q);
            for run in to.rows.runs(p).into_iter().filter(|run| columns.contains(run)) {
                let (i, j) = (to.rows.place(run.start, p), to.cols.place(run.start, q));
                let size = run.len();
                let tile = self.local.view(&to.local).block(i, j, size, size);
                let mut tile = self.local.download(tile)?;
                for (at, k) in run.enumerate() {
                    tile.set(at, at, tile.at(at, at) + numbers.at(k));
                }
                let tile = self.local.upload(tile.view());
                let place = self.local.view_mut(&mut to.local).block_mut(i, j, size, size);
                self.local.copy(self.local.view(&tile), place);
            }
            Ok(())
        })
    }
}

/// Columns on their way to tiles.
struct Columns<'a> {
    grid: &'a Grid,
    owners: &'a [usize],
    rows: Axis,
    cols: Axis,
}

impl Columns<'_> {
    /// What a rank has of the tiles of another one: columns, and rows from the diagonal down.
    fn pieces(&self, from: usize, to: usize) -> impl Iterator<Item = (usize, Range<usize>)> {
        let (p, q) = self.grid.place(to);
        let runs = self.rows.runs(p);
        let columns = self.cols.runs(q).into_iter().flatten();
        columns.filter(move |&j| self.owners[j] == from).flat_map(move |j| {
            let below = runs.iter().map(|run| run.start.max(j)..run.end);
            below.filter(|rows| !rows.is_empty()).map(|rows| (j, rows)).collect::<Vec<_>>()
        })
    }

    fn count(&self, from: usize, to: usize) -> usize {
        self.pieces(from, to).map(|(_, rows)| rows.len()).sum()
    }

    fn pack<T: Cargo>(&self, mine: &[Numbers<T>], from: usize, to: usize) -> Vec<u64> {
        let own: Vec<usize> = (0..self.owners.len()).filter(|&j| self.owners[j] == from).collect();
        let mut words = Vec::new();
        for (j, rows) in self.pieces(from, to) {
            let column = mine[own.partition_point(|&other| other < j)].as_slice();
            T::pack(column.range(rows.start - j..rows.end - j), &mut words);
        }
        words
    }

    fn unpack<T: Cargo>(&self, words: &[u64], (from, to): (usize, usize), tiles: &mut Matrix<T>) {
        let (p, q) = self.grid.place(to);
        let size = T::words_of(tiles.format());
        let mut rest = words;
        for (j, rows) in self.pieces(from, to) {
            let (some, others) = rest.split_at(rows.len() * size);
            let at = self.rows.place(rows.start, p);
            let column = tiles.column_mut(self.cols.place(j, q));
            T::unpack(some, column.range(at..at + rows.len()));
            rest = others;
        }
    }
}
