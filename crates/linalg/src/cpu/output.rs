//! A matrix that several threads write, each its own rectangle.

// The rectangles of a column-major matrix interleave in memory, so that slices of it cannot be
// handed out whole.
#![allow(unsafe_code)]

use core::marker::PhantomData;
use core::ops::Range;

use nonius_num::Plain;

use crate::dense::MatMut;

/// A [`MatMut`] whose columns can be borrowed in pieces.
pub(super) struct Output<'a, T> {
    start: *mut T,
    rows: usize,
    cols: usize,
    ld: usize,
    marker: PhantomData<&'a mut [T]>,
}

// SAFETY: an `Output` gives access to nothing but the `T`s it borrows mutably, through `column`,
// whose callers see to it that no entry is reached twice.
unsafe impl<T: Send> Sync for Output<'_, T> {}

impl<'a, T: Plain> Output<'a, T> {
    pub(super) fn new(mut matrix: MatMut<'a, T>) -> Self {
        let (rows, cols) = matrix.shape();
        Self { start: matrix.as_mut_ptr(), rows, cols, ld: matrix.ld(), marker: PhantomData }
    }

    /// The given rows of column `j`. Panics outside the matrix.
    ///
    /// # Safety
    /// No entry may be in two pieces that live at the same time.
    #[inline(always)]
    #[allow(clippy::mut_from_ref)] // The contract above is what makes it sound.
    pub(super) unsafe fn column(&self, j: usize, rows: Range<usize>) -> &mut [T] {
        assert!(rows.start <= rows.end && rows.end <= self.rows && j < self.cols);
        // SAFETY: the piece lies inside the view: `MatMut` guarantees `(cols − 1)·ld + rows`
        // entries from its start, and the assertion above that `j` and `rows` are within. It is not
        // shared, by the contract.
        unsafe {
            core::slice::from_raw_parts_mut(
                self.start.add(j * self.ld + rows.start),
                rows.end - rows.start,
            )
        }
    }
}
