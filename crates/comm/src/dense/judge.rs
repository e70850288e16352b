//! How good solutions are, which ranks find together.

use nonius_linalg::backend::{Judge, Memory, Reading, Rearrange, View, ViewMut};
use nonius_linalg::{Error, Number, cpu};

use super::axis::common_cuts;
use super::cargo::Cargo;
use super::carry::{Carry, Link};
use super::exchange::Wanted;
use super::matrix::{TiledMut, TiledRef};
use super::ranks::Ranks;

impl<T: Cargo, B: Judge<T> + Rearrange<T> + Carry<T> + 'static> Judge<T> for Ranks<B> {
    /// Where the device of every rank would, and where a host alone would multiply matrices for it.
    fn judges(&self, format: T::Format, order: usize, columns: usize) -> bool {
        columns >= T::SLICING || self.devices_judge::<T>(format, order, columns)
    }

    /// Each rank finds the largest of the entries that it has.
    fn largest_residuals(
        &self,
        a: TiledRef<'_, T, B>,
        x: TiledRef<'_, T, B>,
        b: Option<TiledRef<'_, T, B>>,
    ) -> Result<Option<Vec<Reading>>, Error> {
        if let Some(b) = b {
            return self.largest(a, x, b);
        }
        let (order, columns) = x.shape();
        let ones = self.identity(x.format(), order, columns);
        self.largest(a, x, self.view(&ones))
    }

    fn mirror_lower(&self, mut a: TiledMut<'_, T, B>) {
        self.queue(|| {
            let (p, q) = a.here;
            let (rows, cols) = (a.rows, a.cols);
            // Column `i` of what is fetched is row `i` of what this rank has.
            let lower =
                self.net().fetch(a.read(), Wanted::ColumnsOf(cols), Wanted::RowsOf(rows))?;
            let upper = self.local.transpose_of(self.local.view(&lower));
            let upper = self.local.view(&upper);
            for both in common_cuts(rows, cols).windows(2) {
                let [above, below] = [both[0], both[1]].map(|cut| rows.place(cut, p));
                let [left, right] = [both[0], both[1]].map(|cut| cols.place(cut, q));
                let width = right - left;
                if width == 0 {
                    continue;
                }
                let to = a.local.reborrow().block_mut(0, left, above, width);
                self.local.copy(upper.block(0, left, above, width), to);
                if above < below {
                    let tile = a.local.reborrow().block_mut(above, left, below - above, width);
                    self.local.mirror_lower(tile);
                }
            }
            Ok(())
        });
    }
}

impl<B: Link> Ranks<B> {
    /// Whether the devices of all ranks judge the solution of the whole system. After a failure,
    /// which whoever fetches a result learns of, they do not.
    fn devices_judge<T: Number>(&self, format: T::Format, order: usize, columns: usize) -> bool
    where
        B: Judge<T>,
    {
        let here = self.local.judges(format, order, columns);
        self.attempt(|| self.agree(here)).unwrap_or(false)
    }

    fn largest<T: Cargo>(
        &self,
        a: TiledRef<'_, T, B>,
        x: TiledRef<'_, T, B>,
        b: TiledRef<'_, T, B>,
    ) -> Result<Option<Vec<Reading>>, Error>
    where
        B: Judge<T> + Carry<T> + 'static,
    {
        let on_devices = self.devices_judge::<T>(x.format(), x.rows.count, x.cols.count);
        let (rows, cols, all) = (Wanted::RowsOf(b.rows), Wanted::ColumnsOf(b.cols), Wanted::All);
        self.attempt(|| {
            let mine = self.net().with(a, rows, all, |a| {
                self.net().with(x, all, cols, |x| self.largest_here(on_devices, a, x, b.local))
            })?;
            let mut greatest = vec![Reading::ZERO; b.cols.count];
            for (rank, found) in self.gathered(&mine)?.into_iter().enumerate() {
                let columns = b.cols.runs(self.grid.place(rank).1).into_iter().flatten();
                columns.zip(found).for_each(|(j, x)| greatest[j] = greatest[j].max(x));
            }
            Ok(Some(greatest))
        })
    }

    /// The largest magnitudes of `b − a·x` in the columns that this rank has, among its rows.
    fn largest_here<T: Cargo>(
        &self,
        on_devices: bool,
        a: B::Ref<'_>,
        x: B::Ref<'_>,
        b: B::Ref<'_>,
    ) -> Result<Vec<Reading>, Error>
    where
        B: Judge<T>,
    {
        let (rows, columns) = b.shape();
        let has_none = rows == 0 || columns == 0;
        if on_devices {
            let found = match has_none {
                true => Some(vec![Reading::ZERO; columns]),
                false => self.local.largest_residuals(a, x, Some(b))?,
            };
            if self.agree(found.is_some())? {
                return Ok(found.unwrap_or_default());
            }
        }
        if has_none {
            return Ok(vec![Reading::ZERO; columns]);
        }
        let (a, x) = (self.local.download(a)?, self.local.download(x)?);
        let b = self.local.download(b)?;
        Ok(cpu::backward_error::largest_residuals(a.view(), x.view(), b.view()))
    }
}
