//! Products of which each rank computes the entries that it has.

use core::ops::Range;
use std::sync::OnceLock;

use nonius_linalg::backend::{Gemm, Memory, Syrk, View, ViewMut};
use nonius_linalg::dense::gemm::crt::Fallback;
use nonius_linalg::dense::gemm::{Report, Way, Whole};
use nonius_linalg::dense::{Transpose, Triangle};
use nonius_linalg::{Error, Number};

use super::axis::common_cuts;
use super::cargo::Cargo;
use super::carry::{Carry, Link, Queue, lost};
use super::exchange::{Wanted, here, share};
use super::matrix::{TiledMut, TiledRef};
use super::ranks::Ranks;
use crate::Reduction;

/// What a product is chosen by besides its operands' entries.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub(super) sizes: [usize; 3],
    pub(super) triangle: bool,
    /// Whether a rank has all of its rows and columns.
    pub(super) meet: bool,
}

/// An operand, and how it is taken.
type Operand<'a, T, B> = (Transpose, <B as Memory<T>>::Ref<'a>);

/// How ranks choose the way of a product together, and take it.
pub(super) trait Choice<T: Number, B: Queue<T>> {
    type Way;

    /// Whether nobody waits to learn the way.
    const QUEUED: bool;

    /// The way of a product of which this rank has these lines.
    fn way(
        &self,
        shape: Shape,
        a: Operand<'_, T, B>,
        b: Operand<'_, T, B>,
    ) -> Result<Self::Way, Error>;

    /// Whether only all rows and columns of a rank tell of a better way.
    fn wants_all(&self, way: &Self::Way) -> bool;

    /// `C ← α·op(A)·op(B) + β·C` of some lines.
    fn multiply(
        &self,
        way: &Self::Way,
        held: Option<&B::Held>,
        scalars: [T; 2],
        a: Operand<'_, T, B>,
        b: Operand<'_, T, B>,
        c: B::Mut<'_>,
    ) -> Report;
}

/// The host learns the way.
struct Awaited<'a, B: Link>(&'a Ranks<B>);

/// Nobody waits for it.
pub(super) struct Queued<'a, B: Link>(pub(super) &'a Ranks<B>);

impl<B: Link> Ranks<B> {
    /// Does something with a product of which ranks have lines.
    pub(super) fn of_all<R>(
        &self,
        Shape { sizes, triangle, meet }: Shape,
        queued: bool,
        choose: impl FnOnce(&Whole<'_>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let (ranks, failure) = (self.grid.ranks(), OnceLock::new());
        let greatest = |numbers: &mut [f64]| {
            if let Err(error) = ranks.all_reduce(Reduction::Greatest, numbers) {
                failure.get_or_init(|| error);
            }
        };
        let way = choose(&Whole { sizes, triangle, queued, meet, greatest: &greatest });
        failure.into_inner().map_or(way, |error| Err(lost(error)))
    }
}

impl<T: Cargo, B: Queue<T>> Choice<T, B> for Awaited<'_, B> {
    type Way = Way;

    const QUEUED: bool = false;

    fn way(&self, shape: Shape, a: Operand<'_, T, B>, b: Operand<'_, T, B>) -> Result<Way, Error> {
        self.0.of_all(shape, false, |whole| Ok(self.0.local.way(whole, a, b)))
    }

    fn wants_all(&self, way: &Way) -> bool {
        is_spread(way)
    }

    fn multiply(
        &self,
        way: &Way,
        held: Option<&B::Held>,
        [alpha, beta]: [T; 2],
        (transpose_a, a): Operand<'_, T, B>,
        (transpose_b, b): Operand<'_, T, B>,
        c: B::Mut<'_>,
    ) -> Report {
        let local = &self.0.local;
        local.gemm_by_held(*way, held, transpose_a, transpose_b, alpha, a, b, beta, c)
    }
}

