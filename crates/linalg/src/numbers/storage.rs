//! Numbers that are owned.

use core::fmt;
use std::borrow::Cow;

use nonius_num::{Decimal, Element, ParseDecimalError, Plain};

use super::{Slice, SliceMut};
use crate::cpu::memory::{self, ask_for_large_pages};

/// A vector of numbers of one format.
///
/// ```
/// use nonius_linalg::Numbers;
/// use nonius_num::Mp;
/// use nonius_num::mp::Bits;
///
/// let bits = Bits::new(424)?;
/// let mut numbers = Numbers::<Mp>::new(bits);
/// numbers.push(Mp::pi(bits));
/// numbers.push_decimal(b"0.1")?;
/// assert_eq!((numbers.len(), numbers.at(0)), (2, Mp::pi(bits)));
/// // Sums of limbs are a vector.
/// assert_eq!(Numbers::from(vec![1.5, 2.5]).plain(), [1.5, 2.5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Numbers<T: Element> {
    format: T::Format,
    cells: Vec<T::Cell>,
    words: Vec<u64>,
}

impl<T: Element> Numbers<T> {
    /// No numbers.
    pub fn new(format: T::Format) -> Self {
        Self { format, cells: Vec::new(), words: Vec::new() }
    }

    /// Numbers by their cells and words.
    ///
    /// Panics unless there are as many words as the cells take.
    pub fn from_parts(format: T::Format, cells: Vec<T::Cell>, words: Vec<u64>) -> Self {
        assert_eq!(words.len(), cells.len() * T::words(format), "words");
        Self { format, cells, words }
    }

    /// This number of zeros.
    pub fn zeros(format: T::Format, count: usize) -> Self {
        Self::try_zeros(format, count).expect("memory for numbers")
    }

    /// This number of zeros; `None` where there is no memory for them.
    pub fn try_zeros(format: T::Format, count: usize) -> Option<Self> {
        let words = memory::zeros(count.checked_mul(T::words(format))?)?;
        Some(Self { format, cells: memory::zeros(count)?, words })
    }

    /// No numbers, with memory for `count` of them.
    pub fn with_capacity(format: T::Format, count: usize) -> Self {
        let words = Vec::with_capacity(count * T::words(format));
        let mut numbers = Self { format, cells: Vec::with_capacity(count), words };
        numbers.ask_for_large_pages();
        numbers
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

    /// Number `i`.
    #[inline(always)]
    pub fn at(&self, i: usize) -> T {
        self.as_slice().at(i)
    }

    /// Replaces number `i` by `x`, rounded to the format.
    #[inline(always)]
    pub fn set(&mut self, i: usize, x: T) {
        self.as_mut_slice().set(i, x);
    }

    /// Replaces number `i` by number `j` of `from`, which are of the same format.
    ///
    /// Panics where the format is another.
    #[inline(always)]
    pub fn copy_of(&mut self, i: usize, from: &Self, j: usize) {
        assert_eq!(self.format, from.format, "format");
        let n = T::words(self.format);
        self.cells[i] = from.cells[j];
        self.words[i * n..(i + 1) * n].copy_from_slice(&from.words[j * n..(j + 1) * n]);
    }

    /// Replaces number `to` by number `from` of these.
    pub fn copy_within(&mut self, from: usize, to: usize) {
        let n = T::words(self.format);
        self.cells[to] = self.cells[from];
        self.words.copy_within(from * n..(from + 1) * n, to * n);
    }

    /// Appends `x`, rounded to the format.
    #[inline(always)]
    pub fn push(&mut self, x: T) {
        let start = self.words.len();
        self.words.resize(start + T::words(self.format), 0);
        let cell = x.store(self.format, &mut self.words[start..]);
        self.cells.push(cell);
    }

    /// Leaves the first `count`, or all where there are fewer.
    pub(crate) fn truncate(&mut self, count: usize) {
        self.cells.truncate(count);
        self.words.truncate(count.saturating_mul(T::words(self.format)));
    }

    /// How many there is room for.
    pub(crate) fn capacity(&self) -> usize {
        let words = self.words.capacity().checked_div(T::words(self.format));
        self.cells.capacity().min(words.unwrap_or(usize::MAX))
    }

    /// Makes room for `more` further numbers; `None` where there is no memory for them.
    pub(crate) fn try_reserve_exact(&mut self, more: usize) -> Option<()> {
        self.cells.try_reserve_exact(more).ok()?;
        self.words.try_reserve_exact(more.checked_mul(T::words(self.format))?).ok()?;
        self.ask_for_large_pages();
        Some(())
    }

    /// Of the memory that no number has yet.
    fn ask_for_large_pages(&mut self) {
        ask_for_large_pages(self.cells.spare_capacity_mut());
        ask_for_large_pages(self.words.spare_capacity_mut());
    }

    /// Appends numbers of the same format.
    ///
    /// Panics where their format is another.
    pub fn extend(&mut self, more: Slice<'_, T>) {
        assert_eq!(more.format(), self.format, "format");
        self.cells.extend_from_slice(more.cells());
        self.words.extend_from_slice(more.words());
    }

    /// All of them.
    #[inline(always)]
    pub fn as_slice(&self) -> Slice<'_, T> {
        Slice::from_parts(self.format, &self.cells, &self.words)
    }

