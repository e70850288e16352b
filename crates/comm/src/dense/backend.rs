//! What [`Ranks`] do as a backend.

use core::ops::Range;
use nonius_linalg::backend::{
    Breakdown, Gemm, Judge, Memory, Order, Panel, Prepare, Schedule, Syrk, Task, Trsm, View,
    ViewMut,
};
use nonius_linalg::dense::gemm::Report;
use nonius_linalg::dense::{Diagonal, Side, Transpose, Triangle};
use nonius_linalg::{Error, MatRef, Matrix, Number};

use super::axis::Axis;
use super::cargo::Cargo;
use super::exchange::{Wanted, fetch, keep};
use super::matrix::{Tiled, TiledMut, TiledRef};
use super::ranks::Ranks;

impl<B> Ranks<B> {
    pub(super) fn axes(&self, rows: usize, cols: usize) -> [Axis; 2] {
        let (p, q) = self.grid.shape();
        let tile = self.grid.tile();
        [Axis::new(tile, p, rows), Axis::new(tile, q, cols)]
    }

    fn fetched<T: Cargo>(
        &self,
        view: TiledRef<'_, T, B>,
        rows: Wanted<'_>,
        cols: Wanted<'_>,
    ) -> Result<Matrix<T>, Error>
    where
        B: Memory<T> + 'static,
    {
        fetch((&self.grid, &self.local), view, rows, cols)
    }

    /// Fetches what each rank wants of a rectangle, computes with it and keeps what is this rank's.
    fn replace<T: Cargo, R>(
        &self,
        a: TiledMut<'_, T, B>,
        rows: Wanted<'_>,
        cols: Wanted<'_>,
        compute: impl FnOnce(B::Mut<'_>) -> R,
    ) -> Result<R, Error>
    where
        B: Memory<T> + 'static,
    {
        let mut fetched = self.local.upload(self.fetched(a.read(), rows, cols)?.view());
        let result = compute(self.local.view_mut(&mut fetched));
        keep((&self.grid, &self.local), self.local.view(&fetched), a, rows, cols);
        Ok(result)
    }
}

impl<T: Cargo, B: Memory<T> + 'static> Memory<T> for Ranks<B> {
    type Matrix = Tiled<T, B>;
    type Ref<'a> = TiledRef<'a, T, B>;
    type Mut<'a> = TiledMut<'a, T, B>;

    fn zeros(&self, format: T::Format, rows: usize, cols: usize) -> Tiled<T, B> {
        let (axes, here) = (self.axes(rows, cols), self.grid.here());
        let (height, width) = (axes[0].owned(here.0), axes[1].owned(here.1));
        let local = self.local.zeros(format, height, width);
        Tiled { local, rows: axes[0], cols: axes[1], here }
    }

    fn identity(&self, format: T::Format, rows: usize, cols: usize) -> Tiled<T, B> {
        let [row_axis, col_axis] = self.axes(rows, cols);
        let here = self.grid.here();
        let numbers =
            |axis: Axis, part| -> Vec<usize> { axis.runs(part).into_iter().flatten().collect() };
        let (i, j) = (numbers(row_axis, here.0), numbers(col_axis, here.1));
        let ones = Matrix::from_fn_in(format, i.len(), j.len(), |row, col| {
            if i[row] == j[col] { T::ONE } else { T::ZERO }
        });
        Tiled { local: self.local.upload(ones.view()), rows: row_axis, cols: col_axis, here }
    }

    fn upload(&self, a: MatRef<'_, T>) -> Tiled<T, B> {
        let [rows, cols] = self.axes(a.rows(), a.cols());
        let here = self.grid.here();
        let mut mine = Matrix::zeros_in(a.format(), rows.owned(here.0), cols.owned(here.1));
        for j in cols.runs(here.1).into_iter().flatten() {
            let mut column = mine.column_mut(cols.place(j, here.1));
            for run in rows.runs(here.0) {
                let at = rows.place(run.start, here.0);
                let to = column.reborrow().range(at..at + run.len());
                to.copy_from(a.column(j).range(run));
            }
        }
        Tiled { local: self.local.upload(mine.view()), rows, cols, here }
    }

