//! Operands of products.

use core::ops::Range;

use nonius_num::mp::MpRef;

use crate::cpu::simd::prefetch::prefetch_all;
use crate::dense::Transpose;
use crate::mp::Matrix;

/// `op(A)`.
#[derive(Clone, Copy)]
pub(super) struct Operand<'a> {
    pub(super) transpose: Transpose,
    pub(super) matrix: &'a Matrix,
}

impl<'a> Operand<'a> {
    pub(super) fn shape(&self) -> (usize, usize) {
        self.transpose.shape(self.matrix.shape())
    }

    /// `op(A)ᵀ`.
    pub(super) fn transposed(self) -> Self {
        Self { transpose: self.transpose.flipped(), ..self }
    }

    /// Fetches the numbers of some rows at a place, where these lie together and the processor does not see it by itself.
    pub(super) fn fetch(&self, rows: Range<usize>, place: usize) {
        if self.transpose == Transpose::No && place < self.matrix.cols() {
            let numbers = self.matrix.col(place).range(rows);
            prefetch_all(numbers.heads());
            prefetch_all(numbers.words());
        }
    }

    pub(super) fn at(&self, i: usize, j: usize) -> MpRef<'a> {
        match self.transpose {
            Transpose::No => self.matrix.at(i, j),
            Transpose::Yes => self.matrix.at(j, i),
        }
    }
}