    /// All of them, to be changed.
    #[inline(always)]
    pub fn as_mut_slice(&mut self) -> SliceMut<'_, T> {
        SliceMut::from_parts(self.format, &mut self.cells, &mut self.words)
    }
}

impl<T: Decimal> Numbers<T> {
    /// Whether number `i` is zero, of either sign.
    #[inline(always)]
    pub fn is_zero_at(&self, i: usize) -> bool {
        T::is_zero_cell(self.cells[i])
    }

    /// Appends the number nearest to the one that the text denotes; returns whether it is finite.
    ///
    /// A number that is not finite is left out.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn push_decimal(&mut self, text: &[u8]) -> Result<bool, ParseDecimalError> {
        let start = self.words.len();
        self.words.resize(start + T::words(self.format), 0);
        let cell = T::store_decimal(self.format, text, &mut self.words[start..]);
        let finite = cell.is_ok_and(T::is_finite_cell);
        match cell {
            Ok(cell) if finite => self.cells.push(cell),
            _ => self.words.truncate(start),
        }
        cell.map(|_| finite)
    }
}

impl<T: Plain> Numbers<T> {
    /// The numbers as a vector.
    pub fn into_vec(self) -> Vec<T> {
        self.cells
    }

    /// The numbers as a vector, to be read.
    pub fn plain(&self) -> &[T] {
        &self.cells
    }

    /// The numbers as a vector, to be changed.
    pub fn plain_mut(&mut self) -> &mut [T] {
        &mut self.cells
    }

    /// The vector that the numbers are.
    pub(crate) fn as_mut_vec(&mut self) -> &mut Vec<T> {
        &mut self.cells
    }
}

impl<T: Plain> core::ops::Index<usize> for Numbers<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, i: usize) -> &T {
        &self.cells[i]
    }
}

impl<T: Plain> From<Vec<T>> for Numbers<T> {
    fn from(numbers: Vec<T>) -> Self {
        Self { format: (), cells: numbers, words: Vec::new() }
    }
}

/// A copy.
impl<T: Element> From<Slice<'_, T>> for Numbers<T> {
    fn from(numbers: Slice<'_, T>) -> Self {
        let mut copy = Self::with_capacity(numbers.format(), numbers.len());
        copy.extend(numbers);
        copy
    }
}

impl<'a, T: Element> From<&'a Cow<'_, Numbers<T>>> for Slice<'a, T> {
    fn from(numbers: &'a Cow<'_, Numbers<T>>) -> Self {
        numbers.as_slice()
    }
}

impl<'a, T: Element> From<&'a Numbers<T>> for Slice<'a, T> {
    #[inline(always)]
    fn from(numbers: &'a Numbers<T>) -> Self {
        numbers.as_slice()
    }
}

impl<'a, T: Element> From<&'a mut Numbers<T>> for SliceMut<'a, T> {
    #[inline(always)]
    fn from(numbers: &'a mut Numbers<T>) -> Self {
        numbers.as_mut_slice()
    }
}

impl<T: Element> Clone for Numbers<T> {
    fn clone(&self) -> Self {
        self.as_slice().into()
    }
}

impl<T: Element> fmt::Debug for Numbers<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_slice().fmt(f)
    }
}

/// As many and equal, whatever the formats.
impl<T: Element + PartialEq> PartialEq for Numbers<T> {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}
