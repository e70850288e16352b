//! Vectors on a device that are parts of longer ones.

use core::ops::Range;
use std::sync::Arc;

use nonius_gpu::{Buffer, Const, Pointer};
use nonius_linalg::Error;
use nonius_linalg::backend::{Segments, Space};

use super::kernels::{Additions, Indices, Moves, Placing};
use super::{CudaSpace, CudaVector, SINGLE, each};

/// Pairs of indices in a device's memory.
#[derive(Clone, Debug)]
pub struct CudaPairs {
    buffer: Arc<Buffer>,
    count: usize,
    /// The greatest of the first indices and of the second ones.
    greatest: (usize, usize),
}

impl CudaPairs {
    fn pointer(&self) -> Pointer<Const<Indices>> {
        self.buffer.pointer()
    }
}

impl Segments for CudaSpace {
    type Pairs = CudaPairs;

    fn pairs(&self, pairs: &[(usize, usize)]) -> Result<CudaPairs, Error> {
        let pair = |&(first, second): &(usize, usize)| Indices {
            first: first as i64,
            second: second as i64,
        };
        let list: Vec<Indices> = pairs.iter().map(pair).collect();
        let buffer = self.cuda.fetch(|| self.cuda.numbers(&list))?;
        let greatest = |(a, b): (usize, usize), &(i, j): &(usize, usize)| (a.max(i), b.max(j));
        let greatest = pairs.iter().fold((0, 0), greatest);
        Ok(CudaPairs { buffer: Arc::new(buffer), count: pairs.len(), greatest })
    }

    fn sum_ranges(
        &mut self,
        ranges: &CudaPairs,
        x: &CudaVector,
        y: &CudaVector,
        to: &mut CudaVector,
    ) {
        let (begin, end) = ranges.greatest;
        assert!(begin <= x.len() && end <= x.len() && ranges.count <= to.len(), "ranges");
        self.sum_products(x, y, (ranges.pointer(), ranges.count), to);
    }

    fn add_pairs(&mut self, pairs: &CudaPairs, x: &mut CudaVector, to: &mut CudaVector) {
        let (i, j) = pairs.greatest;
        assert!(i < x.len() && j < x.len(), "indices");
        let arguments = Additions {
            pairs: pairs.pointer(),
            count: pairs.count as i64,
            x: x.planes(),
            to: to.planes(),
            held: self.held(),
        };
        // SAFETY: all indices are of entries, by the assertion, and `to` has one.
        unsafe { self.launch(&self.kernels.add_pairs, SINGLE, &arguments) };
    }

    fn move_entries(&mut self, moves: &CudaPairs, from: &CudaVector, to: &mut CudaVector) {
        if moves.count == 0 {
            return;
        }
        let (i, j) = moves.greatest;
        assert!(i < from.len() && j < to.len(), "indices");
        let arguments = Moves {
            moves: moves.pointer(),
            n: moves.count as i64,
            from: from.planes(),
            to: to.planes(),
            held: self.held(),
        };
        // SAFETY: all indices are of entries, by the assertion.
        unsafe { self.launch(&self.kernels.move_entries, each(moves.count), &arguments) };
    }

    fn place(&mut self, from: &CudaVector, first: usize, to: &mut CudaVector, range: Range<usize>) {
        let n = range.len();
        assert!(first + n <= self.length(from) && range.end <= self.length(to), "ranges");
        let arguments = Placing {
            from: from.planes(),
            first: first as i64,
            to: to.planes(),
            second: range.start as i64,
            n: n as i64,
            held: self.held(),
        };
        // SAFETY: both ranges lie in their vectors, by the assertion.
        unsafe { self.launch(&self.kernels.place, each(n), &arguments) };
    }
}