impl<T: Cargo, B: Queue<T>> Choice<T, B> for Queued<'_, B> {
    type Way = B::Way;

    const QUEUED: bool = true;

    fn way(
        &self,
        shape: Shape,
        a: Operand<'_, T, B>,
        b: Operand<'_, T, B>,
    ) -> Result<B::Way, Error> {
        self.0.of_all(shape, true, |whole| self.0.local.queued_way(&self.0.wire, whole, a, b))
    }

    fn wants_all(&self, way: &B::Way) -> bool {
        B::known(way).is_some_and(|way| is_spread(&way))
    }

    fn multiply(
        &self,
        way: &B::Way,
        held: Option<&B::Held>,
        [alpha, beta]: [T; 2],
        (transpose_a, a): Operand<'_, T, B>,
        (transpose_b, b): Operand<'_, T, B>,
        c: B::Mut<'_>,
    ) -> Report {
        let local = &self.0.local;
        local.queue_gemm_by(way, held, transpose_a, transpose_b, alpha, a, b, beta, c);
        Report::direct()
    }
}

/// Whether profiles do not tell that another way is good enough; sums may.
fn is_spread(way: &Way) -> bool {
    matches!(way, Way::Direct(Some(Fallback::Spread { .. })))
}

impl<B: Link> Ranks<B> {
    /// Queues `C ← A·B`, where each rank has some rows of `A`, or none, and `C` as many, and all
    /// have `B`; `rows` are those of all ranks together. Every entry has the bits that it has where
    /// one device computes all.
    pub fn queue_rows<T: Cargo>(&self, rows: usize, a: B::Ref<'_>, b: B::Ref<'_>, c: B::Mut<'_>)
    where
        B: Queue<T>,
    {
        self.queue(|| {
            let (terms, cols) = b.shape();
            let shape = Shape { sizes: [rows, cols, terms], triangle: false, meet: true };
            let (choice, a, b) = (Queued(self), (Transpose::No, a), (Transpose::No, b));
            let way = choice.way(shape, a, b)?;
            choice.multiply(&way, None, [T::ONE, T::ZERO], a, b, c);
            Ok(())
        });
    }

    fn multiply<T: Cargo, C: Choice<T, B>>(
        &self,
        choice: &C,
        scalars: [T; 2],
        (transpose_a, a): (Transpose, TiledRef<'_, T, B>),
        (transpose_b, b): (Transpose, TiledRef<'_, T, B>),
        c: TiledMut<'_, T, B>,
    ) -> Result<Report, Error>
    where
        B: Queue<T> + 'static,
    {
        let (_, k) = transpose_a.shape(a.shape());
        let shape = Shape { sizes: [c.rows.count, c.cols.count, k], triangle: false, meet: true };
        let (rows, net) = (c.rows, self.net());
        let lines = |op, wanted| match op {
            Transpose::No => [wanted, Wanted::All],
            Transpose::Yes => [Wanted::All, wanted],
        };
        let of_b = lines(transpose_b.flipped(), Wanted::ColumnsOf(c.cols));
        net.with(b, of_b[0], of_b[1], |b| {
            let b = (transpose_b, b);
            let mut c = c.local;
            let of_a = lines(transpose_a, Wanted::RowsOf(rows));
            let mut at_once = || {
                net.with(a, of_a[0], of_a[1], |a| {
                    let way = choice.way(shape, (transpose_a, a), b)?;
                    Ok(choice.multiply(&way, None, scalars, (transpose_a, a), b, c.reborrow()))
                })
            };
            if !B::IN_PARTS || here(&a, of_a[0], of_a[1]).is_some() {
                return at_once();
            }
            // A rank's share of its rows, and the others while that is multiplied.
            let of_a =
                [Wanted::ShareOf(rows), Wanted::OthersOf(rows)].map(|w| lines(transpose_a, w));
            let (own, held) = self.local.beside(
                || net.fetch(a, of_a[0][0], of_a[0][1]),
                || self.of_all(shape, C::QUEUED, |whole| Ok(self.local.hold(whole, b))),
            );
            let (own, held) = (own?, held?);
            let own = (transpose_a, self.local.view(&own));
            let way = choice.way(Shape { meet: false, ..shape }, own, b)?;
            if choice.wants_all(&way) {
                return at_once();
            }
            let place = share(rows, net.grid, net.grid.ranks().rank());
            let (height, width) = c.shape();
            let block = c.reborrow().block_mut(place.start, 0, place.len(), width);
            let (others, report) = self.local.beside(
                || net.fetch(a, of_a[1][0], of_a[1][1]),
                || choice.multiply(&way, held.as_ref(), scalars, own, b, block),
            );
            let others = others?;
            let others = self.local.view(&others);
            let mut first = 0;
            for places in [0..place.start, place.end..height] {
                let count = places.len();
                let a = match transpose_a {
                    Transpose::No => others.block(first, 0, count, k),
                    Transpose::Yes => others.block(0, first, k, count),
                };
                let block = c.reborrow().block_mut(places.start, 0, count, width);
                choice.multiply(&way, held.as_ref(), scalars, (transpose_a, a), b, block);
                first += count;
            }
            // Where it was made its memory is freed, after what has read it.
            self.local.beside(|| (), || drop(held));
            Ok(report)
        })
    }
}

impl<T: Cargo, B: Queue<T> + 'static> Gemm<T> for Ranks<B> {
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
            self.multiply(&Awaited(self), [alpha, beta], (transpose_a, a), (transpose_b, b), c)
        });
        report.unwrap_or_else(|_| Report::direct())
    }

    fn queue_gemm(
        &self,
        transpose_a: Transpose,
        transpose_b: Transpose,
        alpha: T,
        a: TiledRef<'_, T, B>,
        b: TiledRef<'_, T, B>,
        beta: T,
        c: TiledMut<'_, T, B>,
    ) {
        self.queue(|| {
            self.multiply(&Queued(self), [alpha, beta], (transpose_a, a), (transpose_b, b), c)
                .map(drop)
        });
    }
}