    fn download(&self, a: TiledRef<'_, T, B>) -> Result<Matrix<T>, Error> {
        self.attempt(|| self.fetched(a, Wanted::All, Wanted::All))
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
            let found = self.local.upload(self.fetched(from, rows, cols)?.view());
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

impl<T: Cargo, B: Gemm<T> + 'static> Gemm<T> for Ranks<B> {
    fn check_products(&self) -> Result<(), Error> {
        self.local.check_products()
    }

    fn gemm(
        &self,
        transpose_a: Transpose,
        transpose_b: Transpose,
        alpha: T,
        a: TiledRef<'_, T, B>,
        b: TiledRef<'_, T, B>,
        beta: T,
        c: TiledMut<'_, T, B>,
    ) -> Report {
        let report = self.attempt(|| {
            let (rows, cols) = (Wanted::RowsOf(c.rows), Wanted::ColumnsOf(c.cols));
            let a = match transpose_a {
                Transpose::No => self.fetched(a, rows, Wanted::All)?,
                Transpose::Yes => self.fetched(a, Wanted::All, rows)?,
            };
            let b = match transpose_b {
                Transpose::No => self.fetched(b, Wanted::All, cols)?,
                Transpose::Yes => self.fetched(b, cols, Wanted::All)?,
            };
            let [a, b] = [a, b].map(|matrix| self.local.upload(matrix.view()));
            let (a, b) = (self.local.view(&a), self.local.view(&b));
            Ok(self.local.gemm(transpose_a, transpose_b, alpha, a, b, beta, c.local))
        });
        report.unwrap_or_else(|_| Report::direct())
    }
}

impl<T: Cargo, B: Gemm<T> + Syrk<T> + 'static> Syrk<T> for Ranks<B> {
    fn syrk(
        &self,
        triangle: Triangle,
        transpose: Transpose,
        alpha: T,
        a: TiledRef<'_, T, B>,
        beta: T,
        c: TiledMut<'_, T, B>,
    ) {
        self.queue(|| {
            let (rows, cols) = (Wanted::RowsOf(c.rows), Wanted::ColumnsOf(c.cols));
            let [left, right] = match transpose {
                Transpose::No => [rows, cols].map(|lines| self.fetched(a, lines, Wanted::All)),
                Transpose::Yes => [rows, cols].map(|lines| self.fetched(a, Wanted::All, lines)),
            };
            let (left, right) = (self.local.upload(left?.view()), self.local.upload(right?.view()));
            let lines = [self.local.view(&left), self.local.view(&right)];
            Update { backend: self, triangle, transpose, alpha, lines, beta }.triangle(c);
            Ok(())
        });
    }
}

/// One triangle of a product, of which a rank has rows and columns.
struct Update<'a, T: Cargo, B: Gemm<T> + Syrk<T> + 'static> {
    backend: &'a Ranks<B>,
    triangle: Triangle,
    transpose: Transpose,
    alpha: T,
    /// The lines of this rank's rows, and of its columns.
    lines: [B::Ref<'a>; 2],
    beta: T,
}

impl<T: Cargo, B: Gemm<T> + Syrk<T> + 'static> Update<'_, T, B> {
    /// Columns between cuts of tiles come one after the other: what is beside the diagonal is a
    /// rectangle, and what is on it lies on this rank whole or not at all.
    fn triangle(&self, mut c: TiledMut<'_, T, B>) {
        let (p, q) = c.here;
        let (rows, cols) = (c.rows, c.cols);
        let mut cuts: Vec<usize> = rows.cuts().chain(cols.cuts()).collect();
        cuts.retain(|&cut| cut <= cols.count);
        cuts.sort_unstable();
        cuts.dedup();
        let mut start = 0;
        for end in cuts {
            let columns = cols.place(start, q)..cols.place(end, q);
            if columns.is_empty() {
                start = end;
                continue;
            }
            let (before, after) =
                (rows.place(start.min(rows.count), p), rows.place(end.min(rows.count), p));
            let beside = match self.triangle {
                Triangle::Lower => after..rows.owned(p),
                Triangle::Upper => 0..before,
            };
            let width = columns.len();
            if !beside.is_empty() {
                let c = c.local.reborrow();
                let c = c.block_mut(beside.start, columns.start, beside.len(), width);
                self.rectangle(&beside, &columns, c);
            }
            if before < after {
                let c = c.local.reborrow();
                let c = c.block_mut(before, columns.start, after - before, width);
                self.on_diagonal(&(before..after), c);
            }
            start = end;
        }
    }

