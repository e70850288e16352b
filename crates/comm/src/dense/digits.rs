//! Ranks that prove digits together: a [`Machine`].
//!
//! Products of matrices and inverses of `f64` matrices are those of [tiles](super). A bound that is
//! a sum over a row or a column is found by one rank, for an even share of the rows or columns, in
//! the order of one device; bounds that are maxima are joined. So every rank has the bounds of one
//! device, and takes its decisions. Where a device inverts by a library of its own, every rank
//! inverts the whole `f64` matrix: its bits are those of no other algorithm.
//!
//! Hosts share the rows of residuals where right-hand sides are refined one after the other.

use core::ops::Range;

use nonius_linalg::backend::{Cpu, Gemm, Memory, Rearrange, View};
use nonius_linalg::certified::{
    Bounds, Correction, Held, HostRows, Judged, Machine, Magnitude, Triangles, inverse_by_factors,
    triangles_by_factors,
};
use nonius_linalg::dense::Transpose;
use nonius_linalg::{Error, compile_proofs, mp};
use nonius_num::Mp;
use nonius_num::mp::Bits;

use super::axis::Axis;
use super::cargo::Cargo;
use super::carry::{Carry, Link, Queue, lost};
use super::exchange::Wanted;
use super::matrix::{Tiled, TiledRef};
use super::ranks::Ranks;
use crate::{Item, Packed, Reduction};

compile_proofs!(Ranks<Cpu>);
#[cfg(feature = "cuda")]
compile_proofs!(Ranks<nonius_cuda::Cuda>);

/// A device that proves digits with others.
pub trait Proves:
    Machine<Numbers = <Self as Memory<Mp>>::Matrix>
    + Memory<Mp, Matrix: Held>
    + Rearrange<f64>
    + Queue<f64>
    + Queue<Mp>
    + 'static
{
}

impl<B> Proves for B where
    B: Machine<Numbers = <B as Memory<Mp>>::Matrix>
        + Memory<Mp, Matrix: Held>
        + Rearrange<f64>
        + Queue<f64>
        + Queue<Mp>
        + 'static
{
}

impl<B: Memory<Mp, Matrix: Held> + 'static> Held for Tiled<Mp, B> {
    fn bits(&self) -> Bits {
        self.local.bits()
    }

    fn shape(&self) -> (usize, usize) {
        (self.rows.count, self.cols.count)
    }
}

impl<B: Proves> Machine for Ranks<B> {
    type Numbers = Tiled<Mp, B>;

    const TOGETHER: usize = B::TOGETHER;
    const DIRECT: bool = B::DIRECT;
    const SUSPICIOUS: u32 = B::SUSPICIOUS;
    const ELIMINATION: f64 = B::ELIMINATION;

    fn hold(&self, a: &mp::Matrix) -> Result<Self::Numbers, Error> {
        self.attempt(|| Ok(self.upload(a.view())))
    }

    fn fetch(&self, a: &Self::Numbers) -> Result<mp::Matrix, Error> {
        self.download(self.view(a))
    }

    fn rounded(&self, a: &Self::Numbers, bits: Bits) -> Result<Self::Numbers, Error> {
        self.attempt(|| Ok(a.alike(self.local.rounded(&a.local, bits)?)))
    }

    fn widened(&self, a: TiledRef<'_, f64, B>, bits: Bits) -> Result<Self::Numbers, Error> {
        self.attempt(|| {
            let (axes, part) = self.transposed_part(a)?;
            let part = Memory::<f64>::view(&self.local, &part);
            Ok(self.of_part(axes, self.local.widened(part, bits)?))
        })
    }

    fn nearest(&self, a: &Self::Numbers) -> Result<Tiled<f64, B>, Error> {
        self.attempt(|| {
            let (axes, part) = self.transposed_part(Memory::<Mp>::view(self, a))?;
            Ok(self.of_part(axes, self.local.nearest(&part)?))
        })
    }

