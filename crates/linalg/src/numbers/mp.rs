//! Numbers of any precision where they lie, without copies.

use nonius_num::mp::{Bits, Head, Mp, MpRef};

use super::{Numbers, Slice, SliceMut};
use crate::{MatMut, MatRef};

impl Numbers<Mp> {
    /// The precision.
    pub fn bits(&self) -> Bits {
        self.format()
    }

    /// Number `i`.
    #[inline]
    pub fn entry(&self, i: usize) -> MpRef<'_> {
        self.as_slice().entry(i)
    }

    /// Replaces number `i` by `x`, rounded to the precision of these.
    pub fn put(&mut self, i: usize, x: MpRef<'_>) {
        self.as_mut_slice().put(i, x);
    }
}

impl<'a> Slice<'a, Mp> {
    /// The precision.
    pub fn bits(self) -> Bits {
        self.format()
    }

    /// Number `i`.
    #[inline]
    pub fn entry(self, i: usize) -> MpRef<'a> {
        let n = self.bits().words();
        MpRef::new(self.bits(), self.cells()[i], &self.words()[i * n..][..n])
    }

    /// Their heads.
    #[inline(always)]
    pub fn heads(self) -> &'a [Head] {
        self.cells()
    }

    /// Their heads and words.
    #[inline(always)]
    pub fn parts(self) -> (&'a [Head], &'a [u64]) {
        (self.cells(), self.words())
    }
}

impl<'a> MatRef<'a, Mp> {
    /// Entry `(i, j)`.
    #[inline]
    pub fn entry(&self, i: usize, j: usize) -> MpRef<'a> {
        self.column(j).entry(i)
    }
}

impl MatMut<'_, Mp> {
    /// Replaces entry `(i, j)` by `x`, rounded to the precision.
    #[inline]
    pub fn put(&mut self, i: usize, j: usize, x: MpRef<'_>) {
        self.column_mut(j).put(i, x);
    }
}

impl SliceMut<'_, Mp> {
    /// Replaces number `i` by `x`, rounded to the precision of these.
    pub fn put(&mut self, i: usize, x: MpRef<'_>) {
        let bits = self.format();
        let n = bits.words();
        let (heads, words) = self.reborrow().into_parts();
        heads[i] = x.write(bits, &mut words[i * n..][..n]);
    }
}