    fn rectangle(&self, rows: &Range<usize>, columns: &Range<usize>, c: B::Mut<'_>) {
        let [left, right] = [(self.lines[0], rows), (self.lines[1], columns)]
            .map(|(lines, range)| self.part(lines, range));
        let other = match self.transpose {
            Transpose::No => Transpose::Yes,
            Transpose::Yes => Transpose::No,
        };
        let local = &self.backend.local;
        local.gemm(self.transpose, other, self.alpha, left, right, self.beta, c);
    }

    fn on_diagonal(&self, rows: &Range<usize>, c: B::Mut<'_>) {
        let lines = self.part(self.lines[0], rows);
        self.backend.local.syrk(self.triangle, self.transpose, self.alpha, lines, self.beta, c);
    }

    fn part<'b>(&self, lines: B::Ref<'b>, range: &Range<usize>) -> B::Ref<'b> {
        let (rows, cols) = lines.shape();
        match self.transpose {
            Transpose::No => lines.block(range.start, 0, range.len(), cols),
            Transpose::Yes => lines.block(0, range.start, rows, range.len()),
        }
    }
}

impl<T: Cargo, B: Trsm<T> + 'static> Trsm<T> for Ranks<B> {
    const ORDER: usize = B::ORDER;

    fn trsm(
        &self,
        side: Side,
        triangle: Triangle,
        transpose: Transpose,
        diagonal: Diagonal,
        alpha: T,
        a: TiledRef<'_, T, B>,
        b: TiledMut<'_, T, B>,
    ) {
        self.queue(|| {
            let a = self.local.upload(self.fetched(a, Wanted::All, Wanted::All)?.view());
            let (rows, cols) = match side {
                Side::Left => (Wanted::All, Wanted::ColumnsOf(b.cols)),
                Side::Right => (Wanted::RowsOf(b.rows), Wanted::All),
            };
            self.replace(b, rows, cols, |b| {
                let a = self.local.view(&a);
                self.local.trsm(side, triangle, transpose, diagonal, alpha, a, b);
            })
        });
    }
}

