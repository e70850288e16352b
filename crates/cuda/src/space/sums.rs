//! Sums of products on a device: those of blocks, then these pairwise.

use nonius_gpu::{Const, Pointer, Shape};
use nonius_linalg::cpu::reduce::{BLOCKS, PARTIALS};
use nonius_linalg::krylov::MP_BLOCK;

use super::kernels::{Indices, Products, Sums};
use super::{CudaSpace, CudaVector, Kind, THREADS};

/// Threads of a block that sums products of limbs.
const WARP: usize = 32;

/// The block sums of a vector of `n` entries, and the blocks and threads that form them.
fn blocks(kind: &Kind, n: usize) -> (usize, usize, u32) {
    match kind {
        // A thread has a partial sum.
        Kind::Limbs(limbs) => {
            let count = n.div_ceil(BLOCKS[*limbs]);
            (count, count.div_ceil(WARP / PARTIALS[*limbs]), WARP as u32)
        }
        Kind::Mp(_) | Kind::Rns(_) => {
            let count = n.div_ceil(MP_BLOCK);
            (count, count, THREADS)
        }
    }
}

impl CudaSpace {
    /// `to[k] ← Σ x[i]·y[i]` over each of some ranges, or over all entries where there is no list.
    pub(super) fn sum_products(
        &mut self,
        x: &CudaVector,
        y: &CudaVector,
        (ranges, results): (Pointer<Const<Indices>>, usize),
        to: &mut CudaVector,
    ) {
        assert_eq!(x.len(), y.len(), "lengths");
        if results == 0 {
            return;
        }
        let (count, grid, threads) = blocks(&self.kind, x.len());
        if self.sums.len() < 2 * count {
            let new = || CudaVector::new(&self.cuda, self.kind.clone(), 2 * count);
            let sums = self.cuda.attempt(new);
            let Some(sums) = sums else { return };
            self.sums = sums;
        }
        let (n, held) = (x.len() as i64, self.held());
        let (x, y, sums) = (x.planes(), y.planes(), self.sums.planes());
        let shape = Shape { grid: [grid as u32, 1, 1], block: [threads, 1, 1], shared: 0 };
        let products = Products { x, y, n, sums, held };
        // SAFETY: both vectors have this length; there are two sums for each block.
        unsafe { self.launch(&self.kernels.sum_products, shape, &products) };
        let shape = Shape { grid: [results as u32, 1, 1], block: [THREADS, 1, 1], shared: 0 };
        let sums = Sums { ranges, n, sums, to: to.planes(), held };
        // SAFETY: as above, and `to` has an entry for each range, which lies among these entries.
        unsafe { self.launch(&self.kernels.add_sums, shape, &sums) };
    }
}
