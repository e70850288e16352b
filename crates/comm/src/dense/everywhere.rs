//! Products of matrices that every rank has: each computes some columns, and all get all of them.

use core::ops::Range;

use nonius_linalg::Error;
use nonius_linalg::backend::{View, ViewMut};
use nonius_linalg::dense::{Transpose, Triangle};

use super::cargo::Cargo;
use super::carry::{Link, Queue};
use super::piece::Piece;
use super::products::{Choice, Queued, Shape};
use super::ranks::Ranks;

/// What columns of ranks begin at multiples of where there are many. Direct products of GPUs have
/// tiles of a part of that, and look for tiny terms in as many columns at a time.
const TOGETHER: usize = 512;

impl<B: Link> Ranks<B> {
    /// Queues `C ← α·A·B + β·C`; `C` is not read where `β = 0`. Every entry has the bits that it
    /// has where one device computes all.
    pub fn queue_gemm_everywhere<T: Cargo>(
        &self,
        alpha: T,
        a: B::Ref<'_>,
        b: B::Ref<'_>,
        beta: T,
        c: &mut B::Matrix,
    ) where
        B: Queue<T>,
    {
        self.queue(|| {
            let ((rows, terms), (_, cols)) = (a.shape(), b.shape());
            let parts = self.parts(cols, |part| part);
            let mine = parts[self.grid.ranks().rank()].clone();
            let no = Transpose::No;
            let (a, b) = ((no, a), (no, b.block(0, mine.start, terms, mine.len())));
            let to = self.local.view_mut(c).block_mut(0, mine.start, rows, mine.len());
            let shape = Shape { sizes: [rows, cols, terms], triangle: false, meet: true };
            let choice = Queued(self);
            let way = choice.way(shape, a, b)?;
            choice.multiply(&way, None, [alpha, beta], a, b, to);
            self.complete(parts.into_iter().map(|columns| (0..rows, columns)).collect(), c)
        });
    }

    /// Queues the lower triangle of `C ← Aᵀ·A`. What is above is of no use. Every entry has the
    /// bits that it has where one device computes all.
    pub fn queue_gram_everywhere<T: Cargo>(&self, a: B::Ref<'_>, c: &mut B::Matrix)
    where
        B: Queue<T>,
    {
        self.queue(|| {
            let (terms, order) = a.shape();
            // As many entries of the triangle for each rank.
            let parts = self.parts(order, |part| 1.0 - (1.0 - part).sqrt());
            let Range { start, end } = parts[self.grid.ranks().rank()];
            let (width, rest) = (end - start, order - end);
            let lines = |first: usize, count: usize| a.block(0, first, terms, count);
            let (own, below) = (lines(start, width), lines(end, rest));
            let (yes, no) = (Transpose::Yes, Transpose::No);
            let shape = Shape { sizes: [order, order, terms], triangle: true, meet: true };
            let way = Queued(self).way(shape, (yes, lines(start, width + rest)), (no, own))?;
            let (lower, one, zero) = (Triangle::Lower, T::ONE, T::ZERO);
            let mut to = self.local.view_mut(c);
            let square = to.reborrow().block_mut(start, start, width, width);
            self.local.queue_syrk_by(&way, lower, yes, one, own, zero, square);
            let rectangle = to.block_mut(end, start, rest, width);
            self.local.queue_gemm_by(&way, None, yes, no, one, below, own, zero, rectangle);
            self.complete(
                parts.into_iter().map(|columns| (columns.start..order, columns)).collect(),
                c,
            )
        });
    }

    /// The columns of each rank, where the first ranks up to a part of all have this share of them.
    fn parts(&self, cols: usize, share: impl Fn(f64) -> f64) -> Vec<Range<usize>> {
        let size = self.grid.ranks().size();
        let step = if cols >= 2 * size * TOGETHER { TOGETHER } else { 1 };
        let cut = |rank: usize| {
            let cut = cols as f64 * share(rank as f64 / size as f64);
            if rank < size { (cut / step as f64).round() as usize * step } else { cols }
        };
        (0..size).map(|rank| cut(rank)..cut(rank + 1)).collect()
    }

    /// Gives each rank's rectangle of a matrix to the others.
    fn complete<T: Cargo>(
        &self,
        parts: Vec<(Range<usize>, Range<usize>)>,
        c: &mut B::Matrix,
    ) -> Result<(), Error>
    where
        B: Queue<T>,
    {
        let (me, local) = (self.grid.ranks().rank(), &self.local);
        let (rows, cols) = parts[me].clone();
        let shape = (rows.len(), cols.len());
        let own = local.view(c).block(rows.start, cols.start, shape.0, shape.1);
        let own = local.copy_of(own);
        let others = || (0..parts.len()).filter(|&rank| rank != me);
        let given: Vec<Piece> = others().filter_map(|to| Piece::whole(to, shape)).collect();
        let taken = others().filter_map(|from| Piece::taken_to(from, &parts[from]));
        let taken: Vec<Piece> = taken.collect();
        local.exchange(&self.wire, local.view(&own), &given, c, &taken)
    }
}