impl<T: Cargo, B: Queue<T> + 'static> Syrk<T> for Ranks<B> {
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
            let (_, k) = transpose.shape(a.shape());
            let sizes = [c.rows.count, c.cols.count, k];
            let (rows, cols) = (Wanted::RowsOf(c.rows), Wanted::ColumnsOf(c.cols));
            let wanted = |lines| match transpose {
                Transpose::No => [lines, Wanted::All],
                Transpose::Yes => [Wanted::All, lines],
            };
            let (of_left, of_right, net) = (wanted(rows), wanted(cols), self.net());
            net.with(a, of_left[0], of_left[1], |left| {
                net.with(a, of_right[0], of_right[1], |right| {
                    let shape = Shape { sizes, triangle: true, meet: true };
                    let (scalars, backend) = ([alpha, beta], self);
                    let (a, b) = ((transpose, left), (transpose.flipped(), right));
                    let way = Queued(self).way(shape, a, b)?;
                    let update = Update { backend, way, triangle, transpose, scalars, left, right };
                    update.all(c);
                    Ok(())
                })
            })
        });
    }
}

/// One triangle of a product, of which a rank has rows and columns.
struct Update<'r, 'a, 'b, T: Cargo, B: Queue<T> + 'static> {
    backend: &'r Ranks<B>,
    way: B::Way,
    triangle: Triangle,
    transpose: Transpose,
    /// Of the product, and of what it is added to.
    scalars: [T; 2],
    /// The lines of this rank's rows.
    left: B::Ref<'a>,
    /// The lines of this rank's columns.
    right: B::Ref<'b>,
}

