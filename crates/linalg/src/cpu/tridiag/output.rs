//! Numbers that several threads write to.

use core::marker::PhantomData;

/// A slice of which threads write different places.
pub(super) struct Output<'a, T> {
    start: *mut T,
    length: usize,
    borrowed: PhantomData<&'a mut [T]>,
}

// SAFETY: a borrowed slice of numbers, whose writers promise to have places of their own.
unsafe impl<T: Send> Sync for Output<'_, T> {}

impl<'a, T> Output<'a, T> {
    pub(super) fn new(x: &'a mut [T]) -> Self {
        Self { start: x.as_mut_ptr(), length: x.len(), borrowed: PhantomData }
    }

    /// # Safety
    /// Nobody else reads or writes this place meanwhile.
    #[inline(always)]
    pub(super) unsafe fn write(&self, at: usize, x: T) {
        assert!(at < self.length, "place");
        // SAFETY: inside of the slice, by the assertion; else the caller's promise.
        unsafe { self.start.add(at).write(x) };
    }
}
