//! Tiles that direct products are cut into: see `tile.cuh`.

use nonius_gpu::{Error, Pointer, Shape, Source, kernel_arguments};

use crate::backend::Cuda;
use crate::factor::Factor;
use crate::matrix::Layout;

/// Most rows or columns of `C` that one launch computes.
pub(super) const MOST_LAUNCH_LINES: usize = 1 << 30;

/// A tile of `C`, and how its operands come to shared memory. By measurement on an H200.
pub(super) struct Tile {
    pub(super) height: usize,
    pub(super) width: usize,
    pub(super) depth: usize,
    pub(super) stages: usize,
    /// Places of shared memory that rows have beyond their numbers.
    pub(super) padding: usize,
    pub(super) blocks: usize,
}

pub(super) const TILE_OF_F64: Tile =
    Tile { height: 8, width: 8, depth: 16, stages: 2, padding: 4, blocks: 1 };

/// The tile of a product of numbers of `limbs` limbs.
pub(super) const fn tile_of(limbs: usize) -> Tile {
    match limbs {
        1 => TILE_OF_F64,
        2 => Tile { height: 4, width: 4, depth: 16, stages: 2, padding: 2, blocks: 2 },
        3 => Tile { height: 4, width: 4, depth: 8, stages: 3, padding: 2, blocks: 1 },
        _ => Tile { height: 2, width: 2, depth: 8, stages: 2, padding: 2, blocks: 2 },
    }
}

/// Threads down a tile, and as many across.
pub(super) const SIDE: usize = 16;

/// Of the tiles that are left when no multiprocessor is without work, the share below which they
/// are cut into quarters, so that all multiprocessors take part in them.
const CUT_BELOW: (usize, usize) = (7, 10);

impl Tile {
    pub(super) fn rows(&self) -> usize {
        SIDE * self.height
    }

    fn columns(&self) -> usize {
        SIDE * self.width
    }

    /// Bytes of shared memory.
    fn shared(&self, limbs: usize) -> usize {
        let pitches = self.rows() + self.columns() + 2 * self.padding;
        limbs * self.depth * self.stages * pitches * size_of::<f64>()
    }

    /// A source with what the text calls these.
    pub(super) fn define(&self, source: Source) -> Source {
        source.define_all(&[
            ("TILE_SIDE", SIDE),
            ("TILE_HEIGHT", self.height),
            ("TILE_WIDTH", self.width),
            ("TILE_DEPTH", self.depth),
            ("TILE_STAGES", self.stages),
            ("TILE_PADDING", self.padding),
            ("TILE_BLOCKS", self.blocks),
        ])
    }

    /// How many tiles stay whole, and the number of blocks of threads.
    fn partition(&self, m: usize, n: usize, multiprocessors: usize) -> (usize, usize) {
        let inside = (m / self.rows()) * (n / self.columns());
        let tiles = m.div_ceil(self.rows()) * n.div_ceil(self.columns());
        let round = multiprocessors * self.blocks;
        let left = inside % round;
        let cut = left * CUT_BELOW.1 <= round * CUT_BELOW.0;
        let whole = if cut { inside - left } else { inside };
        (whole, whole + 4 * (tiles - whole))
    }
}

kernel_arguments! {
    /// `C ← α·A·B + β·C`
    pub(super) struct Product {
        pub(super) k: i64,
        pub(super) m: i32,
        pub(super) n: i32,
        /// Whole tiles; the blocks after them compute quarters of the tiles that are left.
        pub(super) whole: i32,
        /// Which triangle of `C` is computed.
        pub(super) part: i32,
        /// Whether `A`'s rows and `B`'s columns, rather than `k`, are what lies contiguous.
        pub(super) rows_contiguous_a: i32,
        pub(super) columns_contiguous_b: i32,
        pub(super) a: Layout,
        pub(super) b: Layout,
        pub(super) c: Layout,
        pub(super) alpha: Factor,
        pub(super) beta: Factor,
        /// Where it says no, `C` stays as it is. May be null.
        pub(super) only_if: Pointer<u64>,
    }
}

impl Cuda {
    /// A product that is cut into tiles, and the blocks of threads that compute them.
    pub(super) fn in_tiles(
        &self,
        tile: &Tile,
        limbs: usize,
        product: Product,
    ) -> Result<(Product, Shape), Error> {
        let (m, n) = (product.m as usize, product.n as usize);
        let multiprocessors = self.device().info().multiprocessors as usize;
        let (whole, blocks) = tile.partition(m, n, multiprocessors);
        // Sides fit; tiles need not, of which a launch has no more than 2³¹.
        let whole = i32::try_from(whole)
            .map_err(|_| Error::TooManyRows { rows: m.max(n), most: MOST_LAUNCH_LINES })?;
        let (threads, shared) = ((SIDE * SIDE) as u32, tile.shared(limbs) as u32);
        let shape = Shape { grid: [blocks as u32, 1, 1], block: [threads, 1, 1], shared };
        Ok((Product { whole, ..product }, shape))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tile_is_whole_or_in_quarters() {
        let dd = tile_of(2);
        // Two tiles for each of 132 multiprocessors make a round.
        assert_eq!(dd.partition(64 * 16, 64 * 16, 132), (256, 256));
        assert_eq!(dd.partition(64 * 33, 64 * 32, 132), (1056, 1056));
        assert_eq!(dd.partition(64 * 33, 64 * 33, 132), (1056, 1056 + 4 * 33));
        assert_eq!(dd.partition(100, 1, 132), (0, 4 * 2));
        assert_eq!(dd.partition(65, 64, 1), (0, 8));
    }
}