impl<T: Cargo, B: Queue<T> + 'static> Update<'_, '_, '_, T, B> {
    fn all(&self, mut c: TiledMut<'_, T, B>) {
        let (rows, cols) = (c.rows, c.cols);
        if self.at_once(&mut c) {
            return;
        }
        let mut cuts = common_cuts(rows, cols);
        cuts.retain(|&cut| cut <= cols.count);
        self.square(&cuts, &mut c);
        if self.triangle == Triangle::Lower {
            self.rectangle(cols.count.min(rows.count)..rows.count, 0..cols.count, &mut c);
        }
    }

    /// All that this rank has, where its backend has such products.
    fn at_once(&self, c: &mut TiledMut<'_, T, B>) -> bool {
        let (rows, cols, (p, q)) = (c.rows, c.cols, c.here);
        let places = || [rows.numbers(p), cols.numbers(q)];
        let Self { ref way, triangle, transpose, scalars: [alpha, beta], left, right, .. } = *self;
        let (local, c) = (&self.backend.local, c.local.reborrow());
        local.queue_triangle_by(way, triangle, places, transpose, alpha, left, right, beta, c)
    }

    /// The triangle of the rows and columns from the first cut to the last, by halves.
    fn square(&self, cuts: &[usize], c: &mut TiledMut<'_, T, B>) {
        let [first, .., last] = *cuts else { return };
        if let [_, _] = cuts {
            return self.on_diagonal(first..last, c);
        }
        let (before, after) = (&cuts[..=cuts.len() / 2], &cuts[cuts.len() / 2..]);
        let middle = after[0];
        self.square(before, c);
        match self.triangle {
            Triangle::Lower => self.rectangle(middle..last, first..middle, c),
            Triangle::Upper => self.rectangle(first..middle, middle..last, c),
        }
        self.square(after, c);
    }

    /// What this rank has of some rows and columns.
    fn rectangle(&self, rows: Range<usize>, cols: Range<usize>, c: &mut TiledMut<'_, T, B>) {
        let (rows, cols) = places(c, rows, cols);
        if rows.is_empty() || cols.is_empty() {
            return;
        }
        let (left, right) = (self.part(self.left, &rows), self.part(self.right, &cols));
        let [alpha, beta] = self.scalars;
        let (transpose, other) = (self.transpose, self.transpose.flipped());
        let c = c.local.reborrow().block_mut(rows.start, cols.start, rows.len(), cols.len());
        let local = &self.backend.local;
        local.queue_gemm_by(&self.way, None, transpose, other, alpha, left, right, beta, c);
    }

    /// The triangle of some rows and columns of one tile.
    fn on_diagonal(&self, both: Range<usize>, c: &mut TiledMut<'_, T, B>) {
        let (rows, cols) = places(c, both.clone(), both);
        if rows.is_empty() || cols.is_empty() {
            return;
        }
        let lines = self.part(self.left, &rows);
        let [alpha, beta] = self.scalars;
        let c = c.local.reborrow().block_mut(rows.start, cols.start, rows.len(), cols.len());
        let (triangle, transpose) = (self.triangle, self.transpose);
        let local = &self.backend.local;
        local.queue_syrk_by(&self.way, triangle, transpose, alpha, lines, beta, c);
    }

    fn part<'b>(&self, lines: B::Ref<'b>, range: &Range<usize>) -> B::Ref<'b> {
        let (rows, cols) = lines.shape();
        match self.transpose {
            Transpose::No => lines.block(range.start, 0, range.len(), cols),
            Transpose::Yes => lines.block(0, range.start, rows, range.len()),
        }
    }
}

/// Where this rank has its part of some rows and columns.
fn places<T: Cargo, B: Carry<T> + 'static>(
    c: &TiledMut<'_, T, B>,
    rows: Range<usize>,
    cols: Range<usize>,
) -> (Range<usize>, Range<usize>) {
    let (p, q) = c.here;
    let rows = c.rows.place(rows.start, p)..c.rows.place(rows.end, p);
    (rows, c.cols.place(cols.start, q)..c.cols.place(cols.end, q))
}
