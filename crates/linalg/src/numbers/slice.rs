//! Numbers that are borrowed.

use core::fmt;
use core::ops::Range;

use nonius_num::{Element, Plain};

/// A borrowed range of [`Numbers`](super::Numbers), read-only.
///
/// ```
/// use nonius_linalg::Slice;
///
/// let slice = Slice::from(&[1.0, 2.0, 3.0, 4.0]);
/// assert_eq!(slice.range(1..3).iter().sum::<f64>(), 5.0);
/// ```
pub struct Slice<'a, T: Element> {
    format: T::Format,
    cells: &'a [T::Cell],
    words: &'a [u64],
}

/// A borrowed range of [`Numbers`](super::Numbers) that can be changed.
pub struct SliceMut<'a, T: Element> {
    format: T::Format,
    cells: &'a mut [T::Cell],
    words: &'a mut [u64],
}

impl<T: Element> Clone for Slice<'_, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Element> Copy for Slice<'_, T> {}

impl<'a, T: Element> Slice<'a, T> {
    /// Numbers by their cells and words.
    ///
    /// Panics unless there are as many words as the cells take.
    #[inline(always)]
    pub fn from_parts(format: T::Format, cells: &'a [T::Cell], words: &'a [u64]) -> Self {
        assert_eq!(words.len(), cells.len() * T::words(format), "words");
        Self { format, cells, words }
    }

    /// The format of the numbers.
    #[inline(always)]
    pub fn format(self) -> T::Format {
        self.format
    }

    /// How many there are.
    #[inline(always)]
    pub fn len(self) -> usize {
        self.cells.len()
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.cells.is_empty()
    }

    /// Number `i`.
    #[inline(always)]
    pub fn at(self, i: usize) -> T {
        let n = T::words(self.format);
        T::load(self.format, self.cells[i], &self.words[i * n..(i + 1) * n])
    }

    /// All of them, one after the other.
    pub fn iter(
        self,
    ) -> impl ExactSizeIterator<Item = T> + DoubleEndedIterator + Clone + use<'a, T> {
        (0..self.len()).map(move |i| self.at(i))
    }

    /// Those of the range.
    #[inline(always)]
    #[must_use]
    pub fn range(self, range: Range<usize>) -> Self {
        let n = T::words(self.format);
        let words = &self.words[range.start * n..range.end * n];
        Self { cells: &self.cells[range], words, ..self }
    }

    /// Whether both begin in the same place.
    pub(crate) fn is_at(self, other: Self) -> bool {
        core::ptr::eq(self.cells.as_ptr(), other.cells.as_ptr())
    }

    /// The cells.
    #[inline(always)]
    pub fn cells(self) -> &'a [T::Cell] {
        self.cells
    }

    /// The words, one number after the other.
    #[inline(always)]
    pub fn words(self) -> &'a [u64] {
        self.words
    }
}

impl<'a, T: Element> From<&'a Slice<'_, T>> for Slice<'a, T> {
    #[inline(always)]
    fn from(slice: &'a Slice<'_, T>) -> Self {
        *slice
    }
}

impl<'a, T: Plain> From<&'a [T]> for Slice<'a, T> {
    #[inline(always)]
    fn from(cells: &'a [T]) -> Self {
        Self { format: (), cells, words: &[] }
    }
}

impl<'a, T: Plain> From<&'a Vec<T>> for Slice<'a, T> {
    #[inline(always)]
    fn from(cells: &'a Vec<T>) -> Self {
        Self { format: (), cells, words: &[] }
    }
}

impl<'a, T: Plain, const N: usize> From<&'a [T; N]> for Slice<'a, T> {
    #[inline(always)]
    fn from(cells: &'a [T; N]) -> Self {
        Self { format: (), cells, words: &[] }
    }
}

impl<'a, T: Plain, const N: usize> From<&'a mut [T; N]> for SliceMut<'a, T> {
    #[inline(always)]
    fn from(cells: &'a mut [T; N]) -> Self {
        Self { format: (), cells, words: &mut [] }
    }
}

impl<'a, T: Plain> From<&'a mut Vec<T>> for SliceMut<'a, T> {
    #[inline(always)]
    fn from(cells: &'a mut Vec<T>) -> Self {
        Self { format: (), cells, words: &mut [] }
    }
}

impl<T: Element> fmt::Debug for Slice<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { format, cells, words } = self;
        let mut to = f.debug_struct("Slice");
        to.field("format", format).field("cells", cells);
        if !words.is_empty() {
            to.field("words", words);
        }
        to.finish()
    }
}

