//! Words of which a few need no allocation, and shifts between them.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};

use super::super::round::shift_up;
use crate::integers::words::bits_at;

/// Words without a heap for significands of 1200 bits.
pub(super) const FEW: usize = 20;

/// As many words as asked for: up to `INLINE` in place, more on the heap.
#[derive(Clone)]
pub(super) struct Words<const INLINE: usize = FEW> {
    inline: [u64; INLINE],
    heap: Vec<u64>,
    length: usize,
}

impl<const INLINE: usize> Words<INLINE> {
    /// `length` zeros.
    pub(super) fn zeros(length: usize) -> Self {
        let heap = if length > INLINE { vec![0; length] } else { Vec::new() };
        Self { inline: [0; INLINE], heap, length }
    }

    /// A copy.
    pub(super) fn from_slice(words: &[u64]) -> Self {
        let mut copy = Self::zeros(words.len());
        copy.copy_from_slice(words);
        copy
    }
}

impl<const INLINE: usize> Deref for Words<INLINE> {
    type Target = [u64];

    #[inline(always)]
    fn deref(&self) -> &[u64] {
        if self.length > INLINE { &self.heap } else { &self.inline[..self.length] }
    }
}

impl<const INLINE: usize> DerefMut for Words<INLINE> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u64] {
        if self.length > INLINE { &mut self.heap } else { &mut self.inline[..self.length] }
    }
}

/// `to = ⌊words·2^k⌋`, modulo what `to` holds.
pub(super) fn shift(words: &[u64], k: i64, to: &mut [u64]) {
    let room = 64 * (words.len() + to.len()) as i64;
    if k >= 0 {
        return if k < room { shift_up(words, k as usize, to) } else { to.fill(0) };
    }
    let start = (-k).min(room) as usize;
    for (i, word) in to.iter_mut().enumerate() {
        *word = bits_at(words, start + 64 * i);
    }
}

/// `words = ⌊words / 2^k⌋` in place.
pub(super) fn shift_down(words: &mut [u64], k: usize) {
    for i in 0..words.len() {
        words[i] = bits_at(words, k + 64 * i);
    }
}
