//! Triangular systems, panels and what else factorisations do.

use nonius_linalg::backend::{
    Breakdown, Cpu, Dense, Memory, Order, Panel, Prepare, Rearrange, Schedule, Task, Trsm, ViewMut,
};
use nonius_linalg::dense::{Diagonal, Side, Transpose, Triangle, cholesky_columns, lu_in_place};
use nonius_linalg::{Error, Number};

use super::axis::Axis;
use super::cargo::Cargo;
use super::carry::{Carry, Link, Queue};
use super::exchange::{Wanted, here};
use super::grid::Grid;
use super::matrix::{Tiled, TiledMut, TiledRef};
use super::ranks::Ranks;

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
        if let Some((height, width)) = here(&a.read(), rows, cols) {
            return Ok(compute(a.local.block_mut(0, 0, height, width)));
        }
        let mut fetched = self.net().fetch(a.read(), rows, cols)?;
        let result = compute(self.local.view_mut(&mut fetched));
        self.net().keep(self.local.view(&fetched), a, rows, cols);
        Ok(result)
    }

    /// Whether [`gather`](Self::gather) does anything.
    fn gathers<T: Cargo>(&self, a: TiledRef<'_, T, B>) -> bool
    where
        B: Carry<T> + 'static,
    {
        !(a.cols.is_whole() && a.rows.are_everywhere(a.cols.count.min(a.rows.count)))
    }

    /// Columns of which every rank gets the square on top, and the rows below of its row of ranks:
    /// what is computed with them takes no more messages.
    fn gather<T: Cargo>(&self, a: TiledRef<'_, T, B>) -> Result<Tiled<T, B>, Error>
    where
        B: Carry<T> + 'static,
    {
        let n = a.cols.count;
        let top = n.min(a.rows.count);
        let local = self.net().fetch(a, Wanted::TopAndRowsOf(top, a.rows), Wanted::All)?;
        let cols = Axis::new(n.max(1), 1, n);
        Ok(Tiled { local, rows: a.rows.sharing(top), cols, here: (a.here.0, 0) })
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
        let (rows, cols) = match side {
            Side::Left => (Wanted::All, Wanted::ColumnsOf(b.cols)),
            Side::Right => (Wanted::RowsOf(b.rows), Wanted::All),
        };
        self.queue(|| {
            self.net().with(a, Wanted::All, Wanted::All, |a| {
                let solve = |b: B::Mut<'_>| {
                    self.local.trsm(side, triangle, transpose, diagonal, alpha, a, b);
                };
                self.replace(b, rows, cols, solve)
            })
        });
    }
}

impl<T: Cargo, B: Dense<T> + Rearrange<T> + Queue<T> + 'static> Panel<T> for Ranks<B> {
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
        if a.cols.count > B::CHOLESKY_COLUMNS || !self.gathers(a.read()) {
            return None;
        }
        let factored = self.attempt(|| {
            let mut gathered = self.gather(a.read())?;
            let factored = cholesky_columns(self, self.view_mut(&mut gathered), column, watch);
            let (rows, gathered) = (Wanted::TopAndRowsOf(a.cols.count, a.rows), gathered.local);
            self.net().keep(self.local.view(&gathered), a, rows, Wanted::All);
            Ok(factored)
        });
        Some(factored.unwrap_or(Ok(())))
    }

    fn lu_columns(
        &self,
        a: TiledMut<'_, T, B>,
        pivots: &mut [usize],
    ) -> Option<Result<(), Breakdown>> {
        let whole = a.rows.is_whole() && a.cols.is_whole();
        if B::COLUMNS > 0 || whole || a.cols.count > B::LU_COLUMNS {
            return None;
        }
        let (rows, cols) = (Wanted::All, Wanted::All);
        // After a failure, which whoever fetches the result learns of, rows stay where they are.
        pivots.iter_mut().enumerate().for_each(|(i, pivot)| *pivot = i);
        let factor = |a: B::Mut<'_>| lu_in_place(&self.local, a, pivots).map(drop);
        Some(self.attempt(|| self.replace(a, rows, cols, factor)).unwrap_or(Ok(())))
    }

    fn gathered(&self, a: TiledRef<'_, T, B>) -> Option<Tiled<T, B>> {
        if !self.gathers(a) {
            return None;
        }
        self.attempt(|| self.gather(a)).ok()
    }

    type Watch = B::Watch;

    fn watch(&self) -> B::Watch {
        self.local.watch()
    }

    fn breakdown(&self, watch: B::Watch) -> Result<(), Breakdown> {
        let found = self.local.breakdown(watch);
        // After a failure, which whoever fetches the result learns of, nothing has broken down.
        self.attempt(|| Ok(found)).unwrap_or(Ok(()))
    }

    const COLUMNS: usize = B::COLUMNS;
    type Inverse = B::Inverse;

    fn lu_block(&self, a: TiledMut<'_, T, B>, pivots: &mut [usize]) -> Option<B::Inverse> {
        if B::COLUMNS == 0 {
            return None;
        }
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
        if B::COLUMNS == 0 {
            return false;
        }
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

    fn for_few(&self) -> Option<Cpu> {
        self.local.for_few()
    }

    /// In a tall grid.
    fn for_cholesky(&self) -> Self {
        self.with_grid(Grid::tall(self.grid.ranks(), self.grid.tile()))
    }
}
