//! Storage of many numbers of one format.

use alloc::vec::Vec;
use core::ops::Range;

use super::{Bounds, Format, RnsRef};
use crate::mp::Head;

/// Numbers of one format: the heads and bounds of all, and their residues, one number after the
/// other.
///
/// ```
/// use nonius_num::RnsFloat;
/// use nonius_num::rns::float::{Format, RnsNumbers};
///
/// let format = Format::with_bits(159)?;
/// let mut numbers = RnsNumbers::new(&format);
/// numbers.push(RnsFloat::from_f64(&format, 0.75).view());
/// numbers.push(RnsFloat::one(&format).view());
/// assert_eq!((numbers.at(0) + numbers.at(1)).to_f64(), 1.75);
/// # Ok::<(), nonius_num::rns::float::FormatError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RnsNumbers {
    format: Format,
    heads: Vec<Head>,
    bounds: Vec<Bounds>,
    residues: Vec<u32>,
}

/// Some of [`RnsNumbers`], to be read.
#[derive(Clone, Copy, Debug)]
pub struct RnsSlice<'a> {
    format: &'a Format,
    heads: &'a [Head],
    bounds: &'a [Bounds],
    residues: &'a [u32],
}

/// Some of [`RnsNumbers`], to be changed.
#[derive(Debug)]
pub struct RnsSliceMut<'a> {
    format: &'a Format,
    heads: &'a mut [Head],
    bounds: &'a mut [Bounds],
    residues: &'a mut [u32],
}

impl RnsNumbers {
    /// No numbers.
    pub fn new(format: &Format) -> Self {
        let format = format.clone();
        Self { format, heads: Vec::new(), bounds: Vec::new(), residues: Vec::new() }
    }

    /// This number of zeros; `None` where there is no memory for them.
    pub fn try_zeros(format: &Format, count: usize) -> Option<Self> {
        let mut numbers = Self::new(format);
        let length = count.checked_mul(format.lanes())?;
        numbers.heads.try_reserve_exact(count).ok()?;
        numbers.bounds.try_reserve_exact(count).ok()?;
        numbers.residues.try_reserve_exact(length).ok()?;
        numbers.heads.resize(count, Head::zero(false));
        numbers.bounds.resize(count, Bounds::HALF);
        numbers.residues.resize(length, 0);
        Some(numbers)
    }

    /// Moduli and precision.
    pub fn format(&self) -> &Format {
        &self.format
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
    pub fn at(&self, i: usize) -> RnsRef<'_> {
        self.as_slice().at(i)
    }

    /// Replaces number `i` by `x`, rounded to the format of these.
    pub fn set(&mut self, i: usize, x: RnsRef<'_>) {
        self.as_mut_slice().set(i, x);
    }

    /// Appends `x`, rounded to the format of these.
    pub fn push(&mut self, x: RnsRef<'_>) {
        self.heads.push(Head::zero(false));
        self.bounds.push(Bounds::HALF);
        self.residues.resize(self.residues.len() + self.format.lanes(), 0);
        self.set(self.len() - 1, x);
    }

    /// All of them.
    pub fn as_slice(&self) -> RnsSlice<'_> {
        let Self { format, heads, bounds, residues } = self;
        RnsSlice { format, heads, bounds, residues }
    }

    /// All of them, to be changed.
    pub fn as_mut_slice(&mut self) -> RnsSliceMut<'_> {
        let Self { format, heads, bounds, residues } = self;
        RnsSliceMut { format, heads, bounds, residues }
    }
}

impl<'a> RnsSlice<'a> {
    /// Moduli and precision.
    pub fn format(self) -> &'a Format {
        self.format
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
    pub fn at(self, i: usize) -> RnsRef<'a> {
        let lanes = self.format.lanes();
        let residues = &self.residues[i * lanes..][..lanes];
        RnsRef { format: self.format, head: self.heads[i], bounds: self.bounds[i], residues }
    }

    /// Those in a range.
    #[must_use]
    pub fn range(self, range: Range<usize>) -> Self {
        let lanes = self.format.lanes();
        Self {
            format: self.format,
            heads: &self.heads[range.clone()],
            bounds: &self.bounds[range.clone()],
            residues: &self.residues[range.start * lanes..range.end * lanes],
        }
    }
}

impl<'a> RnsSliceMut<'a> {
    /// Moduli and precision.
    pub fn format(&self) -> &'a Format {
        self.format
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// The same numbers, to be read.
    pub fn as_slice(&self) -> RnsSlice<'_> {
        let Self { format, heads, bounds, residues } = self;
        RnsSlice { format, heads, bounds, residues }
    }

    /// Replaces number `i` by `x`, rounded to the format of these.
    pub fn set(&mut self, i: usize, x: RnsRef<'_>) {
        if x.format != self.format {
            return self.set(i, x.to_format(self.format).view());
        }
        let lanes = self.format.lanes();
        self.heads[i] = x.head;
        self.bounds[i] = x.bounds;
        self.residues[i * lanes..][..lanes].copy_from_slice(x.residues);
    }

    /// Replaces these by others of the same format.
    ///
    /// Panics where there are more or fewer, or their format is another.
    pub fn copy_from(&mut self, x: RnsSlice<'_>) {
        assert!(*x.format == *self.format, "format");
        self.heads.copy_from_slice(x.heads);
        self.bounds.copy_from_slice(x.bounds);
        self.residues.copy_from_slice(x.residues);
    }

    /// Replaces these by zeros.
    pub fn clear(&mut self) {
        self.heads.fill(Head::zero(false));
        self.bounds.fill(Bounds::HALF);
        self.residues.fill(0);
    }

    /// The numbers in pieces of `size` numbers, the last one of the rest.
    pub fn into_pieces(self, size: usize) -> impl Iterator<Item = Self> {
        let Self { format, heads, bounds, residues } = self;
        let parts = heads.chunks_mut(size).zip(bounds.chunks_mut(size));
        let parts = parts.zip(residues.chunks_mut(size * format.lanes()));
        parts.map(move |((heads, bounds), residues)| Self { format, heads, bounds, residues })
    }
}
