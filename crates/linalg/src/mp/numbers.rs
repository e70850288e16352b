//! Storage of many numbers of one precision.

use core::ops::Range;

use nonius_num::mp::{Bits, Head, MpRef};

/// Numbers of one precision: the head of each, and the words of all, one number after the other.
#[derive(Clone, Debug)]
pub struct Numbers {
    bits: Bits,
    heads: Vec<Head>,
    words: Vec<u64>,
}

/// Some of [`Numbers`], to be read.
#[derive(Clone, Copy, Debug)]
pub struct Slice<'a> {
    bits: Bits,
    heads: &'a [Head],
    words: &'a [u64],
}

/// Some of [`Numbers`], to be changed.
#[derive(Debug)]
pub struct SliceMut<'a> {
    bits: Bits,
    heads: &'a mut [Head],
    words: &'a mut [u64],
}

impl Numbers {
    /// No numbers.
    pub fn new(bits: Bits) -> Self {
        Self { bits, heads: Vec::new(), words: Vec::new() }
    }

    /// So many zeros.
    pub fn zeros(bits: Bits, count: usize) -> Self {
        let words = vec![0; count * bits.words()];
        Self { bits, heads: vec![Head::default(); count], words }
    }

    /// So many zeros, where there is memory for them.
    pub fn try_zeros(bits: Bits, count: usize) -> Option<Self> {
        let mut numbers = Self::new(bits);
        let length = count.checked_mul(bits.words())?;
        numbers.heads.try_reserve_exact(count).ok()?;
        numbers.words.try_reserve_exact(length).ok()?;
        numbers.heads.resize(count, Head::default());
        numbers.words.resize(length, 0);
        Some(numbers)
    }

    /// The precision.
    pub fn bits(&self) -> Bits {
        self.bits
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Number `i`.
    #[inline]
    pub fn at(&self, i: usize) -> MpRef<'_> {
        self.as_slice().at(i)
    }

    /// Replaces number `i` by `x`, rounded to the precision of these.
    pub fn set(&mut self, i: usize, x: MpRef<'_>) {
        self.as_mut_slice().set(i, x);
    }

    /// Replaces number `to` by number `from` of these.
    pub fn copy_within(&mut self, from: usize, to: usize) {
        let n = self.bits.words();
        self.heads[to] = self.heads[from];
        self.words.copy_within(from * n..(from + 1) * n, to * n);
    }

    /// Appends `x`, rounded to the precision of these.
    pub fn push(&mut self, x: MpRef<'_>) {
        self.heads.push(Head::default());
        self.words.resize(self.words.len() + self.bits.words(), 0);
        self.set(self.len() - 1, x);
    }

    /// Appends numbers of the same precision.
    ///
    /// Panics where their precision is another.
    pub fn extend(&mut self, more: Slice<'_>) {
        assert_eq!(more.bits, self.bits, "precision");
        self.heads.extend_from_slice(more.heads);
        self.words.extend_from_slice(more.words);
    }

    /// All of them.
    pub fn as_slice(&self) -> Slice<'_> {
        Slice { bits: self.bits, heads: &self.heads, words: &self.words }
    }

    /// All of them, to be changed.
    pub fn as_mut_slice(&mut self) -> SliceMut<'_> {
        SliceMut { bits: self.bits, heads: &mut self.heads, words: &mut self.words }
    }
}

impl<'a> Slice<'a> {
    /// The precision.
    pub fn bits(self) -> Bits {
        self.bits
    }

    /// How many there are.
    pub fn len(self) -> usize {
        self.heads.len()
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.heads.is_empty()
    }

    /// Number `i`.
    #[inline]
    pub fn at(self, i: usize) -> MpRef<'a> {
        let n = self.bits.words();
        MpRef::new(self.bits, self.heads[i], &self.words[i * n..][..n])
    }

    /// Those of the range.
    #[must_use]
    pub fn range(self, range: Range<usize>) -> Self {
        let n = self.bits.words();
        let words = &self.words[range.start * n..range.end * n];
        Self { heads: &self.heads[range], words, ..self }
    }

    /// Their heads.
    pub fn heads(self) -> &'a [Head] {
        self.heads
    }

    /// Their words, one number after the other.
    pub fn words(self) -> &'a [u64] {
        self.words
    }
}

impl<'a> SliceMut<'a> {
    /// Numbers by their heads and words.
    pub(crate) fn from_parts(bits: Bits, heads: &'a mut [Head], words: &'a mut [u64]) -> Self {
        assert_eq!(words.len(), heads.len() * bits.words(), "words");
        Self { bits, heads, words }
    }

    /// Heads and words.
    pub fn into_parts(self) -> (&'a mut [Head], &'a mut [u64]) {
        (self.heads, self.words)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// The same, to be read.
    pub fn as_slice(&self) -> Slice<'_> {
        Slice { bits: self.bits, heads: self.heads, words: self.words }
    }

    /// The same for a shorter time.
    pub fn reborrow(&mut self) -> SliceMut<'_> {
        SliceMut { bits: self.bits, heads: self.heads, words: self.words }
    }

    /// Replaces number `i` by `x`, rounded to the precision of these.
    pub fn set(&mut self, i: usize, x: MpRef<'_>) {
        let n = self.bits.words();
        self.heads[i] = x.write(self.bits, &mut self.words[i * n..][..n]);
    }

    /// Replaces all by as many numbers of the same precision.
    ///
    /// Panics where their number or precision differs.
    pub fn copy_from(self, from: Slice<'_>) {
        assert_eq!(self.bits, from.bits, "precision");
        self.heads.copy_from_slice(from.heads);
        self.words.copy_from_slice(from.words);
    }

    /// The first `count`, and the rest.
    pub fn split_at(self, count: usize) -> (SliceMut<'a>, SliceMut<'a>) {
        let bits = self.bits;
        let (heads, more_heads) = self.heads.split_at_mut(count);
        let (words, more_words) = self.words.split_at_mut(count * bits.words());
        (Self { bits, heads, words }, Self { bits, heads: more_heads, words: more_words })
    }

    /// Pieces of `count` numbers, the last perhaps shorter.
    pub fn pieces(self, count: usize) -> Vec<SliceMut<'a>> {
        let bits = self.bits;
        let heads = self.heads.chunks_mut(count);
        let words = self.words.chunks_mut(count * bits.words());
        heads.zip(words).map(|(heads, words)| SliceMut { bits, heads, words }).collect()
    }
}
