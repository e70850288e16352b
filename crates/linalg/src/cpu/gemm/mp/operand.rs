//! Operands of products, where they lie.

use core::ops::Range;

use nonius_num::mp::{Mp, MpRef};

use crate::cpu::gemm::Operand;
use crate::cpu::simd::prefetch::prefetch_all;
use crate::dense::Transpose;

impl<'a> Operand<'a, Mp> {
    /// Fetches the numbers of some rows at a place, where these lie together and the processor does
    /// not see it by itself.
    pub(super) fn fetch(&self, rows: Range<usize>, place: usize) {
        if self.transpose == Transpose::No && place < self.matrix.cols() {
            let numbers = self.matrix.column(place).range(rows);
            prefetch_all(numbers.heads());
            prefetch_all(numbers.words());
        }
    }

    pub(super) fn entry(&self, i: usize, j: usize) -> MpRef<'a> {
        match self.transpose {
            Transpose::No => self.matrix.entry(i, j),
            Transpose::Yes => self.matrix.entry(j, i),
        }
    }
}
