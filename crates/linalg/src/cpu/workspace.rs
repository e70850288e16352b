//! Memory that kernels use again and again, one buffer a thread.

use core::cell::Cell;
use core::ops::{Deref, DerefMut};

std::thread_local! {
    static SPARE: Cell<Vec<f64>> = const { Cell::new(Vec::new()) };
}

/// Numbers in a cache line.
const LINE: usize = 8;

/// Numbers that begin at a cache line. The memory goes back to the thread when this is dropped.
pub(super) struct Buffer {
    memory: Vec<f64>,
    start: usize,
    length: usize,
}

impl Buffer {
    /// `length` numbers that hold anything.
    ///
    /// Reuses the memory of the last buffer that was dropped on this thread.
    pub(super) fn new(length: usize) -> Self {
        let mut memory = SPARE.take();
        if memory.len() < length + LINE {
            memory.resize(length + LINE, 0.0);
        }
        // `align_offset` may decline, which costs speed only.
        let start = memory.as_ptr().align_offset(LINE * size_of::<f64>()).min(LINE);
        Self { memory, start, length }
    }
}

impl Deref for Buffer {
    type Target = [f64];

    fn deref(&self) -> &[f64] {
        &self.memory[self.start..self.start + self.length]
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [f64] {
        &mut self.memory[self.start..self.start + self.length]
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        SPARE.set(core::mem::take(&mut self.memory));
    }
}
