//! Triangular systems, panels and what else factorisations do.

use nonius_linalg::backend::{Breakdown, Dense, Order, Panel, Prepare, Schedule, Task, Trsm};
use nonius_linalg::dense::{Diagonal, Side, Transpose, Triangle, cholesky_columns, lu_in_place};
use nonius_linalg::{Error, Number};

use super::cargo::Cargo;
use super::carry::{Carry, Link};
use super::exchange::Wanted;
use super::matrix::{TiledMut, TiledRef};
use super::ranks::Ranks;

/// Columns that every rank factors, with all of their rows: their messages would take longer.
const MOST_COLUMNS: usize = 512;

impl<B: Link> Ranks<B> {
    /// Fetches what each rank wants of a rectangle, computes with it and keeps what is this rank's.
    fn replace<T: Cargo, R>(
        &self,
        a: TiledMut<'_, T, B>,
        rows: Wanted<'_>,
        cols: Wanted<'_>,
        compute: impl FnOnce(B::Mut<'_>) -> R,
    ) -> Result<R, Error>
    where
        B: Carry<T> + 'static,
    {
        if rows.is_here(a.rows) && cols.is_here(a.cols) {
            return Ok(compute(a.local));
        }
        let mut fetched = self.net().fetch(a.read(), rows, cols)?;
        let result = compute(self.local.view_mut(&mut fetched));
        self.net().keep(self.local.view(&fetched), a, rows, cols);
        Ok(result)
    }
}

impl<T: Cargo, B: Trsm<T> + Carry<T> + 'static> Trsm<T> for Ranks<B> {
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
            let a = self.net().fetch(a, Wanted::All, Wanted::All)?;
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

impl<T: Cargo, B: Dense<T> + Carry<T> + 'static> Panel<T> for Ranks<B> {
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

    fn cholesky_columns(
        &self,
        a: TiledMut<'_, T, B>,
        column: usize,
        watch: &B::Watch,
    ) -> Option<Result<(), Breakdown>> {
        let (rows, cols) = (Wanted::All, Wanted::All);
        let factor = |a: B::Mut<'_>| cholesky_columns(&self.local, a, column, watch);
        let here = a.cols.count <= MOST_COLUMNS;
        here.then(|| self.attempt(|| self.replace(a, rows, cols, factor)).unwrap_or(Ok(())))
    }

    fn lu_columns(
        &self,
        a: TiledMut<'_, T, B>,
        pivots: &mut [usize],
    ) -> Option<Result<(), Breakdown>> {
        if B::COLUMNS > 0 || a.cols.count > MOST_COLUMNS {
            return None;
        }
        let (rows, cols) = (Wanted::All, Wanted::All);
        // After a failure, which whoever fetches the result learns of, rows stay where they are.
        pivots.iter_mut().enumerate().for_each(|(i, pivot)| *pivot = i);
        let factor = |a: B::Mut<'_>| lu_in_place(&self.local, a, pivots).map(drop);
        Some(self.attempt(|| self.replace(a, rows, cols, factor)).unwrap_or(Ok(())))
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
        if a.rows.is_whole() {
            return self.queue(|| {
                self.local.swap_rows(a.local, pivots, order);
                Ok(())
            });
        }
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

impl<T: Number, B: Prepare<T> + Link> Prepare<T> for Ranks<B> {
    fn prepare(&self, task: Task, format: T::Format, order: usize, columns: usize) {
        self.local.prepare(task, format, order, columns);
    }
}

/// Steps of which each may communicate are begun one after the other, in the same order on all
/// ranks and on the rank's own thread: a pool that ranks share would have too few threads to wait
/// for messages.
impl<B: Link + Sync> Schedule for Ranks<B> {
    fn join<R: Send, S: Send>(
        &self,
        first: impl FnOnce() -> R + Send,
        second: impl FnOnce() -> S + Send,
    ) -> (R, S) {
        self.local.beside(first, second)
    }
}
