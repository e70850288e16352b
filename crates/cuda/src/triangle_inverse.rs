//! Inverses of triangles, by the inverses of blocks on the diagonal.
//!
//! **Error.** The inverse of a pair of blocks is made of products with those of both, so that what
//! is computed for a triangle `A` is within `c·n·u·|A⁻¹||A||A⁻¹|` of its inverse, to first order
//! (J. Du Croz, N. J. Higham, *Stability of methods for matrix inversion*, IMA J. Numer. Anal. 12,
//! 1992, section 2).

use nonius_gpu::{Arguments, Entry, Error, Shape, Source, kernel_arguments};
use nonius_linalg::Number;

use crate::backend::Cuda;
use crate::kind::Kind;
use crate::matrix::{DeviceMut, Layout};
use crate::texts;

#[cfg(all(test, target_os = "linux"))]
mod here;

kernel_arguments! {
    /// Blocks on the diagonal of a triangle.
    struct Blocks {
        from: Layout,
        /// Where the inverses go.
        to: Layout,
        upper: i32,
        /// Whether the diagonal is ones.
        unit: i32,
    }

    /// Pairs of blocks of `side` rows, whose inverses are there.
    struct Join {
        from: Layout,
        to: Layout,
        side: i64,
        upper: i32,
        /// Which of two products.
        last: i32,
    }
}

const INVERT_BLOCKS: Entry<Blocks> = Entry::new(c"invert_blocks");
const JOIN_BLOCKS: Entry<Join> = Entry::new(c"join_blocks");

/// Rows and columns that a thread block has of a product, in squares of two for each thread.
const TILE: usize = 32;
const THREADS: u32 = (TILE * TILE / 4) as u32;

/// Rows of a block that a kernel inverts, by limbs.
pub(crate) const fn side(limbs: usize) -> usize {
    if limbs == 1 { 64 } else { 32 }
}

/// The module for numbers of `limbs` limbs.
pub(crate) fn source(limbs: usize) -> Source {
    texts::of_limbs("triangle-inverse", limbs, "dense/triangle_inverse.cu")
        .define_all(&[("TRIANGLE_SIDE", side(limbs)), ("TRIANGLE_TILE", TILE)])
        .entry(INVERT_BLOCKS)
        .entry(JOIN_BLOCKS)
}

/// A triangle of numbers of `limbs` limbs, and where its inverse goes.
#[derive(Clone, Copy)]
pub(crate) struct TriangleInverse {
    pub(crate) limbs: usize,
    pub(crate) from: Layout,
    pub(crate) to: Layout,
    pub(crate) upper: bool,
    /// Whether the diagonal is ones, and is not read.
    pub(crate) unit: bool,
}

impl TriangleInverse {
    /// Inverts the blocks on the diagonal, to the same places of the other matrix, of which nothing
    /// else is written.
    ///
    /// # Safety
    /// Squares of one order whose memory is freed in the order of the stream; the second is used by
    /// nobody else meanwhile.
    pub(crate) unsafe fn invert_blocks(&self, cuda: &Cuda) -> Result<(), Error> {
        let Self { limbs, from, to, upper, unit } = *self;
        let blocks = Blocks { from, to, upper: upper.into(), unit: unit.into() };
        let grid = [from.shape().0.div_ceil(side(limbs)) as u32, 1, 1];
        let shape = Shape { grid, block: [side(limbs) as u32, 1, 1], shared: 0 };
        // SAFETY: the caller's promises.
        unsafe { self.launch(cuda, INVERT_BLOCKS, shape, &blocks) }
    }

    /// Inverts all of it. Beside the inverse the other matrix has anything.
    ///
    /// # Safety
    /// As [`invert_blocks`](Self::invert_blocks).
    pub(crate) unsafe fn invert(&self, cuda: &Cuda) -> Result<(), Error> {
        // SAFETY: the caller's promises.
        unsafe { self.invert_squares(cuda, self.from.shape().0) }
    }

    /// Inverts the squares on the diagonal that have `rows` rows, a block's number of rows times a
    /// power of two, or as many as there are. Beside their inverses, the squares of the other
    /// matrix have anything. It may be the same matrix.
    ///
    /// # Safety
    /// As [`invert_blocks`](Self::invert_blocks).
    unsafe fn invert_squares(&self, cuda: &Cuda, rows: usize) -> Result<(), Error> {
        let Self { limbs, from, to, upper, .. } = *self;
        let order = from.shape().0;
        // SAFETY: the caller's promises.
        unsafe { self.invert_blocks(cuda)? };
        let mut side = side(limbs);
        while side < order.min(rows) {
            let pairs = (order - side).div_ceil(2 * side) as u32;
            let grid = [(side / TILE * (side / TILE)) as u32, pairs, 1];
            let shape = Shape { grid, block: [THREADS, 1, 1], shared: 0 };
            for last in [0, 1] {
                let join = Join { from, to, side: side as i64, upper: upper.into(), last };
                // SAFETY: the caller's promises.
                unsafe { self.launch(cuda, JOIN_BLOCKS, shape, &join)? };
            }
            side *= 2;
        }
        Ok(())
    }

    /// # Safety
    /// As [`invert_blocks`](Self::invert_blocks).
    unsafe fn launch<A: Arguments>(
        &self,
        cuda: &Cuda,
        entry: Entry<A>,
        shape: Shape,
        arguments: &A,
    ) -> Result<(), Error> {
        let kernel = cuda.device().module(&source(self.limbs))?.kernel(entry)?;
        // SAFETY: the caller's promises.
        unsafe { kernel.launch(cuda.stream(), shape, arguments) }
    }
}

impl Cuda {
    /// Rows of the squares of [`invert_diagonal_squares`](Self::invert_diagonal_squares).
    pub const INVERTED_ROWS: usize = 256;

    /// Replaces the squares of [`INVERTED_ROWS`](Self::INVERTED_ROWS) rows on the diagonal of a
    /// lower triangle `L` by their inverses, the last one of what rows there are: systems with `L`
    /// and one right-hand side are products then. Above the diagonal these squares have anything
    /// afterwards. Nothing happens where numbers are [`Mp`](nonius_num::Mp); whether it did.
    ///
    /// # Errors
    /// Those of the device.
    pub fn invert_diagonal_squares<T: Number>(&self, l: DeviceMut<'_, T>) -> Result<bool, Error> {
        let Kind::Limbs(limbs) = Kind::of::<T>(l.format) else { return Ok(false) };
        if l.layout.is_empty() {
            return Ok(true);
        }
        let (from, to) = (l.layout, l.layout);
        let inverse = TriangleInverse { limbs, from, to, upper: false, unit: false };
        // SAFETY: the matrix is borrowed mutably, and is freed in the order of the stream.
        unsafe { inverse.invert_squares(self, Self::INVERTED_ROWS)? };
        Ok(true)
    }
}
