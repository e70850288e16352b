//! Numbers that several threads write to.

use core::marker::PhantomData;

use crate::{Element, SliceMut};

/// Numbers of which threads write different ones.
pub(super) struct Output<'a, T: Element> {
    format: T::Format,
    cells: *mut T::Cell,
    words: *mut u64,
    length: usize,
    borrowed: PhantomData<&'a mut [T::Cell]>,
}

// SAFETY: borrowed numbers, whose writers promise to have places of their own.
unsafe impl<T: Element> Sync for Output<'_, T> {}

impl<'a, T: Element> Output<'a, T> {
    pub(super) fn new(x: SliceMut<'a, T>) -> Self {
        let (format, length) = (x.format(), x.len());
        let (cells, words) = x.into_parts();
        let (cells, words) = (cells.as_mut_ptr(), words.as_mut_ptr());
        Self { format, cells, words, length, borrowed: PhantomData }
    }

    /// # Safety
    /// Nobody else reads or writes this place meanwhile.
    #[inline(always)]
    pub(super) unsafe fn write(&self, at: usize, x: T) {
        assert!(at < self.length, "place");
        let count = T::words(self.format);
        // SAFETY: a slice has `count` words for each cell, so that these are inside of it, by the
        // assertion; else the caller's promise.
        unsafe {
            let words = core::slice::from_raw_parts_mut(self.words.add(at * count), count);
            self.cells.add(at).write(x.store(self.format, words));
        }
    }
}