impl<T: Cargo, B: Panel<T> + 'static> Panel<T> for Ranks<B> {
    const WIDTH: usize = B::WIDTH;
    const BLOCK: usize = B::BLOCK;
    const SPAN: usize = B::SPAN;

    fn lu_panel(&self, a: TiledMut<'_, T, B>, pivots: &mut [usize]) -> Result<(), Breakdown> {
        let (rows, cols) = (Wanted::All, Wanted::All);
        // After a failure, which whoever fetches the result learns of, rows stay where they are.
        pivots.iter_mut().enumerate().for_each(|(i, pivot)| *pivot = i);
        let factor = |a: B::Mut<'_>| self.local.lu_panel(a, pivots);
        self.attempt(|| self.replace(a, rows, cols, factor)).unwrap_or(Ok(()))
    }

    fn cholesky_panel(
        &self,
        a: TiledMut<'_, T, B>,
        column: usize,
        watch: &B::Watch,
    ) -> Result<(), Breakdown> {
        let rows = Wanted::TopAndRowsOf(a.cols.count, a.rows);
        let factor = |a: B::Mut<'_>| self.local.cholesky_panel(a, column, watch);
        self.attempt(|| self.replace(a, rows, Wanted::All, factor)).unwrap_or(Ok(()))
    }

    type Watch = B::Watch;

    fn watch(&self) -> B::Watch {
        self.local.watch()
    }

    fn breakdown(&self, watch: B::Watch) -> Result<(), Breakdown> {
        self.local.breakdown(watch)
    }

    const COLUMNS: usize = B::COLUMNS;
    type Inverse = B::Inverse;

    fn lu_block(&self, a: TiledMut<'_, T, B>, pivots: &mut [usize]) -> Option<B::Inverse> {
        let (rows, cols) = (Wanted::All, Wanted::All);
        self.attempt(|| self.replace(a, rows, cols, |a| self.local.lu_block(a, pivots))).ok()?
    }

    fn solve_block(
        &self,
        inverse: &B::Inverse,
        triangle: Triangle,
        op: Transpose,
        b: TiledMut<'_, T, B>,
    ) {
        let cols = Wanted::ColumnsOf(b.cols);
        let solve = |b: B::Mut<'_>| self.local.solve_block(inverse, triangle, op, b);
        self.queue(|| self.replace(b, Wanted::All, cols, solve));
    }

    fn cholesky_block(&self, a: TiledMut<'_, T, B>) -> bool {
        let (rows, cols) = (Wanted::All, Wanted::All);
        let factored =
            self.attempt(|| self.replace(a, rows, cols, |a| self.local.cholesky_block(a)));
        factored.unwrap_or(false)
    }

    fn swap_rows(&self, a: TiledMut<'_, T, B>, pivots: &[usize], order: Order) {
        let mut touched: Vec<usize> = (0..pivots.len()).chain(pivots.iter().copied()).collect();
        touched.sort_unstable();
        touched.dedup();
        let place = |row: usize| touched.partition_point(|&other| other < row);
        let pivots: Vec<usize> = pivots.iter().map(|&pivot| place(pivot)).collect();
        let (rows, cols) = (Wanted::These(&touched), Wanted::ColumnsOf(a.cols));
        // The first rows are all touched, so that row `i` is at place `i`.
        let swap = |a: B::Mut<'_>| self.local.swap_rows(a, &pivots, order);
        self.queue(|| self.replace(a, rows, cols, swap));
    }
}

impl<T: Cargo, B: Memory<T> + 'static> Judge<T> for Ranks<B> {
    fn mirror_lower(&self, a: TiledMut<'_, T, B>) {
        self.queue(|| {
            let (p, q) = a.here;
            let (row_axis, col_axis) = (a.rows, a.cols);
            // Column `i` of what is fetched is row `i` of what this rank has.
            let (rows, cols) = (Wanted::ColumnsOf(col_axis), Wanted::RowsOf(row_axis));
            let mirrored = self.fetched(a.read(), rows, cols)?;
            let mut mine = self.local.download(a.local.as_ref())?;
            for i in row_axis.runs(p).into_iter().flatten() {
                for j in col_axis.runs(q).into_iter().flatten().filter(|&j| i < j) {
                    let (row, col) = (row_axis.place(i, p), col_axis.place(j, q));
                    mine.set(row, col, mirrored.at(col, row));
                }
            }
            let mine = self.local.upload(mine.view());
            self.local.copy(self.local.view(&mine), a.local);
            Ok(())
        });
    }
}

impl<T: Number, B: Prepare<T>> Prepare<T> for Ranks<B> {
    fn prepare(&self, task: Task, format: T::Format, order: usize, columns: usize) {
        self.local.prepare(task, format, order, columns);
    }
}

/// Steps of which each may communicate come one after the other, in the same order on all ranks,
/// and on the rank's own thread: a pool that ranks share would have too few to wait for messages.
impl<B: Sync> Schedule for Ranks<B> {}
