//! Operands of products, as kernels see them.

use nonius_linalg::dense::{Transpose, Triangle};

use crate::matrix::Layout;

/// What part of `C` is computed, by the numbers of the kernel.
pub(crate) fn part_number(part: Option<Triangle>) -> i32 {
    match part {
        None => 0,
        Some(Triangle::Lower) => 1,
        Some(Triangle::Upper) => 2,
    }
}

/// `op(A)` or `op(B)`.
#[derive(Clone, Copy)]
pub(crate) struct Operand {
    pub(crate) transpose: Transpose,
    pub(crate) layout: Layout,
}

impl Operand {
    pub(crate) fn new(transpose: Transpose, layout: Layout) -> Self {
        Self { transpose, layout }
    }

    pub(crate) fn shape(self) -> (usize, usize) {
        self.transpose.shape(self.layout.shape())
    }

    /// `op` of it.
    pub(crate) fn op(self) -> Layout {
        self.layout.op(self.transpose)
    }
}

/// No address of a number that decides.
pub(crate) const ALWAYS: u64 = 0;
