//! Matrices whose tiles lie in the memories of ranks.

use core::ops::Range;

use nonius_linalg::backend::{Cpu, Memory, View, ViewMut};
use nonius_linalg::threads::{Grain, for_each};
use nonius_linalg::{Error, MatRef, Matrix, Number};

use super::axis::Axis;
use super::cargo::Cargo;
use super::carry::{Carry, Link, columns_together};
use super::exchange::{Net, Wanted};
use super::matrix::{Tiled, TiledMut, TiledRef};
use super::ranks::Ranks;

/// Messages between two ranks that bring some columns of a matrix to hosts.
const MESSAGES: usize = 4;

impl<B: Link> Ranks<B> {
    pub(super) fn axes(&self, rows: usize, cols: usize) -> [Axis; 2] {
        let (p, q) = self.grid.shape();
        let tile = self.grid.tile();
        [Axis::new(tile, p, rows), Axis::new(tile, q, cols)]
    }

    /// The matrix with these entries, of which each rank makes those that it has: no rank has all.
    ///
    /// # Errors
    /// [`Error::TooLarge`] where a rank has not enough memory on its host.
    pub fn from_fn<T: Number>(
        &self,
        format: T::Format,
        rows: usize,
        cols: usize,
        entry: impl Fn(usize, usize) -> T + Sync,
    ) -> Result<Tiled<T, B>, Error>
    where
        B: Carry<T> + 'static,
    {
        let ([rows, cols], here) = (self.axes(rows, cols), self.grid.here());
        let (i, j) = (rows.numbers(here.0), cols.numbers(here.1));
        let mut mine = Matrix::try_zeros_in(format, i.len(), j.len())?;
        let columns = &mut mine.numbers_mut().pieces(i.len().max(1))[..];
        for_each(columns, Grain::ANY, |at, column| {
            i.iter().enumerate().for_each(|(row, &i)| column.set(row, entry(i, j[at])));
        });
        Ok(Tiled { local: self.local.upload(mine.view()), rows, cols, here })
    }

    /// Some rows of each column on every rank's host: those from the row on that `first` says of
    /// the columns beside it. The others are zeros.
    fn bring<T: Cargo>(
        &self,
        a: TiledRef<'_, T, B>,
        first: impl Fn(usize) -> usize,
    ) -> Result<Matrix<T>, Error>
    where
        B: Carry<T> + 'static,
    {
        self.attempt(|| {
            let (host, (rows, cols)) = (Cpu::default(), a.shape());
            let mut found = Matrix::try_zeros_in(a.format(), rows, cols)?;
            let net = Net { grid: &self.grid, backend: &host, wire: self.grid.ranks() };
            // Some messages at a time: memory for more would be another copy of the matrix.
            let width = MESSAGES * columns_together(rows * T::words_of(a.format()));
            for start in (0..cols).step_by(width) {
                let (top, width) = (first(start).min(rows), width.min(cols - start));
                let block = a.block(top, start, rows - top, width);
                let mine = self.local.download(block.local)?;
                let TiledRef { rows: tall, cols: wide, here, .. } = block;
                let mine = TiledRef { local: mine.view(), rows: tall, cols: wide, here };
                let whole = net.fetch(mine, Wanted::All, Wanted::All)?;
                let to = found.view_mut().block_mut(top, start, rows - top, width);
                host.copy(whole.view(), to);
            }
            Ok(found)
        })
    }
}

/// What two ranges have in common.
fn meet(one: &Range<usize>, other: &Range<usize>) -> Range<usize> {
    one.start.max(other.start)..one.end.min(other.end)
}