    fn product(
        &self,
        transposed: bool,
        a: &Self::Numbers,
        b: &Self::Numbers,
    ) -> Result<Self::Numbers, Error> {
        let op = if transposed { Transpose::Yes } else { Transpose::No };
        let (rows, _) = op.shape(Held::shape(a));
        let mut c = Memory::<Mp>::room(self, b.bits(), rows, b.cols.count);
        if self.local.by_rows(transposed, [a.bits(), b.bits()], b.cols.count) {
            let (lines, all) = (Wanted::RowsOf(c.rows), Wanted::All);
            self.attempt(|| {
                let (net, view) = (self.net(), |x| Memory::<Mp>::view(self, x));
                let of_a = if transposed { [all, lines] } else { [lines, all] };
                let a = net.fetch(view(a), of_a[0], of_a[1])?;
                let found = self.local.product(transposed, &a, &net.fetch(view(b), all, all)?)?;
                let found = Memory::<Mp>::view(&self.local, &found);
                net.keep(found, Memory::<Mp>::view_mut(self, &mut c), lines, all);
                Ok(())
            })?;
            return Ok(c);
        }
        let wide = (a.bits() < b.bits()).then(|| self.rounded(a, b.bits())).transpose()?;
        let (a, b) = (self.view(wide.as_ref().unwrap_or(a)), self.view(b));
        let to = self.view_mut(&mut c);
        self.for_products().gemm(op, Transpose::No, Mp::ONE, a, b, Mp::ZERO, to);
        self.attempt(|| Ok(c))
    }

    fn for_products(&self) -> Self {
        self.with_local(self.local.for_products())
    }

    fn by_rows(&self, transposed: bool, bits: [Bits; 2], columns: usize) -> bool {
        self.local.by_rows(transposed, bits, columns)
    }

    fn difference(&self, a: &Self::Numbers, b: &Self::Numbers) -> Result<Self::Numbers, Error> {
        self.attempt(|| Ok(a.alike(self.local.difference(&a.local, &b.local)?)))
    }

    fn column_sums(&self, a: &Self::Numbers, weights: &[f64]) -> Result<Vec<Magnitude>, Error> {
        self.by_columns(a, |part, _| self.local.column_sums(part, weights))
    }

    fn column_defects(&self, a: &Self::Numbers, first: usize) -> Result<Vec<Magnitude>, Error> {
        self.by_columns(a, |part, begin| self.local.column_defects(part, first + begin))
    }

    fn column_exponents(&self, a: &Self::Numbers) -> Result<Vec<Option<i64>>, Error> {
        let none = i64::MIN;
        self.attempt(|| {
            let mine = self.local.column_exponents(&a.local)?;
            let mine = mine.into_iter().map(|e| e.unwrap_or(none));
            let all = self.greatest_of_columns(a.cols, mine, none)?;
            Ok(all.into_iter().map(|e| (e != none).then_some(e)).collect())
        })
    }

    fn scaled(&self, a: &Self::Numbers, exponents: &[i64]) -> Result<Tiled<f64, B>, Error> {
        let mine = some_of(exponents, a.cols, a.here.1);
        self.attempt(|| Ok(a.alike(self.local.scaled(&a.local, &mine)?)))
    }

    fn row_sums(&self, a: TiledRef<'_, f64, B>, weights: &[f64]) -> Result<Vec<f64>, Error> {
        self.by_rows_of(a, |part, _| self.local.row_sums(part, weights))
    }

    fn row_defects(&self, a: TiledRef<'_, f64, B>, first: usize) -> Result<Vec<f64>, Error> {
        self.by_rows_of(a, |part, begin| self.local.row_defects(part, first + begin))
    }

    fn times(
        &self,
        a: TiledRef<'_, f64, B>,
        x: TiledRef<'_, f64, B>,
    ) -> Result<Tiled<f64, B>, Error> {
        Gemm::<f64>::check_products(&self.local)?;
        let mut y = Memory::<f64>::room(self, (), a.rows.count, x.cols.count);
        let (no, all) = (Transpose::No, Wanted::All);
        if x.cols.count != 1 {
            self.queue_gemm(no, no, 1.0, a, x, 0.0, self.view_mut(&mut y));
            return self.attempt(|| Ok(y));
        }
        // Devices multiply with a single column in their own way, row by row.
        let lines = Wanted::RowsOf(y.rows);
        self.attempt(|| {
            let (net, local) = (self.net(), &self.local);
            let (a, x) = (net.fetch(a, lines, all)?, net.fetch(x, all, all)?);
            let view = |x| Memory::<f64>::view(local, x);
            let found = local.times(view(&a), view(&x))?;
            net.keep(view(&found), Memory::<f64>::view_mut(self, &mut y), lines, all);
            Ok(())
        })?;
        Ok(y)
    }

