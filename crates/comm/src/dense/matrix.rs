//! Matrices whose tiles are shared out, and rectangles of them.

use core::fmt;

use nonius_linalg::Number;
use nonius_linalg::backend::{Memory, View, ViewMut};

use super::axis::Axis;
use super::ranks::Ranks;

/// A matrix of which each rank has some tiles, in the memory of its backend.
pub struct Tiled<T: Number, B: Memory<T> + 'static> {
    /// This rank's tiles side by side.
    pub(super) local: B::Matrix,
    pub(super) rows: Axis,
    pub(super) cols: Axis,
    /// This rank's row and column in the grid.
    pub(super) here: (usize, usize),
}

/// A rectangle that is only read.
pub struct TiledRef<'a, T: Number, B: Memory<T> + 'static> {
    /// What this rank has of it.
    pub(super) local: B::Ref<'a>,
    pub(super) rows: Axis,
    pub(super) cols: Axis,
    pub(super) here: (usize, usize),
}

/// A rectangle that is written.
pub struct TiledMut<'a, T: Number, B: Memory<T> + 'static> {
    /// What this rank has of it.
    pub(super) local: B::Mut<'a>,
    pub(super) rows: Axis,
    pub(super) cols: Axis,
    pub(super) here: (usize, usize),
}

impl<T: Number, B: Memory<T> + 'static> Clone for TiledRef<'_, T, B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Number, B: Memory<T> + 'static> Copy for TiledRef<'_, T, B> {}

/// Where the rectangle of a rank lies that `rows × cols` entries from `(row, col)` make.
struct Place {
    row: usize,
    col: usize,
    rows: usize,
    cols: usize,
}

impl Place {
    fn new(axes: [Axis; 2], (p, q): (usize, usize), begin: (usize, usize)) -> Self {
        let [rows, cols] = axes;
        Self { row: begin.0, col: begin.1, rows: rows.owned(p), cols: cols.owned(q) }
    }
}

impl<T: Number, B: Memory<T> + 'static> View<T> for TiledRef<'_, T, B> {
    fn shape(&self) -> (usize, usize) {
        (self.rows.count, self.cols.count)
    }

    fn format(&self) -> T::Format {
        self.local.format()
    }

    fn block(self, row: usize, col: usize, rows: usize, cols: usize) -> Self {
        let (p, q) = self.here;
        let begin = (self.rows.place(row, p), self.cols.place(col, q));
        let axes = [self.rows.block(row, rows), self.cols.block(col, cols)];
        let place = Place::new(axes, self.here, begin);
        let local = self.local.block(place.row, place.col, place.rows, place.cols);
        Self { local, rows: axes[0], cols: axes[1], here: self.here }
    }
}

impl<T: Number, B: Memory<T> + 'static> TiledMut<'_, T, B> {
    /// The same rectangle, only to be read.
    pub(super) fn read(&self) -> TiledRef<'_, T, B> {
        let Self { rows, cols, here, .. } = *self;
        TiledRef { local: self.local.as_ref(), rows, cols, here }
    }
}

impl<'a, T: Number, B: Memory<T> + 'static> ViewMut<T, Ranks<B>> for TiledMut<'a, T, B>
where
    Ranks<B>: for<'b> Memory<T, Ref<'b> = TiledRef<'b, T, B>, Mut<'b> = TiledMut<'b, T, B>>,
{
    fn shape(&self) -> (usize, usize) {
        (self.rows.count, self.cols.count)
    }

    fn format(&self) -> T::Format {
        self.local.format()
    }

    fn as_ref(&self) -> TiledRef<'_, T, B> {
        self.read()
    }

    fn reborrow(&mut self) -> TiledMut<'_, T, B> {
        let Self { rows, cols, here, .. } = *self;
        TiledMut { local: self.local.reborrow(), rows, cols, here }
    }

    fn block_mut(self, row: usize, col: usize, rows: usize, cols: usize) -> Self {
        let (p, q) = self.here;
        let begin = (self.rows.place(row, p), self.cols.place(col, q));
        let axes = [self.rows.block(row, rows), self.cols.block(col, cols)];
        let place = Place::new(axes, self.here, begin);
        let local = self.local.block_mut(place.row, place.col, place.rows, place.cols);
        Self { local, rows: axes[0], cols: axes[1], here: self.here }
    }

    fn split_cols(self, col: usize) -> (Self, Self) {
        let (left, right) = self.local.split_cols(self.cols.place(col, self.here.1));
        let [before, after] =
            [self.cols.block(0, col), self.cols.block(col, self.cols.count - col)];
        let part = |local, cols| Self { local, cols, rows: self.rows, here: self.here };
        (part(left, before), part(right, after))
    }
}

impl<T: Number, B: Memory<T> + 'static> fmt::Debug for Tiled<T, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (p, q) = self.here;
        write!(f, "{} × {}, tiles of ({p}, {q})", self.rows.count, self.cols.count)
    }
}
