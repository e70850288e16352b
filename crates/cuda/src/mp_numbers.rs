//! Matrices of numbers of any precision for kernels that are compiled for no precision.

use nonius_gpu::{Pointer, kernel_arguments};
use nonius_linalg::mp::{Bits, Mp};

use crate::matrix::{DeviceMatrix, DeviceRef, Layout};

kernel_arguments! {
    /// A matrix of numbers of any precision as kernels see it.
    pub(crate) struct Numbers {
        /// Lanes: the words of a number, and behind them its head.
        data: Pointer<u64>,
        /// Lanes from one row to the next, and from one column to the next.
        row: i64,
        column: i64,
        /// Words of a number, and its bits.
        count: i64,
        bits: i64,
        rows: i64,
        cols: i64,
    }
}

impl Numbers {
    /// No numbers.
    pub(crate) const NONE: Self =
        Self { data: Pointer::NULL, row: 0, column: 0, count: 0, bits: 0, rows: 0, cols: 0 };

    /// Rows and columns.
    pub(crate) fn shape(&self) -> (usize, usize) {
        (self.rows as usize, self.cols as usize)
    }

    /// Whether there are none.
    pub(crate) fn is_none(&self) -> bool {
        self.bits == 0
    }

    /// A rectangle of numbers of `bits` bits.
    pub(crate) fn of(bits: Bits, layout: Layout) -> Self {
        let Layout { data, rows, cols, row, column, .. } = layout;
        let (count, bits) = (bits.words() as i64, bits.get().into());
        Self { data: Pointer::at(data), row, column, count, bits, rows, cols }
    }
}

impl From<DeviceRef<'_, Mp>> for Numbers {
    fn from(a: DeviceRef<'_, Mp>) -> Self {
        Self::of(a.format, a.layout)
    }
}

impl From<&DeviceMatrix<Mp>> for Numbers {
    fn from(a: &DeviceMatrix<Mp>) -> Self {
        a.as_ref().into()
    }
}