/// As many and equal, whatever the formats.
impl<T: Element + PartialEq> PartialEq for Slice<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl<'a, T: Element> SliceMut<'a, T> {
    /// Numbers by their cells and words.
    ///
    /// Panics unless there are as many words as the cells take.
    #[inline(always)]
    pub fn from_parts(format: T::Format, cells: &'a mut [T::Cell], words: &'a mut [u64]) -> Self {
        assert_eq!(words.len(), cells.len() * T::words(format), "words");
        Self { format, cells, words }
    }

    /// Cells and words.
    #[inline(always)]
    pub fn into_parts(self) -> (&'a mut [T::Cell], &'a mut [u64]) {
        (self.cells, self.words)
    }

    /// The format of the numbers.
    #[inline(always)]
    pub fn format(&self) -> T::Format {
        self.format
    }

    /// How many there are.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The same, to be read.
    #[inline(always)]
    pub fn as_slice(&self) -> Slice<'_, T> {
        Slice { format: self.format, cells: self.cells, words: self.words }
    }

    /// The same for a shorter time.
    #[inline(always)]
    pub fn reborrow(&mut self) -> SliceMut<'_, T> {
        SliceMut { format: self.format, cells: self.cells, words: self.words }
    }

    /// Number `i`.
    #[inline(always)]
    pub fn at(&self, i: usize) -> T {
        self.as_slice().at(i)
    }

    /// Replaces number `i` by `x`, rounded to the format.
    #[inline(always)]
    pub fn set(&mut self, i: usize, x: T) {
        let n = T::words(self.format);
        self.cells[i] = x.store(self.format, &mut self.words[i * n..(i + 1) * n]);
    }

    /// Exchanges numbers `i` and `k`.
    #[inline(always)]
    pub fn swap(&mut self, i: usize, k: usize) {
        let n = T::words(self.format);
        self.cells.swap(i, k);
        if n > 0 && i != k {
            let (first, last) = (i.min(k) * n, i.max(k) * n);
            let (low, high) = self.words.split_at_mut(last);
            low[first..first + n].swap_with_slice(&mut high[..n]);
        }
    }

    /// Replaces all by as many numbers of the same format.
    ///
    /// Panics where their number or format differs.
    #[inline(always)]
    pub fn copy_from(self, from: Slice<'_, T>) {
        assert_eq!(self.format, from.format, "format");
        self.cells.copy_from_slice(from.cells);
        self.words.copy_from_slice(from.words);
    }

    /// Exchanges all with as many numbers of the same format.
    ///
    /// Panics where their number or format differs.
    pub fn swap_with(&mut self, other: SliceMut<'_, T>) {
        assert_eq!(self.format, other.format, "format");
        self.cells.swap_with_slice(other.cells);
        self.words.swap_with_slice(other.words);
    }

    /// Replaces all by zeros.
    pub fn clear(self) {
        self.cells.fill(T::Cell::default());
        self.words.fill(0);
    }

    /// The first `count`, and the rest.
    #[inline(always)]
    pub fn split_at(self, count: usize) -> (SliceMut<'a, T>, SliceMut<'a, T>) {
        let format = self.format;
        let (cells, more_cells) = self.cells.split_at_mut(count);
        let (words, more_words) = self.words.split_at_mut(count * T::words(format));
        (Self { format, cells, words }, Self { format, cells: more_cells, words: more_words })
    }

    /// Those of the range.
    #[inline(always)]
    #[must_use]
    pub fn range(self, range: Range<usize>) -> Self {
        let n = T::words(self.format);
        let words = &mut self.words[range.start * n..range.end * n];
        Self { format: self.format, cells: &mut self.cells[range], words }
    }

    /// Pieces of `count` numbers, the last perhaps shorter.
    pub fn pieces(self, count: usize) -> Vec<SliceMut<'a, T>> {
        let mut pieces = Vec::with_capacity(self.len().div_ceil(count));
        let mut rest = self;
        while !rest.is_empty() {
            let (piece, after) = rest.split_at_least(count);
            pieces.push(piece);
            rest = after;
        }
        pieces
    }

    /// The first `count`, or all, and the rest.
    fn split_at_least(self, count: usize) -> (SliceMut<'a, T>, SliceMut<'a, T>) {
        let count = count.min(self.len());
        self.split_at(count)
    }
}

impl<'a, T: Plain> SliceMut<'a, T> {
    /// The numbers as they are stored.
    #[inline(always)]
    pub fn plain(self) -> &'a mut [T] {
        self.cells
    }
}

impl<'a, T: Plain> From<&'a mut [T]> for SliceMut<'a, T> {
    #[inline(always)]
    fn from(cells: &'a mut [T]) -> Self {
        Self { format: (), cells, words: &mut [] }
    }
}

impl<T: Element> fmt::Debug for SliceMut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_slice().fmt(f)
    }
}