impl<T: Cargo, B: Carry<T> + 'static> Memory<T> for Ranks<B> {
    type Matrix = Tiled<T, B>;
    type Ref<'a> = TiledRef<'a, T, B>;
    type Mut<'a> = TiledMut<'a, T, B>;

    fn zeros(&self, format: T::Format, rows: usize, cols: usize) -> Tiled<T, B> {
        let (axes, here) = (self.axes(rows, cols), self.grid.here());
        let (height, width) = (axes[0].owned(here.0), axes[1].owned(here.1));
        let local = self.local.zeros(format, height, width);
        Tiled { local, rows: axes[0], cols: axes[1], here }
    }

    fn room(&self, format: T::Format, rows: usize, cols: usize) -> Tiled<T, B> {
        let (axes, here) = (self.axes(rows, cols), self.grid.here());
        let (height, width) = (axes[0].owned(here.0), axes[1].owned(here.1));
        let local = self.local.room(format, height, width);
        Tiled { local, rows: axes[0], cols: axes[1], here }
    }

    fn identity(&self, format: T::Format, rows: usize, cols: usize) -> Tiled<T, B> {
        let [row_axis, col_axis] = self.axes(rows, cols);
        let mut ones = self.zeros(format, rows, cols);
        let Tiled { local, here: (p, q), .. } = &mut ones;
        for run in row_axis.runs(*p) {
            for both in col_axis.runs(*q).into_iter().map(|other| meet(&run, &other)) {
                if !both.is_empty() {
                    let (row, col) =
                        (row_axis.place(both.start, *p), col_axis.place(both.start, *q));
                    let order = both.len();
                    let square = self.local.identity(format, order, order);
                    let to = self.local.view_mut(local).block_mut(row, col, order, order);
                    self.local.copy(self.local.view(&square), to);
                }
            }
        }
        ones
    }

    fn upload(&self, a: MatRef<'_, T>) -> Tiled<T, B> {
        let [rows, cols] = self.axes(a.rows(), a.cols());
        let here = self.grid.here();
        let mut mine = Matrix::zeros_in(a.format(), rows.owned(here.0), cols.owned(here.1));
        for (at, j) in cols.numbers(here.1).into_iter().enumerate() {
            let mut column = mine.column_mut(at);
            for run in rows.runs(here.0) {
                let at = rows.place(run.start, here.0);
                let to = column.reborrow().range(at..at + run.len());
                to.copy_from(a.column(j).range(run));
            }
        }
        Tiled { local: self.local.upload(mine.view()), rows, cols, here }
    }

    fn download(&self, a: TiledRef<'_, T, B>) -> Result<Matrix<T>, Error> {
        self.bring(a, |_| 0)
    }

    fn download_lower(&self, a: TiledRef<'_, T, B>) -> Result<Matrix<T>, Error> {
        self.bring(a, |column| column)
    }

    fn copy_of(&self, a: TiledRef<'_, T, B>) -> Tiled<T, B> {
        let (rows, cols) = a.shape();
        let mut copy = self.zeros(a.format(), rows, cols);
        self.copy(a, self.view_mut(&mut copy));
        copy
    }

    fn copy(&self, from: TiledRef<'_, T, B>, to: TiledMut<'_, T, B>) {
        if (from.rows, from.cols) == (to.rows, to.cols) {
            return self.local.copy(from.local, to.local);
        }
        self.queue(|| {
            let (rows, cols) = (Wanted::RowsOf(to.rows), Wanted::ColumnsOf(to.cols));
            let found = self.net().fetch(from, rows, cols)?;
            self.local.copy(self.local.view(&found), to.local);
            Ok(())
        });
    }

    fn view<'a>(&self, a: &'a Tiled<T, B>) -> TiledRef<'a, T, B> {
        TiledRef { local: self.local.view(&a.local), rows: a.rows, cols: a.cols, here: a.here }
    }

    fn view_mut<'a>(&self, a: &'a mut Tiled<T, B>) -> TiledMut<'a, T, B> {
        let Tiled { local, rows, cols, here } = a;
        TiledMut { local: self.local.view_mut(local), rows: *rows, cols: *cols, here: *here }
    }
}