    fn column_maxima(&self, a: TiledRef<'_, f64, B>) -> Result<Vec<f64>, Error> {
        self.attempt(|| {
            let mine = self.local.column_maxima(a.local)?;
            self.greatest_of_columns(a.cols, mine.into_iter(), 0.0)
        })
    }

    fn inverts(&self, order: usize) -> bool {
        self.local.inverts(order)
    }

    fn inverted(&self, a: TiledRef<'_, f64, B>) -> Result<Tiled<f64, B>, Error> {
        if !self.attempt(|| self.agree(self.local.inverts(a.rows.count)))? {
            return inverse_by_factors(self, a);
        }
        let axes = [a.rows, a.cols];
        let whole = self.attempt(|| self.net().fetch(a, Wanted::All, Wanted::All))?;
        let found = self.told(self.local.inverted(Memory::<f64>::view(&self.local, &whole)))?;
        Ok(self.kept(axes, &found))
    }

    fn inverse_triangles(
        &self,
        a: TiledRef<'_, f64, B>,
    ) -> Result<Triangles<Tiled<f64, B>>, Error> {
        if !self.attempt(|| self.agree(self.local.inverts(a.rows.count)))? {
            return triangles_by_factors(self, a);
        }
        let axes = [a.rows, a.cols];
        let whole = self.attempt(|| self.net().fetch(a, Wanted::All, Wanted::All))?;
        let whole = Memory::<f64>::view(&self.local, &whole);
        let Triangles { lower, upper, diagonal, odd } =
            self.told(self.local.inverse_triangles(whole))?;
        let [lower, upper] = [lower, upper].map(|whole| self.kept(axes, &whole));
        Ok(Triangles { lower, upper, diagonal, odd })
    }

    fn correct(
        &self,
        y: &mut Self::Numbers,
        correction: Correction<'_, Self>,
        bounds: &Bounds<'_>,
    ) -> Result<Vec<Judged>, Error> {
        let (rows, cols, (p, q)) = (y.rows, y.cols, y.here);
        let (row_sums, shares) =
            (some_of(bounds.row_sums, rows, p), some_of(bounds.shares, rows, p));
        let scales = some_of(bounds.scales, rows, p);
        let of_columns = [bounds.noise, bounds.reach, bounds.floors];
        let [noise, reach, floors] = of_columns.map(|list| some_of(list, cols, q));
        let here = Bounds {
            row_sums: &row_sums,
            shares: &shares,
            noise: &noise,
            reach: &reach,
            floors: &floors,
            scales: &scales,
            ..*bounds
        };
        let correction = match correction {
            Correction::F64(z, all) => Correction::F64(z.local, some_of(&all, cols, q)),
            Correction::Mp(z) => Correction::Mp(&z.local),
        };
        self.attempt(|| {
            let mine = self.local.correct(&mut y.local, correction, &here)?;
            let mut joined = vec![Judged::NOTHING; cols.count];
            for (rank, judged) in self.gathered(&mine)?.into_iter().enumerate() {
                let columns = cols.runs(self.grid.place(rank).1).into_iter().flatten();
                columns.zip(judged).for_each(|(j, part)| joined[j] = joined[j].joined(part));
            }
            Ok(joined)
        })
    }

    fn on_hosts(
        &self,
        count: usize,
        work: &mut dyn FnMut(Range<usize>) -> Result<HostRows, Error>,
    ) -> Result<HostRows, Error> {
        self.attempt(|| {
            let mine = work(self.grid.even(self.grid.ranks().rank(), count))?;
            let bits = mine.values.bits();
            let mut words = Vec::new();
            Mp::pack(mine.values.column(0), &mut words);
            let all = self.grid.ranks().all_gather_lists(&words).map_err(lost)?.concat();
            let mut values = mp::Matrix::try_zeros_in(bits, count, 1)?;
            Mp::unpack(&all, values.column_mut(0));
            let bounds = self.gathered(&mine.bounds)?.concat();
            Ok(HostRows { values, bounds })
        })
    }
}

