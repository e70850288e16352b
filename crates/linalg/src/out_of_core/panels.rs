//! Panels of factorisations, which are on the device with all of their rows.

use super::products::Device;
use super::{OutOfCore, lines, pieces};
use crate::backend::{Breakdown, Cpu, Dense, Memory, Order, Panel};
use crate::dense::{Transpose, Triangle, cholesky_columns, lu_in_place};
use crate::{Error, MatMut, Number};

impl<B> OutOfCore<B> {
    /// Copies a result from the device.
    pub(super) fn fetch<T: Number>(
        &self,
        from: &B::Matrix,
        mut to: MatMut<'_, T>,
    ) -> Result<(), Error>
    where
        B: Memory<T>,
    {
        to.copy_from(self.device.download(self.device.view(from))?.view());
        Ok(())
    }

    /// Does something with a matrix on the device.
    fn replace<T: Number, R>(
        &self,
        a: MatMut<'_, T>,
        work: impl FnOnce(B::Mut<'_>) -> R,
    ) -> Result<R, Error>
    where
        B: Memory<T>,
    {
        self.attempt(|| {
            let mut there = self.device.upload(a.as_ref());
            let result = work(self.device.view_mut(&mut there));
            self.fetch(&there, a)?;
            Ok(result)
        })
    }

    /// Whether a matrix is on the device as a whole.
    fn holds<T: Number>(&self, a: &MatMut<'_, T>) -> bool {
        a.rows() * a.cols() <= self.room::<T>(a.format())
    }
}

impl<T: Number, B: Device<T> + Dense<T>> Panel<T> for OutOfCore<B> {
    const WIDTH: usize = B::WIDTH;
    const BLOCK: usize = B::BLOCK;
    const SPAN: usize = B::SPAN;

    fn lu_panel(&self, a: MatMut<'_, T>, pivots: &mut [usize]) -> Result<(), Breakdown> {
        // Whoever fetches the result learns of a failure, here and below.
        self.replace(a, |a| self.device.lu_panel(a, pivots)).unwrap_or(Ok(()))
    }

    fn cholesky_panel(
        &self,
        a: MatMut<'_, T>,
        column: usize,
        watch: &B::Watch,
    ) -> Result<(), Breakdown> {
        self.replace(a, |a| self.device.cholesky_panel(a, column, watch)).unwrap_or(Ok(()))
    }

    type Watch = B::Watch;

    fn watch(&self) -> B::Watch {
        self.device.watch()
    }

    fn breakdown(&self, watch: B::Watch) -> Result<(), Breakdown> {
        self.device.breakdown(watch)
    }

    fn cholesky_columns(
        &self,
        a: MatMut<'_, T>,
        column: usize,
        watch: &B::Watch,
    ) -> Option<Result<(), Breakdown>> {
        let factor = |a: B::Mut<'_>| cholesky_columns(&self.device, a, column, watch);
        self.holds(&a).then(|| self.replace(a, factor).unwrap_or(Ok(())))
    }

    fn lu_columns(&self, a: MatMut<'_, T>, pivots: &mut [usize]) -> Option<Result<(), Breakdown>> {
        if B::COLUMNS > 0 || !self.holds(&a) {
            return None;
        }
        let factor = |a: B::Mut<'_>| lu_in_place(&self.device, a, pivots).map(drop);
        Some(self.replace(a, factor).unwrap_or(Ok(())))
    }

    const COLUMNS: usize = B::COLUMNS;
    type Inverse = B::Inverse;

    fn lu_block(&self, a: MatMut<'_, T>, pivots: &mut [usize]) -> Option<B::Inverse> {
        if B::COLUMNS == 0 {
            return None;
        }
        self.replace(a, |a| self.device.lu_block(a, pivots)).ok()?
    }

    fn solve_block(
        &self,
        inverse: &B::Inverse,
        triangle: Triangle,
        op: Transpose,
        b: MatMut<'_, T>,
    ) {
        let (n, cols) = b.shape();
        let ranges = pieces(cols, lines(self.room::<T>(b.format()) / 3 / n.max(1), cols));
        let device = &self.device;
        let solve = |piece: &mut B::Matrix| {
            device.solve_block(inverse, triangle, op, device.view_mut(piece));
        };
        self.queue(|| {
            self.stream(
                ranges,
                b,
                |range, b| device.upload(b.block(0, range.start, n, range.len())),
                solve,
                |range, piece, b| self.fetch(&piece, b.block_mut(0, range.start, n, range.len())),
            )
        });
    }

    fn cholesky_block(&self, a: MatMut<'_, T>) -> bool {
        B::COLUMNS > 0 && self.replace(a, |a| self.device.cholesky_block(a)).unwrap_or(false)
    }

    fn swap_rows(&self, a: MatMut<'_, T>, pivots: &[usize], order: Order) {
        Cpu::default().swap_rows(a, pivots, order);
    }
}
