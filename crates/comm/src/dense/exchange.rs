//! Entries on their way from the ranks that have them to those that want them.

use core::ops::Range;

use nonius_linalg::backend::{Memory, View, ViewMut};
use nonius_linalg::{Error, Number};

use super::axis::Axis;
use super::carry::{Carry, Link};
use super::grid::Grid;
use super::matrix::{TiledMut, TiledRef};
use super::piece::{Common, Piece, copy};
use super::ranks::Ranks;

/// Rows or columns of a rectangle that each rank wants.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wanted<'a> {
    /// All of them, every rank.
    All,
    /// Those whose numbers in another rectangle are of a rank's row of ranks.
    RowsOf(Axis),
    /// Those whose numbers in another rectangle are of a rank's column of ranks.
    ColumnsOf(Axis),
    /// Of the same rows, one after the other, the share that a rank has in its row of ranks.
    ShareOf(Axis),
    /// The others of them.
    OthersOf(Axis),
    /// The first `.0`, and of the rest those of a rank's row of ranks.
    TopAndRowsOf(usize, Axis),
    /// These, ascending.
    These(&'a [usize]),
    /// All of them, this rank alone.
    Only(usize),
    /// As many as the others, one rank's after the other's.
    Even,
}

impl Wanted<'_> {
    /// What a rank wants of `count`, ascending.
    pub(super) fn of(self, grid: &Grid, rank: usize, count: usize) -> Vec<Range<usize>> {
        let (p, q) = grid.place(rank);
        match self {
            Self::All => core::iter::once(0..count).collect(),
            Self::RowsOf(axis) => axis.runs(p),
            Self::ColumnsOf(axis) => axis.runs(q),
            Self::ShareOf(axis) => among(&axis.runs(p), &share(axis, grid, rank)),
            Self::OthersOf(axis) => {
                let (runs, own) = (axis.runs(p), share(axis, grid, rank));
                let mut others = among(&runs, &(0..own.start));
                others.extend(among(&runs, &(own.end..axis.owned(p))));
                others
            }
            Self::TopAndRowsOf(top, axis) => {
                let below = axis.runs(p).into_iter().map(|run| run.start.max(top)..run.end);
                core::iter::once(0..top).chain(below.filter(|run| run.start < run.end)).collect()
            }
            Self::Only(one) => core::iter::once(0..count).filter(|_| one == rank).collect(),
            Self::Even => {
                core::iter::once(grid.even(rank, count)).filter(|x| !x.is_empty()).collect()
            }
            Self::These(these) => these.iter().map(|&one| one..one + 1).collect(),
        }
    }

    /// How many of the first of a rank's `length` rows, that lie so, are what the rank wants, and
    /// so on every rank.
    fn of_rows_here(self, rows: Axis, length: usize) -> Option<usize> {
        match self {
            Self::RowsOf(axis) if axis == rows => Some(length),
            Self::TopAndRowsOf(top, axis) => {
                (axis == rows && rows.are_everywhere(top)).then_some(length)
            }
            _ => self.everywhere(rows),
        }
    }

    /// The same of columns.
    fn of_columns_here(self, cols: Axis, length: usize) -> Option<usize> {
        match self {
            Self::ColumnsOf(axis) if axis == cols => Some(length),
            _ => self.everywhere(cols),
        }
    }

    /// How many of the first rows or columns all ranks want, where all have them.
    fn everywhere(self, axis: Axis) -> Option<usize> {
        let count = match self {
            Self::All => axis.count,
            Self::RowsOf(other) | Self::ColumnsOf(other) if other.is_whole() => other.count,
            _ => return None,
        };
        axis.are_everywhere(count).then_some(count)
    }
}

/// The shape of the first rows and columns of what a rank has, where this is what every rank wants.
pub(super) fn here<T: Number, B: Memory<T> + 'static>(
    view: &TiledRef<'_, T, B>,
    rows: Wanted<'_>,
    cols: Wanted<'_>,
) -> Option<(usize, usize)> {
    let (height, width) = view.local.shape();
    Some((rows.of_rows_here(view.rows, height)?, cols.of_columns_here(view.cols, width)?))
}

/// Which of the rows that a rank's row of ranks has are its share of them: about as many as that of
/// every other rank.
pub(super) fn share(rows: Axis, grid: &Grid, rank: usize) -> Range<usize> {
    let ((p, q), (_, parts)) = (grid.place(rank), grid.shape());
    let cut = |part| rows.owned(p) * part / parts;
    cut(q)..cut(q + 1)
}