/// Those of a list that belong to a part's rows or columns.
fn some_of<R: Copy>(list: &[R], axis: Axis, part: usize) -> Vec<R> {
    axis.runs(part).into_iter().flatten().map(|at| list[at]).collect()
}

impl<B: Link> Ranks<B> {
    /// What this rank takes of a rectangle for its part of the transpose, and how that lies.
    fn transposed_part<T: Cargo>(
        &self,
        a: TiledRef<'_, T, B>,
    ) -> Result<([Axis; 2], <B as Memory<T>>::Matrix), Error>
    where
        B: Carry<T> + 'static,
    {
        let axes = self.axes(a.cols.count, a.rows.count);
        let (rows, cols) = (Wanted::ColumnsOf(axes[1]), Wanted::RowsOf(axes[0]));
        Ok((axes, self.net().fetch(a, rows, cols)?))
    }

    /// The matrix of which a rank has this part.
    fn of_part<T: Cargo>(&self, [rows, cols]: [Axis; 2], local: B::Matrix) -> Tiled<T, B>
    where
        B: Memory<T> + 'static,
    {
        Tiled { local, rows, cols, here: self.grid.here() }
    }

    /// The matrix that every rank has.
    fn kept<T: Cargo>(&self, [rows, cols]: [Axis; 2], whole: &B::Matrix) -> Tiled<T, B>
    where
        B: Carry<T> + 'static,
    {
        let view = self.local.view(whole);
        let mut kept = self.room(view.format(), rows.count, cols.count);
        self.net().keep(view, self.view_mut(&mut kept), Wanted::All, Wanted::All);
        kept
    }

    /// A result, of whose failure the others learn; what a matrix is refused for is none.
    fn told<R>(&self, found: Result<R, Error>) -> Result<R, Error> {
        match found {
            Err(error @ (Error::Singular { .. } | Error::Overflow { .. })) => Err(error),
            found => self.attempt(|| found),
        }
    }

    /// What ranks find for an even share of the rows, which they fetch: part, and number of the
    /// first row.
    fn by_rows_of<R: Item>(
        &self,
        a: TiledRef<'_, f64, B>,
        find: impl FnOnce(B::Ref<'_>, usize) -> Result<Vec<R>, Error>,
    ) -> Result<Vec<R>, Error>
    where
        B: Carry<f64> + 'static,
    {
        self.attempt(|| {
            let begin = self.grid.even(self.grid.ranks().rank(), a.rows.count).start;
            let part = self.net().fetch(a, Wanted::Even, Wanted::All)?;
            let mine = find(self.local.view(&part), begin)?;
            Ok(self.grid.ranks().all_gather_lists(&mine).map_err(lost)?.concat())
        })
    }

    /// The same for columns.
    fn by_columns(
        &self,
        a: &Tiled<Mp, B>,
        find: impl FnOnce(&B::Matrix, usize) -> Result<Vec<Magnitude>, Error>,
    ) -> Result<Vec<Magnitude>, Error>
    where
        B: Carry<Mp> + 'static,
    {
        self.attempt(|| {
            let begin = self.grid.even(self.grid.ranks().rank(), a.cols.count).start;
            let part = self.net().fetch(self.view(a), Wanted::All, Wanted::Even)?;
            Ok(self.gathered(&find(&part, begin)?)?.concat())
        })
    }

    /// For each column the greatest number that any rank has of it.
    fn greatest_of_columns<R: crate::Ordered>(
        &self,
        cols: Axis,
        mine: impl Iterator<Item = R>,
        least: R,
    ) -> Result<Vec<R>, Error> {
        let mut all = vec![least; cols.count];
        let columns = cols.runs(self.grid.here().1).into_iter().flatten();
        columns.zip(mine).for_each(|(j, x)| all[j] = x);
        self.grid.ranks().all_reduce(Reduction::Greatest, &mut all).map_err(lost)?;
        Ok(all)
    }
}
