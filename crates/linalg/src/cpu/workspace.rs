//! Memory that kernels use again and again, a few buffers a thread.

// Buffers of other numbers are views of memory of `f64`.
#![allow(unsafe_code)]

use core::cell::RefCell;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};

use super::memory::ask_for_large_pages;

std::thread_local! {
    /// Memory that no buffer uses, the last used last.
    static SPARE: RefCell<Vec<Vec<f64>>> = const { RefCell::new(Vec::new()) };
}

/// As many pieces of memory a thread keeps.
const PIECES: usize = 8;
/// Most `f64` in all of them: 2 GiB of each thread.
const KEPT: usize = 256 << 20;
/// Numbers in a cache line.
const LINE: usize = 8;

/// Numbers of which any bits are one, no larger and no more strictly aligned than `f64`.
///
/// # Safety
/// The implementor is such a type, of 1, 2, 4 or 8 bytes, without padding.
pub(super) unsafe trait AnyBits: Copy + Send + Sync + 'static {}

// SAFETY: it is such a type.
unsafe impl AnyBits for f64 {}
// SAFETY: it is such a type.
unsafe impl AnyBits for i32 {}
// SAFETY: it is such a type.
unsafe impl AnyBits for u32 {}
// SAFETY: it is such a type.
unsafe impl AnyBits for i8 {}

/// Numbers that begin at a cache line. The memory goes back to the thread when this is dropped.
pub(super) struct Buffer<W: AnyBits = f64> {
    memory: Vec<f64>,
    start: usize,
    length: usize,
    marker: PhantomData<W>,
}

impl<W: AnyBits> Buffer<W> {
    /// `length` numbers that hold anything.
    ///
    /// Reuses memory of buffers that were dropped on this thread.
    pub(super) fn new(length: usize) -> Self {
        let needed = (length * size_of::<W>()).div_ceil(size_of::<f64>()) + LINE;
        let mut memory = SPARE.with_borrow_mut(|spare| {
            let fitting = (0..spare.len()).filter(|&i| spare[i].len() >= needed);
            match fitting.min_by_key(|&i| spare[i].len()) {
                Some(index) => spare.remove(index),
                None => spare.pop().unwrap_or_default(),
            }
        });
        if memory.len() < needed {
            // What is given back is not in memory twice.
            drop(memory);
            memory = vec![0.0; needed];
            ask_for_large_pages(&memory);
        }
        // `align_offset` may decline, which costs speed only.
        let start = memory.as_ptr().align_offset(LINE * size_of::<f64>()).min(LINE);
        Self { memory, start, length, marker: PhantomData }
    }
}

impl<W: AnyBits> Deref for Buffer<W> {
    type Target = [W];

    fn deref(&self) -> &[W] {
        let memory = &self.memory[self.start..];
        assert!(self.length * size_of::<W>() <= size_of_val(memory));
        // SAFETY: the memory is initialised, long enough by the assertion, and aligned for `f64` at
        // least; any bits are a `W`.
        unsafe { core::slice::from_raw_parts(memory.as_ptr().cast(), self.length) }
    }
}

impl<W: AnyBits> DerefMut for Buffer<W> {
    fn deref_mut(&mut self) -> &mut [W] {
        let memory = &mut self.memory[self.start..];
        assert!(self.length * size_of::<W>() <= size_of_val(memory));
        // SAFETY: as in `deref`; any bits are an `f64`, and the borrow is exclusive.
        unsafe { core::slice::from_raw_parts_mut(memory.as_mut_ptr().cast(), self.length) }
    }
}

impl<W: AnyBits> Drop for Buffer<W> {
    fn drop(&mut self) {
        let memory = core::mem::take(&mut self.memory);
        if memory.len() > KEPT {
            return;
        }
        SPARE.with_borrow_mut(|spare| {
            spare.push(memory);
            while spare.len() > PIECES || spare.iter().map(Vec::len).sum::<usize>() > KEPT {
                spare.remove(0);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_are_apart_aligned_and_as_long_as_asked() {
        let mut buffers: Vec<Buffer<i32>> = (0..7).map(|i| Buffer::new(100 * i + 1)).collect();
        for (i, buffer) in buffers.iter_mut().enumerate() {
            assert_eq!(buffer.len(), 100 * i + 1);
            assert_eq!(buffer.as_ptr() as usize % 64, 0);
            buffer.fill(i as i32);
        }
        for (i, buffer) in buffers.iter().enumerate() {
            assert!(buffer.iter().all(|&x| x == i as i32));
        }
    }

    #[test]
    fn memory_is_used_again() {
        let place = |length| Buffer::<f64>::new(length).as_ptr();
        let first = place(5000);
        assert_eq!(place(100), first);
        assert_eq!(place(5000), first);
    }
}