/// Those of some runs that have these places, where one run follows the other.
fn among(runs: &[Range<usize>], places: &Range<usize>) -> Vec<Range<usize>> {
    let mut next = 0;
    let run = |run: &Range<usize>| {
        let first = next;
        next += run.len();
        let [start, end] = [places.start, places.end].map(|place| place.clamp(first, next) - first);
        run.start + start..run.start + end
    };
    runs.iter().map(run).filter(|run| !run.is_empty()).collect()
}

fn length(runs: &[Range<usize>]) -> usize {
    runs.iter().map(Range::len).sum()
}

/// Ranks with their memories, and what carries matrices between these.
pub(super) struct Net<'a, B: Link> {
    pub(super) grid: &'a Grid,
    pub(super) backend: &'a B,
    pub(super) wire: &'a B::Wire,
}

impl<B: Link> Ranks<B> {
    pub(super) fn net(&self) -> Net<'_, B> {
        Net { grid: &self.grid, backend: &self.local, wire: &self.wire }
    }
}

impl<B: Link> Net<'_, B> {
    /// Fetches the rows and columns that each rank wants of a rectangle: all ranks call it.
    pub(super) fn fetch<T: Number>(
        &self,
        view: TiledRef<'_, T, B>,
        rows: Wanted<'_>,
        cols: Wanted<'_>,
    ) -> Result<B::Matrix, Error>
    where
        B: Carry<T> + 'static,
    {
        let Self { grid, backend, wire } = *self;
        let (me, format) = (grid.ranks().rank(), view.local.format());
        let of_all = [view.rows, view.cols].map(|axis| axis.are_everywhere(axis.count));
        let size = if of_all == [true; 2] { 1 } else { grid.ranks().size() };
        // Who would send them?
        assert!(size == 1 || view.rows.shared() == 0, "some rows are on all ranks");
        let shape = view.shape();
        let wanted = |rank| (rows.of(grid, rank, shape.0), cols.of(grid, rank, shape.1));
        let common = |from, (rows, cols): &(Vec<_>, Vec<_>)| {
            let (p, q) = grid.place(from);
            [Common::new(view.rows, p, rows), Common::new(view.cols, q, cols)]
        };
        let mine = wanted(me);
        let given = (1..size).map(|step| (me + step) % size);
        let given = given.filter_map(|to| Piece::given(to, common(me, &wanted(to))));
        let taken = (1..size).map(|step| (me + size - step) % size);
        let taken = taken.filter_map(|from| Piece::taken(from, common(from, &mine)));
        let (given, taken) = (given.collect::<Vec<_>>(), taken.collect::<Vec<_>>());
        let mut found = backend.room(format, length(&mine.0), length(&mine.1));
        let [rows, cols] = common(me, &mine);
        copy(backend, view.local, &mut found, [&rows.moved, &cols.moved]);
        if size > 1 {
            backend.exchange(wire, view.local, &given, &mut found, &taken)?;
        }
        Ok(found)
    }

    /// Does something with what [`fetch`](Self::fetch) fetches, or with what this rank has where
    /// every rank wants just that.
    pub(super) fn with<T: Number, R>(
        &self,
        view: TiledRef<'_, T, B>,
        rows: Wanted<'_>,
        cols: Wanted<'_>,
        work: impl FnOnce(B::Ref<'_>) -> Result<R, Error>,
    ) -> Result<R, Error>
    where
        B: Carry<T> + 'static,
    {
        if let Some((height, width)) = here(&view, rows, cols) {
            return work(view.local.block(0, 0, height, width));
        }
        let found = self.fetch(view, rows, cols)?;
        work(self.backend.view(&found))
    }

    /// Puts what this rank has wanted, and computed with, where it belongs: those entries that are
    /// this rank's. Rows and columns are those that [`fetch`](Self::fetch) had.
    pub(super) fn keep<T: Number>(
        &self,
        from: B::Ref<'_>,
        mut to: TiledMut<'_, T, B>,
        rows: Wanted<'_>,
        cols: Wanted<'_>,
    ) where
        B: Memory<T> + 'static,
    {
        let (me, (p, q)) = (self.grid.ranks().rank(), to.here);
        let rows = Common::new(to.rows, p, &rows.of(self.grid, me, to.rows.count));
        let cols = Common::new(to.cols, q, &cols.of(self.grid, me, to.cols.count));
        for col in &cols.moved {
            for row in &rows.moved {
                let (height, width) = (row.count, col.count);
                let source = from.block(row.to, col.to, height, width);
                let target = to.local.reborrow().block_mut(row.from, col.from, height, width);
                self.backend.copy(source, target);
            }
        }
    }
}
