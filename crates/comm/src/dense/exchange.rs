//! Entries on their way from the ranks that have them to those that want them.

use core::ops::Range;

use nonius_linalg::backend::{Memory, View, ViewMut};
use nonius_linalg::{DeviceFailure, Error, Matrix};

use super::axis::Axis;
use super::cargo::Cargo;
use super::grid::Grid;
use super::matrix::{TiledMut, TiledRef};

/// Ranks call all operations in one order, so that one tag does.
const TAG: u16 = 0;

/// Rows or columns of a rectangle that each rank wants.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wanted<'a> {
    /// All of them, every rank.
    All,
    /// Those whose numbers in another rectangle are of a rank's row of ranks.
    RowsOf(Axis),
    /// Those whose numbers in another rectangle are of a rank's column of ranks.
    ColumnsOf(Axis),
    /// The first `.0`, and of the rest those of a rank's row of ranks.
    TopAndRowsOf(usize, Axis),
    /// These, ascending.
    These(&'a [usize]),
    /// All of them, this rank alone.
    Only(usize),
}

impl Wanted<'_> {
    /// What a rank wants of `count`, ascending.
    pub(super) fn of(self, grid: &Grid, rank: usize, count: usize) -> Vec<Range<usize>> {
        let (p, q) = grid.place(rank);
        match self {
            Self::All => core::iter::once(0..count).collect(),
            Self::RowsOf(axis) => axis.runs(p),
            Self::ColumnsOf(axis) => axis.runs(q),
            Self::TopAndRowsOf(top, axis) => {
                let below = axis.runs(p).into_iter().map(|run| run.start.max(top)..run.end);
                core::iter::once(0..top).chain(below.filter(|run| run.start < run.end)).collect()
            }
            Self::Only(one) => core::iter::once(0..count).filter(|_| one == rank).collect(),
            Self::These(these) => these.iter().map(|&one| one..one + 1).collect(),
        }
    }
}

/// A run that two lists have in common, and its place in the second one.
struct Common {
    run: Range<usize>,
    place: usize,
}

fn common(owned: &[Range<usize>], wanted: &[Range<usize>]) -> Vec<Common> {
    let (mut found, mut place, mut owned) = (Vec::new(), 0, owned.iter().peekable());
    for range in wanted {
        while let Some(&run) = owned.peek() {
            let both = run.start.max(range.start)..run.end.min(range.end);
            if both.start < both.end {
                found.push(Common { place: place + both.start - range.start, run: both });
            }
            if run.end > range.end {
                break;
            }
            owned.next();
        }
        place += range.len();
    }
    found
}

fn length(runs: &[Range<usize>]) -> usize {
    runs.iter().map(Range::len).sum()
}

/// Fetches the rows and columns that each rank wants of a rectangle: all ranks call it.
pub(super) fn fetch<T: Cargo, B: Memory<T>>(
    (grid, backend): (&Grid, &B),
    view: TiledRef<'_, T, B>,
    rows: Wanted<'_>,
    cols: Wanted<'_>,
) -> Result<Matrix<T>, Error> {
    let (ranks, format) = (grid.ranks(), view.local.format());
    let (me, size) = (ranks.rank(), T::words_of(format));
    let shape = view.shape();
    let wanted = |rank| (rows.of(grid, rank, shape.0), cols.of(grid, rank, shape.1));
    let owned = |rank| {
        let (p, q) = grid.place(rank);
        (view.rows.runs(p), view.cols.runs(q))
    };
    let mine = backend.download(view.local)?;
    let (p, q) = view.here;
    let (my_rows, my_cols) = owned(me);
    let mut own = Vec::new();
    for to in (0..ranks.size()).map(|step| (me + step) % ranks.size()) {
        let (rows, cols) = wanted(to);
        let (rows, cols) = (common(&my_rows, &rows), common(&my_cols, &cols));
        let mut words = Vec::new();
        for col in cols.iter().flat_map(|common| common.run.clone()) {
            let column = mine.column(view.cols.place(col, q));
            for Common { run, .. } in &rows {
                let from = view.rows.place(run.start, p);
                T::pack(column.range(from..from + run.len()), &mut words);
            }
        }
        if to == me {
            own = words;
        } else if !words.is_empty() {
            ranks.send(to, TAG, &words).map_err(lost)?;
        }
    }
    let (rows, cols) = wanted(me);
    let mut found = Matrix::try_zeros_in(format, length(&rows), length(&cols))?;
    for from in (0..ranks.size()).map(|step| (me + step) % ranks.size()) {
        let (of_rows, of_cols) = owned(from);
        let (rows, cols) = (common(&of_rows, &rows), common(&of_cols, &cols));
        let height: usize = rows.iter().map(|common| common.run.len()).sum();
        let width: usize = cols.iter().map(|common| common.run.len()).sum();
        if height * width == 0 {
            continue;
        }
        let words = if from == me {
            core::mem::take(&mut own)
        } else {
            let mut words = vec![0; height * width * size];
            ranks.receive(from, TAG, &mut words).map_err(lost)?;
            words
        };
        let mut rest = &words[..];
        for col in cols.iter().flat_map(|common| common.place..common.place + common.run.len()) {
            let mut column = found.column_mut(col);
            for Common { run, place } in &rows {
                let (some, others) = rest.split_at(size * run.len());
                T::unpack(some, column.reborrow().range(*place..place + run.len()));
                rest = others;
            }
        }
    }
    Ok(found)
}

/// Puts what this rank has wanted, and computed with, where it belongs: those entries that are this
/// rank's. Rows and columns are those that [`fetch`] had.
pub(super) fn keep<T: Cargo, B: Memory<T>>(
    (grid, backend): (&Grid, &B),
    from: B::Ref<'_>,
    mut to: TiledMut<'_, T, B>,
    rows: Wanted<'_>,
    cols: Wanted<'_>,
) {
    let (me, (p, q)) = (grid.ranks().rank(), to.here);
    let (row_axis, col_axis) = (to.rows, to.cols);
    let rows = common(&row_axis.runs(p), &rows.of(grid, me, row_axis.count));
    let cols = common(&col_axis.runs(q), &cols.of(grid, me, col_axis.count));
    for col in &cols {
        for row in &rows {
            let (height, width) = (row.run.len(), col.run.len());
            let source = from.block(row.place, col.place, height, width);
            let (i, j) = (row_axis.place(row.run.start, p), col_axis.place(col.run.start, q));
            backend.copy(source, to.local.reborrow().block_mut(i, j, height, width));
        }
    }
}

pub(super) fn lost(error: crate::Error) -> Error {
    Error::Device(DeviceFailure::new(error))
}
