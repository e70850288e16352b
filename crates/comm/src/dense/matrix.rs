//! Matrices whose tiles are shared out, and rectangles of them.

use core::fmt;

use nonius_linalg::Number;
use nonius_linalg::backend::{Memory, View, ViewMut};

use super::axis::Axis;
use super::carry::Link;
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

impl<T: Number, B: Memory<T> + 'static> Tiled<T, B> {
    /// A matrix of the same shape, of which this is the rank's part.
    pub(super) fn alike<U: Number>(&self, local: <B as Memory<U>>::Matrix) -> Tiled<U, B>
    where
        B: Memory<U>,
    {
        Tiled { local, rows: self.rows, cols: self.cols, here: self.here }
    }
}

impl<T: Number, B: Memory<T> + 'static> Clone for TiledRef<'_, T, B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Number, B: Memory<T> + 'static> Copy for TiledRef<'_, T, B> {}

/// A rectangle of a rectangle, and where a rank has its part of it in the part of the whole.
struct Block {
    axes: [Axis; 2],
    row: usize,
    col: usize,
    rows: usize,
    cols: usize,
}

impl Block {
    fn new(
        [rows, cols]: [Axis; 2],
        (p, q): (usize, usize),
        starts: [usize; 2],
        counts: [usize; 2],
    ) -> Self {
        let axes = [rows.block(starts[0], counts[0]), cols.block(starts[1], counts[1])];
        let (row, col) = (rows.place(starts[0], p), cols.place(starts[1], q));
        Self { axes, row, col, rows: axes[0].owned(p), cols: axes[1].owned(q) }
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
        let axes = [self.rows, self.cols];
        let block = Block::new(axes, self.here, [row, col], [rows, cols]);
        let local = self.local.block(block.row, block.col, block.rows, block.cols);
        let [rows, cols] = block.axes;
        Self { local, rows, cols, here: self.here }
    }
}

impl<T: Number, B: Memory<T> + 'static> TiledMut<'_, T, B> {
    /// The same rectangle, only to be read.
    pub(super) fn read(&self) -> TiledRef<'_, T, B> {
        let Self { rows, cols, here, .. } = *self;
        TiledRef { local: self.local.as_ref(), rows, cols, here }
    }
}

impl<'a, T: Number, B: Memory<T> + Link + 'static> ViewMut<T, Ranks<B>> for TiledMut<'a, T, B>
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
        let axes = [self.rows, self.cols];
        let block = Block::new(axes, self.here, [row, col], [rows, cols]);
        let local = self.local.block_mut(block.row, block.col, block.rows, block.cols);
        let [rows, cols] = block.axes;
        Self { local, rows, cols, here: self.here }
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
