//! The shapes of launches: how work is shared out among threads.

use nonius_gpu::Shape;

/// Threads of a block.
pub(super) const THREADS: usize = 256;
/// Threads that share a short sum, as many as the host has partial sums.
pub(super) const SHORT_SUM_THREADS: usize = 8;
/// Entries from which on a block of threads has a sum.
pub(super) const LONG_SUM: usize = 512;
/// Products of entries of two constraints from which on a warp shares them.
pub(super) const LONG_PAIR: usize = 256;
/// Blocks of a grid in its second dimension.
pub(super) const MOST_BLOCKS: usize = 65_535;

/// `threads` threads in blocks along the first dimension, and `second` blocks along the second,
/// `MOST_BLOCKS` at most: kernels go on in steps along it.
pub(super) fn shape(threads: usize, second: usize) -> Shape {
    let blocks = threads.div_ceil(THREADS).min(i32::MAX as usize) as u32;
    let second = second.min(MOST_BLOCKS) as u32;
    Shape { grid: [blocks, second, 1], block: [THREADS as u32, 1, 1], shared: 0 }
}
